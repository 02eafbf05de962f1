"""What every ``pbem amend DIR ACT`` has in common: its options, and what is said of a ruling."""

from typing import Annotated, Any

import typer

from pbem.result import Result
from pbem.services.amend.ruling import RulingResult
from pbem.services.session.session import Session

REASON_HELP = "Why, for all players to read."
Reason = Annotated[str, typer.Option(metavar="TEXT", help=f"{REASON_HELP} Required.")]


def amend_result(
    amendment: RulingResult, extra_lines: tuple[str, ...] = (), short_rulings: tuple[str, ...] = ()
) -> Result:
    """What the referee is told; ``short_rulings``: the rulings in other words, for what ``extra_lines`` says of
    them at length.
    """
    session = amendment.session
    data = base_document(session, amendment.state_number, amendment.dry_run, amendment.ruling_texts)
    heading = (
        f"{session.label}: would be state {amendment.state_number} (nothing was changed)"
        if amendment.dry_run
        else f"{session.label}: state {amendment.state_number}; all players read it; reports and emails are in "
        f"{session.folder.root / 'desk'}"
    )
    lines = [f"  {text}" for text in short_rulings or amendment.ruling_texts]
    return Result(data, "\n".join([heading, *lines, *extra_lines, *note_lines(session)]))


def base_document(session: Session, n: int, dry_run: bool = False, rulings: tuple[str, ...] = ()) -> dict[str, Any]:
    """What the document of every ``amend`` begins with."""
    return {
        "dir": str(session.folder.root),
        "game": session.record.game,
        "n": n,
        "dry_run": dry_run,
        "rulings": list(rulings),
        "notes": list(session.notes),
    }


def note_lines(session: Session) -> list[str]:
    """What the referee should know, for the screen."""
    return [f"  note: {note}" for note in session.notes]
