"""``pbem outbox`` and ``pbem sent``: email that is sent by hand."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.arguments import Directory
from pbem.disk.folder import NOT_KEPT
from pbem.result import Result
from pbem.services.outbox import send_to_new_addresses
from pbem.services.session.folders import check_folder
from pbem.services.session.session import open_session
from pbem.transport.manual import as_mbox, file_sent
from pbem.transport.send import outboxes, waiting


def run(
    folder: Directory,
    mbox: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write them into this new file, for your email program."),
    ] = None,
) -> Result:
    """List the emails that wait to be sent, or write them into one mbox file to import.

    When you have sent them, type `pbem sent DIR FILE...`.
    """
    (game, *_), _ = outboxes([folder])
    send_to_new_addresses(game)
    letters = waiting(game)
    lines = [f"{one.name} to {one.to}: {one.subject}" for one in letters]
    if mbox is not None:
        as_mbox(letters, mbox, now())
        number = "1 email is" if len(letters) == 1 else f"{len(letters)} emails are"
        lines = [f"{number} in {mbox}. Import it, send them, then type `pbem sent`."]
    rows = [
        {"message": one.name, "to": one.to, "subject": one.subject, "mark": one.mark.value}
        for one in letters
    ]
    data = {"dir": str(game.root), "emails": rows, "file": str(mbox) if mbox else None}
    return Result(data, "\n".join(lines or ["no email waits"]))


def run_sent(
    folder: Directory,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Emails of desk/outbox, or of desk/failed, that you sent by hand.",
        ),
    ],
) -> Result:
    """File emails that you sent by hand: they go to desk/sent, refused ones too."""
    (game, *_), _ = outboxes([folder])
    check_folder(open_session(game.root, now()), undecided=True)
    names = file_sent(game, files, now())
    data = {"dir": str(game.root), "sent": names}
    gone = "sent, and deleted here, since it has a password"
    said = [(name, gone if name.startswith(NOT_KEPT) else "filed as sent") for name in names]
    return Result(data, "\n".join(f"{name}: {what}" for name, what in said))
