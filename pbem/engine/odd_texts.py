"""Texts that a player may send and that are mostly no orders, for the laws.

What lives here: ``odd_texts``. What must never be here: a law, a rule of one game.
"""

from collections.abc import Iterable

#: no orders of any game, most of them
_TEXTS = ("", " ", "\n", "\t\x00", "?", "\u0663", "A\u0663", "a5", "A5 A6", "\U0001f642", "x" * 300)


def odd_texts(first_words: Iterable[str], lines: tuple[str, ...]) -> tuple[str, ...]:
    """Any text: half an order, one too long, turned round, in other letters.

    ``first_words`` of the orders of a game, and some of its ``lines``.
    """
    texts = [*_TEXTS, *first_words]
    for line in (*lines[:1], *lines[-1:]):
        words = line.split(" ")
        texts += [f"{line} ", f"{line} {line}", f" {line}", " ".join(words[::-1]), line.upper()]
        texts += [" ".join(words[:n]) for n in range(1, len(words))]
        texts += [f"{words[0]} {odd}" for odd in _TEXTS]
    return tuple(texts)
