"""Where two states differ, in the smallest part and in words that a player understands.

What lives here: ``difference`` of two documents, and the names of slots in words. What must never
be here: a rule of one game (it may name its own slots, ``slot_words``); which of the two is right.
Source: docs/SPECIFICATION.md section 12 (contradicted: at which state, in which part).
"""

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine import optional_parts

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: table of a state: the words for it
TABLES = {
    "phase": "what kind of state it is",
    "time": "its time",
    "prev": "the state it follows",
    "game": "the game's id",
    "n": "its number",
    "referees": "the referees' keys",
    "wraps": "the wrapped secret",
    "people": "the players",
    "roster": "what was answered to the invitation",
    "opened": "the contributions to the deal",
    "contributions": "what each seat gave to the deal",
    "answered": "the count of answers",
    "heads": "the heads it names",
    "replaced": "what stands in for what was corrected",
    "sealed": "what is hidden",
    "commits": "what was newly hidden",
    "openings": "what was turned up",
    "entries": "the orders",
    "rulings": "the referee's rulings",
    "events": "what happened",
    "position": "the board",
    "setup": "what was settled at the start",
    "secret": "the secret",
}
SLOTS = ("sealed", "commits", "openings")
SHOWN = 60
LONG = 10  #: digits that are no place of anything

#: the words for a slot, and the value of a token found in one ("" where it does not open)
Words = Callable[[str], str]
Opens = Callable[[str, str], str]


class Difference(NamedTuple):
    """The first part in which a state is not what it should be."""

    table: str
    words: str


def slot_words(game: "Game | None", public: Mapping[str, Any], slot: str) -> str:
    """A hidden thing in words: by the game itself where it names its slots, else by its place."""
    named = optional_parts.slot_words(game, public, slot)
    if named:
        return named
    maker, _, rest = slot.partition("/")
    kind, _, place = rest.rpartition("/")
    short = place.isascii() and place.isdecimal() and len(place) < LONG
    number = int(place) + (kind != "order") if short else place
    return f"{kind.replace('/', ' ') or slot} {number} of state {maker}"[:SHOWN]


def difference(
    wanted: Mapping[str, Any], found: Mapping[str, Any], slots: Words, opens: Opens
) -> Difference:
    """The first difference, in the order of the document; both are read as TOML gives them."""
    for key in [*wanted, *(key for key in found if key not in wanted)]:
        right, other = wanted.get(key), found.get(key)
        if right != other:
            name = TABLES.get(key, key)
            return Difference(key, f"{name}: {_inside(key, right, other, slots, opens)}")
    return Difference("", "it is spelt otherwise than pbem writes it")


def _inside(key: str, right: Any, other: Any, slots: Words, opens: Opens) -> str:
    if isinstance(right, Mapping) and isinstance(other, Mapping):
        for inner in [*right, *(k for k in other if k not in right)]:
            if right.get(inner) != other.get(inner):
                return (
                    f"{inner}: {_inside(inner, right.get(inner), other.get(inner), slots, opens)}"
                )
    if isinstance(right, list) and isinstance(other, list):
        for number, (row, told) in enumerate(zip_longest(right, other), 1):
            if row != told:
                return _row(key, number, row, told, slots, opens)
    return f"{_shown(other)} where the game gives {_shown(right)}"


def _row(key: str, number: int, row: Any, told: Any, slots: Words, opens: Opens) -> str:
    if key in SLOTS:
        return _slot_row(key, str(row or ""), str(told or ""), slots, opens)
    if key == "entries":
        return f"order {number}: {_entry(row, told)}"
    if key == "events":
        return f"fact {number}: {_shown(told)} where the game gives {_shown(row)}"
    return f"{_shown(told)} where the game gives {_shown(row)}"


def _slot_row(table: str, row: str, told: str, slots: Words, opens: Opens) -> str:
    """A hidden thing: is it there, is it committed as it should be, is it the same thing."""
    right, other = row.split(" "), told.split(" ")
    if right[0] != other[0]:
        if not told or (row and right[0] < other[0]):
            return f"{slots(right[0])} is missing"
        return f"{slots(other[0])} is there, and should not be"
    what = slots(right[0])
    commitment = 3 if table == "openings" else 1
    if len(right) != len(other):
        return f"{what}: its row is of another shape"
    if right[commitment] != other[commitment]:
        return f"{what}: its commitment is not of what the game gives"
    if table == "openings":
        return f"{what}: {_shown(other[1])} where the game gives {_shown(right[1])}"
    is_now, should = opens(right[0], other[-1]), opens(right[0], right[-1])
    if not is_now:
        return f"{what}: what is sealed there does not open"
    return f"{what} is sealed as {_shown(is_now)}, and is {_shown(should)}"


def _entry(row: Any, told: Any) -> str:
    if row is None or told is None:
        return "there is one more than was played" if row is None else "it is missing"
    right, other = str(row).split(" ", 4), str(told).split(" ", 4)
    names = ("whose it is", "where it came from", "its commitment", "what is sealed", "its words")
    for name, a, b in zip(names, right, other, strict=False):
        if a != b:
            secret = name in names[2:4]
            return f"{name} is another" if secret else f"{_shown(b)} where the game gives {a}"
    return "its row is of another shape"


def _shown(value: Any) -> str:
    """A part of a row, short and on one line; nothing at all is ``nothing``."""
    if value is None:
        return "nothing"
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return f"`{text if len(text) <= SHOWN else text[: SHOWN - 1] + '…'}`"
