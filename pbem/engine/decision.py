"""What a seat is asked, what became of its answer, and what happened.

What must never be here: a rule of one game; in an Event, a hidden value: it names the *slot* of a
hidden thing, and whoever may know the value finds it in his own View (decision 0001).
Law: ``read_event(happened.row()) == happened``. Source: docs/DESIGN.md "Words".
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.engine.row import Row, Sentence
from pbem.errors import BadInput

#: the audience of an opening that everybody gets
ALL = "all"


class Event(NamedTuple):
    """One fact, told to all.

    ``facts`` are names and values without blanks, for the words of a report; ``points`` is what
    each seat won or lost by it; ``opens`` says which slots it opened, and to whom (a seat, or
    ALL).
    """

    kind: str
    ruling: str
    facts: tuple[tuple[str, str], ...] = ()
    points: tuple[tuple[str, int], ...] = ()
    opens: tuple[tuple[str, str], ...] = ()

    def row(self) -> str:
        parts = [self.kind, self.ruling]
        parts += [f"{key}={value}" for key, value in self.facts]
        parts += [f"points:{seat}={number:+d}" for seat, number in self.points]
        parts += [f"open:{seat}={slot}" for seat, slot in self.opens]
        return " ".join(parts)


def event(
    kind: str,
    ruling: str,
    facts: Mapping[str, str | int] | None = None,
    points: tuple[tuple[str, int], ...] = (),
    opens: tuple[tuple[str, str], ...] = (),
) -> Event:
    text_facts = tuple([(key, str(value)) for key, value in facts.items()]) if facts else ()
    return event_from_texts(kind, ruling, text_facts, points, opens)


def event_from_texts(
    kind: str,
    ruling: str,
    facts: tuple[tuple[str, str], ...],
    points: tuple[tuple[str, int], ...] = (),
    opens: tuple[tuple[str, str], ...] = (),
) -> Event:
    """An Event from facts that are text already, in half the time that its class takes.

    Reason: rules make several in every step.
    """
    return tuple.__new__(Event, (kind, ruling, facts, points, opens))


def parse_event(row: str) -> Event:
    """Parse what ``Event.row`` wrote; BadInput ``event/row`` for anything else."""
    kind, _, after_kind = row.partition(" ")
    ruling, *parts = after_kind.split(" ")
    facts: list[tuple[str, str]] = []
    points: list[tuple[str, int]] = []
    opens: list[tuple[str, str]] = []
    try:
        for part in parts:
            key, value = part.split("=", 1)
            if key.startswith("points:"):
                points.append((key[7:], parse_whole_number(value.removeprefix("+"), minimum=-MAX_NUMBER)))
            elif key.startswith("open:"):
                opens.append((key[5:], value))
            else:
                facts.append((key, value))
        are_keys_valid = all(key and ":" not in key for key, _ in (*facts, *points, *opens))
        if not (kind and ruling and are_keys_valid):
            raise ValueError(row)
    except ValueError as error:
        raise BadInput("event/row", f"an event cannot be read: {row[:60]!r}") from error
    return Event(kind, ruling, tuple(facts), tuple(points), tuple(opens))


MAX_NUMBER = 999_999_999
MAX_NUMBER_LENGTH = len(str(-MAX_NUMBER))


def parse_whole_number(value: Any, maximum: int = MAX_NUMBER, minimum: int = 0) -> int:
    """A whole number from ``minimum`` to ``maximum``, or its text; ValueError for anything else."""
    if isinstance(value, str):
        number = int(value) if len(value) <= MAX_NUMBER_LENGTH else maximum + 1
        if str(number) != value:
            raise ValueError("number")
    else:
        number = value if isinstance(value, int) and not isinstance(value, bool) else minimum - 1
    if not minimum <= number <= maximum:
        raise ValueError("number")
    return number


class Question(NamedTuple):
    """A seat has to choose. Everything in it is public.

    ``kind`` names the sort of choice, ``about`` what it concerns (a province, say, or ""),
    ``ruling`` where it comes from. ``forced`` is true when *everybody* can see that one order alone
    is legal (R-1): only then may the moderator answer it himself, for else the answering would tell
    something.
    """

    seat: str
    kind: str
    about: str
    ruling: str
    forced: bool


class Refusal(NamedTuple):
    """Why an order cannot be taken, for its player, with the ruling that says so."""

    ruling: str
    sentence: Sentence  #: its words are ``str(refusal.sentence)``

    def error(self, line: str) -> BadInput:
        """The error of a game that is to carry out this line."""
        text = f"{line!r} is not legal: {self.sentence}"
        return BadInput("order/illegal", text, f"see {self.ruling}")


def refusal(ruling: str, text: str, /, **values: Any) -> Refusal:
    """A refusal; ``text`` is one of the game's sentences.py, ``values`` stand in its braces."""
    return Refusal(ruling, Sentence(text, values))


class Soon(NamedTuple):
    """A question that a seat may come to be asked, and how it may answer before it is.

    ``name`` is what the question would be about (for ``when NAME:``), ``row`` says what may come
    (``soon_KIND``), ``order`` is an answer that is legal then, as far as anybody can tell.
    """

    name: str
    row: Row
    order: str


class Outcome(NamedTuple):
    """How a game ended: points by seat, the seats that won, the ruling that ended it."""

    scores: tuple[tuple[str, int], ...]
    winners: tuple[str, ...]
    ended_by: str


class Step(NamedTuple):
    """What an order led to: the next State and the events in between."""

    state: Any
    events: tuple[Event, ...]
