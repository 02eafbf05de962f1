"""What must be there after a save, written if it is not: reports, receipts, mails, desk files.

What lives here: settle, write_report. What must never be here: a change of the game.
Laws: a report's text file is written last and so marks the report as complete; running this twice
changes nothing; nothing a referee moved out of the outbox comes back (P8).
Source: design.md P8; construction.md "Save".
"""

import os
from typing import TYPE_CHECKING

from pbem.crypto.encoding import b64
from pbem.moderator import players, posting, reporting
from pbem.moderator.hand import Hand
from pbem.moderator.reporting import Reader
from pbem.render import render

if TYPE_CHECKING:
    from pbem.commands.session import Session


def settle(session: "Session") -> None:
    """Bring the folder in order: under the lock, before a command does its own work."""
    from pbem.commands.session import CODES, PLAYERS, SECRET

    folder = session.folder
    folder.tidy()
    if folder.newest_file() != session.newest.raw:
        folder.repair_newest(session.newest.raw)
    if folder.desk_file(SECRET) is None:
        folder.put_desk_file(SECRET, f"{b64(session.secret)}\n".encode())
    if folder.desk_file(CODES) is None:
        _new_codes(session)
        folder.put_desk_file(CODES, f"{b64(session.codes_secret)}\n".encode())
    if folder.desk_file(PLAYERS) is None:
        folder.put_desk_file(PLAYERS, players.encode(session.players))
        session.notes.append("the addresses are lost: write them into desk/players.toml")
    if not folder.has_hand(session.link.n):
        session.notes.append("orders in hand are lost, if there were any: ask the players to send theirs again")
        for seat in session.link.setup.seats:
            session.put_hand(seat, Hand())
    for seat, one in session.hands.items():
        if one.receipts:
            write_receipt(session, seat, one)
    write_reports(session)


def _new_codes(session: "Session") -> None:
    """A new secret for reply codes: the old ones are void, so the reports go out again."""
    session.__dict__["codes_secret"] = os.urandom(32)
    if session.folder.reports(session.link.n):
        session.notes.append("the reply codes are new: send the new reports")


def write_receipt(session: "Session", seat: str, one: Hand) -> str:
    """The newest receipt of a seat, if it is not there yet. Its name."""
    name = f"{seat}-{one.receipts:04d}"
    folder = session.folder
    if not folder.has_receipt(name):
        subject, time, text = one.receipt.split("\n", 2)
        to = session.players.seats[seat]
        if to.address:
            mail = posting.mail(
                to, session.players.referee, subject, text, session.link.game, f"r{name}", time
            )
            folder.put_outbox(f"receipt-{name}", mail)
        folder.put_receipt(name, text.encode())
    return name


def readers(session: "Session") -> list[Reader]:
    """Everybody who gets a report: each seat, and the spectators."""
    seats = [Reader(seat, session.code(seat), session.hands[seat]) for seat in session.link.setup.seats]
    return [*seats, Reader(None, "", Hand())]


def write_reports(session: "Session", again: str = "") -> list[str]:
    """The reports of the newest link that are not there yet (or that of ``again`` once more)."""
    there = session.folder.reports(session.link.n)
    wanted = [r for r in readers(session) if f"{r.name}.txt" not in there or r.name == again]
    return [_write_report(session, reader, last=reader is wanted[-1]) for reader in wanted]


def _write_report(session: "Session", reader: Reader, last: bool) -> str:
    """Mail, view file, then the text. The last text alone is waited for until it is on the drive:
    reports can be made again, and a journal keeps their order.
    """
    position, key = session.position, session.key
    signed = reporting.report_block(position, reader, session.seals, key.signing, key.public)
    values = reporting.report_values(position, reader, session.label, rulebook(session), signed)
    text = render("report.txt", **values)
    n = session.link.n
    view = reporting.view_file(position, reader)
    to = session.players.seats[reader.seat] if reader.seat else None
    if to is not None and to.address:
        mail = posting.mail(
            to,
            session.players.referee,
            reporting.subject(values),
            text,
            session.link.game,
            f"{n:04d}.{reader.name}",
            session.link.time,
            (f"{reader.name}.view.toml", view),
        )
        session.folder.put_outbox(f"{n:04d}-{reader.name}", mail, durable=False)
    session.folder.put_report(n, f"{reader.name}.view.toml", view, durable=False)
    session.folder.put_report(n, f"{reader.name}.txt", text.encode(), durable=last)  # marks it complete
    return reader.name


def rulebook(session: "Session", whole: bool = False) -> reporting.Rulebook:
    """A ruling's number to its line at a report's foot, or to its whole paragraph."""
    from pbem.engine.rulebook import first_sentence, paragraph

    find = paragraph if whole else first_sentence
    return lambda number: find(session.rules, number) or ""
