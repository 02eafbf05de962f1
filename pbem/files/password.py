"""Passwords: cut out of a text before anything else sees it.

What lives here: finding `password …` in what a player wrote, and cutting it. Where a seat is known
by one, password_words.py finds the four words themselves, wherever and however they stand.
What must never be here: checking a password; keeping one.
Law: after ``cut_passwords`` no letter of what followed the word is left; the number of lines stays.
Source: docs/NOTATION.md "Words for every game"; docs/DESIGN.md P11.
"""

import re

from pbem.files.characters import folded

CUT = "[cut]"
HIDDEN = f"password: {CUT}"
_BULLET = r"[\s>*•\"'`_-]{0,20}"
_WORD = r"(?<![^\W_])passwords?(?![^\W_])"
_GIVEN = re.compile(rf"{_BULLET}{_WORD}[\s:=_*]*(\S[^\n]*)", re.IGNORECASE)
_ANYWHERE = re.compile(rf"(?i)({_WORD})(?=[^\n]*[^\s.,;:!?*`\"'\n])[^\n]*")
# `password:` with the word itself on the next line, as phones wrap it.
_NEXT_LINE = r"[ \t]*[:=][ \t]*\n(?:[ \t>]{0,9}\n)?[ \t>]{0,9}"
_WRAPPED = re.compile(rf"(?i)({_WORD}{_NEXT_LINE})(?!later\b)\S+(?=[ \t]*(?:\n|$))")


def cut_passwords(text: str) -> str:
    """The text with whatever follows the word ``password`` on its line replaced by ``[cut]``."""
    if not text.isascii() and "password" in folded(text).lower():
        text = "\n".join(folded(line) for line in text.split("\n"))
    return _WRAPPED.sub(rf"\1{CUT}", _ANYWHERE.sub(rf"\1 {CUT}", text))


def find_password(text: str) -> str | None:
    """What the first line that begins with ``password`` gives as one; None if there is none."""
    for line in text.splitlines():
        match = _GIVEN.match(folded(line))
        if match:
            return match[1].strip()
    return None


def speaks_of_one(text: str) -> bool:
    """Whether the word stands in it at all."""
    return "password" in (text if text.isascii() else folded(text)).lower()


def is_cut(line: str) -> bool:
    """Whether a line held a password and says nothing else."""
    return CUT in line and not re.search(
        r"[^\W_]", re.sub(rf"(?i){_WORD}", "", line.replace(CUT, ""))
    )
