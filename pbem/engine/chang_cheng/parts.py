"""The parts of Chang Cheng: colours, pieces, cards, counters, boards. Facts, no rules.

The boards and the spread of the counters are inferred (docs/BOARDS.md): the rulebooks' text has
neither. A report's first page says so.
Source: CC-1, CC-3; docs/BOARDS.md.
"""

from functools import lru_cache
from typing import Final, NamedTuple

COLOURS: Final = ("red", "green", "blue", "violet")  # CC-1

SINGLES: Final = 14  # single walls a colour, CC-1
NEUTRAL: Final = "neutral"  # the colour that belongs to nobody, CC-28
NEUTRALS: Final = 12  # its single walls, CC-60
KINDS: Final = (
    "warrior",
    "traitor",
    "flood",
    "builder",
    "master-builder",
    "mandarin",
)  # CC-21 order
WARRIOR, TRAITOR, FLOOD, BUILDER, MASTER_BUILDER, MANDARIN = range(6)
ALL_KINDS: Final = (1 << len(KINDS)) - 1
EMPERORS: Final = 3  # CC-30

PILE: Final = 15  # counters of a kind, CC-3
REPUTATION: Final = tuple(str(value) for value in range(5) for _ in range(3))
THREAT: Final = tuple(str(value) for value in (2, 3, 4) for _ in range(5))

#: what an event is called, by its letter, CC-50 to CC-53
EVENTS: Final = {
    "A": "Diplomacy",
    "B": "Dominance",
    "C": "Imperial reward",
    "D": "Observers",
}

#: the first words of orders (docs/NOTATION.md)
WORDS: Final = frozenset(
    (
        "wall",
        "card",
        "double",
        "tower",
        "pass",
        "board",
        "warrior",
        "traitor",
        "flood",
        "builder",
        "mandarin",
        "neutral",
        "colour",
    )
)


class Board(NamedTuple):
    """One side of a board: its name, and the squares of each province and region, left to right."""

    id: str
    provinces: tuple[int, ...]
    regions: tuple[int, ...]


SIDES: Final = {
    side.id: side
    for side in (
        Board("1a", (3, 4, 4), (5, 3, 3)),
        Board("1b", (4, 3, 4), (3, 5, 3)),
        Board("2a", (4, 4, 3), (3, 3, 5)),
        Board("2b", (5, 3, 3), (4, 4, 3)),
        Board("3a", (3, 5, 3), (4, 3, 4)),
        Board("3b", (3, 3, 5), (4, 4, 3)),
        Board("4a", (4, 3, 4), (5, 3, 3)),
        Board("4b", (3, 4, 4), (4, 3, 4)),
    )
}


@lru_cache(maxsize=4096)  # what a seat has looked at, the squares of a province: mostly seen before
def members(mask: int) -> tuple[int, ...]:
    """The numbers of the bits set in ``mask``, rising."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)
