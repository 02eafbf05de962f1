"""``pbem outbox`` and ``pbem sent``: email that is sent by hand."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.arguments import Directory
from pbem.disk.folder import PASSWORD_PREFIX
from pbem.result import Result
from pbem.services.outbox import send_to_new_addresses
from pbem.services.session.folders import check_acting_folder
from pbem.services.session.session import open_session
from pbem.transport.send import list_outboxes, list_waiting, mark_sent, write_mbox


def run(
    folder: Directory,
    mbox: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write them into this new file, for your email program.")
    ] = None,
) -> Result:
    """List the emails that wait to be sent, or write them into one mbox file to import.

    When you have sent them, type `pbem sent DIR FILE...`.
    """
    (game, *_), _ = list_outboxes([folder])
    send_to_new_addresses(game)
    emails = list_waiting(game)
    lines = [f"{email.name} to {email.recipient}: {email.subject}" for email in emails]
    if mbox is not None:
        write_mbox(emails, mbox, now())
        count_text = "1 email is" if len(emails) == 1 else f"{len(emails)} emails are"
        lines = [f"{count_text} in {mbox}. Import it, send them, then type `pbem sent`."]
    rows = [
        {"message": email.name, "to": email.recipient, "subject": email.subject, "mark": email.status.value}
        for email in emails
    ]
    data = {"dir": str(game.root), "emails": rows, "file": str(mbox) if mbox else None}
    return Result(data, "\n".join(lines or ["no email waits"]))


def run_sent(
    folder: Directory,
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Emails of desk/outbox, or of desk/failed, that you sent by hand."),
    ],
) -> Result:
    """File emails that you sent by hand: they go to desk/sent, refused ones too."""
    (game, *_), _ = list_outboxes([folder])
    check_acting_folder(open_session(game.root, now()), allow_undecided=True)
    names = mark_sent(game, files, now())
    data = {"dir": str(game.root), "sent": names}
    deleted_note = "sent, and deleted here, since it has a password"
    outcomes = [(name, deleted_note if name.startswith(PASSWORD_PREFIX) else "filed as sent") for name in names]
    return Result(data, "\n".join(f"{name}: {outcome}" for name, outcome in outcomes))
