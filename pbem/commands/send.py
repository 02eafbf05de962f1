"""``pbem send``: send the emails that wait in the outboxes."""

from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.arguments import Roots
from pbem.disk.folder import MessageStatus
from pbem.mail.compose import format_date_in_prose
from pbem.result import Result
from pbem.services.session.keys import open_home
from pbem.transport.send import MessageResult, SendResult, list_outboxes, send_all

#: what is told of a message, by what became of it
OUTCOME_WORDS = {
    "sent": "sent",
    "later": "the server will not take it yet, so it waits: {}",
    "failed": "NOT SENT: {}",
    "unsure": "nobody knows whether it went, so it will go once more: {}",
    "back": "not sent, it waits: {}",
    "due": "would be sent",
    "held": "waits, {}",
}
BAD_OUTCOMES = {"failed", "unsure", "back"}


def run(
    roots: Roots,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be sent, and send_all nothing.")] = False,
) -> Result:
    """Send the emails in desk/outbox, by the account of each game.

    What the server takes goes to desk/sent. What it refuses for good goes to desk/failed. What it
    refuses for now is tried again later, with growing pauses.
    """
    folders, notes = list_outboxes(roots)
    accounts = [*send_all(open_home(), folders, now(), dry_run)]
    lines = [line for account in accounts for line in _account_lines(account)]
    for folder in folders:
        if failed := folder.list_messages(MessageStatus.FAILED):
            count_text = f"{len(failed)} email{'s' if len(failed) > 1 else ''}"
            notes.append(f"{count_text} could not be sent; see {folder.root}/desk/failed")
    lines += [f"note: {note}" for note in notes]
    has_failures = any(
        account.error or any(row.outcome in BAD_OUTCOMES for row in account.results) for account in accounts
    )
    data = {"accounts": [account_document(account) for account in accounts], "notes": notes}
    return Result(data, "\n".join(lines or ["no email waits"]), 1 if has_failures else 0)


def _account_lines(account: SendResult) -> list[str]:
    lines = [_message_line(row) for row in account.results]
    if account.error is not None:
        prefix = f"{account.account}: " if account.account else ""
        lines.append(f"{prefix}not sent: {account.error.as_line()}")
    return lines


def _message_line(row: MessageResult) -> str:
    detail = row.explanation
    if row.outcome == "held" and detail.startswith("20"):
        detail = f"until {format_date_in_prose(detail)}"
    return f"{row.game_dir}: {row.message.name} to {row.message.recipient}: {OUTCOME_WORDS[row.outcome].format(detail)}"


def account_document(account: SendResult) -> dict[str, object]:
    rows = [
        {
            "dir": row.game_dir,
            "message": row.message.name,
            "to": row.message.recipient,
            "subject": row.message.subject,
            "message_id": row.message.message_id,
            "mark": row.message.status.value,
            "what": row.outcome,
            "said": row.explanation,
        }
        for row in account.results
    ]
    error = account.error
    error_document = error.as_document() if error else None
    return {"account": account.account, "emails": rows, "error": error_document}
