"""A game's RULES.md, taken apart by ruling numbers."""

import re

_ITEM = re.compile(r"^- \*\*([A-Z]+-\w+(?:-\w+)*)\*\*\s+", re.M)


def numbers(text: str) -> tuple[str, ...]:
    """Every ruling number of a RULES.md, in its order."""
    return tuple(_ITEM.findall(text))


def paragraph(text: str, number: str) -> str | None:
    """The paragraph of one ruling, None if the game has none of that number."""
    for match in _ITEM.finditer(text):
        if match[1] == number:
            rest = text[match.end() :]
            end = re.search(r"\n(?=- \*\*|\n|#)", rest)
            return " ".join(rest[: end.start() if end else len(rest)].split())
    return None


def first_sentence(text: str, number: str) -> str | None:
    """The first sentence of a ruling, for the foot of a report."""
    found = paragraph(text, number)
    if found is None:
        return None
    return re.split(r"(?<=[.:;])\s", found, maxsplit=1)[0].rstrip(":;")
