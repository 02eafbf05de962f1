"""Words of orders, without the words around them, into orders.

What must never be here: the orders of any game; which words are an order's (words.py), what is
around them (speech.py).
Law: all of the words become orders, or none; bounded time.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from itertools import pairwise
from typing import NamedTuple

from pbem.files.language.tokens import Grammar, canonical_name

MOST = 24  #: words of orders in a sentence
_TOGETHER = 4  #: pieces, with `and` or a comma between, that one order may be said in
AND = "&"
Words = tuple[str, ...]


class Said(NamedTuple):
    """An order as it was said: its words; the line that they are, or "" where only the question can
    tell; the place that it waits for.
    """

    words: str
    order: str
    when: str | None = None


def orders_in(words: Words, grammar: Grammar) -> list[Said] | None:
    """The orders that these words are, `&` between them; None if they are none."""
    if len(words) > MOST:
        return None
    pieces = _pieces(tuple(map(_numbered, (AND, *words), words)))
    counts = [count for piece in pieces if (count := _counted(piece, grammar))]
    pieces = [piece[1:] if _counted(piece, grammar) else piece for piece in pieces]
    found: list[Said] = []
    while pieces:
        for end in range(min(_TOGETHER, len(pieces)), 0, -1):
            together = tuple(word for piece in pieces[:end] for word in piece)
            own = not any(word in grammar.words for piece in pieces[1:end] for word in piece)
            alone = len(pieces[0]) == 1 and grammar.is_name(pieces[0][0])
            own = own or (end == 2 and alone)  # `BP2: traitor break B7`
            orders = _spelled(together, grammar, own) or _in_turn(together, end, grammar)
            if orders := orders or _part(together, end, grammar):
                found += orders
                pieces = pieces[end:]
                break
        else:
            return None
    heads = [one.words.split()[0] for one in found]
    return found if all(heads.count(head) == int(n) for n, head in counts) else None


def _pieces(words: Words) -> list[Words]:
    """What is between `and`s; `on …` belongs to what is before it."""
    found: list[list[str]] = [[]]
    for at, word in enumerate(words):
        if word != AND:
            found[-1].append(word)
        elif words[at + 1 : at + 2] != ("on",):
            found.append([])
    return [tuple(piece) for piece in found if piece]


def _numbered(before: str, word: str) -> str:
    """Several of something, of which a number tells how many."""
    one, _, several = word.partition("|")
    return one if before.isdigit() and several == f"{one}s" else word


def _counted(piece: Words, grammar: Grammar) -> Words:
    """`2 wall …`: how many of them follow."""
    counts = len(piece) > 1 and piece[0] in ("2", "3") and piece[1] in grammar.words
    return piece[:2] if counts and grammar.spell(piece[1:2]) is None else ()


def _spelled(words: Words, grammar: Grammar, own: bool) -> list[Said]:
    """As a line of notation, its names last or its last two words swapped, its first left out; one
    for each name; so often; of a card that lies at a place, if all is its ``own``. Else empty.
    """
    names = tuple(word for word in words if grammar.is_name(word))
    others = tuple(word for word in words if word not in names)
    if not others:
        return []
    heads = tuple(word for word in others if word in grammar.words)
    behind = (*heads, *(word for word in others if word not in heads), *names)
    ways = (words, (*others, *names), (*words[:-2], *words[:-3:-1]), behind)
    for one in dict.fromkeys(ways if len(heads) == 1 else ways[:3]):
        if line := _line(one, grammar):
            return [Said(line, line)]
    each = [_line((*others, name), grammar) for name in names]
    apart = "".join("n" if word in names else "w" for word in words).strip("w")
    if len(names) > 1 and all(each) and "w" not in apart:
        return [Said(line, line) for line in each]
    often = [word for word in others if word in ("2", "3")]
    once = grammar.spell(tuple(word for word in others if word not in often))
    if len(often) == 1 and once and not names:
        return [Said(once, once)] * int(often[0])
    for name in names if own else ():
        rest = tuple(word for word in words if word != name)
        if line := _effect(rest, grammar):
            return [Said(line, line, canonical_name(name))]
    return []


def _in_turn(words: Words, pieces: int, grammar: Grammar) -> list[Said]:
    """`wall A5 wall B7`, `draw draw`: several orders, and nothing between them."""
    starts = [
        at
        for at, word in enumerate(words)
        if not at or word in grammar.words or (grammar.is_name(words[at - 1]) and word != "on")
    ]
    parts = [words[a:b] for a, b in pairwise([*starts, len(words)])]
    found = [_spelled(part, grammar, False) for part in parts] if pieces == 1 else []
    single = len(found) > 1 and all(len(orders) == 1 for orders in found)
    return [order for orders in found for order in orders] if single else []


def _line(words: Words, grammar: Grammar) -> str:
    """The line that these words are, whose first word may be missing where one alone fits."""
    if line := grammar.spell(words):
        return line
    if not any(map(grammar.is_name, words)) or (
        words[0] in grammar.words and words[0] not in grammar.vocabulary
    ):
        return ""
    lines = {grammar.spell((head, *words)) for head in grammar.words} - {None}
    return str(lines.pop()) if len(lines) == 1 else ""


def _effect(words: Words, grammar: Grammar) -> str:
    """What a card does, where it begins with the card."""
    kind = words and words[0] in grammar.words and words[0] in grammar.vocabulary
    return (grammar.spell(words) or "") if kind else ""


def _part(words: Words, pieces: int, grammar: Grammar) -> list[Said]:
    """What tells an order from others at its question: `break A10`, `4 on 1`, `A5`."""
    names = [word for word in words if grammar.is_name(word)]
    if pieces > 1 or len(words) > 6:
        return []
    if len(names) == len(words):
        return [Said(name.upper(), "") for name in names]
    said = " ".join(word.upper() if word in names else word for word in words)
    return [] if said.isdigit() else [Said(said, "")]
