"""What an email means: orders in plain words taken where that is certain, else offered.

What must never be here: anything that is not a function of the player's View and of his own lines
(P2). Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from pbem.engine.row import say
from pbem.files.language.grammar import Grammar
from pbem.files.language.greetings import greets, is_by
from pbem.files.language.phrases import Phrase
from pbem.files.language.tokens import bare, canonical_name, plain, tokens
from pbem.files.orders.asks import WITHDRAW
from pbem.files.orders.lines import Line, OrderLine, Sheet, Suspect, read_line
from pbem.files.sentences import (
    ALONE,
    CANCEL,
    COUNTED,
    NO_ORDER_BEGINS,
    OTHER_WORDS,
    REFUSED,
    SOMEBODY_ELSES,
    TAKEN_BACK,
)
from pbem.moderator.turn.half import for_now, half_way
from pbem.moderator.turn.hand import Hand, hand_lines
from pbem.moderator.turn.intake import Taken, is_half, take
from pbem.moderator.turn.judging import Asked, waits_for
from pbem.moderator.words.mentions import is_somebodys
from pbem.moderator.words.understanding import Answer, understood

if TYPE_CHECKING:
    from pbem.engine.game import Game

_SHORT = 12  #: words of a line that may be an order: what is longer tells of one


class Language(NamedTuple):
    """What is known of the words of an email."""

    grammar: Grammar
    others: Mapping[str, str] = {}  #: the names of the other players, and their seats


def take_meant(
    game: "Game",
    seat: Asked,
    hand: Hand,
    sheet: Sheet,
    language: Language,
    below: tuple[str, ...] = (),
) -> Taken:
    """Judge one email as ``take`` does; one in plain words as the only answer that it can mean.

    What is signed is taken as it is written. Half an action that waits goes before, if the email
    goes on with it.
    """
    signed = seat.nr or seat.signs
    sheet = sheet if signed else _of_somebody_else(sheet, language)
    plain = bool(sheet.phrases) and not signed
    counted = any(one.reason.text == COUNTED for one in sheet.suspects)  # `2x draw`: never guessed
    if sheet.suspects and plain and not counted:
        half = tuple(for_now(game, seat.view, hand)) if half_way(game, seat.view, hand) else ()
        waits = waits_for(hand, sheet)
        for before in dict.fromkeys((half, ())):
            phrases = (Phrase(0, (), given=before), *sheet.phrases) if before else sheet.phrases
            answer = understood(game, seat.view, phrases, *language, waits=waits)
            if answer and answer.now[: len(before)] == before and (seat.open or not answer.now):
                taken = take(game, seat, hand, _as_sheet(answer, sheet))
                if taken.accepted and not (before and is_half(taken)):
                    return taken
    elif plain and not (sheet.suspects or sheet.first or sheet.later or sheet.asks):
        sheet = _doubted(game, seat, sheet, language)
    return take(game, seat, hand, _as_refused(game, seat, hand, sheet, language.grammar), below)


def _as_refused(game: "Game", seat: Asked, hand: Hand, sheet: Sheet, grammar: Grammar) -> Sheet:
    """With the reason of the refusal in place of a suggestion that would be refused."""
    read = {one.number: _read(one, grammar) for one in sheet.suspects if one.suggestion}
    if not read:
        return sheet
    own = [*sheet.first, *sheet.later, *chain.from_iterable(read.values())]
    taken = take(game, seat, hand, _sheet(own, sheet))
    refused = {one.number: one for one in taken.verdicts if one.what == "refused"}
    suspects = list[Suspect]()
    for one in sheet.suspects:
        if read.get(one.number) and one.number in refused:
            why, ruling = refused[one.number].why, refused[one.number].ruling
            reason = say(REFUSED, order=one.suggestion, why=why, ruling=ruling)
            one = one._replace(reason=reason, suggestion=None)
        suspects.append(one)
    return sheet._replace(suspects=tuple(suspects))


def _of_somebody_else(sheet: Sheet, language: Language) -> Sheet:
    """As doubtful where another player's name stands above the orders, signs them, is greeted, or
    is said to be whose they are: `for Ben`, `Hi Ben, …`, `This is Ben.`
    """
    names = {bare(name.casefold()) for name in language.others}
    own = [one for one in sheet.phrases if one.clauses]
    above = [one for one in own if one.mark == ":" and not one.says]
    signs = [one for one in own[-1:] if len(one.words) == 1 and one.mark in ("", ".")]
    numbers = {
        one.number
        for one in (*above, *signs, *filter(is_somebodys, own))
        if any(x.kind == "unknown" and x.text.removesuffix("'s") in names for x in one.words)
    }
    doubtful = [Line(one.number, one.text) for one in sheet.suspects]
    orders = [order.number for order in (*sheet.first, *sheet.later)]
    orders += [line.number for line in doubtful]
    for number, text in (*sheet.unread, *doubtful) if orders else ():
        greeted = number == min(orders) and any(greets(text, name) for name in names)
        if greeted or any(is_by(text, name) for name in names):
            numbers.add(number)
    lines = [line for line in sheet.unread if line.number in numbers]
    if not numbers:
        return sheet
    unread = tuple(line for line in sheet.unread if line not in lines)
    suspects = (*sheet.suspects, *(Suspect(*line, say(SOMEBODY_ELSES)) for line in lines))
    return sheet._replace(unread=unread, suspects=suspects, phrases=())


def _doubted(game: "Game", seat: Asked, sheet: Sheet, language: Language) -> Sheet:
    """Words alone, as doubtful where they may be meant as orders: as a letter they would wait for
    the referee, and nobody for the player.
    """
    answer = understood(game, seat.view, sheet.phrases, *language, loosely=True)
    numbers = {one.number for one in sheet.phrases if one.says}
    if not answer or not _whole(game, seat, _as_sheet(answer, sheet)):
        return sheet
    lines = [line for line in sheet.unread if line.number in numbers]
    suspects = [Suspect(*line, say(OTHER_WORDS)) for line in lines]
    return sheet._replace(
        unread=tuple(x for x in sheet.unread if x not in lines), suspects=tuple(suspects)
    )


def _as_sheet(answer: Answer, sheet: Sheet) -> Sheet:
    """An answer as if it had been written in notation."""
    written = {line.order: line for line in sheet.first if not line.when}
    given = [line for line in sheet.first if line.when]
    now = [written.get(order) or _line(sheet, order) for order in answer.now]
    waits = [_line(sheet, order, place) for place, order in answer.waits]
    later = [_line(sheet, order) for order in answer.later]
    there = {line.number for line in sheet.unread}
    talk = [Line(s.number, s.text) for s in sheet.suspects if s.number in answer.talk - there]
    return sheet._replace(
        first=tuple(now),
        later=(*given, *waits, *later, *sheet.later),
        suspects=(),
        phrases=(),
        unread=tuple(sorted((*sheet.unread, *talk))),
    )


def _line(sheet: Sheet, order: str, place: str = "") -> OrderLine:
    """An order with the number of the first line that has its words."""
    words = {*order.lower().split()}
    said = [one for one in sheet.phrases if one.says]
    best = max(said, key=lambda one: len(words & {word.text for word in one.words}), default=None)
    number = best.number if best else 0
    return OrderLine(number, f"when {place}: {order}" if place else order, order, place or None)


def offered(
    game: "Game", seat: Asked, hand: Hand, sheet: Sheet, language: Language
) -> tuple[str, ...]:
    """The orders of an email of which something was doubtful, as far as they may be understood, or
    with what is suggested for that; () unless they are a whole and legal answer: its player can
    send them as they stand.

    () too where the doubt may be about another order instead. Words that take back what waits in
    ``hand``, in a sentence of any other words, may mean `withdraw`.
    """
    if not sheet.suspects:
        return ()
    if not (sheet.first or sheet.later) and all(map(_takes_back, sheet.suspects)):
        return (WITHDRAW,) if hand.lines else ()
    slips = all(one.reason.text == NO_ORDER_BEGINS for one in sheet.suspects)  # `awll C10`
    if not slips and sheet.phrases:
        return _in_words(game, seat, sheet, language)
    found = _corrected(game, seat, sheet, language.grammar)
    return found or _in_words(game, seat, sheet, language)


def _in_words(game: "Game", seat: Asked, sheet: Sheet, language: Language) -> tuple[str, ...]:
    """The whole answer that has most of what an email says in words."""
    answer = understood(game, seat.view, sheet.phrases, *language, loosely=True)
    return _whole(game, seat, _as_sheet(answer, sheet)) if answer else ()


def _corrected(game: "Game", seat: Asked, sheet: Sheet, grammar: Grammar) -> tuple[str, ...]:
    """The orders as they are written, with what is suggested for those that are not clear."""
    own = [*sheet.first, *sheet.later]
    if {one.number for one in sheet.suspects} & {line.number for line in own}:
        return ()
    read = [(one, _read(one, grammar)) for one in sheet.suspects]
    guessed = [order for _, orders in read for order in orders]
    places = {word for line in (*own, *guessed) for word in line.order.split()}
    left = [one for one, orders in read if not orders]
    if any(_other_order(one, places, grammar) for one in left):
        return ()
    ways = [[*own, *guessed], guessed] if guessed else [own]
    return next((found for way in ways if (found := _whole(game, seat, _sheet(way, sheet)))), ())


def _sheet(lines: Sequence[OrderLine], sheet: Sheet) -> Sheet:
    lines = sorted(lines, key=lambda one: one.number)
    waits = [line for line in lines if line.when or line in sheet.later]
    return Sheet(tuple(line for line in lines if line not in waits), tuple(waits))


def _whole(game: "Game", seat: Asked, sheet: Sheet) -> tuple[str, ...]:
    """Its orders as a hand has them; () unless they are a whole and legal answer."""
    taken = take(game, seat, Hand(), Sheet(sheet.first, sheet.later))
    return tuple(hand_lines(taken.hand.parts)) if taken.changed and not is_half(taken) else ()


def _read(suspect: Suspect, grammar: Grammar) -> list[OrderLine]:
    """The orders that are suggested for a line."""
    short = len(suspect.text.split()) <= _SHORT
    given = tokens(plain(suspect.suggestion or ""), grammar.is_name) if short else ()
    return read_line(Line(suspect.number, ""), given, grammar) or [] if given else []


def _other_order(suspect: Suspect, places: Collection[str], grammar: Grammar) -> bool:
    """Whether a line may take the orders back, or order something else instead: `no, not C3`."""
    said = tokens(plain(suspect.text), grammar.is_name)
    named = {canonical_name(token) for token in said if grammar.is_name(token)}
    back = str(suspect.reason) == str(say(TAKEN_BACK))
    return bool(suspect.suggestion) or back or not named <= {*places}


def _takes_back(suspect: Suspect) -> bool:
    return str(suspect.reason) in (str(say(CANCEL)), str(say(ALONE, word=WITHDRAW)))
