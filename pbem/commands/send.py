"""``pbem send``: sends the emails in the outboxes."""

from typing import Annotated

from typer import Option

from pbem.chain.clock_words import count_text
from pbem.clock import now
from pbem.commands.arguments import Roots
from pbem.disk.folder import MessageStatus
from pbem.mail.compose import format_date_in_prose
from pbem.result import Result
from pbem.services.session.keys import open_home
from pbem.transport.send import MessageResult, SendResult, list_outboxes, send_all

#: what happened to an email, in words; {} is the explanation
OUTCOME_WORDS = {
    "sent": "sent",
    "later": "not accepted by the server yet, so it waits: {}",
    "failed": "NOT SENT: {}",
    "unsure": "perhaps sent, so pbem will send it again: {}",
    "back": "not sent, it waits: {}",
    "due": "would be sent (nothing was changed)",
    "held": "waits, {}",
}
BAD_OUTCOMES = {"failed", "unsure", "back"}


def run(
    roots: Roots,
    dry_run: Annotated[bool, Option("--dry-run", help="Show what would be sent, and send nothing.")] = False,
) -> Result:
    """Send the emails in desk/outbox, with each game's mail account.

    Emails that the server accepts go to desk/sent. Those that it refuses for good go to desk/failed.
    pbem retries those that it refuses for now, with growing pauses.
    """
    folders, notes = list_outboxes(roots)
    accounts = [*send_all(open_home(), folders, now(), dry_run)]
    lines = [line for account in accounts for line in _account_lines(account)]
    for folder in folders:
        failed = folder.list_messages(MessageStatus.FAILED)
        if failed:
            notes.append(f"{count_text(len(failed), 'email')} could not be sent; see {folder.root}/desk/failed")
    lines += [f"note: {note}" for note in notes]
    has_failures = any(
        account.error or any(row.outcome in BAD_OUTCOMES for row in account.results) for account in accounts
    )
    data = {"accounts": [account_document(account) for account in accounts], "notes": notes}
    return Result(data, "\n".join(lines or ["the outbox is empty"]), 1 if has_failures else 0)


def _account_lines(account: SendResult) -> list[str]:
    lines = [_message_line(row) for row in account.results]
    if account.error is not None:
        prefix = f"{account.account}: " if account.account else ""
        lines.append(f"{prefix}not sent: {account.error.as_line()}")
    return lines


def _message_line(row: MessageResult) -> str:
    detail = row.explanation
    if row.outcome == "held" and detail.startswith("20"):  # the explanation is a time
        detail = f"until {format_date_in_prose(detail)}"
    return f"{row.game_dir}: {row.message.name} to {row.message.recipient}: {OUTCOME_WORDS[row.outcome].format(detail)}"


def account_document(account: SendResult) -> dict[str, object]:
    """Return one account of ``send``, for ``--json``."""
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
