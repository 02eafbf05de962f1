"""``pbem report``: a player's report, again."""

from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.arguments import Directory, Page
from pbem.disk.whole import write_there
from pbem.engine.settings import SPECTATORS
from pbem.result import Result
from pbem.services.lock import report_again
from pbem.services.reports import page_of
from pbem.services.session.newest import seat_of
from pbem.services.session.session import open_session


def run(
    directory: Directory,
    player: Annotated[
        str,
        typer.Option(
            metavar="SEAT", help="A seat or a player, or `spectators` for what anyone may read."
        ),
    ],
    html: Page = None,
) -> Result:
    """Write a player's newest report again, to desk/reports and desk/outbox, and print it."""
    session = open_session(directory, now())
    name = seat_of(session.link, player, SPECTATORS)
    session, text = report_again(session, name)
    if html is not None:
        mode = 0o644 if name == SPECTATORS else 0o600
        write_there(html, page_of(session, name).encode(), mode)
    record, notes = session.link, list(session.notes)
    data = {"game": record.game, "n": record.n, "seat": name, "report": text, "notes": notes}
    return Result(data, "".join([text, *(f"note: {note}\n" for note in notes)]))
