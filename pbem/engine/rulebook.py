"""A game's RULES.md, taken apart by the numbers of its rulings.

What must never be here: a rule, a game's name. A paragraph starts ``- **CC-15** `` (``- **CC-H-it**
`` if an edition tells it otherwise), goes on to the next of its kind, a heading or an empty line.
"""

import re

_RULE_START = re.compile(r"^- \*\*([A-Z]+-[0-9A-Za-z]+(?:-[a-z]+)?)\*\*\s+", re.MULTILINE)
_RULE_END = re.compile(r"\n(?=- \*\*|\s*\n|#)")
_SENTENCE_BREAK = re.compile(r"(?<=\.)\s")


def list_rule_numbers(text: str) -> tuple[str, ...]:
    """Every ruling number of a RULES.md, in its order."""
    return tuple(_RULE_START.findall(text))


def find_paragraph(text: str, number: str) -> str | None:
    """The paragraph of one ruling in one line, without its number; None if there is none.

    The number may be written in small letters: players type it.
    """
    for match in _RULE_START.finditer(text):
        if match[1].upper() == number.upper():
            following_text = text[match.end() :]
            end = _RULE_END.search(following_text)
            return " ".join(following_text[: end.start() if end else len(following_text)].split())
    return None


def find_first_sentence(text: str, number: str) -> str | None:
    """The first sentence of a ruling, for the foot of a report; None if there is no such number."""
    rule_text = find_paragraph(text, number)
    if rule_text is None:
        return None
    first, *remainder = _SENTENCE_BREAK.split(rule_text, maxsplit=1)
    if remainder and remainder[0].startswith("[R") and "]" in remainder[0]:
        first = f"{first} {remainder[0][: remainder[0].index(']') + 1]}"
    return first
