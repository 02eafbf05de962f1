"""``pbem send``: send the emails that wait in the outboxes."""

from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.arguments import Roots
from pbem.disk.folder import Mark
from pbem.mail.compose import date_in_prose
from pbem.result import Result
from pbem.services.session.keys import the_home
from pbem.transport.send import Sent, Told, outboxes, send

#: what is told of a message, by what became of it
WORDS = {
    "sent": "sent",
    "later": "the server will not take it yet, so it waits: {}",
    "failed": "NOT SENT: {}",
    "unsure": "nobody knows whether it went, so it will go once more: {}",
    "back": "not sent, it waits: {}",
    "due": "would be sent",
    "held": "waits, {}",
}
BAD = {"failed", "unsure", "back"}


def run(
    roots: Roots,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be sent, and send nothing.")
    ] = False,
) -> Result:
    """Send the emails in desk/outbox, by the account of each game.

    What the server takes goes to desk/sent. What it refuses for good goes to desk/failed. What it
    refuses for now is tried again later, with growing pauses.
    """
    folders, notes = outboxes(roots)
    found = [*send(the_home(), folders, now(), dry_run)]
    lines = [line for account in found for line in _lines(account)]
    for folder in folders:
        if failed := folder.messages(Mark.FAILED):
            number = f"{len(failed)} email{'s' if len(failed) > 1 else ''}"
            notes.append(f"{number} could not be sent; see {folder.root}/desk/failed")
    lines += [f"note: {note}" for note in notes]
    bad = any(account.error or any(row.what in BAD for row in account.told) for account in found)
    data = {"accounts": [account_document(account) for account in found], "notes": notes}
    return Result(data, "\n".join(lines or ["no email waits"]), 1 if bad else 0)


def _lines(account: Sent) -> list[str]:
    lines = [_line(row) for row in account.told]
    if account.error is not None:
        begin = f"{account.account}: " if account.account else ""
        lines.append(f"{begin}not sent: {account.error.line()}")
    return lines


def _line(row: Told) -> str:
    said = row.said
    if row.what == "held" and said.startswith("20"):
        said = f"until {date_in_prose(said)}"
    return f"{row.dir}: {row.letter.name} to {row.letter.to}: {WORDS[row.what].format(said)}"


def account_document(account: Sent) -> dict[str, object]:
    rows = [
        {
            "dir": row.dir,
            "message": row.letter.name,
            "to": row.letter.to,
            "subject": row.letter.subject,
            "message_id": row.letter.id,
            "mark": row.letter.mark.value,
            "what": row.what,
            "said": row.said,
        }
        for row in account.told
    ]
    error = account.error
    told = error.document() if error else None
    return {"account": account.account, "emails": rows, "error": told}
