"""Which reports are emailed: whether one is due, for a player who chose which they want.

What must never be here: what another seat may know, has waiting or has sent; when anybody wrote.
Law: made of the seat's Views, its hand and the public part of the state (P2).
Source: docs/decisions/0018-who-gets-what.md.
"""

from typing import Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.rulings.clock import TIMED
from pbem.chain.rulings.kind import NOTE
from pbem.chain.state_record import CLOSED, DEAL
from pbem.engine.optional_parts import round_of
from pbem.notation.asks import MAILS
from pbem.report import game_rows
from pbem.report.report import Reader

FEW, MINE, ROUND, EVERY = MAILS
#: rulings that a later report can tell as well
TOLD_LATER = (NOTE.name, *TIMED)


class Known(NamedTuple):
    """What the newest report that was emailed to a seat had beside it, in its view file."""

    code: str
    view: Any


def says_more(position: LoadedGame, reader: Reader) -> bool:
    """Whether the report of a state says what no later one can say: of the deal, what became of
    waiting orders, a ruling, but for those that leave the game as it is.
    """
    others = any(ruling.name not in TOLD_LATER for ruling in position.record.rulings)
    return bool(position.record.n == DEAL or others or reader.hand.notes)


def due(position: LoadedGame, reader: Reader, known: Known | None) -> bool:
    """Whether the report of the newest state is emailed to a seat; ``known``: None where no report
    is there that was.
    """
    game, record, seat = position.game, position.record, reader.seat
    view = game.view(position.state, seat)
    missed = any(source.missed for source in record.sources(seat))
    ended = record.phase == CLOSED or game.outcome(view) is not None
    if known is None or record.rulings or says_more(position, reader) or missed or ended:
        return True
    if reader.hand.mails == EVERY:
        return True
    if reader.hand.mails == ROUND and round_of(game, view) > round_of(game, known.view):
        return True
    asked = game.ask(view)
    if asked and (reader.code != known.code or asked != game.ask(known.view)):
        return True
    if reader.hand.mails == FEW:
        return False
    offered = {(one.name, one.order.split(" ")[0]) for one in game.soon(known.view)}
    return any(
        (one.name, one.order.split(" ")[0]) not in offered
        for one in game_rows.not_answered(position, view, reader.hand)
    )
