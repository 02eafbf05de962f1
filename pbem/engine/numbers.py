"""Numbers as rows and documents of a position have them.

What lives here: ``whole``, the one way a game reads a number that somebody else wrote. What must
never be here: what a number means.
Law: a number has one spelling and nine digits at most; nothing is counted, shifted or made as long
as a number says before it has been read here.
"""

from typing import Any

MOST = 999_999_999
LONGEST = len(str(-MOST))


def whole(value: Any, most: int = MOST, least: int = 0) -> int:
    """A whole number from ``least`` to ``most``, or its text; ValueError for anything else."""
    if isinstance(value, str):
        number = int(value) if len(value) <= LONGEST else most + 1
        if str(number) != value:
            raise ValueError("number")
    else:
        number = value if isinstance(value, int) and not isinstance(value, bool) else least - 1
    if not least <= number <= most:
        raise ValueError("number")
    return number
