"""Changing a State: the small steps that several kinds of order share.

What lives here: Log (events in the making) and replacing one element of a tuple.
What must never be here: a rule.
"""

from pbem.engine.event import Event

#: events so far, in order; each step of the rules appends to it
Log = list[Event]


def put(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    """The tuple with one element replaced."""
    return (*values[:at], value, *values[at + 1 :])
