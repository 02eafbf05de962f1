"""The parts of a state's rows: a text, a number, a time, each in the one way it can be written.

What lives here: ``one_line``, ``read_number``, ``read_time``. What must never be here: the clock; a
row of one kind.
Law: what can be written in two ways, or as no time at all, is a place to hide a message in.
Source: docs/SPECIFICATION.md section 5.
"""

import re
from datetime import datetime

from pbem.errors import BadInput

#: line ends, what moves a terminal's cursor, what turns the direction of a text
_LINE_ENDS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_SHAPE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")


def one_line(text: str) -> str:
    """A text that people will read, as it is; ValueError where it could pass for several lines."""
    if not text or _LINE_ENDS.search(text):
        raise ValueError("control characters")
    return text


def read_number(text: str) -> int:
    """A number written the one way it can be; ValueError for another."""
    if str(int(text)) != text or text.startswith("-"):
        raise ValueError(text)
    return int(text)


def read_time(text: str, n: int) -> str:
    """The time of state ``n``, if it is one; BadInput ``document/time``."""
    found = _SHAPE.fullmatch(text)
    try:
        if found:
            datetime(*map(int, found.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
            return text
    except ValueError:
        pass
    raise BadInput(
        "document/time",
        f"state {n}: its time is none such as 2026-11-21T09:45:00Z",
        "take the file again from where it came",
    )
