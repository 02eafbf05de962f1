"""One order being carried out: a State taken apart, changed in place, and put together again.

What lives here: Play, and replacing one element of a tuple. What must never be here: a rule.
Law: the State it was made from stays as it was; everything changed in place is a copy.
"""

from typing import TypeVar

from pbem.engine.chang_cheng.state import State, new
from pbem.engine.event import Event

T = TypeVar("T")


class Play:
    """The table as it is being changed, what is hidden, and what has happened so far."""

    __slots__ = ("hands", "kinds", "link", "log", "reputation", "table", "threat")

    def __init__(self, state: State, link: int) -> None:
        self.table = state.public.draft()
        _, self.kinds, self.threat, self.reputation, self.hands = state
        self.link = link
        self.log: list[Event] = []

    def state(self) -> State:
        """The State that came of it; the table cannot be changed any more."""
        table = self.table.frozen()
        return new(State, (table, self.kinds, self.threat, self.reputation, self.hands))


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The tuple with one element replaced."""
    changed = list(values)
    changed[at] = value
    return tuple(changed)
