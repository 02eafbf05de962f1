"""What became of one game that was resolved, or would; what the commands tell of it.

What must never be here: playing.
"""

from pathlib import Path
from typing import Any, NamedTuple

from pbem.chain.loaded_game import Played
from pbem.errors import PbemError
from pbem.play.waiting import Waits
from pbem.services.session.session import Session


class Resolved(NamedTuple):
    """What became of one game, or would."""

    session: Session  #: afterwards
    dry_run: bool
    said: str
    lines: tuple[str, ...] = ()  #: what else is said, line by line
    orders: tuple[Played, ...] = ()
    events: tuple[dict[str, Any], ...] = ()  #: rows, as everybody may read them
    waits_for: tuple[Waits, ...] = ()
    over: bool = False
    acted: bool = False  #: whether the time made anything necessary


#: a folder, and what became of the game in it, or why nothing was done
Came = tuple[Path, Resolved | PbemError]


def named(waits: tuple[Waits, ...]) -> str:
    """``Ann (red), Bob (blue)``."""
    return ", ".join(f"{one['player']} ({one['seat']})" for one in waits)
