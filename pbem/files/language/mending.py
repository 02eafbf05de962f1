"""What its writer mended, or could not have meant otherwise: a correction, a slip of the keyboard.

What must never be here: whether that is taken (the moderator: only as a whole and legal answer).
Law: a correction replaces exactly one word of one order; a slip can be one word alone.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.files.language.tokens import canonical_name
from pbem.files.language.words import Meanings, Word

_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")  #: each row half a key to the right of that above
_SHORTEST = 4  #: letters of a word that a slip can be of
_LEADS = frozenset(["no", "sorry", "mend"])  #: a correction begins with one of these
_AROUND = frozenset(["fill", "open", "to", "and", "sorry", "mend"])
_VALUES = frozenset(["name", "num"])
_REJECTS = frozenset(["no", "than", "not it"])  #: the place behind it is not meant, or before it
Words = tuple[str, ...]
Likely = Mapping[str, Sequence[tuple[str, Word]]]


class Mend(NamedTuple):
    """What replaces a like word, and which one, if that is said."""

    values: Words  #: places and numbers: the new one, and the one that it is not
    words: frozenset[str]  #: of the order that it is about
    sure: bool  #: else it is only offered


def mend_in(clauses: list[list[Word]]) -> tuple[list[list[Word]], Mend | None]:
    """A sentence up to `no, sorry, B6`, and that; None where it has none that is clear."""
    words = [(at, word) for at, clause in enumerate(clauses) for word in clause]
    for start, (at, word) in enumerate(words):
        if word.kind not in _LEADS:
            continue
        end = start
        while end < len(words) and words[end][1].kind in _LEADS | {"fill"}:
            end += 1
        kinds = {word.kind for _, word in words[start:end]} & _LEADS
        # `no B6` may be a wish as well; `no, B6` is not
        no = (
            words[end - 1][1].kind == "no"
            and words[end:][:1]
            and words[end][0] == words[end - 1][0]
        )
        if found := _mend([word for _, word in words[end:]], kinds):
            found = found._replace(sure=found.sure and not no)
            before = [*clauses[:at], [word for i, word in words[:start] if i == at]]
            return [clause for clause in before if clause], found
    return clauses, None


def _mend(words: list[Word], leads: set[str]) -> Mend | None:
    kinds = {word.kind for word in words} - _AROUND
    both = bool(kinds & _REJECTS)
    at = next((at for at, word in enumerate(words) if word.kind in _REJECTS), len(words))
    near = words[:at][::-1] if kinds & {"not it"} else words[at:]
    old = next((word for word in near if word.kind in _VALUES), None)
    values = tuple(word.text for word in words if word.kind in _VALUES and word is not old)
    values += (old.text,) if old else ()
    if not kinds <= _VALUES | _REJECTS | {"word"} or len(values) != 1 + both:
        return None
    said = frozenset(part for word in words if word.kind == "word" for part in word.text.split())
    sure = "mend" in leads or len(leads) > 1 or (both and "sorry" in leads)
    return Mend(values, said, sure)


def mended(mend: Mend, lines: Sequence[Words]) -> tuple[int, Words] | None:
    """Which of the orders, given as words, is corrected, and its words then; None if not just one.

    Without the word that is replaced it is the last order's, and like it: A5 is no B5.
    """
    new, *others = (_canonical(value) for value in mend.values)
    if others:
        old = others[0]
        if any(new in line for line in lines):
            return None
    else:
        alike = [word for word in (lines[-1] if lines else ()) if _like(word) == _like(new)]
        if len(alike) != 1 or alike[0] == new:
            return None
        old = alike[0]
    about = [at for at, line in enumerate(lines) for word in line if word == old]
    about = about if others else about[-1:]
    if len(about) != 1 or not mend.words <= {*lines[about[0]]}:
        return None
    return about[0], tuple(new if word == old else word for word in lines[about[0]])


def _canonical(value: str) -> str:
    return canonical_name(value) if value[0].isalpha() else value


def _like(word: str) -> str:
    """What two places of a board, or two numbers, have in common; "" of other words."""
    if word.isdigit():
        return "0"
    return word.rstrip("0123456789") if word.isupper() and word[-1].isdigit() else word.lower()


def likely(known: Meanings) -> Likely:
    """Single words by their first letter."""
    found: dict[str, list[tuple[str, Word]]] = {}
    for said, word in known.items():
        if len(said) == 1 and len(said[0]) >= _SHORTEST:
            found.setdefault(said[0][0], []).append((said[0], word))
    return found


def in_whole(word: Word, known: Likely) -> Word:
    """What a word says in a whole answer: a slip the word of an order, if it can be one alone."""
    if word.kind == "whole":
        return Word("word" if word.text else "fill", word.text)
    if word.kind != "unknown":
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
