"""What a referee reads at the opening is as it was: told/openings.txt has been read by somebody."""

from .told_openings import TOLD, told


def test_as_it_was_read() -> None:
    """After a change of wording: ``python -m tests.engine.told_openings``, and read the diff."""
    assert told() == TOLD.read_text(encoding="utf-8")
