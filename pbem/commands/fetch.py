"""``pbem fetch``: fetches players' emails from the mail account and imports them."""

from typing import Annotated

from typer import Option

from pbem.clock import now
from pbem.commands.arguments import Roots
from pbem.commands.receive import open_usable_games, result_text
from pbem.disk.journal import EmailStatus
from pbem.result import Result
from pbem.services.session.keys import open_home
from pbem.transport.fetch import FetchedEmail, FetchResult, fetch_all

#: the `mark` of an email in `--json`, where it differs from the name of its folder
MARKS = {"taken": "imported", "letter": "message"}


def run(
    roots: Roots,
    since: Annotated[str, Option(metavar="DAY", help="Look at all email since this day, for example 2026-11-01.")] = "",
) -> Result:
    """Fetch players' emails from each game's mail account and import them, as `pbem receive` does.

    pbem downloads only emails of your games, and marks none as read. The first fetch of an account
    skips the emails that are already in the mailbox.
    """
    games = open_usable_games(roots)
    accounts = [*fetch_all(open_home(), games.sessions, now(), since, games.failed)]
    notes = games.notes + [f"{session.label}: {note}" for session in games.sessions for note in session.notes]
    lines = [line for account in accounts for line in _account_lines(account)]
    lines += [f"note: {note}" for note in notes]
    exit_codes = [email.result.exit_code for account in accounts for email in account.emails]
    exit_codes += [account.error.exit_code for account in accounts if account.error]
    data = {"accounts": [account_document(account) for account in accounts], "notes": notes}
    return Result(data, "\n".join(lines), max(exit_codes, default=0))


def _account_lines(account: FetchResult) -> list[str]:
    lines = [f"{account.account}: {result_text(email.result)}{location_line(email)}" for email in account.emails]
    lines += [f"{account.account}: {note}" for note in account.notes]
    if account.error is not None:
        prefix = f"{account.account}: " if account.account else ""
        lines.append(f"{prefix}not fetched: {account.error.as_line()}")
    return lines or [f"{account.account}: no new email"]


def location_line(email: FetchedEmail) -> str:
    """Return a further line that says where an email is, or "" if its bytes were deleted."""
    if email.status is EmailStatus.UNREAD:  # its file moves once it is shown
        return "\n  `pbem messages` shows it."
    return f"\n  It is in {email.file}" if email.file else ""


def account_document(account: FetchResult) -> dict[str, object]:
    """Return one account of ``fetch``, for ``--json``."""
    rows = [
        {
            **email.result.document(),
            "file": email.file,
            "from": email.sender,
            "arrived": email.arrival,
            "mark": MARKS.get(email.status.value, email.status.value),
        }
        for email in account.emails
    ]
    error = account.error
    error_document = error.as_document() if error else None
    return {"account": account.account, "emails": rows, "notes": account.notes, "error": error_document}
