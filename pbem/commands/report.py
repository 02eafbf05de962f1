"""``pbem report``: writes a player's newest report again."""

from typing import Annotated

from typer import Option

from pbem.clock import now
from pbem.commands.arguments import Directory, PageFile
from pbem.disk.whole import write_user_file
from pbem.engine.settings import SPECTATORS
from pbem.result import Result
from pbem.services.lock import send_report_again
from pbem.services.reports import render_newest_html
from pbem.services.session.newest import find_seat
from pbem.services.session.session import open_session


def run(
    directory: Directory,
    player: Annotated[str, Option(metavar="SEAT", help="A seat or player, or `spectators` for what anyone may read.")],
    html: PageFile = None,
) -> Result:
    """Write a player's newest report again, to desk/reports and desk/outbox, and print it."""
    session = open_session(directory, now())
    name = find_seat(session.record, player, SPECTATORS)
    session, text = send_report_again(session, name)
    if html is not None:
        mode = 0o644 if name == SPECTATORS else 0o600
        write_user_file(html, render_newest_html(session, name).encode(), mode)
    record, notes = session.record, list(session.notes)
    if name != SPECTATORS and session.players.seats[name].address:
        notes.append(f"the email to {record.player(name).label} is in {directory / 'desk' / 'outbox'} again")
    if html is not None:
        notes.append(f"the page is in {html}")
    data = {"game": record.game, "n": record.n, "seat": name, "report": text, "notes": notes}
    return Result(data, "".join([text, *(f"note: {note}\n" for note in notes)]))
