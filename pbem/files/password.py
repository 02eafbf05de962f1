"""Passwords: cut out of a text before anything else sees it.

What lives here: finding `password …` in what a player wrote, and cutting it; the same for a line
of four words that look like one, which only a seat known by password can mean so.
What must never be here: checking a password; keeping one.
Law: after ``cut_passwords`` no letter of what followed the word is left; the number of lines stays.
Source: rules/notation.md "Words for every game"; design.md P11.
"""

import re

from pbem.files.characters import folded

CUT = "[cut]"
_BULLET = r"[\s>*•\"'`_-]{0,20}"
_WORD = r"(?<![^\W_])passwords?(?![^\W_])"
_GIVEN = re.compile(rf"{_BULLET}{_WORD}[\s:=_*]*(\S[^\n]*)", re.IGNORECASE)
_ANYWHERE = re.compile(rf"(?i)({_WORD})(?=[^\n]*[^\s.,;:!?*`\"'\n])[^\n]*")
# `password:` with the word itself on the next line, as phones wrap it.
_NEXT_LINE = r"[ \t]*[:=][ \t]*\n(?:[ \t>]{0,9}\n)?[ \t>]{0,9}"
_WRAPPED = re.compile(rf"(?i)({_WORD}{_NEXT_LINE})(?!later\b)\S+(?=[ \t]*(?:\n|$))")

_SOUND = (
    "[bdfghjklmnprstvz][aiou]" * 2 + "[bdfghjklmnprstvz]"
)  # a word as crypto/spoken.py makes it
_BARE = re.compile(rf"(?i)[^a-z]*({_SOUND}(?:[^a-z]+{_SOUND}){{3}})[^a-z]*")
_FIVE = "[a-z]{5}"  # one letter mistyped gives the rest of it away all the same
_LIKE = re.compile(rf"(?im)^[^a-z\n]*{_FIVE}(?:[^a-z\n]+{_FIVE}){{3}}[^a-z\n]*$")
_GAP = "[^a-z\n\"']"
_QUOTED = re.compile(rf"(?i)([\"']){_GAP}*{_FIVE}(?:{_GAP}+{_FIVE}){{3}}{_GAP}*(?=\1)")
_HIDDEN = f"password: {CUT}"


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


def bare_password(line: str) -> str | None:
    """What a line gives as a password where it is four such words and nothing else."""
    match = _BARE.fullmatch(folded(line))
    return match[1] if match else None


def hide_bare(line: str) -> str:
    """The line, or ``password: [cut]`` in place of one that may be a password by itself."""
    return _HIDDEN if bare_password(line) else line


def cut_bare(text: str) -> str:
    """The text without any line, or anything in quotes, that is four words of five letters."""
    if not text.isascii():
        lines = text.split("\n")
        text = "\n".join(_HIDDEN if _LIKE.fullmatch(folded(line)) else line for line in lines)
    return _LIKE.sub(_HIDDEN, _QUOTED.sub(rf"\1{_HIDDEN}", text))
