"""The orders that a line means, word by word: every word of it used, and nothing added.

What must never be here: a guess (proposals.py); anything that is not a function of the player's
View and of the line (P2).
Law: a line is cut into pieces, one for each order; a piece has the names and numbers of its order,
in turn, and no word that the order has not. What a piece leaves out (`wall` of the second in `walls
A2 and B5`) stands elsewhere on the line, or no other legal order has those names and words.
Source: docs/decisions/0023-notation-is-played.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.notation.lexicon import NAME, NUMBER, SMALL, WORD, Lexicon, Term

if TYPE_CHECKING:
    from pbem.engine.game import Game

MOST_TERMS = 12  #: of a line that is read so
_MOST_PIECE = 6  #: terms of one order
_MOST_READINGS = 2  #: more than one is none

Orders = tuple[str, ...]


class _Line(NamedTuple):
    """The terms of a line, without those that say nothing."""

    terms: tuple[Term, ...]
    #: how many orders have a word, where a number says so: `two walls A2 and B5`
    counts: tuple[tuple[tuple[str, ...], int], ...] = ()


def only_orders(
    game: "Game", view: Any, terms: Sequence[Term], lexicon: Lexicon
) -> tuple[Orders, Any] | None:
    """The only orders that a line can mean, and the View after them; None if it has other words,
    or may mean something else.
    """
    own = tuple(term for term in terms if term.kind != SMALL)
    if not 0 < len(own) <= MOST_TERMS or any(x.kind not in (WORD, NAME, NUMBER) for x in own):
        return None
    found = dict[Orders, Any]()
    for line in _ways(own):
        for orders, after in _readings(game, view, line, lexicon, 0, ()):
            if _enough(line, orders):
                found[orders] = after
            if len(found) >= _MOST_READINGS:
                return None
    only = next(iter(found.items()), None)
    if only and len(own) == 1 and own[0].kind == NAME and _goes_on(game, view, only[1]):
        return None  # one place is no answer where two orders are asked
    return only


def _goes_on(game: "Game", view: Any, after: Any) -> bool:
    """Whether its seat is asked again in the same turn."""
    return game.turn(after) == game.turn(view) and bool(game.legal(after))


def _ways(terms: tuple[Term, ...]) -> Iterator[_Line]:
    """A number is one of the order's own, says how many cards one order has, or how many orders."""
    yield _Line(terms)
    pairs = [i for i, (a, b) in enumerate(pairwise(terms)) if a.kind == NUMBER and b.kind == WORD]
    pairs = [i for i in pairs if terms[i].text.isdigit() and 0 < int(terms[i].text) <= MOST_TERMS]
    if not pairs:
        return
    several, counts = list[Term](), list[tuple[tuple[str, ...], int]]()
    for i, term in enumerate(terms):
        if i in pairs:
            counts.append((terms[i + 1].words, int(term.text)))
        else:
            several += [term] * (int(terms[i - 1].text) if i - 1 in pairs else 1)
    yield _Line(tuple(several), tuple(counts))
    left = tuple(term for i, term in enumerate(terms) if i not in pairs)
    yield _Line(left, tuple(counts))


def _readings(
    game: "Game", view: Any, line: _Line, lexicon: Lexicon, at: int, orders: Orders
) -> Iterator[tuple[Orders, Any]]:
    terms = line.terms
    if at == len(terms):
        yield orders, view
        return
    legal = [(order, order.split()) for order in game.legal(view)]
    for end in range(at + 1, min(at + _MOST_PIECE, len(terms)) + 1):
        carried = {word for i, x in enumerate(terms) if not at <= i < end for word in x.words}
        for order in _of_piece(terms[at:end], legal, carried, lexicon):
            after = game.foresee(view, order)
            after = view if after is None else after  # `draw, draw`: nobody can foresee it
            yield from _readings(game, after, line, lexicon, end, (*orders, order))


def _of_piece(
    piece: tuple[Term, ...],
    legal: list[tuple[str, list[str]]],
    carried: set[str],
    lexicon: Lexicon,
) -> list[str]:
    """The legal orders that a piece may be: one, or several that nothing tells apart. What it
    leaves out is the first word of the order, or stands elsewhere on the line.
    """
    names = [term.text for term in piece if term.kind != WORD]
    said = [term.words for term in piece if term.kind == WORD]
    if not said and len(piece) > 1:  # of places alone each is an order
        return []
    found = list[tuple[str, list[str]]]()

    def small(word: str) -> bool:
        term = lexicon.phrases.get((word,))
        return term is not None and term.kind == SMALL

    for order, words in legal:
        own = [word for word in words if not _is_word(word)]
        left = Counter(word for word in words if _is_word(word))
        if own != names or not all(_takes(left, options) for options in said):
            continue
        # `gate S1` is not `play S1 gate gate`
        if any(word in options for word in left.elements() for options in said):
            continue
        more = [word for word in left.elements() if word not in carried and not small(word)]
        if set(more) <= {words[0]} or not (said or carried):
            found.append((order, more))
    fewest = min((len(left) for _, left in found), default=0)
    if carried and not said:  # `walls A2 and B5`: the second is one too, if it can be
        found = [one for one in found if len(one[1]) == fewest]
    return [order for order, _ in found]


def _takes(left: Counter[str], options: tuple[str, ...]) -> bool:
    """Whether one of these words is among those left of an order; it is taken away."""
    word = next((word for word in options if left[word]), "")
    left[word] -= bool(word)
    return bool(word)


def _is_word(word: str) -> bool:
    """Of an order: no name and no number."""
    return word[:1].islower()


def _enough(line: _Line, orders: Orders) -> bool:
    """Whether as many orders, or cards of one, are there as is said."""
    words = Counter(word for order in orders for word in order.split())
    for options, number in line.counts:
        each = [sum(order.split().count(word) for word in options) for order in orders]
        if number not in (*filter(lambda one: one > 1, each), sum(map(bool, each))):
            return False
    return all(sum(words[word] for word in term.words) > 1 for term in line.terms if term.several)
