"""What every ``pbem amend DIR ACT`` has in common: its options, and what is said of a ruling."""

from typing import Annotated, Any

import typer

from pbem.result import Result
from pbem.services.amend.ruling import Amended
from pbem.services.session.session import Session

WHY = "Why, for all players to read."
Reason = Annotated[str, typer.Option(metavar="TEXT", help=f"{WHY} Required.")]


def told(ruled: Amended, also: tuple[str, ...] = (), short: tuple[str, ...] = ()) -> Result:
    """What the referee is told; ``short``: the rulings in other words, for what ``also`` says of
    them at length.
    """
    session = ruled.session
    data = facts(session, ruled.n, ruled.dry_run, ruled.rulings)
    head = (
        f"{session.label}: would be state {ruled.n} (nothing was changed)"
        if ruled.dry_run
        else f"{session.label}: state {ruled.n}; all players read it; reports and emails are in "
        f"{session.folder.root / 'desk'}"
    )
    lines = [f"  {text}" for text in short or ruled.rulings]
    return Result(data, "\n".join([head, *lines, *also, *notes(session)]))


def facts(
    session: Session, n: int, dry_run: bool = False, rulings: tuple[str, ...] = ()
) -> dict[str, Any]:
    """What the document of every ``amend`` begins with."""
    return {
        "dir": str(session.folder.root),
        "game": session.link.game,
        "n": n,
        "dry_run": dry_run,
        "rulings": list(rulings),
        "notes": list(session.notes),
    }


def notes(session: Session) -> list[str]:
    """What the referee should know, for the screen."""
    return [f"  note: {note}" for note in session.notes]
