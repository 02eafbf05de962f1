"""Guess what a held email may mean: the legal orders that use most of the words it mentions.

An email is held if one of its lines looks like an order but is not clear. pbem sends the player
this proposal, and plays none of it until the player confirms. The best orders are found by a beam
search: of all beginnings with n orders, only the best few are continued.

Not allowed here: anything that does not follow from the player's View and lines (P2).
Source: docs/decisions/0023-notation-is-played.md.
"""

from collections.abc import Sequence
from itertools import combinations, zip_longest
from typing import Any, NamedTuple

from pbem.engine.optional_parts import may_ask, never
from pbem.notation.lexicon import NAME, NUMBER, UNKNOWN, WORD, Term
from pbem.notation.lines import OrderLine, ParsedOrders
from pbem.notation.tokens import is_one_slip_apart
from pbem.play.pending_orders import PendingOrders, format_pending_orders
from pbem.play.proposals.prose import Reader
from pbem.play.validate_email import leaves_turn_unfinished, validate_orders
from pbem.play.validation import EmailContext

MAX_LINES, MAX_MENTIONS, MAX_ORDERS = 12, 24, 4
_MAX_OTHER_WORDS = 10  #: other words of a line that may belong to an order
_BEAM_WIDTH, _MAX_BRANCHES, _MAX_TRIED = 24, 12, 12
_COUNTS = ("1", "2", "3", "4")  #: numbers that count the word after them: `2 walls`
_CLEAR_MARGIN = 0.01  #: by how much the best answer must beat any other
_DENIAL_REACH = 2  #: unknown words over which `not` reaches: `or maybe A3`
_MIN_SLIP_LETTERS = 3  #: shorter words are not corrected


class MentionedWord(NamedTuple):
    """A word, name or number of an order that the email mentions."""

    words: frozenset[str]  #: the words of the notation that it may mean
    line: int


class _Candidate(NamedTuple):
    """Orders that the email may mean, with a score for how well they fit."""

    score: float
    orders: tuple[str, ...]
    used_mentions: frozenset[int]  #: indices
    view: Any  #: after these orders


class _HeldLine(NamedTuple):
    """A line that holds the email, with its terms about orders."""

    number: int
    terms: list[Term]


class _StandingOrder(NamedTuple):
    """An order for a question about a place that is still to come."""

    place: str
    order: str
    term_indices: frozenset[int]  #: of the terms that it uses


class _ScoredOrders(NamedTuple):
    """Legal orders, as a player could send them."""

    score: float
    lines: tuple[str, ...]


def find_proposal(reader: Reader, context: EmailContext, parsed_orders: ParsedOrders) -> tuple[str, ...]:
    """Return the orders that a held email most likely means, as its player may send them. Returns () if no legal
    orders fit, or if the best two are equally good. The limits above bound the work.
    """
    if not parsed_orders.doubtful_lines:
        return ()
    lines: list[_HeldLine] = []
    standing_lines: list[OrderLine] = []
    for doubtful_line in parsed_orders.doubtful_lines[:MAX_LINES]:
        terms = _read_terms(reader, doubtful_line.text)
        standing_orders = _find_standing_orders(reader, terms)
        used_terms = {i for row in standing_orders for i in row.term_indices}
        number = doubtful_line.number
        standing_lines += [OrderLine(number, row.order, row.order, when=row.place) for row in standing_orders]
        lines.append(_HeldLine(number, [term for i, term in enumerate(terms) if i not in used_terms]))
    later_lines = (*parsed_orders.later, *standing_lines, *(row for row in parsed_orders.now if row.when))
    mentions = _list_mentions(parsed_orders, lines)[:MAX_MENTIONS] if context.is_asked else []
    candidates = sorted(_find_candidates(reader, mentions), key=lambda candidate: -candidate.score)[:_MAX_TRIED]
    candidates = candidates or [_Candidate(0, (), frozenset(), reader.view)]
    scored = [_score_if_legal(reader, context, candidate, later_lines) for candidate in candidates]
    ranked = sorted(filter(None, scored), key=lambda row: -row.score)
    if not ranked:
        return ()
    is_tie = len(ranked) > 1 and ranked[0].score - ranked[1].score < _CLEAR_MARGIN
    return () if is_tie else ranked[0].lines


