"""Find the orders that a line in words means. Every word must be used, and nothing is added.

A line is cut into pieces, one for each order. A piece has all names (of places) and numbers of its
order, in sequence, and only words of that order. Some words of the order may be missing from its
piece: in `walls A2 and B5` the piece `B5` means `wall B5`. A missing word is elsewhere on the line,
or is the first word of the order, or no other legal order fits.

Not allowed here: a guess (proposals.py); anything that does not follow from the player's
View and the line (P2).
Source: docs/decisions/0023-notation-is-played.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.notation.lexicon import NAME, NUMBER, SMALL, WORD, Lexicon, Term

if TYPE_CHECKING:
    from pbem.engine.game import Game

MAX_TERMS = 12  #: of a line that is read this way
_MAX_PIECE_TERMS = 6  #: terms of one order

Orders = tuple[str, ...]


class Reading(NamedTuple):
    """Orders that a line can mean, and the View of the player after them."""

    orders: Orders
    view_after: Any


class _WordCount(NamedTuple):
    """A number on the line that counts orders, or cards of one order: `two walls`."""

    words: tuple[str, ...]  #: what is counted: orders or cards with one of these words
    number: int


class _Match(NamedTuple):
    """A legal order that a piece may mean."""

    order: str
    missing_words: list[str]  #: words of the order that are not on the line


class _LineTerms(NamedTuple):
    """The terms of a line, without words that mean nothing and without numbers that count."""

    terms: tuple[Term, ...]
    counts: tuple[_WordCount, ...] = ()  #: from such numbers


def find_only_orders(game: "Game", view: Any, terms: Sequence[Term], lexicon: Lexicon) -> Reading | None:
    """Return the only orders that a line can mean, and the View after them. Returns None if the line has other words,
    or can mean several things or nothing.
    """
    own_terms = tuple(term for term in terms if term.kind != SMALL)
    if not 0 < len(own_terms) <= MAX_TERMS or any(term.kind not in (WORD, NAME, NUMBER) for term in own_terms):
        return None
    readings: dict[Orders, Reading] = {}
    for line in _list_interpretations(own_terms):
        for reading in _find_readings(game, view, line.terms, lexicon):
            if _matches_counts(line, reading.orders):
                readings[reading.orders] = reading
            if len(readings) > 1:
                return None
    only_reading = next(iter(readings.values()), None)
    is_one_place = len(own_terms) == 1 and own_terms[0].kind == NAME
    if only_reading and is_one_place and _is_asked_again(game, view, only_reading.view_after):
        return None  # a single place does not answer a turn of two orders
    return only_reading


def _is_asked_again(game: "Game", view: Any, view_after: Any) -> bool:
    """Return whether the seat is asked again in the same turn."""
    return game.turn(view_after) == game.turn(view) and bool(game.legal(view_after))


def _list_interpretations(terms: tuple[Term, ...]) -> Iterator[_LineTerms]:
    """Yield the line with its numbers as parts of orders, as counts of cards (`play S1 2 gates`), or of orders."""
    yield _LineTerms(terms)
    count_positions = [i for i, (term, following) in enumerate(pairwise(terms)) if _is_count(term, following)]
    if not count_positions:
        return
    repeated_terms: list[Term] = []
    counts: list[_WordCount] = []
    for i, term in enumerate(terms):
        if i in count_positions:
            counts.append(_WordCount(terms[i + 1].words, int(term.text)))
        elif i - 1 in count_positions:
            repeated_terms += [term] * int(terms[i - 1].text)
        else:
            repeated_terms.append(term)
    yield _LineTerms(tuple(repeated_terms), tuple(counts))
    other_terms = tuple(term for i, term in enumerate(terms) if i not in count_positions)
    yield _LineTerms(other_terms, tuple(counts))


def _is_count(term: Term, following: Term) -> bool:
    """Return whether a term may count the word that follows it, as in `two walls`."""
    if term.kind != NUMBER or following.kind != WORD:
        return False
    return term.text.isdigit() and 0 < int(term.text) <= MAX_TERMS


def _find_readings(
    game: "Game", view: Any, terms: tuple[Term, ...], lexicon: Lexicon, start: int = 0, orders_before: Orders = ()
) -> Iterator[Reading]:
    """Yield every way to read the terms from ``start`` on as orders, each legal after those before it.

    `wall A1 tower B3` has one reading: the orders `wall A1` and `tower B3`. The function takes each piece that begins
    at ``start`` and means an order, then calls itself for the terms behind it. ``orders_before`` are the orders of the
    terms before ``start``, and ``view`` is the View after them.
    """
    if start == len(terms):
        yield Reading(orders_before, view)
        return
    legal = [(order, order.split()) for order in game.legal(view)]
    last_end = min(start + _MAX_PIECE_TERMS, len(terms))
    for end in range(start + 1, last_end + 1):
        terms_elsewhere = (*terms[:start], *terms[end:])
        words_elsewhere = {word for term in terms_elsewhere for word in term.words}
        for order in _match_piece(terms[start:end], legal, words_elsewhere, lexicon):
            view_after = game.foresee(view, order)
            if view_after is None:
                # nobody can foresee what `draw` brings, so the next order is judged by the View before it
                view_after = view
            yield from _find_readings(game, view_after, terms, lexicon, end, (*orders_before, order))


def _match_piece(
    piece: tuple[Term, ...], legal: list[tuple[str, list[str]]], words_elsewhere: set[str], lexicon: Lexicon
) -> list[str]:
    """Return the legal orders that a piece may mean, all equally well.

    A word that the piece leaves out must be the first word of the order, or elsewhere on the line.
    A line that is only `A5` may leave out any word. ``legal`` has each legal order and its words.
    """
    piece_names = [term.text for term in piece if term.kind != WORD]
    word_options = [term.words for term in piece if term.kind == WORD]
    if not word_options and len(piece) > 1:  # several places alone are several orders
        return []
    matches: list[_Match] = []

    def is_small(word: str) -> bool:
        term = lexicon.phrases.get((word,))
        return term is not None and term.kind == SMALL

    for order, words in legal:
        order_names = [word for word in words if not _is_plain_word(word)]
        remaining_words = Counter(word for word in words if _is_plain_word(word))
        has_all_words = all(_use_word(remaining_words, options) for options in word_options)
        if order_names != piece_names or not has_all_words:
            continue
        # `gate S1` is not `play S1 gate gate`
        if any(word in options for word in remaining_words.elements() for options in word_options):
            continue
        missing_words = [
            word for word in remaining_words.elements() if word not in words_elsewhere and not is_small(word)
        ]
        if set(missing_words) <= {words[0]} or not (word_options or words_elsewhere):
            matches.append(_Match(order, missing_words))
    fewest_missing = min((len(match.missing_words) for match in matches), default=0)
    if words_elsewhere and not word_options:  # `walls A2 and B5`: `B5` is a wall too, if a wall is legal there
        matches = [match for match in matches if len(match.missing_words) == fewest_missing]
    return [match.order for match in matches]


def _use_word(remaining_words: Counter[str], options: tuple[str, ...]) -> bool:
    """Remove the first of these words that remains of an order. Return whether there was one."""
    for word in options:
        if remaining_words[word]:
            remaining_words[word] -= 1
            return True
    return False


def _is_plain_word(word: str) -> bool:
    """Return whether a word of an order is neither a name nor a number."""
    return word[:1].islower()


def _matches_counts(line: _LineTerms, orders: Orders) -> bool:
    """Return whether there are as many orders, or cards of one order, as the line says. A plural says several."""
    word_counts = Counter(word for order in orders for word in order.split())
    for stated in line.counts:
        counts = [sum(order.split().count(word) for word in stated.words) for order in orders]
        order_count = sum(count > 0 for count in counts)
        card_counts = [count for count in counts if count > 1]
        if stated.number not in (order_count, *card_counts):
            return False
    return all(sum(word_counts[word] for word in term.words) > 1 for term in line.terms if term.is_plural)
