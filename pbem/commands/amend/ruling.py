"""``pbem amend DIR note | correct``, and what all rulings share: their options and their result."""

from typing import Annotated, Any

from typer import Argument, Option

from pbem.chain.ruling_row import check_reason
from pbem.chain.rulings.correct import parse_correction
from pbem.chain.rulings.kind import NOTE
from pbem.clock import now
from pbem.commands.arguments import Directory, DryRun
from pbem.result import Result
from pbem.services.amend.ruling import RulingResult, add_note, correct
from pbem.services.session.session import Session

REASON_HELP = "Why, for all players to read."
Reason = Annotated[str, Option(metavar="TEXT", help=f"{REASON_HELP} Required.")]


def amend_result(
    amendment: RulingResult, extra_lines: tuple[str, ...] = (), short_rulings: tuple[str, ...] = ()
) -> Result:
    """Return the result of a ruling.

    ``short_rulings`` replace the sentences of the rulings, if ``extra_lines`` give the details.
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
    """Return the keys that the documents of all ``amend`` commands have."""
    return {
        "dir": str(session.folder.root),
        "game": session.record.game,
        "n": n,
        "dry_run": dry_run,
        "rulings": list(rulings),
        "notes": list(session.notes),
    }


def note_lines(session: Session) -> list[str]:
    return [f"  note: {note}" for note in session.notes]


def run_note(
    directory: Directory,
    text: Annotated[str, Argument(metavar="TEXT", help="The text for all players to read.")],
    dry_run: DryRun = False,
) -> Result:
    """Tell all players something, for the record: pbem amend DIR note TEXT."""
    hint = f'pbem amend {directory} note "The next turn waits until Monday"'
    ruling = NOTE.make_ruling(check_reason(text, "a note needs its text", hint))
    return amend_result(add_note(directory, now(), ruling, dry_run))


def run_correct(
    directory: Directory,
    change_texts: Annotated[
        list[str],
        Argument(
            metavar="FIELD=NEW...",
            help="squares.A5='red single', turn=7, or a hidden slot: 2/threat/07=3 (see pbem show --json, --secret).",
        ),
    ],
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Correct facts of the public position, or hidden items. Nothing is dealt again.

    pbem does not print hidden values. Pending orders become void.
    """
    corrections = [parse_correction(text) for text in change_texts]
    return amend_result(correct(directory, now(), corrections, check_reason(reason), dry_run))
