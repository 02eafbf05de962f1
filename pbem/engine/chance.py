"""Chance as a value: a stream of numbers that somebody else made.

What lives here: drawing below a bound and shuffling, from 64-bit words that come in as a function.
What must never be here: a source of randomness.
Law: the same words give the same draws on any machine, for ever; every draw is unbiased.
Source: docs/SPECIFICATION.md section 6 (streams, draws).
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

#: word number i of the pile of that name: an integer from 0 to 2**64 - 1
Words = Callable[[str, int], int]

SPAN = 2**64


class Chance:
    """The draws of one pile, in order. Each pile has a stream of its own."""

    __slots__ = ("_next", "_pile", "_words")

    def __init__(self, words: Words, pile: str) -> None:
        self._words = words
        self._pile = pile
        self._next = 0

    def below(self, bound: int) -> int:
        """The next number from 0 to ``bound`` - 1, each equally likely (1 <= bound <= 2**64)."""
        limit = SPAN - SPAN % bound
        while True:
            word = self._words(self._pile, self._next)
            self._next += 1
            if word < limit:  # a word above would favour the low numbers
                return word % bound

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a drawn order: swap i with below(i + 1), from the last to the second."""
        mixed = list(items)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.below(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return tuple(mixed)


def shuffled(words: Words, pile: str, items: Sequence[T]) -> tuple[T, ...]:
    """One pile, dealt: the first element is drawn first."""
    return Chance(words, pile).shuffle(items)
