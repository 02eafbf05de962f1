"""``pbem resolve``: play out what is in hand."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from pbem.clock import now
from pbem.errors import PbemError
from pbem.render import beside
from pbem.result import Result
from pbem.services.resolve.playing import Resolved, Told, resolve_all


def run(
    dirs: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Games' folders, or folders of games.")
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")
    ] = False,
    missed: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT", help="Play this seat's missed turn by default orders (R-2)."),
    ] = None,
) -> Result:
    """Play out the orders in hand: new state, reports, mails in desk/outbox.

    Every game is tried: one that cannot go on is named with the reason, one that is over or closed
    is passed over.
    """
    seats = frozenset(seat.lower() for seat in missed or ())
    with nullcontext() if dry_run else beside():
        found, notes = resolve_all(dirs, seats, dry_run, now())
    rows = [_row(game) for game in found]
    text = "\n".join([*(text for _, text in rows), *(f"note: {note}" for note in notes)])
    worst = max(
        (game.came.exit_code for game in found if isinstance(game.came, PbemError)), default=0
    )
    return Result({"games": [data for data, _ in rows], "notes": notes}, text, worst)


def _row(game: Resolved) -> Told:
    error = game.came
    if not isinstance(error, PbemError):
        return error
    hint = f" (try: {error.hint})" if error.hint else ""
    text = f"{game.root}: not resolved: {error.message}{hint}"
    data = {"dir": str(game.root), "error": error.code, "why": error.message, "hint": error.hint}
    return data, text
