"""``pbem outbox`` and ``pbem sent``: emails that the referee sends from an email program."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pbem.clock import now
from pbem.commands.arguments import Directory
from pbem.disk.folder import PASSWORD_PREFIX, GameFolder
from pbem.result import Result
from pbem.services.outbox import send_to_new_addresses
from pbem.services.session.folders import require_acting_folder
from pbem.services.session.newest import no_game_error
from pbem.services.session.session import open_session
from pbem.transport.send import list_outboxes, list_waiting, mark_sent, write_mbox


def run(
    folder: Directory,
    mbox: Annotated[Path | None, Option(metavar="FILE", help="A new file for your email program.")] = None,
) -> Result:
    """List the emails in the outbox, or write them into one mbox file to import.

    When you have sent them, type `pbem sent DIR FILE...`.
    """
    game = _game_in(folder)
    send_to_new_addresses(game)
    emails = list_waiting(game)
    lines = [f"{email.name} to {email.recipient}: {email.subject}" for email in emails]
    if mbox is not None:
        write_mbox(emails, mbox, now())
        lines = [
            f"1 email is in {mbox}. Import it, send them, then type `pbem sent`."
            if len(emails) == 1
            else f"{len(emails)} emails are in {mbox}. Import it, send them, then type `pbem sent`."
        ]
    rows = [
        {"message": email.name, "to": email.recipient, "subject": email.subject, "mark": email.status.value}
        for email in emails
    ]
    data = {"dir": str(game.root), "emails": rows, "file": str(mbox) if mbox else None}
    return Result(data, "\n".join(lines or ["the outbox is empty"]))


def run_sent(
    folder: Directory,
    files: Annotated[
        list[str], Argument(metavar="FILE...", help="Emails in desk/outbox or desk/failed that you sent.")
    ],
) -> Result:
    """File emails that you sent yourself. They go to desk/sent, even if they were refused before."""
    game = _game_in(folder)
    require_acting_folder(open_session(game.root, now()), allow_undecided=True)
    names = mark_sent(game, files, now())
    data = {"dir": str(game.root), "sent": names}
    deleted_note = "sent, and deleted here because it has a password"
    outcomes = [(name, deleted_note if name.startswith(PASSWORD_PREFIX) else "filed as sent") for name in names]
    return Result(data, "\n".join(f"{name}: {outcome}" for name, outcome in outcomes))


def _game_in(folder: Path) -> GameFolder:
    games, _ = list_outboxes([folder])  # raises if there is none
    if len(games) > 1:
        raise no_game_error(GameFolder(folder))
    return games[0]
