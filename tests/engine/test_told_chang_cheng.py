"""The words of Chang Cheng are as they were: told/chang-cheng.txt has been read by somebody."""

from .told_chang_cheng import TOLD, told


def test_as_it_was_read() -> None:
    """After a change of wording: ``python -m tests.engine.told_chang_cheng``, and read the diff."""
    assert told() == TOLD.read_text(encoding="utf-8")
