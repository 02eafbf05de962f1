"""A game's RULES.md, taken apart by the numbers of its rulings.

What must never be here: a rule, a game's name. A paragraph starts ``- **CC-15** `` (``- **CC-H-it**
`` if an edition tells it otherwise), goes on to the next of its kind, a heading or an empty line.
"""

import re

_START = re.compile(r"^- \*\*([A-Z]+-[0-9A-Za-z]+(?:-[a-z]+)?)\*\*\s+", re.MULTILINE)
_END = re.compile(r"\n(?=- \*\*|\s*\n|#)")
_SENTENCE = re.compile(r"(?<=\.)\s")


def numbers(text: str) -> tuple[str, ...]:
    """Every ruling number of a RULES.md, in its order."""
    return tuple(_START.findall(text))


def paragraph(text: str, number: str) -> str | None:
    """The paragraph of one ruling in one line, without its number; None if there is none.

    The number may be written in small letters: players type it.
    """
    for match in _START.finditer(text):
        if match[1].upper() == number.upper():
            rest = text[match.end() :]
            end = _END.search(rest)
            return " ".join(rest[: end.start() if end else len(rest)].split())
    return None


def first_sentence(text: str, number: str) -> str | None:
    """The first sentence of a ruling, for the foot of a report; None if there is no such number."""
    found = paragraph(text, number)
    if found is None:
        return None
    first, *rest = _SENTENCE.split(found, maxsplit=1)
    if rest and rest[0].startswith("[R") and "]" in rest[0]:
        first = f"{first} {rest[0][: rest[0].index(']') + 1]}"
    return first
