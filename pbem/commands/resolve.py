"""``pbem resolve``: plays the pending orders."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

from typer import Argument, Option

from pbem.clock import now
from pbem.commands.arguments import DryRun
from pbem.errors import PbemError
from pbem.result import Result
from pbem.services.resolve.resolve import resolve_all
from pbem.services.resolve.result import ResolveResult


def run(
    dirs: Annotated[list[Path], Argument(metavar="DIR...", help="Games' folders, or folders of games.")],
    dry_run: DryRun = False,
    missed: Annotated[list[str] | None, Option(metavar="SEAT", help="Play this seat's missed turn (rule R-2).")] = None,
) -> Result:
    """Play the pending orders: a new state, reports, and emails in desk/outbox.

    pbem tries every game and skips games that are over or closed. It names games that cannot
    continue, with the reason.
    """
    outcomes, notes = resolve_all(dirs, frozenset(missed or ()), dry_run, now())
    rows = [outcome_row(root, outcome) for root, outcome in outcomes]
    text = "\n".join([*(row.text for row in rows), *(f"note: {note}" for note in notes)])
    exit_code = max((outcome.exit_code for _, outcome in outcomes if isinstance(outcome, PbemError)), default=0)
    return Result({"games": [row.document for row in rows], "notes": notes}, text, exit_code)


class GameRow(NamedTuple):
    """What happened in one game."""

    document: dict[str, Any]  #: for ``--json``
    text: str


def outcome_row(root: Path, outcome: ResolveResult | PbemError) -> GameRow:
    """Return the row of a game that was resolved, or that failed with an error."""
    if isinstance(outcome, ResolveResult):
        return resolved_row(outcome)
    data = {"dir": str(root), "error": outcome.code, "why": outcome.message, "hint": outcome.hint}
    return GameRow(data, f"{root}: not resolved: {outcome.as_line()}")


def resolved_row(resolved: ResolveResult) -> GameRow:
    """Return the row of a game that was resolved."""
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
    return GameRow(data, "\n".join([*lines, *(f"  note: {note}" for note in session.notes)]))
