"""The values a game is set up with, and a State as plain data.

What lives here: Option, Config, Pile, EncodedState, Script. What must never be here: a rule of one
game; the protocol itself (game.py), which nothing needs at run time.
Source: docs/DESIGN.md "Words"; docs/SPECIFICATION.md sections 6 and 7; docs/SCRIPT.md.
"""

from typing import Any, NamedTuple

from pbem.engine.hidden import Hidden


class Option(NamedTuple):
    """A choice the referee has when he opens a game."""

    name: str
    default: str
    allowed: str  #: the allowed values, in words
    ruling: str
    text: str
    #: what players are told, by value (``*`` for any other), ``{}`` being the value; "" for nothing
    said: tuple[tuple[str, str], ...] = ()

    def sentence(self, value: str) -> str:
        """A value of it as a sentence for players, "" where there is nothing to be told."""
        said = dict(self.said)
        usual = f"{self.text[:1].upper()}{self.text[1:]}: {{}} ({self.ruling})."
        return said.get(value, said.get("*", usual if value else "")).replace("{}", value)


#: what players are told of two options that every game may have (R-3, R-2)
SEATS = (
    ("named", "The turn order is the one above."),
    ("drawn", "The turn order is drawn with the deal (R-3)."),
)
MISSED = (
    ("wait", "A player who does not answer is waited for."),
    ("default", "The referee may let a missed turn be played by a fixed rule (R-2)."),
)


class Config(NamedTuple):
    """The settled choices of one game: seats in turn order, options by name, and its rulings."""

    seats: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    rulings: str  #: the version it was begun with, and keeps (decision 0006)

    def option(self, name: str) -> str:
        """The value of one option, "" if the game has none of that name."""
        return dict(self.options).get(name, "")


class Pile(NamedTuple):
    """Things to be shuffled at the deal, in the order of the specification.

    Where its members are hidden, their slots are ``<link of the deal>/<name>/<place, two digits>``.
    """

    name: str
    items: tuple[str, ...]


class EncodedState(NamedTuple):
    """A State as plain data.

    ``public`` is readable by anybody: text, whole numbers, lists of text. ``hidden`` maps each slot
    ("2/threat/07": link that made it, kind, place) to its value.
    """

    public: dict[str, Any]
    hidden: dict[str, Hidden]


class Script(NamedTuple):
    """A game as facts and orders (docs/SCRIPT.md), ready to be played."""

    config: Config
    deal: dict[str, tuple[str, ...]]
    names: dict[str, str]  #: the player's name at each seat
    orders: tuple[tuple[str, str], ...]  #: (player's name, line)
