"""Orders taken apart: ``play S1 guard guard`` to its word and its numbers. Which are legal is not
asked here.

Source: docs/NOTATION.md.
"""

from functools import lru_cache
from typing import NamedTuple

from pbem.engine.great_wall.parts import DRAGON, HORSEMAN, KINDS, NAMES

SITE_NUMBER = {name: i for i, name in enumerate(NAMES)}
KIND_NUMBER = {word: kind for kind, word in enumerate(KINDS)}


class Order(NamedTuple):
    """An order in numbers; what it does not have is -1."""

    word: str
    site: int = -1
    kind: int = -1
    number: int = 0  #: of cards played
    marker: int = -1
    card: int = -1  #: that gets the marker, or is covered


DRAW = Order("draw")


@lru_cache(maxsize=4096)  # of a game's lines each comes up many times
def order_of(line: str) -> Order | None:
    """A canonical line taken apart; None where it is none."""
    if line == "draw":
        return DRAW
    word, *parts = line.split(" ")
    site = SITE_NUMBER.get(parts[0]) if parts else None
    if site is None:
        return None
    if word == "play":
        return _play(site, parts[1:])
    if word == "horseman" and len(parts) == 1:
        return Order(word, site, HORSEMAN, 1)
    if word == "take" and len(parts) == 4 and parts[2] == "on":
        marker, card = _number(parts[1]), _number(parts[3])
        return Order(word, site, marker=marker, card=card - 1) if marker and card else None
    return None


def _play(site: int, words: list[str]) -> Order | None:
    kind = KIND_NUMBER.get(words[0], -1) if words else -1
    if kind == DRAGON and len(words) == 3 and words[1] == "over":
        card = _number(words[2])
        return Order("play", site, kind, 1, card=card - 1) if card else None
    if kind < 0 or words.count(words[0]) != len(words):
        return None
    return Order("play", site, kind, len(words))


def _number(text: str) -> int:
    """A number from 1 on as orders have it; 0 where it is none."""
    good = text.isascii() and text.isdigit() and text[0] != "0" and len(text) <= 3
    return int(text) if good else 0
