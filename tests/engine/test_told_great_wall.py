"""The words of Great Wall are as they were: told/great-wall.txt has been read by somebody."""

from .told_great_wall import TOLD, told


def test_as_it_was_read() -> None:
    """After a change of wording: ``python -m tests.engine.told_great_wall``, and read the diff."""
    assert told() == TOLD.read_text(encoding="utf-8")
