"""Words of orders, without the words around them, into orders.

What must never be here: the orders of any game; which words are an order's (phrases.py), what is
around them (speech.py).
Law: all of the words become orders, or none; bounded time.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pbem.files.orders.tokens import Grammar, canonical_name

MOST = 24  #: words of orders that belong together
_LONGEST = 8
_PART = 5
AND, FOR = "&", "for"
_JOINS = (AND, FOR)


class Said(NamedTuple):
    """An order as it was said; ``part``: only what tells it from others, the question is known."""

    order: str
    when: str | None = None
    part: bool = False


Words = tuple[str, ...]


def orders_in(words: Words, grammar: Grammar) -> list[Said] | None:
    """The orders that these words are, `&` and `for` between them; None if they are none."""
    if not words or len(words) > MOST:
        return None
    words, counts = _without_counts(_names_behind(words, grammar), grammar)
    for parts in (False, True):
        found = _Reader(words, grammar, parts).read(0, ())
        if found is not None:
            heads = [one.order.split()[0] for one in found]
            good = all(heads.count(head) == count for head, count in counts)
            return found if good else None
    return None


def _names_behind(words: Words, grammar: Grammar) -> Words:
    """`A2 & A6 for wall` is `wall A2 A6`."""
    if FOR in words:
        at = words.index(FOR)
        names = tuple(word for word in words[:at] if word not in _JOINS)
        head = words[at + 1 : at + 2]
        if names and all(map(grammar.is_name, names)) and head and head[0] in grammar.words:
            rest = words[at + 2 :]
            return (*head, *names, *rest) if not rest or rest[0] == AND else words
    return tuple(word for word in words if word != FOR)


def _without_counts(words: Words, grammar: Grammar) -> tuple[Words, list[tuple[str, int]]]:
    """`2 wall A2 B5`: the number is how many follow; `2 draw`: it is done so often."""
    counts: list[tuple[str, int]] = []
    found: list[str] = []
    for at, word in enumerate(words):
        behind = words[at + 1] if at + 1 < len(words) else ""
        if word in ("2", "3") and behind in grammar.words and words[at - 1 : at] in ((), (AND,)):
            if grammar.spell((behind,)) is not None:
                found += [behind, AND] * (int(word) - 1)
            else:
                counts.append((behind, int(word)))
        else:
            found.append(word)
    return tuple(found), counts


class _Reader:
    """The words cut into orders, the longest first."""

    def __init__(self, words: Words, grammar: Grammar, parts: bool) -> None:
        self._words, self._grammar, self._parts = words, grammar, parts
        self._known: dict[tuple[int, Words], list[Said] | None] = {}

    def read(self, at: int, carried: Words) -> list[Said] | None:
        """All orders from here on; ``carried``: the words of the one before, for names alone."""
        while at < len(self._words) and self._words[at] == AND:
            at += 1
        if at == len(self._words):
            return []
        if (at, carried) not in self._known:
            self._known[at, carried] = self._read(at, carried)
        return self._known[at, carried]

    def _read(self, at: int, carried: Words) -> list[Said] | None:
        name = self._words[at]
        if carried and self._grammar.is_name(name):
            order = self._grammar.spell((*carried, name))
            rest = self.read(at + 1, carried) if order else None
            if order and rest is not None:
                return [Said(order), *rest]
        for end in range(min(at + _LONGEST, len(self._words)), at, -1):
            chunk = self._words[at:end]
            words = tuple(word for word in chunk if word != AND)
            if chunk[-1] == AND:
                continue
            found = self._orders(words) or (self._part(chunk, words) if self._parts else None)
            if found:
                head = tuple(word for word in words if not self._grammar.is_name(word))
                rest = self.read(end, head[:3])
                if rest is not None:
                    return [*found, *rest]
        return None

    def _orders(self, words: Words) -> list[Said] | None:
        grammar = self._grammar
        if len(words) > 1 and all(map(grammar.is_name, words)):
            return None
        for order in _arranged(words, grammar):
            if line := grammar.spell(order):
                return [Said(line)]
            if each := _for_each(order, grammar):
                return each
        for order in _arranged(words, grammar):
            if found := _at_a_place(order, grammar) or _without_head(order, grammar):
                return [found]
        number = [word for word in words if word in ("2", "3")]
        rest = tuple(word for word in words if word not in number)
        if len(number) == 1 and len(rest) == 1 and (line := grammar.spell(rest)):
            return [Said(line)] * int(number[0])
        return None

    def _part(self, chunk: Words, words: Words) -> list[Said] | None:
        """What tells an order from others: `break A10`, `take 4`, `A5`."""
        grammar = self._grammar
        heads = [w for w in words if w in grammar.words and w not in grammar.vocabulary]
        names = [word for word in words if grammar.is_name(word)]
        numbers = [word for word in words if word.isdigit()]
        joined = AND in chunk and chunk[chunk.index(AND) + 1] != "on"
        if len(words) > _PART or joined or len(heads) > 1 or not (names or numbers):
            return None
        if heads and grammar.spell((heads[0],)) is not None:
            return None
        if len(names) == len(words) > 1:
            return None  # one order for both, or one for each
        said = (*heads, *(word for word in words if word not in heads))
        return [Said(" ".join(w.upper() if grammar.is_name(w) else w for w in said), part=True)]


def _arranged(words: Words, grammar: Grammar) -> Iterator[Words]:
    """As they stand; the names last; the first order word first; two at the end swapped."""
    names = tuple(word for word in words if grammar.is_name(word))
    others = tuple(word for word in words if not grammar.is_name(word))
    yield words
    yield (*others, *names)
    heads = [word for word in others if word in grammar.words and word not in grammar.vocabulary]
    if heads:
        at = others.index(heads[0])
        yield (heads[0], *others[:at], *others[at + 1 :], *names)
    if len(words) > 2:
        yield (*words[:-2], words[-1], words[-2])


def _for_each(words: Words, grammar: Grammar) -> list[Said] | None:
    """`wall A2 A6`: one for each name."""
    start = next((at for at, word in enumerate(words) if grammar.is_name(word)), 0)
    names = words[start:]
    if not start or len(names) < 2 or not all(map(grammar.is_name, names)):
        return None
    lines = [grammar.spell((*words[:start], name)) for name in names]
    return [Said(line) for line in lines if line] if all(lines) else None


def _at_a_place(words: Words, grammar: Grammar) -> Said | None:
    """`flood AP3 -2`: what a card does, and where it lies."""
    for at, name in enumerate(words):
        rest = words[:at] + words[at + 1 :]
        others = {re.sub(r"\d", "", word)[1:] for word in rest if grammar.is_name(word)}
        if not grammar.is_name(name) or re.sub(r"\d", "", name)[1:] in (others | {""}):
            continue
        line = grammar.spell(rest)
        if line and rest[0] in grammar.words and rest[0] in grammar.vocabulary:
            return Said(line, canonical_name(name))
    return None


def _without_head(words: Words, grammar: Grammar) -> Said | None:
    """`builder AP2` is `card builder AP2`, where no other order word fits."""
    if words[0] in grammar.words and words[0] not in grammar.vocabulary:
        return None
    if all(word.isdigit() for word in words):
        return None
    lines = {grammar.spell((head, *words)) for head in grammar.words} - {None}
    return Said(str(lines.pop())) if len(lines) == 1 else None
