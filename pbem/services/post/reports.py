"""Reports and receipts of the newest state, written where they are not there yet.

What lives here: write_reports, write_receipt. What must never be here: a change of the game.
Laws: a report's text file is written last and so marks the report as complete; a report can be
written again from the newest state and the desk (P8).
Source: docs/DESIGN.md P8, "A report".
"""

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pbem.engine.rulebook import first_sentence, paragraph
from pbem.moderator.report import report
from pbem.moderator.report.hand_over import hand_over_lines
from pbem.moderator.report.mail import compose_mail
from pbem.moderator.report.report import Reader
from pbem.moderator.turn.hand import Hand
from pbem.render import render
from pbem.services.post.invitations import mail_name, write_report
from pbem.services.post.telling_undo import Told, told_in_report
from pbem.services.session.history import in_full, sat_before
from pbem.services.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping


def write_receipt(session: Session, seat: str, one: Hand) -> str:
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
            mail = compose_mail(
                to, session.players.referee, subject, text, session.link.game, f"r{name}", time
            )
            folder.put_outbox(f"receipt-{name}", mail)
        folder.put_receipt(name, text.encode())
    return name


def readers(session: Session) -> list[Reader]:
    """Everybody who gets a report: each seat, and the spectators."""
    seats = [
        Reader(seat, session.code(seat), session.hands[seat]) for seat in session.link.setup.seats
    ]
    return [*seats, Reader(None, "", Hand())]


def write_reports(
    session: Session, again: str = "", every: bool = False, mark: str = ""
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


def _ruled(session: Session) -> Ruled:
    if not session.link.rulings or not session.link.dealt:
        return Ruled()

    told, undone = told_in_report(session)  # each reader's own orders whole: not told twice
    return Ruled(told, undone) if undone else Ruled(in_full(session, session.link))


def _write_report(session: Session, reader: Reader, last: bool, mark: str, ruled: Ruled) -> str:
    """Mail, view file, then the text. The last text alone is waited for until it is on the drive:
    reports can be made again, and a journal keeps their order.
    """
    if not session.link.dealt:
        return write_report(session, reader, last, mark)
    position, key = session.position, session.key
    signed = report.report_block(position, reader, session.seals, key.signing, key.public)
    values = report.report_values(
        position, reader, session.label, rulebook(session), signed, ruled.told
    )
    if told := ruled.undone.get(reader.seat or ""):
        values |= {"taken_back": list(told.back), "counts_again": list(told.again)}
    if any(one.name == "keys" for one in session.link.rulings):
        told_of = hand_over_lines(session.link, session.players.referee, reader.seat or "")
        values["new_referee"] = told_of
    if reader.seat and session.link.rulings:
        values["welcome"] = sat_before(session, reader.seat)
    text = render("report.txt", *session.templates, **values)
    n = session.link.n
    view = report.view_file(position, reader)
    to = session.players.seats[reader.seat] if reader.seat else None
    if to is not None and to.address:
        mail = compose_mail(
            to,
            session.players.referee,
            report.subject(values),
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


def rulebook(session: Session, whole: bool = False) -> report.Rulebook:
    """A ruling's number to its line at a report's foot, or to its whole paragraph."""
    find = paragraph if whole else first_sentence
    return lambda number: find(session.rules, number) or ""
