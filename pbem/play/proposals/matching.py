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

MAX_TERMS = 12  #: of a line that is read so
_MAX_PIECE_TERMS = 6  #: terms of one order
_MAX_READINGS = 2  #: more than one is none

Orders = tuple[str, ...]


class _LineTerms(NamedTuple):
    """The terms of a line, without those that say nothing."""

    terms: tuple[Term, ...]
    #: how many orders have a word, where a number says so: `two walls A2 and B5`
    counts: tuple[tuple[tuple[str, ...], int], ...] = ()


def find_only_orders(game: "Game", view: Any, terms: Sequence[Term], lexicon: Lexicon) -> tuple[Orders, Any] | None:
    """The only orders that a line can mean, and the View after them; None if it has other words,
    or may mean something else.
    """
    own_terms = tuple(term for term in terms if term.kind != SMALL)
    if not 0 < len(own_terms) <= MAX_TERMS or any(term.kind not in (WORD, NAME, NUMBER) for term in own_terms):
        return None
    views_by_orders = dict[Orders, Any]()
    for line in _list_interpretations(own_terms):
        for orders, view_after in _find_readings(game, view, line, lexicon, 0, ()):
            if _matches_counts(line, orders):
                views_by_orders[orders] = view_after
            if len(views_by_orders) >= _MAX_READINGS:
                return None
    only_reading = next(iter(views_by_orders.items()), None)
    if (
        only_reading
        and len(own_terms) == 1
        and own_terms[0].kind == NAME
        and _is_asked_again(game, view, only_reading[1])
    ):
        return None  # one place is no answer where two orders are asked
    return only_reading


def _is_asked_again(game: "Game", view: Any, view_after: Any) -> bool:
    """Whether its seat is asked again in the same turn."""
    return game.turn(view_after) == game.turn(view) and bool(game.legal(view_after))


def _list_interpretations(terms: tuple[Term, ...]) -> Iterator[_LineTerms]:
    """A number is one of the order's own, says how many cards one order has, or how many orders."""
    yield _LineTerms(terms)
    count_positions = [i for i, (a, b) in enumerate(pairwise(terms)) if a.kind == NUMBER and b.kind == WORD]
    count_positions = [i for i in count_positions if terms[i].text.isdigit() and 0 < int(terms[i].text) <= MAX_TERMS]
    if not count_positions:
        return
    repeated_terms, counts = list[Term](), list[tuple[tuple[str, ...], int]]()
    for i, term in enumerate(terms):
        if i in count_positions:
            counts.append((terms[i + 1].words, int(term.text)))
        else:
            repeated_terms += [term] * (int(terms[i - 1].text) if i - 1 in count_positions else 1)
    yield _LineTerms(tuple(repeated_terms), tuple(counts))
    other_terms = tuple(term for i, term in enumerate(terms) if i not in count_positions)
    yield _LineTerms(other_terms, tuple(counts))


def _find_readings(
    game: "Game", view: Any, line: _LineTerms, lexicon: Lexicon, start: int, orders: Orders
) -> Iterator[tuple[Orders, Any]]:
    terms = line.terms
    if start == len(terms):
        yield orders, view
        return
    legal = [(order, order.split()) for order in game.legal(view)]
    for end in range(start + 1, min(start + _MAX_PIECE_TERMS, len(terms)) + 1):
        words_elsewhere = {word for i, term in enumerate(terms) if not start <= i < end for word in term.words}
        for order in _match_piece(terms[start:end], legal, words_elsewhere, lexicon):
            view_after = game.foresee(view, order)
            view_after = view if view_after is None else view_after  # `draw, draw`: nobody can foresee it
            yield from _find_readings(game, view_after, line, lexicon, end, (*orders, order))


def _match_piece(
    piece: tuple[Term, ...], legal: list[tuple[str, list[str]]], words_elsewhere: set[str], lexicon: Lexicon
) -> list[str]:
    """The legal orders that a piece may be: one, or several that nothing tells apart. What it
    leaves out is the first word of the order, or stands elsewhere on the line.
    """
    piece_names = [term.text for term in piece if term.kind != WORD]
    word_options = [term.words for term in piece if term.kind == WORD]
    if not word_options and len(piece) > 1:  # of places alone each is an order
        return []
    matches = list[tuple[str, list[str]]]()

    def is_small(word: str) -> bool:
        term = lexicon.phrases.get((word,))
        return term is not None and term.kind == SMALL

    for order, words in legal:
        order_names = [word for word in words if not _is_plain_word(word)]
        remaining_words = Counter(word for word in words if _is_plain_word(word))
        if order_names != piece_names or not all(_use_word(remaining_words, options) for options in word_options):
            continue
        # `gate S1` is not `play S1 gate gate`
        if any(word in options for word in remaining_words.elements() for options in word_options):
            continue
        missing_words = [
            word for word in remaining_words.elements() if word not in words_elsewhere and not is_small(word)
        ]
        if set(missing_words) <= {words[0]} or not (word_options or words_elsewhere):
            matches.append((order, missing_words))
    fewest_missing = min((len(missing_words) for _, missing_words in matches), default=0)
    if words_elsewhere and not word_options:  # `walls A2 and B5`: the second is one too, if it can be
        matches = [match for match in matches if len(match[1]) == fewest_missing]
    return [order for order, _ in matches]


def _use_word(remaining_words: Counter[str], options: tuple[str, ...]) -> bool:
    """Whether one of these words is among those left of an order; it is taken away."""
    word = next((word for word in options if remaining_words[word]), "")
    remaining_words[word] -= bool(word)
    return bool(word)


def _is_plain_word(word: str) -> bool:
    """Of an order: no name and no number."""
    return word[:1].islower()


def _matches_counts(line: _LineTerms, orders: Orders) -> bool:
    """Whether as many orders, or cards of one, are there as is said."""
    word_counts = Counter(word for order in orders for word in order.split())
    for options, stated_number in line.counts:
        counts_per_order = [sum(order.split().count(word) for word in options) for order in orders]
        if stated_number not in (*filter(lambda count: count > 1, counts_per_order), sum(map(bool, counts_per_order))):
            return False
    return all(sum(word_counts[word] for word in term.words) > 1 for term in line.terms if term.is_plural)
