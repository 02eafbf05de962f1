"""What an email that is held may mean: the legal answer that has most of what it mentions.

What must never be here: anything that is not a function of the player's View and of his own lines
(P2): the proposal is shown to him, and nothing of it is played until he confirms it.
Law: bounded: so many mentions, answers and orders, whatever the email says.
Source: docs/decisions/0023-notation-is-played.md.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from pbem.engine.optional_parts import may_ask, never
from pbem.notation.lexicon import NAME, NUMBER, UNKNOWN, WORD, Term
from pbem.notation.lines import OrderLine, Sheet
from pbem.notation.tokens import one_slip
from pbem.play.pending_orders import Hand, hand_lines
from pbem.play.proposals.prose import Reader
from pbem.play.validate_email import is_half, take
from pbem.play.validation import Asked

MOST_LINES, MOST_MENTIONS, MOST_ORDERS = 12, 24, 4
_MOST_REST = 10  #: other words of a line that an order may have
_BEAM, _BRANCHES, _TRIED = 24, 12, 12
_COUNTS = ("1", "2", "3", "4")
_CLEAR = 0.01  #: by so much the best answer is better than any other
_DENIES = 2  #: words that nobody knows, up to which `not` reaches: `or maybe A3`
_SLIP = 3  #: letters of a word that may have one wrong


class Mention(NamedTuple):
    """A word of an order, a name or a number, where it is mentioned."""

    words: frozenset[str]
    line: int


class _Answer(NamedTuple):
    """Orders, and what of the mentions they have."""

    score: float
    orders: tuple[str, ...]
    used: frozenset[int]
    view: Any


_Line = tuple[int, list[Term]]  #: a held line: its number, and what it says of orders


def proposal(reader: Reader, seat: Asked, sheet: Sheet) -> tuple[str, ...]:
    """The orders of the one whole and legal answer that has most of what a held email mentions, as
    its player may send them; () where there is none, or two are as good.
    """
    if not sheet.suspects:
        return ()
    lines, standing = list[_Line](), list[OrderLine]()
    for suspect in sheet.suspects[:MOST_LINES]:
        terms = _terms(reader, suspect.text)
        waits, used = _standing(reader, terms)
        standing += [OrderLine(suspect.number, order, order, place) for place, order in waits]
        lines.append((suspect.number, [x for i, x in enumerate(terms) if i not in used]))
    waiting = (*sheet.later, *standing, *(row for row in sheet.first if row.when))
    mentions = _mentions(sheet, lines)[:MOST_MENTIONS] if seat.open else []
    best = sorted(_answers(reader, mentions), key=lambda one: -one.score)[:_TRIED]
    best = best or [_Answer(0, (), frozenset(), reader.view)]
    legal = [_legal(reader, seat, one, waiting) for one in best]
    first, *others = sorted(filter(None, legal), key=lambda one: -one[0])[:2] or [(0.0, ())]
    return () if others and first[0] - others[0][0] < _CLEAR else first[1]


def _terms(reader: Reader, text: str) -> list[Term]:
    """What a line says of orders, in order, but for what it denies (`not A2`, `no draw`); a slip of
    the keyboard mended.
    """
    singles = {key[0]: term for key, term in reader.lexicon.phrases.items() if len(key) == 1}
    terms = reader.lexicon.terms(text)[: 2 * MOST_MENTIONS]
    found, denied = list[Term](), 0  #: how many words the denial still reaches over
    for term in terms:
        mended = _slip(term, singles) if term.kind == UNKNOWN else term
        turns = term.text in reader.lexicon.no or (term.text,) in reader.lexicon.turns
        if turns or mended.kind == UNKNOWN:
            denied = _DENIES if turns else max(denied - 1, 0)
        elif mended.kind in (WORD, NAME, NUMBER):
            if not denied:
                found.append(mended)
            denied = 1 if denied and mended.kind != NAME else 0
    return found


def _standing(reader: Reader, terms: list[Term]) -> tuple[list[tuple[str, str]], set[int]]:
    """Orders for a question about a place that is yet to come, with the place, and which of the
    terms they have: `if BP3 fills up my warrior kills the mandarin`.
    """
    game, view = reader.game, reader.view
    found, used = list[tuple[str, str]](), set[int]()
    effects = reader.grammar.words & reader.grammar.vocabulary  #: what a question is about
    places = [i for i, x in enumerate(terms) if x.kind == NAME and not game.why_never(view, x.text)]
    for at, term in enumerate(terms):
        for head in effects & {*term.words} if places and at not in used else ():
            place = min(places, key=lambda i: (i > at, abs(i - at)))
            rest = [i for i in range(len(terms)) if i not in (at, place)]
            for size in (2, 1):
                for chosen in combinations(rest[:_MOST_REST], size):
                    tokens = tuple((terms[i].words or (terms[i].text.lower(),))[0] for i in chosen)
                    order = reader.grammar.spell((head, *tokens))
                    if order and at not in used and _may_come(reader, terms[place].text, order):
                        found.append((terms[place].text, order))
                        used |= {at, place, *chosen}
    return found, used


def _may_come(reader: Reader, place: str, order: str) -> bool:
    """Whether a question about a place may come that this order answers."""
    game, view = reader.game, reader.view
    return may_ask(game, view, place, order) and never(game, view, order) is None


def _mentions(sheet: Sheet, lines: Sequence[_Line]) -> list[Mention]:
    """What the orders and the held lines of an email mention, line by line."""
    found = [
        Mention(frozenset((word,)), order.number)
        for order in sheet.first
        if not order.when
        for word in order.order.split()
    ]
    for number, terms in lines:
        for i, term in enumerate(terms):
            mention = Mention(frozenset(term.words or (term.text,)), number)
            before = terms[i - 1].text if i and terms[i - 1].kind == NUMBER else ""
            if term.kind == WORD and before in _COUNTS:
                found = [*found[:-1], *[mention] * int(before)]
            else:
                found.append(mention)
    return sorted(found, key=lambda one: one.line)


def _slip(term: Term, singles: dict[str, Term]) -> Term:
    """A word that is one slip of the keyboard from a word of the game."""
    if len(term.text) < _SLIP or not term.text.isalpha():
        return term
    near = (x for word, x in singles.items() if x.kind == WORD and one_slip(term.text, word))
    return next(near, term)


def _answers(reader: Reader, mentions: list[Mention]) -> list[_Answer]:
    """The best answers of one to ``MOST_ORDERS`` orders."""
    if not mentions:
        return []
    beam = [_Answer(0, (), frozenset(), reader.view)]
    found = dict[tuple[str, ...], _Answer]()
    for _ in range(MOST_ORDERS):
        grown = list[_Answer]()
        for answer in beam:
            legal = reader.game.legal(answer.view)
            parts = (_with(answer, order, mentions) for order in legal)
            better = sorted((x for x in parts if x), key=lambda one: -one.score)[:_BRANCHES]
            for one in better:
                after = reader.game.foresee(answer.view, one.orders[-1])
                grown.append(one._replace(view=answer.view if after is None else after))
        beam = sorted(grown, key=lambda one: -one.score)[:_BEAM]
        for one in beam:
            whole = one._replace(score=one.score - _left(mentions, one.used))
            if one.orders not in found or found[one.orders].score < whole.score:
                found[one.orders] = whole
    return [*found.values()]


def _left(mentions: Sequence[Mention], used: frozenset[int]) -> float:
    """What it costs that mentions are in no order: a name more than a word."""
    left = (one for i, one in enumerate(mentions) if i not in used)
    return sum(1.0 if next(iter(x.words))[:1].islower() else 2.0 for x in left)


def _with(answer: _Answer, order: str, mentions: Sequence[Mention]) -> _Answer | None:
    """An answer with one more order; None where that has nothing that is mentioned."""
    words, used, score, near = order.split(), {*answer.used}, 0.0, list[int]()
    # its places first: of several mentions of a word the one beside them is meant
    for at, word in sorted(enumerate(words), key=lambda one: one[1][:1].islower()):
        places = [i for i, one in enumerate(mentions) if word in one.words]
        free = [i for i in places if i not in used]
        last = near[-1] if near else max(answer.used, default=-1)
        plain = word[:1].islower()
        place = _nearest(free, last, last_of=not plain)
        if place is not None:
            used.add(place)
            near.append(place)
            score += 2 if plain else 4
        elif places and word not in words[:at]:
            score -= 0 if plain else 4
        elif not plain:
            score -= 5
        else:
            score -= 0.3 if at == 0 else 2
    if len(used) == len(answer.used):
        return None
    span = max(near) - min(near) + 1 - len(near)
    if answer.used and min(near) < max(answer.used):  # in the order in which they are mentioned
        score -= 0.5
    # a later mention corrects an earlier one
    score += 0.02 * sum(near) / len(mentions) - 0.2 * span
    return answer._replace(
        score=answer.score + score, orders=(*answer.orders, order), used=frozenset(used)
    )


def _nearest(places: Sequence[int], to: int, *, last_of: bool) -> int | None:
    """The nearest of these places; of two the later one, or the earlier one."""
    ranks = [(abs(place - to), -place if last_of else place, place) for place in places]
    return min(ranks)[2] if ranks else None


def _legal(
    reader: Reader, seat: Asked, answer: _Answer, waits: tuple[OrderLine, ...]
) -> tuple[float, tuple[str, ...]] | None:
    """The score of an answer, less where it is half an action, and its orders as a player could
    send them; None where they are not legal.
    """
    first = tuple(OrderLine(number, order, order) for number, order in enumerate(answer.orders, 1))
    result = take(reader.game, seat, Hand(), Sheet(first, waits))
    if not result.changed:
        return None
    return answer.score - is_half(result), tuple(hand_lines(result.hand.parts))
