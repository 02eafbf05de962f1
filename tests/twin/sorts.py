"""What the twin test must know of each game: where it can be stopped, what can be written in it.

What lives here: Sort, and SORTS, one for each game. A game of a package of its own brings its Sort.
Not allowed here: anything hidden; all of it is made of the public part of a position.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from .spellable import spellable

Rows = dict[str, Any]


class Sort(NamedTuple):
    """One game, as trials see it."""

    kind: str
    stages: tuple[tuple[str, int], ...]  #: where trials stop; fewer orders than so many before it
    stage: Callable[[Rows], str]  #: of a public position
    spellable: Callable[[Rows], tuple[str, ...]]  #: orders that can be written, legal or not
    idle: Callable[[Rows], tuple[tuple[str, str], ...]]  #: (name, order): kept and never used
    slips: tuple[str, ...]  #: lines that look like orders and are none
    never: str  #: a well-formed order that is legal nowhere
    later: tuple[str, ...]  #: standing orders, good or bad
    now: str  #: an order that is perhaps legal
    open_hands: bool = False  #: cards are played open from the hand: what can be played tells it


def _idle_chang_cheng(_: Rows) -> tuple[tuple[str, str], ...]:
    """No province is asked where a board goes."""
    names = [f"{letter}P{number}" for letter in "ABCD" for number in (1, 2, 3)]
    return tuple((name, f"board {side}") for name in names for side in ("left", "right"))


CHANG_CHENG = Sort(
    kind="chang-cheng",
    stages=(("action", 45), ("second", 45), ("card", 12), ("board", 12), ("over", 12)),
    stage=lambda public: str(public["stage"]),
    spellable=spellable,
    idle=_idle_chang_cheng,
    slips=("awll A5", "card flod AP1"),
    never="card mandarin ZP9",
    later=("when AP2: flood -2", "card builder AP1 then wall"),
    now="card flood BP1 then -2",
)


def _spellable_great_wall(public: Rows) -> tuple[str, ...]:
    """Some of every kind of order, at every site and at one that is not there."""
    names = [*(row.split(" ")[0] for row in public["sites"]), "S4"]
    kinds = ("wall", "gate", "watchtower", "guard", "horseman", "noble", "dragon")
    return (
        "draw",
        *(f"play {name} {kind}" for name in names for kind in kinds),
        *(f"play {name} {kind} {kind}" for name in names for kind in kinds[::3]),
        *(f"play {name} dragon over {card}" for name in names for card in (1, 2, 3)),
        *(f"horseman {name}" for name in names),
        *(f"take {name} {marker} on {card}" for name in names for marker in (3, 5) for card in (1, 2)),
        *(f"take {name}" for name in names),
    )


def _idle_great_wall(public: Rows) -> tuple[tuple[str, str], ...]:
    """Where a marker is asked for nobody draws."""
    names = [row.split(" ")[0] for row in public["sites"]]
    return tuple((name, line) for name in names for line in ("draw", f"horseman {name}"))


GREAT_WALL = Sort(
    kind="great-wall",
    stages=(("second", 60), ("third", 60), ("examine", 50), ("final", 90), ("over", 20)),
    stage=lambda public: str(public["stage"]),
    spellable=_spellable_great_wall,
    idle=_idle_great_wall,
    slips=("plya S1 wall", "play S1 gaurd"),
    never="play S4 dragon over 99",
    later=("when S1: take S1 5 on 1", "play S2 guard guard"),
    now="play S2 wall",
    open_hands=True,
)
SORTS = {sort.kind: sort for sort in (CHANG_CHENG, GREAT_WALL)}
