"""The result of resolving a game, as commands report it.

Not allowed here: playing.
"""

from pathlib import Path
from typing import Any, NamedTuple

from pbem.chain.next_record import ExecutedOrder
from pbem.errors import PbemError
from pbem.play.waiting import AwaitedRow
from pbem.services.session.session import Session


class ResolveResult(NamedTuple):
    """What was done to one game, or with ``dry_run`` would be done."""

    session: Session  #: the game after it
    dry_run: bool
    summary: str
    lines: tuple[str, ...] = ()  #: more text for the referee
    orders: tuple[ExecutedOrder, ...] = ()
    events: tuple[dict[str, Any], ...] = ()  #: as everybody may read them
    waits_for: tuple[AwaitedRow, ...] = ()
    is_over: bool = False
    has_acted: bool = False  #: whether a deadline required anything


class GameResult(NamedTuple):
    """A folder, and the result of resolving its game or the error."""

    root: Path
    result: ResolveResult | PbemError


def format_waiting_seats(waiting_rows: tuple[AwaitedRow, ...]) -> str:
    """Return the players in a text like ``Ann (red), Bob (blue)``."""
    return ", ".join(f"{row['player']} ({row['seat']})" for row in waiting_rows)