def _read_terms(reader: Reader, text: str) -> list[Term]:
    """Return the terms of a line without typing slips, and without what it denies: `A3` of `A3 not A2`."""
    single_words = {key[0]: term for key, term in reader.lexicon.phrases.items() if len(key) == 1}
    terms = reader.lexicon.find_terms(text)[: 2 * MAX_MENTIONS]
    meaningful_terms: list[Term] = []
    denial_reach = 0  # over how many words the last denial still reaches; 0: nothing is denied
    for term in terms:
        mended_term = _mend_slip(term, single_words) if term.kind == UNKNOWN else term
        is_denial = term.text in reader.lexicon.no or (term.text,) in reader.lexicon.changing_phrases
        if is_denial or mended_term.kind == UNKNOWN:
            denial_reach = _DENIAL_REACH if is_denial else max(denial_reach - 1, 0)
        elif mended_term.kind in (WORD, NAME, NUMBER):
            if denial_reach == 0:
                meaningful_terms.append(mended_term)
            elif mended_term.kind == NAME:
                denial_reach = 0
            else:
                denial_reach = 1
    return meaningful_terms


def _find_standing_orders(reader: Reader, terms: list[Term]) -> list[_StandingOrder]:
    """Find orders for a question about a place that may still come: `if BP3 fills up my warrior kills …`."""
    effects = reader.grammar.order_words & reader.grammar.vocabulary  # of cards: they begin an order or follow in one
    places = [
        i for i, term in enumerate(terms) if term.kind == NAME and not reader.game.why_never(reader.view, term.text)
    ]
    standing_orders: list[_StandingOrder] = []
    used_terms: set[int] = set()
    for index, term in enumerate(terms):
        for effect in effects & {*term.words}:
            is_free = bool(places) and index not in used_terms
            standing_order = _find_standing_order(reader, terms, places, index, effect) if is_free else None
            if standing_order:
                standing_orders.append(standing_order)
                used_terms |= standing_order.term_indices
    return standing_orders


def _find_standing_order(
    reader: Reader, terms: list[Term], places: list[int], index: int, effect: str
) -> _StandingOrder | None:
    """Return the order made of the effect at ``index`` and one or two other terms; None if none is possible. It is for
    the last place before the effect, or else the first place after it. ``places`` are indices of terms.
    """
    place_index = min(places, key=lambda i: (i > index, abs(i - index)))
    other_indices = [i for i in range(len(terms)) if i not in (index, place_index)][:_MAX_OTHER_WORDS]
    for chosen_indices in [*combinations(other_indices, 2), *combinations(other_indices, 1)]:
        tokens = tuple((terms[i].words or (terms[i].text.lower(),))[0] for i in chosen_indices)
        order = reader.grammar.spell((effect, *tokens))
        if order and _may_be_asked(reader, terms[place_index].text, order):
            return _StandingOrder(terms[place_index].text, order, frozenset((index, place_index, *chosen_indices)))
    return None


def _may_be_asked(reader: Reader, place: str, order: str) -> bool:
    """Return whether a question about a place may come that this order answers."""
    game, view = reader.game, reader.view
    return may_ask(game, view, place, order) and never(game, view, order) is None


def _list_mentions(parsed_orders: ParsedOrders, lines: Sequence[_HeldLine]) -> list[MentionedWord]:
    """List the words that an email mentions, line by line. `two walls` mentions `wall` twice, and never `2`."""
    orders_now = [order_line for order_line in parsed_orders.now if not order_line.when]
    mentions = [
        MentionedWord(frozenset((word,)), order_line.number)
        for order_line in orders_now
        for word in order_line.order.split()
    ]
    for line in lines:
        count = 1
        for term, following in zip_longest(line.terms, line.terms[1:]):
            is_before_word = following is not None and following.kind == WORD
            if term.kind == NUMBER and term.text in _COUNTS and is_before_word:
                count = int(term.text)  # the number counts the next word
                continue
            mention = MentionedWord(frozenset(term.words or (term.text,)), line.number)
            mentions += [mention] * count
            count = 1
    return sorted(mentions, key=lambda mention: mention.line)


def _mend_slip(term: Term, single_words: dict[str, Term]) -> Term:
    """Return the term of a game word that differs from this one by one typing slip, or else the same term."""
    if len(term.text) < _MIN_SLIP_LETTERS or not term.text.isalpha():
        return term
    near_terms = (
        near_term
        for word, near_term in single_words.items()
        if near_term.kind == WORD and is_one_slip_apart(term.text, word)
    )
    return next(near_terms, term)


