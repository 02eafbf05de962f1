"""What must be there after a save, written if it is not: reports, receipts, mails, desk files.

What lives here: settle, write_report. What must never be here: a change of the game.
Laws: a report's text file is written last and so marks the report as complete; running this twice
changes nothing; nothing a referee moved out of the outbox comes back (P8).
Source: design.md P8; construction.md "Save".
"""

import os
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pbem.crypto.encoding import b64
from pbem.moderator import chain, players, posting, reporting
from pbem.moderator.hand import Hand
from pbem.moderator.reporting import Reader
from pbem.render import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.commands.session import Session
    from pbem.commands.undo import Told
    from pbem.disk.folder import GameFolder

#: in desk/ where `pbem new --deal` was told to deal at once: what was cut short is finished
AT_ONCE = "at-once"


def settle(session: "Session") -> None:
    """Bring the folder in order: under the lock, before a command does its own work."""
    from pbem.commands.session import CODES, PLAYERS, SECRET

    folder = session.folder
    folder.tidy(session.link.n)
    _keep_state(session)
    if folder.newest_file() != session.newest.raw:
        folder.repair_newest(session.newest.raw)
    _put_if_other(folder, SECRET, f"{b64(session.secret)}\n".encode())
    new_codes = folder.desk_file(CODES) is None
    if new_codes:
        session.__dict__["codes_secret"] = os.urandom(32)
        session.notes.append(
            "the reply codes are lost and the old ones void: send the new "
            "reports, they have new ones"
        )
    if folder.desk_file(PLAYERS) is None:
        folder.put_desk_file(PLAYERS, players.encode(session.players))
        session.notes.append(
            "the addresses are lost: write them into desk/players.toml, then "
            "`pbem report DIR --player SEAT` makes each mail"
        )
    if not folder.has_hand(session.link.n):
        session.notes.append(
            "orders in hand are lost, if there were any: ask the players to send theirs again"
        )
        for seat in session.link.setup.seats:
            session.put_hand(seat, Hand(receipts=_last_receipt(folder, seat)))
    for seat, one in session.hands.items():
        if one.receipt:
            write_receipt(session, seat, one)
    if not session.link.dealt and folder.desk_file(AT_ONCE) is not None:
        from pbem.commands.rounds import deal_at_once

        deal_at_once(session)
    write_reports(session, every=new_codes)
    if new_codes:  # last: a kill before it makes new ones, and all the reports, once more
        folder.put_desk_file(CODES, f"{b64(session.codes_secret)}\n".encode())


def _keep_state(session: "Session") -> None:
    """Where game.toml is all there is of the newest state, it goes back to the others."""
    folder, n = session.folder, session.link.n
    if folder.has_state(n):
        return
    missing = n - len(folder.numbers())
    folder.create_state(n, session.newest.raw)
    if missing:
        session.notes.append(
            f"{missing} of the states before {n} are lost: the game goes on "
            "without them, but nobody can check what is not here"
        )


def _put_if_other(folder: "GameFolder", name: str, data: bytes) -> None:
    if folder.desk_file(name) != data:
        folder.put_desk_file(name, data)


def _last_receipt(folder: "GameFolder", seat: str) -> int:
    """The number of the newest receipt a seat was given, so that no number comes twice."""
    number = 0
    while folder.has_receipt(f"{seat}-{number + 1:04d}"):
        number += 1
    return number


def write_receipt(session: "Session", seat: str, one: Hand) -> str:
    """The newest receipt of a seat, if it is not there yet. Its name."""
    name = f"{seat}-{one.receipts:04d}"
    folder = session.folder
    if not folder.has_receipt(name):
        subject, first, text = one.receipt.split("\n", 2)
        time, _, resend = first.partition(" ")
        if resend:  # before the receipt, which says that it was done
            write_reports(session, again=seat)
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
    seats = [
        Reader(seat, session.code(seat), session.hands[seat]) for seat in session.link.setup.seats
    ]
    return [*seats, Reader(None, "", Hand())]


def write_reports(
    session: "Session", again: str = "", every: bool = False, mark: str = ""
) -> list[str]:
    """The reports of the newest link that are not there yet (that of ``again``, or all, once
    more). ``mark`` goes into the mails' ids: a mail provider drops a mail whose id it has seen.
    """
    n = session.link.n
    # a power cut can leave the name of a file and none of its bytes
    there = () if every else session.folder.reports(n)
    done = {name for name in there if session.folder.report(n, name)}
    wanted = [r for r in readers(session) if f"{r.name}.txt" not in done or r.name == again]
    ruled = _ruled(session) if wanted else Ruled()
    return [_write_report(session, one, one is wanted[-1], mark, ruled) for one in wanted]


class Ruled(NamedTuple):
    """What the states before the newest say of its rulings."""

    told: tuple[str, ...] = ()  #: in full, for all
    undone: "Mapping[str, Told]" = MappingProxyType({})  #: what an undo took back, by reader


def _ruled(session: "Session") -> Ruled:
    if not session.link.rulings or not session.link.dealt:
        return Ruled()
    from pbem.commands.ruling import in_full
    from pbem.commands.undo import told_in_report

    undone = told_in_report(session)  # each reader's own orders whole: not told twice
    return Ruled(undone=undone) if undone else Ruled(in_full(session, session.link))


def mail_name(session: "Session", reader: Reader, mark: str) -> str:
    """What makes a report's mail one of its kind: its link, its code, the receipts before it."""
    head = b64(chain.head_of(session.newest.raw))[:8]
    parts = (f"{session.link.n:04d}", reader.name, head, reader.code, str(reader.hand.receipts))
    return ".".join(part for part in (*parts, mark) if part)


def _write_report(session: "Session", reader: Reader, last: bool, mark: str, ruled: Ruled) -> str:
    """Mail, view file, then the text. The last text alone is waited for until it is on the drive:
    reports can be made again, and a journal keeps their order.
    """
    if not session.link.dealt:
        from pbem.commands.inviting import write_report

        return write_report(session, reader, last, mark)
    position, key = session.position, session.key
    signed = reporting.report_block(position, reader, session.seals, key.signing, key.public)
    values = reporting.report_values(
        position, reader, session.label, rulebook(session), signed, ruled.told
    )
    if told := ruled.undone.get(reader.seat or ""):
        values |= {"taken_back": list(told.back), "counts_again": list(told.again)}
    if any(one.name == "keys" for one in session.link.rulings):
        from pbem.moderator import handing_over

        told_of = handing_over.told(session.link, session.players.referee, reader.seat or "")
        values["new_referee"] = told_of
    text = render("report.txt", *session.templates, **values)
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
            mail_name(session, reader, mark),
            session.link.time,
            (f"{reader.name}.view.toml", view),
        )
        session.folder.put_outbox(f"{n:04d}-{reader.name}", mail, durable=False)
    session.folder.put_report(n, f"{reader.name}.view.toml", view, durable=False)
    session.folder.put_report(
        n, f"{reader.name}.txt", text.encode(), durable=last
    )  # marks it complete
    return reader.name


def rulebook(session: "Session", whole: bool = False) -> reporting.Rulebook:
    """A ruling's number to its line at a report's foot, or to its whole paragraph."""
    from pbem.engine.rulebook import first_sentence, paragraph

    find = paragraph if whole else first_sentence
    return lambda number: find(session.rules, number) or ""
