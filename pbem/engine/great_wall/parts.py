"""The parts of Great Wall of China: colours, cards, markers, sites. Facts, no rules.

A hand is a whole number with three bits a kind (there are at most seven cards of one), so that
lists of orders can be kept by hand.
Source: GW-0, GW-1, GW-2.
"""

from collections.abc import Iterable
from typing import Final

COLOURS: Final = ("blue", "green", "red", "yellow", "grey")  # GW-0

KINDS: Final = ("wall", "gate", "watchtower", "guard", "horseman", "noble", "dragon")
WALL, GATE, WATCHTOWER, GUARD, HORSEMAN, NOBLE, DRAGON = range(7)
IN_DECK: Final = (7, 3, 1, 5, 2, 1, 1)  # of each kind, GW-1
WORTH: Final = (1, 2, 3, 0, 2, 1, 1)  # GW-1; guards by their number: site.py
DECK: Final = tuple(
    kind for kind, number in zip(KINDS, IN_DECK, strict=True) for _ in range(number)
)
FIRST_HAND: Final = 5  # GW-1

#: value of a marker to how many there are, GW-2
MARKERS: Final = {1: 2, 2: 6, 3: 7, 4: 7, 5: 8, 7: 4, 8: 2}
RESERVE: Final = tuple(str(value) for value, number in MARKERS.items() for _ in range(number))

#: players to sites, GW-2
SITES: Final = {2: 2, 3: 3, 4: 4, 5: 4}
NAMES: Final = ("S1", "S2", "S3", "S4")

#: the first words of orders (docs/NOTATION.md)
WORDS: Final = frozenset(("take", "draw", "play", "horseman"))

BITS: Final = 3  # of a hand, for each kind
FIELD: Final = (1 << BITS) - 1


PLURALS: Final = {"horseman": "horsemen"}


def counted(number: int, what: str) -> str:
    """``1 wall``, ``2 horsemen``."""
    return f"{number} {what if number == 1 else PLURALS.get(what, f'{what}s')}"


def one_card(kind: int) -> int:
    """One card of a kind, to be added to a hand or taken from it."""
    return 1 << BITS * kind


def number_of(hand: int, kind: int) -> int:
    """How many cards of a kind are in a hand."""
    return hand >> BITS * kind & FIELD


def hand_of(kinds: Iterable[int]) -> int:
    """The hand that these cards make."""
    return sum(one_card(kind) for kind in kinds)


def size_of(hand: int) -> int:
    """How many cards a hand has."""
    return sum(number_of(hand, kind) for kind in range(len(KINDS)))


def cards_of(hand: int) -> tuple[int, ...]:
    """The cards in a hand, in the order of the deck list (GW-1)."""
    return tuple(kind for kind in range(len(KINDS)) for _ in range(number_of(hand, kind)))


#: all twenty cards of a colour
WHOLE_DECK: Final = hand_of(KINDS.index(kind) for kind in DECK)
