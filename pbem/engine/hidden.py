"""A value that only some may know.

What lives here: Hidden, and Unseen for play on States with holes (decision 0001).
What must never be here: a way to turn one into text.
Law: a Hidden has no text form; who wants the value must name who is going to see it.
Source: docs/DESIGN.md "Words", P2.
"""

from typing import NoReturn

from pbem.errors import OurFault


class Unseen(Exception):  # not an error: the edge of what a seat can know
    """Raised by a game that plays on from a View and comes to a value the seat does not know."""


def seen(value: int | None) -> int:
    """The value, where it is known; Unseen where it is a hole in an imagined State."""
    if value is None:
        raise Unseen
    return value


class Hidden:
    """One hidden value (short ASCII text) and the seats that may know it now.

    Whoever formats, logs or serialises a Hidden by mistake gets an error instead of a leak.
    """

    __slots__ = ("_value", "audience")

    def __init__(self, value: str, audience: frozenset[str] = frozenset()) -> None:
        self._value = value
        self.audience = audience

    def for_sealing(self) -> str:
        """The value, to be encrypted or committed. Secrecy: the moderator alone."""
        return self._value

    def value_for(self, seat: str) -> str | None:
        """The value if ``seat`` may know it, else None."""
        return self._value if seat in self.audience else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hidden):
            return NotImplemented
        return self._value == other._value and self.audience == other.audience

    def __hash__(self) -> int:
        return hash((self._value, self.audience))

    def _no_text(self) -> NoReturn:
        raise OurFault("hidden/text", "a hidden value was about to be written out", "report this")

    def __repr__(self) -> str:
        return "Hidden(…)"

    def __str__(self) -> str:  # noqa: PLE0307  (it never returns)
        self._no_text()

    def __format__(self, spec: str) -> str:
        self._no_text()

    def __reduce__(self) -> NoReturn:
        self._no_text()
