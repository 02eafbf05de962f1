"""Questions to seats, refusals of orders, and the events and outcome that follow.

Not allowed here: a rule of one game; a hidden value in an Event. An Event names the *slot*
of a hidden thing, and anyone who may know the value finds it in their own View (decision 0001).
Law: ``parse_event(event.row()) == event``. Source: docs/DESIGN.md "Words".
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.engine.row import Row, Sentence
from pbem.errors import BadInput

#: the recipient of an opening that everybody sees
ALL = "all"


class Event(NamedTuple):
    """Something that happened, as everybody may know it."""

    kind: str
    ruling: str  #: the number of the rule behind it
    facts: tuple[tuple[str, str], ...] = ()  #: names and values without blanks, for reports
    points: tuple[tuple[str, int], ...] = ()  #: what each seat won or lost by it
    opens: tuple[tuple[str, str], ...] = ()  #: who (a seat, or ALL) now knows which slot

    def row(self) -> str:
        """Return the event as one line of text, such as ``wall CC-10 colour=red square=A5``."""
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
    """Make an Event from facts that are texts or whole numbers."""
    text_facts = tuple([(key, str(value)) for key, value in facts.items()]) if facts else ()
    return event_from_texts(kind, ruling, text_facts, points, opens)


def event_from_texts(
    kind: str,
    ruling: str,
    facts: tuple[tuple[str, str], ...],
    points: tuple[tuple[str, int], ...] = (),
    opens: tuple[tuple[str, str], ...] = (),
) -> Event:
    """Make an Event from facts that are texts.

    ``tuple.__new__`` takes half the time of ``Event(…)``, and rules make several events in every step.
    """
    return tuple.__new__(Event, (kind, ruling, facts, points, opens))


def parse_event(row: str) -> Event:
    """Parse a line of ``Event.row``; raise BadInput ``event/row`` for anything else."""
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
    """Return a whole number that is given as such or as text, for example ``7`` or ``"7"``.

    Raise ValueError for anything else: ``"07"``, ``True``, or a number outside the limits.
    """
    if isinstance(value, str):
        if len(value) > MAX_NUMBER_LENGTH or str(int(value)) != value:
            raise ValueError("number")
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= maximum:
        raise ValueError("number")
    return value


class Question(NamedTuple):
    """A choice that a seat has to make. Everything in it is public."""

    seat: str
    kind: str
    about: str  #: its subject, for example a province; or ""
    ruling: str  #: the number of the rule behind it
    #: *everybody* can see that only one order is legal (R-1). Only then may pbem answer for the
    #: seat. In any other case an automatic answer would reveal something about the seat's secrets
    forced: bool


class Refusal(NamedTuple):
    """Why an order is refused, for its player."""

    ruling: str  #: the number of the rule behind it
    sentence: Sentence  #: its words are ``str(refusal.sentence)``

    def error(self, line: str) -> BadInput:
        """Return the error that a game raises when it is told to carry out this line."""
        text = f"{line!r} is not legal: {self.sentence}"
        return BadInput("order/illegal", text, f"see {self.ruling}")


def refusal(ruling: str, text: str, /, **values: Any) -> Refusal:
    """Make a Refusal from a ``text`` of the game's sentences.py and the ``values`` in its braces."""
    return Refusal(ruling, Sentence(text, values))


class Soon(NamedTuple):
    """A question that a seat may get, and proposals to answer it in advance."""

    name: str  #: the subject of the question, for ``when NAME:``
    row: Row  #: what may come, for the macro ``soon_KIND``
    word: str  #: the first word of every order that answers it
    #: all sensible answers, the one to show as an example first. None of them harms only its own
    #: player, and each will be legal then, as far as anybody can tell; () where there is no such answer
    orders: tuple[str, ...]


class Outcome(NamedTuple):
    """How a game ended."""

    scores: tuple[tuple[str, int], ...]  #: points by seat
    winners: tuple[str, ...]
    ended_by: str  #: the number of the rule that ended it


class Step(NamedTuple):
    """The result of an order: the next State, and the events on the way to it."""

    state: Any
    events: tuple[Event, ...]
