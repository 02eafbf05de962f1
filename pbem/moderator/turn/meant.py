"""What an email that was held may have meant: orders that its player can send as they stand.

What must never be here: keeping them; anything that is not a function of the player's View and of
his own lines (P2). Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from typing import TYPE_CHECKING

from pbem.engine.row import say
from pbem.files.language.tokens import Grammar, plain, tokens
from pbem.files.orders.asks import WITHDRAW
from pbem.files.orders.lines import Line, OrderLine, Sheet, Suspect, read_line
from pbem.files.sentences import ALONE, CANCEL, TAKEN_BACK
from pbem.moderator.turn.hand import Hand, hand_lines
from pbem.moderator.turn.intake import Asked, is_half, take

if TYPE_CHECKING:
    from pbem.engine.game import Game

_SHORT = 12  #: words of a line that may be an order: what is longer tells of one


def meant(game: "Game", seat: Asked, hand: Hand, sheet: Sheet, grammar: Grammar) -> tuple[str, ...]:
    """The orders of an email of which something was doubtful, with what is suggested for that, or
    that alone, or without it where nothing is; () unless they are a whole and legal answer.

    () too where the doubt is about the line of an order itself, and about more than words that are
    in no table: it may say the contrary. Words that take back what waits in ``hand``, in a sentence
    of any other words, may mean `withdraw`.
    """
    if found := _whole(game, seat, [*sheet.instead, *sheet.later], sheet) if sheet.instead else ():
        return found
    own = [*sheet.first, *sheet.later]
    doubtful = {suspect.number for suspect in sheet.suspects}
    if not doubtful or doubtful & {line.number for line in own}:
        return ()
    if not own and all(map(_takes_back, sheet.suspects)):
        return (WITHDRAW,) if hand.lines else ()
    guessed = [order for suspect in sheet.suspects for order in _read(suspect, grammar)]
    other = any(_other_order(suspect, grammar) for suspect in sheet.suspects)
    ways = [[*own, *guessed], guessed] if guessed else [[] if other else own]
    for way in ways:
        if found := _whole(game, seat, sorted(way, key=lambda one: one.number), sheet):
            return found
    return ()


def _whole(game: "Game", seat: Asked, orders: list[OrderLine], sheet: Sheet) -> tuple[str, ...]:
    """These orders as a hand has them; () unless they are a whole and legal answer."""
    waiting = tuple(line for line in orders if line.when or line in sheet.later)
    now = tuple(line for line in orders if line not in waiting)
    taken = take(game, seat, Hand(), Sheet(now, waiting))
    return tuple(hand_lines(taken.hand.parts)) if taken.changed and not is_half(taken) else ()


def _read(suspect: Suspect, grammar: Grammar) -> list[OrderLine]:
    """The orders that are suggested for a line."""
    short = len(suspect.text.split()) <= _SHORT
    given = tokens(plain(suspect.suggestion or ""), grammar.is_name) if short else ()
    return read_line(Line(suspect.number, ""), given, grammar) or [] if given else []


def _other_order(suspect: Suspect, grammar: Grammar) -> bool:
    """Whether a line may order something else instead: `no, not C3`, `actually play S2 gate`."""
    back = str(suspect.reason) == str(say(TAKEN_BACK))
    named = grammar.named(tokens(plain(suspect.text), grammar.is_name))
    return bool(suspect.suggestion) or (back and named)


def _takes_back(suspect: Suspect) -> bool:
    return str(suspect.reason) in (str(say(CANCEL)), str(say(ALONE, word=WITHDRAW)))
