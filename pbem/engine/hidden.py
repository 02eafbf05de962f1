"""Values that only some seats may know, and the draws that shuffle them.

Not allowed here: a way to turn a Hidden into text by accident. Code that needs the value
calls ``value_for(seat)`` or ``for_sealing()``, which say who is going to see it.
Source: docs/DESIGN.md "Words", P2.
"""

from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

from pbem.errors import OurFault

T = TypeVar("T")

#: a function that draws a number from 0 to bound - 1. Callers pass it in: the engine itself has no
#: source of randomness
Below = Callable[[int], int]

#: a function of a pile's name and a number i that returns the pile's random word i, from 0 to 2**64 - 1
RandomWords = Callable[[str, int], int]

WORD_RANGE = 2**64


class Chance:
    """Draws from the random words of one pile, in order. Each pile has its own words."""

    __slots__ = ("_next", "_pile", "_words")

    def __init__(self, words: RandomWords, pile: str) -> None:
        self._words = words
        self._pile = pile
        self._next = 0

    def below(self, bound: int) -> int:
        """Draw a number from 0 to ``bound`` - 1, each equally likely (1 <= bound <= 2**64)."""
        limit = WORD_RANGE - WORD_RANGE % bound
        while True:
            word = self._words(self._pile, self._next)
            self._next += 1
            if word < limit:  # words from the limit on would favour low numbers
                return word % bound

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order: swap item i with item below(i + 1), from last to second."""
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return tuple(result)


def shuffle_pile(words: RandomWords, pile: str, items: Sequence[T]) -> tuple[T, ...]:
    """Shuffle one pile; its first element is the first to be drawn."""
    return Chance(words, pile).shuffle(items)


def shuffle_with(items: Sequence[T], below: Below) -> tuple[T, ...]:
    """Return the items in an order drawn by ``below``: for guesses and tests, not for the deal of a game."""
    remaining = list(items)
    return tuple(remaining.pop(below(len(remaining))) for _ in items)


class Unseen(Exception):  # not an error, so its name does not end in Error
    """An order, tried out on what a seat knows, needs a value that the seat does not know."""


def seen(value: int | None) -> int:
    """Return a value if it is known; raise Unseen for None, an unknown value of an imagined State."""
    if value is None:
        raise Unseen
    return value


class Hidden:
    """One hidden value (short ASCII text) and the seats that may know it now.

    Code that formats, logs or serialises a Hidden by mistake gets an error instead of a leak.
    """

    __slots__ = ("_value", "audience")

    def __init__(self, value: str, audience: frozenset[str] = frozenset()) -> None:
        self._value = value
        self.audience = audience

    def for_sealing(self) -> str:
        """Return the value, for encryption or a commitment. Only the moderator may see it."""
        return self._value

    def value_for(self, seat: str) -> str | None:
        """Return the value if ``seat`` may know it; None otherwise."""
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

    def __str__(self) -> str:  # noqa: PLE0307 - it never returns
        self._no_text()

    def __format__(self, spec: str) -> str:
        self._no_text()

    def __reduce__(self) -> NoReturn:
        self._no_text()
