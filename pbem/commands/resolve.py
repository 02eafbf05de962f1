"""``pbem resolve``: play out what is in hand."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.clock import now
from pbem.commands.arguments import DryRun
from pbem.errors import PbemError
from pbem.result import Result
from pbem.services.resolve.resolve import resolve_all
from pbem.services.resolve.result import ResolveResult


def run(
    dirs: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Games' folders, or folders of games.")],
    dry_run: DryRun = False,
    missed: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT", help="Play this seat's missed turn by default orders (rule R-2)."),
    ] = None,
) -> Result:
    """Play the waiting orders: a new state, reports, emails in desk/outbox.

    Every game is tried. pbem names those that cannot go on, with the reason, and passes over games
    that are over or closed.
    """
    outcomes, notes = resolve_all(dirs, frozenset(missed or ()), dry_run, now())
    rows = [outcome_row(root, outcome) for root, outcome in outcomes]
    text = "\n".join([*(text for _, text in rows), *(f"note: {note}" for note in notes)])
    exit_code = max((outcome.exit_code for _, outcome in outcomes if isinstance(outcome, PbemError)), default=0)
    return Result({"games": [data for data, _ in rows], "notes": notes}, text, exit_code)


def outcome_row(root: Path, outcome: ResolveResult | PbemError) -> tuple[dict[str, Any], str]:
    if isinstance(outcome, ResolveResult):
        return resolved_row(outcome)
    data = {"dir": str(root), "error": outcome.code, "why": outcome.message, "hint": outcome.hint}
    return data, f"{root}: not resolved: {outcome.as_line()}"


def resolved_row(resolved: ResolveResult) -> tuple[dict[str, Any], str]:
    """What became of one game, as a document and in words."""
    session = resolved.session
    data = {
        "dir": str(session.folder.root),
        "game": session.record.game,
        "n": session.record.n,
        "dry_run": resolved.dry_run,
        "orders": [
            {"seat": order.seat, "order": order.public_words, "source": order.source} for order in resolved.orders
        ],
        "events": list(resolved.events),
        "waits_for": list(resolved.waits_for),
        "over": resolved.is_over,
        "notes": list(session.notes),
    }
    lines = [f"{session.label}: {resolved.summary}", *(f"  {line}" for line in resolved.lines)]
    return data, "\n".join([*lines, *(f"  note: {note}" for note in session.notes)])
