"""``pbem fetch``: get players' emails from the account and take them."""

from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.arguments import Roots
from pbem.commands.receive import opened, words
from pbem.result import Result
from pbem.services.session.keys import the_home
from pbem.transport.fetch import Came, Fetched, fetch


def run(
    roots: Roots,
    since: Annotated[
        str, typer.Option(metavar="DAY", help="Look at all email since this day, 2026-11-01.")
    ] = "",
) -> Result:
    """Fetch players' emails from the account of each game and take them, as `pbem receive` does.

    Only emails of your games are downloaded. Nothing is marked as read. The first fetch of an
    account begins at the end of the mailbox.
    """
    sessions, notes, failed = opened(roots)
    found = [*fetch(the_home(), sessions, now(), since, failed)]
    notes += [f"{session.label}: {note}" for session in sessions for note in session.notes]
    lines = [line for account in found for line in _lines(account)]
    lines += [f"note: {note}" for note in notes]
    codes = [came.received.exit_code for account in found for came in account.came]
    codes += [account.error.exit_code for account in found if account.error]
    data = {"accounts": [account_document(account) for account in found], "notes": notes}
    return Result(data, "\n".join(lines), max(codes, default=0))


def _lines(account: Fetched) -> list[str]:
    lines = [
        f"{account.account}: {words(came.received)}{where_it_is(came)}" for came in account.came
    ]
    lines += [f"{account.account}: {note}" for note in account.notes]
    if account.error is not None:
        begin = f"{account.account}: " if account.account else ""
        lines.append(f"{begin}not fetched: {account.error.line()}")
    return lines or [f"{account.account}: no new email"]


def where_it_is(came: Came) -> str:
    return f"\n  It is in {came.file}" if came.file else ""


def account_document(account: Fetched) -> dict[str, object]:
    rows = [
        {
            **came.received.document(),
            "file": came.file,
            "from": came.sender,
            "arrived": came.arrival,
            "mark": came.mark.value,
        }
        for came in account.came
    ]
    error = account.error
    told = error.document() if error else None
    return {"account": account.account, "emails": rows, "notes": account.notes, "error": told}