def _find_candidates(reader: Reader, mentions: list[MentionedWord]) -> list[_Candidate]:
    """Return the best candidates of one to ``MAX_ORDERS`` orders, by a beam search."""
    if not mentions:
        return []
    beam = [_Candidate(0, (), frozenset(), reader.view)]
    best_by_orders = dict[tuple[str, ...], _Candidate]()
    for _ in range(MAX_ORDERS):  # each round adds one order to every candidate, and keeps the best
        next_beam = list[_Candidate]()
        for candidate in beam:
            legal = reader.game.legal(candidate.view)
            extensions = (_add_order(candidate, order, mentions) for order in legal)
            best_extensions = sorted(
                (extension for extension in extensions if extension), key=lambda extension: -extension.score
            )[:_MAX_BRANCHES]
            for extension in best_extensions:
                view_after = reader.game.foresee(candidate.view, extension.orders[-1])
                next_beam.append(extension._replace(view=candidate.view if view_after is None else view_after))
        beam = sorted(next_beam, key=lambda candidate: -candidate.score)[:_BEAM_WIDTH]
        for candidate in beam:
            final_score = candidate.score - _cost_of_unused(mentions, candidate.used_mentions)
            best = best_by_orders.get(candidate.orders)
            if best is None or best.score < final_score:
                best_by_orders[candidate.orders] = candidate._replace(score=final_score)
    return [*best_by_orders.values()]


def _cost_of_unused(mentions: Sequence[MentionedWord], used_mentions: frozenset[int]) -> float:
    """Return what the unused mentions cost a candidate: 2 for a name or number, 1 for a word."""
    unused_mentions = (mention for i, mention in enumerate(mentions) if i not in used_mentions)
    return sum(1.0 if next(iter(mention.words))[:1].islower() else 2.0 for mention in unused_mentions)


def _add_order(candidate: _Candidate, order: str, mentions: Sequence[MentionedWord]) -> _Candidate | None:
    """Return the candidate with one more order; None if the email mentions nothing of that order. Each word of the
    order uses a free mention. A "place" here is an index into ``mentions``.
    """
    words = order.split()
    used_mentions = set(candidate.used_mentions)
    used_places: list[int] = []  # by this order
    score = 0.0
    # names first: of several mentions of a word, the one beside the name is meant
    for index, word in sorted(enumerate(words), key=lambda indexed_word: indexed_word[1][:1].islower()):
        mention_places = [i for i, mention in enumerate(mentions) if word in mention.words]
        free_places = [i for i in mention_places if i not in used_mentions]
        last_place = used_places[-1] if used_places else max(candidate.used_mentions, default=-1)
        is_plain = word[:1].islower()
        place = _find_nearest(free_places, last_place, prefers_last=not is_plain)
        if place is not None:
            used_mentions.add(place)
            used_places.append(place)
            score += 2 if is_plain else 4
        elif mention_places and word not in words[:index]:  # another order has used the mention
            score -= 0 if is_plain else 4
        elif not is_plain:
            score -= 5
        else:
            score -= 0.3 if index == 0 else 2  # players often leave out the first word
    if len(used_mentions) == len(candidate.used_mentions):
        return None
    gap_count = max(used_places) - min(used_places) + 1 - len(used_places)  # mentions between that it does not use
    if candidate.used_mentions and min(used_places) < max(candidate.used_mentions):
        score -= 0.5
    # a later mention corrects an earlier one
    score += 0.02 * sum(used_places) / len(mentions) - 0.2 * gap_count
    return candidate._replace(
        score=candidate.score + score, orders=(*candidate.orders, order), used_mentions=frozenset(used_mentions)
    )


def _find_nearest(places: Sequence[int], target: int, *, prefers_last: bool) -> int | None:
    """Return the place nearest to the target, or None if there are no places. ``prefers_last`` decides a tie."""
    ranks = [(abs(place - target), -place if prefers_last else place, place) for place in places]
    return min(ranks)[2] if ranks else None


def _score_if_legal(
    reader: Reader, context: EmailContext, candidate: _Candidate, waiting_orders: tuple[OrderLine, ...]
) -> _ScoredOrders | None:
    """Return a candidate's orders as a player could send them, with its score; None if they are not legal. The score
    is lower if the orders leave a turn unfinished.
    """
    order_lines = tuple(OrderLine(number, order, order) for number, order in enumerate(candidate.orders, 1))
    result = validate_orders(reader.game, context, PendingOrders(), ParsedOrders(order_lines, waiting_orders))
    if not result.has_changed:
        return None
    lines = tuple(format_pending_orders(result.pending.groups))
    return _ScoredOrders(candidate.score - leaves_turn_unfinished(result), lines)
