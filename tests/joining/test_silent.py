"""Who never answered is told that he was seated all the same.

Found by a review of 2026-11-21: the roster said `nothing` of him as of one who had answered so, and
his own mail said nothing of it; and it told him to write his answer above a line.
"""

from typing import Any

from . import table


def told(place: Any, seat: str) -> str:
    return " ".join(table.report(place, 1, seat).read_text("utf-8").split())


def test_the_silent_one_is_told_and_nobody_else(roster: Any) -> None:
    assert "You did not answer the invitation, but the referee seated you." in (
        told(roster, "violet")
    )
    for seat in ("red", "green", "blue", "spectators"):
        assert "You did not answer" not in told(roster, seat)
        assert "Dan (violet) did not answer the invitation" in told(roster, seat)


def test_nothing_to_answer_is_said_so(roster: Any) -> None:
    for seat, asked in (("red", True), ("green", True), ("blue", False), ("violet", False)):
        text = told(roster, seat)
        assert ("Write your answer above this line." in text) == asked
        assert ("] This email needs no answer." in text) == (not asked)
