"""Reading an order: words to the canonical line. Which orders are legal is not asked here.

A ``take`` may leave out what there is no choice about: ``take S1 7``, ``take S1``. That is a line,
too; what it means is looked at when its question is known (meaning.py).
Source: docs/NOTATION.md.
"""

import re

from pbem.engine.great_wall.parts import DRAGON, HORSEMAN, IN_DECK, KINDS

SITE = re.compile(r"s0*[1-4]")
NAME = re.compile(r"s[0-9]{1,2}")
NUMBER = re.compile(r"0*[1-9][0-9]{0,2}")

KIND_OF = {word: word for word in KINDS} | {f"{word}s": word for word in KINDS}
KIND_OF["horsemen"] = KINDS[HORSEMAN]
COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
#: words that say nothing but how orders are spoken
IDLE = frozenset(
    ("a", "an", "the", "my", "card", "cards", "marker", "at", "in", "to", "with", "of")
)

Tokens = tuple[str, ...]


def is_name(token: str) -> bool:
    """Whether a lower-case word has the shape of a site."""
    return NAME.fullmatch(token) is not None


def spell(tokens: Tokens) -> str | None:
    """Lower-case words to the canonical line, or None if they are no order."""
    if not tokens:
        return None
    first, rest = tokens[0], _joined(tuple(word for word in tokens[1:] if word not in IDLE))
    if first == "draw" and rest in ((), ("1",), ("one",)):
        return "draw"
    if first == "play":
        return _play(rest)
    if first == "horseman":
        sites, left = _sites(tuple(word for word in rest if word != "on"))
        return f"horseman {sites[0]}" if len(sites) == 1 and not left else None
    return _take(rest) if first == "take" else None


def _joined(tokens: Tokens) -> Tokens:
    """``watch tower`` and ``watch-tower`` are one word."""
    found: list[str] = []
    for token in tokens:
        if found and found[-1] == "watch" and token in ("tower", "towers"):
            found[-1] = "watchtower"
        else:
            found.append(token.replace("watch-tower", "watchtower"))
    return tuple(found)


def _sites(tokens: Tokens) -> tuple[list[str], Tokens]:
    """The sites among the words, as they are written, and the rest."""
    sites = [f"S{int(token[1:])}" for token in tokens if SITE.fullmatch(token)]
    return sites, tuple(token for token in tokens if not SITE.fullmatch(token))


def _number(token: str) -> int:
    return int(token) if NUMBER.fullmatch(token) else 0


def _play(rest: Tokens) -> str | None:
    """``play S1 guard guard``, ``play 2 guards on S1``, ``play dragon on S1 over 4``."""
    sites, words = _sites(rest)
    words = tuple(word for word in words if word != "on")
    if len(sites) != 1 or not words:
        return None
    if "over" in words:
        return _dragon(sites[0], words)
    kinds = [KIND_OF.get(word) for word in words]
    if len(words) == 2 and kinds[1] is not None and kinds[0] is None:  # 2 guards
        number = COUNTS.get(words[0], _number(words[0]))
        if not 0 < number <= max(IN_DECK):
            return None
        kinds = [kinds[1]] * number
    elif any(kind != word for kind, word in zip(kinds, words, strict=True)):
        return None  # no card, or several without a number
    if len(set(kinds)) != 1 or len(kinds) > max(IN_DECK):
        return None
    return f"play {sites[0]} {' '.join(str(kind) for kind in kinds)}"


def _dragon(site: str, words: Tokens) -> str | None:
    """A dragon over a card."""
    if len(words) != 3 or words[:2] != (KINDS[DRAGON], "over"):
        return None
    card = _number(words[2])
    return f"play {site} dragon over {card}" if card else None


def _take(rest: Tokens) -> str | None:
    """``take S1 7 on 3``, or less where there is no choice."""
    sites, words = _sites(rest)
    if len(sites) != 1:
        return None
    words = tuple(word for word in words if word != "from")
    marker = card = 0
    if words[-2:-1] == ("on",):
        card, words = _number(words[-1]), words[:-2]
        if not card:
            return None
    if words:
        marker = _number(words[0])
        if not marker or len(words) > 1:
            return None
    said = [f"take {sites[0]}", str(marker) if marker else "", f"on {card}" if card else ""]
    return " ".join(part for part in said if part)
