"""The values a game is set up with, and a State as plain data.

What must never be here: a rule of one game; the protocol itself (game.py), which nothing needs at
run time; a value quoted in a refusal of a position or a view, for it may be secret.
Source: docs/DESIGN.md "Words", law 8; docs/SPECIFICATION.md sections 6 and 7; docs/SCRIPT.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from pbem.engine.hidden import Hidden
from pbem.engine.row import N_, say
from pbem.errors import BadInput

#: what Python raises where data is not what it should be
MALFORMED_DATA_ERRORS = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError)


@contextmanager
def reading(what: str, kind: str) -> Iterator[None]:
    """While a position or a view is read: BadInput ``position/unreadable`` where it is not one."""
    try:
        yield
    except MALFORMED_DATA_ERRORS as error:
        text = f"this is not a {what} of {kind} ({type(error).__name__})"
        hint = "get the file again from where it came"
        raise BadInput(f"{what}/unreadable", text, hint) from error


@contextmanager
def reading_script(see: str = "see docs/SCRIPT.md") -> Iterator[None]:
    """While a script is read, which is nobody's secret: BadInput ``script/shape``."""
    try:
        yield
    except MALFORMED_DATA_ERRORS as error:
        text = f"the script lacks or misshapes {error}"
        raise BadInput("script/shape", text, see) from error


#: no orders of any game, most of them
_ODD_TEXTS = ("", " ", "\n", "\t\x00", "?", "\u0663", "A\u0663", "a5", "A5 A6", "\U0001f642", "x" * 300)


def odd_texts(first_words: Iterable[str], lines: tuple[str, ...]) -> tuple[str, ...]:
    """Any text: half an order, one too long, turned round, in other letters.

    ``first_words`` of the orders of a game, and some of its ``lines``.
    """
    texts = [*_ODD_TEXTS, *first_words]
    for line in (*lines[:1], *lines[-1:]):
        words = line.split(" ")
        texts += [f"{line} ", f"{line} {line}", f" {line}", " ".join(words[::-1]), line.upper()]
        texts += [" ".join(words[:n]) for n in range(1, len(words))]
        texts += [f"{words[0]} {text}" for text in _ODD_TEXTS]
    return tuple(texts)


DEFAULT_SENTENCE = N_("The option {name} is {value} ({ruling}).")


class Option(NamedTuple):
    """A choice the referee has when he opens a game."""

    name: str
    default: str
    allowed: str  #: the allowed values, in words
    ruling: str
    text: str
    #: what players are told, by value (``*`` for any other); "" for nothing. It is marked by N_
    said: tuple[tuple[str, str], ...] = ()

    def sentence(self, value: str) -> str:
        """A value of it as a sentence for players, "" where there is nothing to be told."""
        sentences = dict(self.said)
        text = sentences.get(value, sentences.get("*", DEFAULT_SENTENCE if value else ""))
        return str(say(text, value=value, name=self.name, ruling=self.ruling))


#: an option that every game may have (R-3)
SEATS = Option(
    "seats",
    "named",
    "named, drawn",
    "R-3",
    "turn order as the players are named, or drawn",
    (("named", N_("The turn order is the one above.")), ("drawn", N_("The turn order is drawn with the deal (R-3)."))),
)
#: what is said with a game's options and stands in the clock, for every game (R-2)
MISSED = Option(
    "missed",
    "wait",
    "wait, default",
    "R-2",
    "whether a missed turn may be played by default",
    (
        ("wait", N_("The game waits for a player who does not answer.")),
        ("default", N_("The referee may let a missed turn be played by a fixed rule (R-2).")),
    ),
)


SPECTATORS = "spectators"  #: who are no players, and have reports
RESERVED_NAMES = ("all", SPECTATORS, "referee", "neutral")  #: what means others than a player
_SEAT_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def is_seat_name(name: str) -> bool:
    """Whether a seat may be called so: in slots and events it stands among other words."""
    has_plain_characters = _SEAT_CHARACTERS.issuperset(name) and 0 < len(name) <= 60
    return has_plain_characters and name[0] != "-" and name not in RESERVED_NAMES


def check_seats(kind: str, seats: Sequence[str], names: Sequence[str], least: int) -> None:
    """From ``least`` players to as many as there are names of seats; BadInput otherwise."""
    if not least <= len(seats) <= len(names):
        text = f"{kind} is for {least} to {len(names)} players, not {len(seats)}"
        raise BadInput("players/number", text, "see `pbem games`")
    for seat in seats:
        if seat not in names:
            hint = f"seats are: {', '.join(names)}"
            raise BadInput("players/seat", f"there is no seat {seat!r}", hint)
    if len(set(seats)) != len(seats):
        text = "two players have the same seat"
        raise BadInput("players/twice", text, "give each a seat of their own")


def check_option_names(kind: str, names: Iterable[str], options: Sequence[Option]) -> None:
    """BadInput for an option that the game does not have."""
    option_names = [option.name for option in options]
    for name in names:
        if name not in option_names:
            text = f"{kind} has no option {name!r}"
            raise BadInput("option/unknown", text, f"it has: {', '.join((*option_names, MISSED.name))}")


def check_option_value(name: str, value: str, allowed: Sequence[str]) -> None:
    """BadInput for a value that an option cannot have."""
    if value not in allowed:
        text = f"{name}={value[:60]!r} is not possible"
        raise BadInput("option/value", text, f"allowed: {', '.join(allowed)}")


def chosen(kind: str, choices: Mapping[str, str], options: Sequence[Option]) -> dict[str, str]:
    """Each option with its value, where all that is ``allowed`` are words, apart by ``, ``."""
    check_option_names(kind, choices, options)
    values = {}
    for option in options:
        values[option.name] = choices.get(option.name, option.default).strip().lower()
        check_option_value(option.name, values[option.name], option.allowed.split(", "))
    return values


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
