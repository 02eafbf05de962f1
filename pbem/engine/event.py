"""What happened: public facts, each with the ruling that caused it.

What lives here: Event, and its one-line form in a state file.
What must never be here: a hidden value. An event names the *slot* of a hidden thing; whoever may
know the value finds it in his own View (decision 0001).
Law: ``read(event.row()) == event``.
"""

from collections.abc import Mapping
from typing import NamedTuple

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
        """The event as one line of a state file."""
        parts = [self.kind, self.ruling]
        parts += [f"{key}={value}" for key, value in self.facts]
        parts += [f"points:{who}={number:+d}" for who, number in self.points]
        parts += [f"open:{who}={slot}" for who, slot in self.opens]
        return " ".join(parts)


def event(
    kind: str,
    ruling: str,
    facts: Mapping[str, str | int] | None = None,
    points: tuple[tuple[str, int], ...] = (),
    opens: tuple[tuple[str, str], ...] = (),
) -> Event:
    """Make an Event from plain facts."""
    pairs = tuple([(key, str(value)) for key, value in facts.items()]) if facts else ()
    return plain_event(kind, ruling, pairs, points, opens)


def plain_event(
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


def read_event(row: str) -> Event:
    """Parse what ``Event.row`` wrote; BadInput ``event/row`` for anything else."""
    kind, _, rest = row.partition(" ")
    ruling, *parts = rest.split(" ")
    facts: list[tuple[str, str]] = []
    points: list[tuple[str, int]] = []
    opens: list[tuple[str, str]] = []
    try:
        for part in parts:
            key, value = part.split("=", 1)
            if key.startswith("points:"):
                points.append((key[7:], int(value)))
            elif key.startswith("open:"):
                opens.append((key[5:], value))
            else:
                facts.append((key, value))
    except ValueError as error:
        raise BadInput("event/row", f"an event cannot be read: {row[:60]!r}") from error
    return Event(kind, ruling, tuple(facts), tuple(points), tuple(opens))
