"""A line of `pbem status`, in words."""

from pbem.commands.status import _standing


def test_what_is_the_same_of_all_is_said_once() -> None:
    """Found by a review of status: `blue 0 markers, face down, green 0 markers, face down`."""
    same = {"blue": "0 markers, face down", "green": "1 marker, face down"}
    assert _standing(same) == "blue 0 markers, green 1 marker (face down)"
    assert _standing({"blue": "3", "green": "5"}) == "blue 3, green 5"
    assert _standing({"blue": "3", "green": "1 marker, face down"}) == (
        "blue 3, green 1 marker, face down"
    )
    assert not _standing({})
