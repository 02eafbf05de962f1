"""The line `password …`: found in what a player wrote.

What lives here: which line is such a line, and what it gives. What must never be here: checking a
password; keeping or quoting one.
Source: docs/NOTATION.md "Words for every game"; docs/decisions/0009.
"""

import re

from pbem.files.characters import folded

_BULLET = r"[\s>*•\"'`_-]{0,20}"
_GIVEN = re.compile(rf"{_BULLET}passwords?(?![^\W_])[\s:=_*-]*(.*)", re.IGNORECASE | re.DOTALL)


def given_on(line: str) -> str | None:
    """What a line that begins with ``password`` says after it, perhaps nothing; else None."""
    match = _GIVEN.match(folded(line))
    return match[1].strip() if match else None


def speaks_of_one(text: str) -> bool:
    """Whether the word stands in it at all."""
    return "password" in folded(text).lower()
