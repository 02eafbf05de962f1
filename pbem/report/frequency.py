"""Which reports are emailed: whether one is due, for a player who chose which they want.

What must never be here: what another seat may know, has waiting or has sent; when anybody wrote.
Law: made of the seat's Views, its hand and the public part of the state (P2).
Source: docs/decisions/0018-who-gets-what.md.
"""

from typing import Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.rulings.clock import CLOCK_RULINGS
from pbem.chain.rulings.kind import NOTE
from pbem.chain.state_record import CLOSED, DEAL
from pbem.engine.optional_parts import round_of
from pbem.notation.asks import MAILS
from pbem.report import game_rows
from pbem.report.report import Reader

FEW, MINE, ROUND, EVERY = MAILS
#: rulings that a later report can tell as well
REPEATABLE_RULINGS = (NOTE.name, *CLOCK_RULINGS)


class LastReport(NamedTuple):
    """What the newest report that was emailed to a seat had beside it, in its view file."""

    code: str
    view: Any


def has_unrepeatable_news(position: LoadedGame, reader: Reader) -> bool:
    """Whether the report of a state says what no later one can say: of the deal, what became of
    waiting orders, a ruling, but for those that leave the game as it is.
    """
    has_other_rulings = any(ruling.name not in REPEATABLE_RULINGS for ruling in position.record.rulings)
    return bool(position.record.n == DEAL or has_other_rulings or reader.pending.notes)


def is_report_due(position: LoadedGame, reader: Reader, last_report: LastReport | None) -> bool:
    """Whether the report of the newest state is emailed to a seat; ``last_report``: None where no report
    is there that was.
    """
    game, record, seat = position.game, position.record, reader.seat
    view = game.view(position.state, seat)
    has_missed_turn = any(source.for_missed_turn for source in record.sources(seat))
    is_over = record.phase == CLOSED or game.outcome(view) is not None
    if last_report is None or record.rulings or has_unrepeatable_news(position, reader) or has_missed_turn or is_over:
        return True
    if reader.pending.report_choice == EVERY:
        return True
    if reader.pending.report_choice == ROUND and round_of(game, view) > round_of(game, last_report.view):
        return True
    question = game.ask(view)
    if question and (reader.code != last_report.code or question != game.ask(last_report.view)):
        return True
    if reader.pending.report_choice == FEW:
        return False
    announced_keys = {(upcoming.name, upcoming.order.split(" ")[0]) for upcoming in game.soon(last_report.view)}
    return any(
        (upcoming.name, upcoming.order.split(" ")[0]) not in announced_keys
        for upcoming in game_rows.unanswered_upcoming(position, view, reader.pending)
    )
