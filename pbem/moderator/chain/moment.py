"""The time in a state, as text: the one way in which it can be written.

What lives here: ``read``. What must never be here: the clock (services/session/clock.py).
Law: what can be written in two ways, or as no time at all, is a place to hide a message in.
Source: SPECIFICATION section 5.
"""

import re
from datetime import datetime

from pbem.errors import BadInput

_SHAPE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")


def read(text: str, n: int) -> str:
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
