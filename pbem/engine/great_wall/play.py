"""One order being carried out: a State taken apart, changed in place, and put together again.

What lives here: Play, and replacing one element of a tuple. What must never be here: a rule.
Law: the State it was made from stays as it was; everything changed in place is a copy.
"""

from typing import TypeVar

from pbem.engine.event import Event
from pbem.engine.great_wall.state import State

T = TypeVar("T")


class Play:
    """The table as it is being changed, what is hidden, and what has happened so far."""

    __slots__ = ("decks", "hands", "log", "reserve", "table")

    def __init__(self, state: State) -> None:
        self.table = state.public.draft()
        _, self.decks, self.hands, self.reserve = state
        self.log: list[Event] = []

    def state(self) -> State:
        """The State that came of it; the table cannot be changed any more."""
        return State(self.table.frozen(), self.decks, self.hands, self.reserve)


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The tuple with one element replaced."""
    return (*values[:at], value, *values[at + 1 :])
