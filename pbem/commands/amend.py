"""What every ``pbem amend DIR ACT`` has in common: its options, and what is said of a ruling."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.result import Result
from pbem.services.ruling.ruling import Amended

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="A game's folder.")]
WHY = "Why, for all players to read."
Reason = Annotated[str, typer.Option(metavar="TEXT", help=f"{WHY} Required.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")
]


def told(ruled: Amended, also: tuple[str, ...] = (), short: tuple[str, ...] = ()) -> Result:
    """What the referee is told; ``short``: the rulings in other words, for what ``also`` says of
    them at length.
    """
    session = ruled.session
    data: dict[str, Any] = {
        "dir": str(session.folder.root),
        "game": session.link.game,
        "n": ruled.n,
        "dry_run": ruled.dry_run,
        "rulings": list(ruled.rulings),
        "notes": list(session.notes),
    }
    head = (
        f"{session.label}: would be state {ruled.n} (nothing was changed)"
        if ruled.dry_run
        else f"{session.label}: state {ruled.n}; all players read it; reports and emails are in "
        f"{session.folder.root / 'desk'}"
    )
    lines = [f"  {text}" for text in short or ruled.rulings]
    notes = [f"  note: {note}" for note in session.notes]
    return Result(data, "\n".join([head, *lines, *also, *notes]))
