"""Options, piles and other values that a game is set up with, and a State as plain data.

Not allowed here: a rule of one game; the protocol (game.py), which only type checkers need;
a value of a position or view quoted in an error, because it may be secret.
Source: docs/DESIGN.md "Words", law 8; docs/SPECIFICATION.md sections 6 and 7; FORMAT.md "Scripts".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from pbem.engine.hidden import Hidden
from pbem.engine.row import N_, say
from pbem.errors import BadInput

#: what Python raises when data does not have the expected form
MALFORMED_DATA_ERRORS = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError)


@contextmanager
def reading(what: str, kind: str) -> Iterator[None]:
    """Turn Python's errors, while a position or view is read, into BadInput ``WHAT/unreadable``."""
    try:
        yield
    except MALFORMED_DATA_ERRORS as error:
        text = f"this is not a {what} of {kind} ({type(error).__name__})"
        hint = "get the file again from where it came"
        raise BadInput(f"{what}/unreadable", text, hint) from error


@contextmanager
def reading_script(see: str = "see FORMAT.md (Scripts)") -> Iterator[None]:
    """Turn Python's errors, while a script is read, into BadInput ``script/shape``.

    A script is not secret, so the message quotes the error.
    """
    try:
        yield
    except MALFORMED_DATA_ERRORS as error:
        text = f"the script lacks or misshapes {error}"
        raise BadInput("script/shape", text, see) from error


#: texts that are hardly ever orders, whatever the game
_ODD_TEXTS = ("", " ", "\n", "\t\x00", "?", "\u0663", "A\u0663", "a5", "A5 A6", "\U0001f642", "x" * 300)


def odd_texts(first_words: Iterable[str], lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return texts that are nearly orders, for tests: too short, too long, reversed, in capitals.

    ``first_words`` are those of a game's orders, ``lines`` some of its orders.
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
    """A choice that the referee makes when they open a game."""

    name: str
    default: str
    allowed: str  #: the allowed values, in words
    ruling: str  #: the number of the rule behind it
    text: str
    #: the sentence for players, marked by N_, by value (``*`` for any other); "" for no sentence
    said: tuple[tuple[str, str], ...] = ()

    def sentence(self, value: str) -> str:
        """Return a sentence that tells players this value of the option; "" if they need none."""
        sentences = dict(self.said)
        default = DEFAULT_SENTENCE if value else ""
        text = sentences.get(value, sentences.get("*", default))
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
#: an option of every game, described with the others and stored with the deadlines (R-2)
MISSED = Option(
    "missed",
    "wait",
    "wait, default",
    "R-2",
    "whether a missed turn may be played automatically",
    (
        ("wait", N_("The game waits for a player who does not answer.")),
        ("default", N_("The referee may have pbem play a missed turn by a fixed rule (R-2).")),
    ),
)
#: an option of every game; a state has it only as `archive=attach`, and the game's own Config never
ARCHIVE = Option(
    "archive",
    "ask",
    "ask, attach",
    "",
    "whether every player is emailed the archive of the closed game",
    (
        ("ask", ""),
        (
            "attach",
            N_(
                "When the referee closes the game, every player is emailed its archive. That shows everybody's "
                "unused orders and all that was hidden to all players."
            ),
        ),
    ),
)
ARCHIVE_ATTACHED = (ARCHIVE.name, "attach")  #: the option as a state has it
SHARED_OPTIONS = (MISSED, ARCHIVE)  #: the options that pbem has for every game


SPECTATORS = "spectators"  #: the recipients of reports who are not players
RESERVED_NAMES = ("all", SPECTATORS, "referee", "neutral")  #: names for others than players
_SEAT_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def is_seat_name(name: str) -> bool:
    """Return whether a seat can have this name. It must be one word, for slots and events."""
    has_plain_characters = _SEAT_CHARACTERS.issuperset(name) and 0 < len(name) <= 60
    return has_plain_characters and name[0] != "-" and name not in RESERVED_NAMES


def check_seats(kind: str, seats: Sequence[str], names: Sequence[str], least: int) -> None:
    """Raise BadInput unless ``seats`` are at least ``least`` of the ``names``, all different."""
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
    """Raise BadInput for an option that the game does not have."""
    option_names = [option.name for option in options]
    for name in names:
        if name not in option_names:
            text = f"{kind} has no option {name!r}"
            all_names = (*option_names, *(option.name for option in SHARED_OPTIONS))
            raise BadInput("option/unknown", text, f"it has: {', '.join(all_names)}")


def check_option_value(name: str, value: str, allowed: Sequence[str]) -> None:
    """Raise BadInput for a value that an option cannot have."""
    if value not in allowed:
        text = f"{name}={value[:60]!r} is not possible"
        raise BadInput("option/value", text, f"allowed: {', '.join(allowed)}")


def chosen(kind: str, choices: Mapping[str, str], options: Sequence[Option]) -> dict[str, str]:
    """Return each option's value; raise BadInput unless it is among the words of ``allowed`` (``a, b, c``)."""
    check_option_names(kind, choices, options)
    values = {}
    for option in options:
        values[option.name] = choices.get(option.name, option.default).strip().lower()
        check_option_value(option.name, values[option.name], option.allowed.split(", "))
    return values


class Config(NamedTuple):
    """The seats, options and version of the rules of one game. They never change after it opened."""

    seats: tuple[str, ...]  #: in turn order
    options: tuple[tuple[str, str], ...]  #: names and values
    rulings: str  #: the version of the rules, the same from beginning to end (decision 0006)

    def option(self, name: str) -> str:
        """Return the value of an option; "" if the game has no option of that name."""
        return dict(self.options).get(name, "")


class Pile(NamedTuple):
    """Things to shuffle at the deal, in the order of the specification.

    Each hidden item has a slot: number of the deal's state, name of the pile, place in the pile. For
    example, ``2/threat/07``.
    """

    name: str
    items: tuple[str, ...]


class EncodedState(NamedTuple):
    """A State as plain data."""

    public: dict[str, Any]  #: text, whole numbers and lists of text that anybody may read
    #: by slot, such as ``2/threat/07``: the state in which it appeared, its kind, its number or place
    hidden: dict[str, Hidden]


class Script(NamedTuple):
    """A game as facts and orders (FORMAT.md "Scripts"), ready to be played."""

    config: Config
    deal: dict[str, tuple[str, ...]]
    names: dict[str, str]  #: the player's name, by seat
    orders: tuple[tuple[str, str], ...]  #: (player's name, line)
