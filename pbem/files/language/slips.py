"""Slips of the keyboard: what a word can only be.

What must never be here: whether that is taken (the moderator: only in a whole and legal answer).
Law: a slip can be one word alone.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pbem.files.language.chat import NO_SLIPS
from pbem.files.language.tokens import bare
from pbem.files.language.words import Spoken, Word, meanings

_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")  #: each row half a key to the right of that above
_NO_SLIPS = frozenset(map(bare, NO_SLIPS.split("|")))
_SHORTEST = 4  #: letters of a word that a slip can be of
Likely = Mapping[str, Sequence[tuple[str, Word]]]


@lru_cache(maxsize=8)
def single(spoken: Spoken, own: frozenset[str]) -> Mapping[str, Word]:
    """What is known and is one word (arguments: those of `meanings`)."""
    return {said[0]: word for said, word in meanings(spoken, own).items() if not said[1:]}


@lru_cache(maxsize=8)
def likely(spoken: Spoken, own: frozenset[str]) -> Likely:
    """These by their first letter."""
    found: dict[str, list[tuple[str, Word]]] = {}
    for said, word in single(spoken, own).items():
        if len(said) >= _SHORTEST:
            found.setdefault(said[0], []).append((said, word))
    return found


def in_whole(word: Word, known: Likely) -> Word:
    """What a word says in a whole answer: a slip the word of an order, if it can be one alone."""
    if word.kind == "whole":
        return Word("word" if word.text else "fill", word.text)
    if word.kind != "unknown" or word.text in _NO_SLIPS:
        return word
    near = {like for said, like in known.get(word.text[:1], ()) if _slipped(word.text, said)}
    only = near.pop() if len(near) == 1 else word
    return only if only.kind == "word" else word


def _slipped(text: str, said: str) -> bool:
    """Whether a key was missed, hit twice, hit with its neighbour or in its place, or two keys in
    the wrong order; never the first.
    """
    if abs(len(text) - len(said)) > 1:
        return False
    shorter = min(len(text), len(said))
    start = next((i for i in range(shorter) if text[i] != said[i]), shorter)
    typed, rest = text[start:], said[start:]
    if len(text) < len(said):
        return typed == rest[1:]
    if len(text) > len(said):
        return typed[1:] == rest and _beside(typed[0], said[start - 1], *rest[:1])
    swapped = typed[:2] == rest[:2][::-1] and typed[2:] == rest[2:]
    return swapped or (typed[1:] == rest[1:] and _beside(typed[0], rest[0]))


def _beside(key: str, *others: str) -> bool:
    """Whether a key is one of the others, or lies next to one."""
    places = {letter: (y, 2 * x + y) for y, row in enumerate(_KEYS) for x, letter in enumerate(row)}
    if key not in places:
        return False
    y, x = places[key]
    near = (places[other] for other in others if other in places)
    return any(abs(row - y) <= 1 and abs(at - x) <= 2 for row, at in near)
