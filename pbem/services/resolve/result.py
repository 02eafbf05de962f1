"""What became of one game that was resolved, or would; what the commands tell of it.

What must never be here: playing.
"""

from pathlib import Path
from typing import Any, NamedTuple

from pbem.chain.next_record import ExecutedOrder
from pbem.errors import PbemError
from pbem.play.waiting import AwaitedRow
from pbem.services.session.session import Session


class ResolveResult(NamedTuple):
    """What became of one game, or would."""

    session: Session  #: afterwards
    dry_run: bool
    summary: str
    lines: tuple[str, ...] = ()  #: what else is said, line by line
    orders: tuple[ExecutedOrder, ...] = ()
    events: tuple[dict[str, Any], ...] = ()  #: rows, as everybody may read them
    waits_for: tuple[AwaitedRow, ...] = ()
    is_over: bool = False
    has_acted: bool = False  #: whether the time made anything necessary


#: a folder, and what became of the game in it, or why nothing was done
GameResult = tuple[Path, ResolveResult | PbemError]


def format_waiting_seats(waiting_rows: tuple[AwaitedRow, ...]) -> str:
    """``Ann (red), Bob (blue)``."""
    return ", ".join(f"{row['player']} ({row['seat']})" for row in waiting_rows)
