"""``pbem resolve``: play out what is in hand."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.clock import now
from pbem.commands.arguments import DryRun
from pbem.errors import PbemError
from pbem.report.render import beside
from pbem.result import Result
from pbem.services.resolve.resolve import resolve_all
from pbem.services.resolve.result import Resolved


def run(
    dirs: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Games' folders, or folders of games.")
    ],
    dry_run: DryRun = False,
    missed: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT", help="Play this seat's missed turn by default orders (rule R-2)."
        ),
    ] = None,
) -> Result:
    """Play the waiting orders: a new state, reports, emails in desk/outbox.

    Every game is tried. pbem names those that cannot go on, with the reason, and passes over games
    that are over or closed.
    """
    with nullcontext() if dry_run else beside():
        found, notes = resolve_all(dirs, frozenset(missed or ()), dry_run, now())
    rows = [row_of(root, came) for root, came in found]
    text = "\n".join([*(text for _, text in rows), *(f"note: {note}" for note in notes)])
    worst = max((came.exit_code for _, came in found if isinstance(came, PbemError)), default=0)
    return Result({"games": [data for data, _ in rows], "notes": notes}, text, worst)


def row_of(root: Path, came: Resolved | PbemError) -> tuple[dict[str, Any], str]:
    if isinstance(came, Resolved):
        return told(came)
    data = {"dir": str(root), "error": came.code, "why": came.message, "hint": came.hint}
    return data, f"{root}: not resolved: {came.line()}"


def told(game: Resolved) -> tuple[dict[str, Any], str]:
    """What became of one game, as a document and in words."""
    session = game.session
    data = {
        "dir": str(session.folder.root),
        "game": session.link.game,
        "n": session.link.n,
        "dry_run": game.dry_run,
        "orders": [{"seat": p.seat, "order": p.words, "source": p.source} for p in game.orders],
        "events": list(game.events),
        "waits_for": list(game.waits_for),
        "over": game.over,
        "notes": list(session.notes),
    }
    lines = [f"{session.label}: {game.said}", *(f"  {line}" for line in game.lines)]
    return data, "\n".join([*lines, *(f"  note: {note}" for note in session.notes)])
