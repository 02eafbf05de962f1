"""Reports of the newest state, written where they are not there yet.

What lives here: who reads, what the newest state says to each, before the deal (invitation, roster,
a round given up) and after; the order of its files. What must
never be here: a change of the game; an email of its own making (outbox.py).
Laws: a report's text file is written last and so marks the report as complete; a report can be
written again from the newest state and the desk (P8).
Source: docs/DESIGN.md P8, "A report".
"""

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.crypto.encoding import b64, unb64, unpae
from pbem.disk.atomic import state_name
from pbem.engine.rulebook import first_sentence, paragraph
from pbem.errors import BadInput, PbemError
from pbem.moderator.chain.link import Entry, Link
from pbem.moderator.chain.position import Seals
from pbem.moderator.chain.ruling import ruling_words
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.opening import rounds
from pbem.moderator.report import report
from pbem.moderator.report.hand_over import hand_over_lines
from pbem.moderator.report.report import SPECTATORS, Reader, ruling_in_report
from pbem.moderator.ruling.undo import Undo, undo_between
from pbem.moderator.turn.codes import order_of
from pbem.moderator.turn.hand import Hand
from pbem.services.post.outbox import Message, Template, post_of, send, with_code
from pbem.services.session.history import in_full, older, sat_before
from pbem.services.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping


def write_invitation(session: Session, reader: Reader, last: bool, message_id: str) -> str:
    """The mail with the states it is about, then the text."""
    link, told = session.link, _told(session, reader)
    message = Message(
        to=session.players.seats[reader.seat] if reader.seat else None,
        words=Template(rounds.TEMPLATES[link.phase], told),
        about=rounds.subject(told, link.phase),
        file=f"{link.n:04d}-{reader.name}",
        id=message_id,
        time=link.time,
        code=told["code"],
        files=_states(session),
        durable=False,
    )
    text = send(post_of(session), message)
    session.folder.put_report(link.n, f"{reader.name}.txt", text.encode(), durable=last)
    return reader.name


def _told(session: Session, reader: Reader) -> dict[str, Any]:
    link, head = session.link, head_of(session.newest.raw)
    signed = rounds.signed_block(link, head, reader.name, session.key.signing, session.key.public)
    seat = reader.seat or ""
    told = rounds.values(link, head, session.game, session.label, seat, reader.code, signed)
    mine = next((one.gave for one in link.roster if one.seat == seat), "")
    silent = mine == "none" and not reader.hand.receipts  # not one mail of his came
    return {**told, "silent": silent}


def _states(session: Session) -> tuple[tuple[str, bytes], ...]:
    """Every state so far that is here, as attachments: they are public, and there are few."""
    found = ((state_name(n), session.folder.state(n)) for n in range(session.link.n + 1))
    return tuple((name, raw) for name, raw in found if raw is not None)


def readers(session: Session) -> list[Reader]:
    """Everybody who gets a report: each seat, and the spectators."""
    seats = [
        Reader(seat, session.code(seat), session.hands[seat]) for seat in session.link.setup.seats
    ]
    return [*seats, Reader(SPECTATORS, "", Hand())]


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
    message_id = _message_id(session, reader, mark)
    if not session.link.dealt:
        return write_invitation(session, reader, last, message_id)
    n, values = session.link.n, _values(session, reader, ruled)
    named, view = f"{reader.name}.view.toml", report.view_file(session.position, reader)
    message = Message(
        to=session.players.seats[reader.seat] if reader.seat else None,
        words=Template("report.txt", values),
        about=report.subject(values),
        file=f"{n:04d}-{reader.name}",
        id=message_id,
        time=session.link.time,
        code=values["code"],
        files=((named, view),),
        durable=False,
    )
    text = send(post_of(session), message)
    session.folder.put_report(n, named, view, durable=False)
    # this marks it as complete
    session.folder.put_report(n, f"{reader.name}.txt", text.encode(), durable=last)
    return reader.name


def _values(session: Session, reader: Reader, ruled: Ruled) -> dict[str, Any]:
    """What the template of a report is given."""
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
    return values


def _message_id(session: Session, reader: Reader, mark: str) -> str:
    """What makes a report's mail one of its kind: its link, its code, the receipts before it."""
    head = b64(head_of(session.newest.raw))[:8]
    parts = (f"{session.link.n:04d}", reader.name, head, reader.code, str(reader.hand.receipts))
    return ".".join(part for part in (*parts, mark) if part)


def rulebook(session: Session, whole: bool = False) -> report.Rulebook:
    """A ruling's number to its line at a report's foot, or to its whole paragraph."""
    find = paragraph if whole else first_sentence
    return lambda number: find(session.rules, number) or ""


_FORM = re.compile(r"(?s)(?:\[pbem ([^\]\n]+)\] )?([^\n]*)\n([^ \n]+)( resend)?\n(.*)")


class KeptReceipt(NamedTuple):
    """A receipt as it is kept with the orders, so that it can be written after a kill."""

    code: str  #: "" where no answer is expected
    about: str  #: the subject, but for the code
    time: str
    resend: bool  #: the newest report goes out again, before it
    text: str

    def encode(self) -> str:
        """Its form in a hand: the subject, the time (and `resend`), the text."""
        resend = " resend" if self.resend else ""
        return f"{with_code(self.code, self.about)}\n{self.time}{resend}\n{self.text}"


def decode(kept: str, seat: str) -> KeptReceipt:
    """Read it back; BadInput ``document/row`` names the seat whose file is damaged."""
    found = _FORM.fullmatch(kept)
    if found is None:
        raise BadInput(
            "document/row",
            f"the orders in hand of {seat}: the receipt is not of the expected shape",
            "put the file back from a backup, or delete it and ask the player to send his orders "
            "again",
        )
    code, about, time, resend, text = found.groups()
    return KeptReceipt(code or "", about, time, bool(resend), text)


def write_receipt(session: Session, seat: str, one: Hand) -> str:
    """The newest receipt of a seat, if it is not there yet. Its name."""
    name = receipt_name(seat, one.receipts)
    if session.folder.has_receipt(name):
        return name
    kept = decode(one.receipt, seat)
    if kept.resend:
        write_reports(session, again=seat)
    message = Message(
        to=session.players.seats[seat],
        words=kept.text,
        about=kept.about,
        file=f"receipt-{name}",
        id=f"r{name}",
        time=kept.time,
        code=kept.code,
    )
    text = send(post_of(session), message)
    session.folder.put_receipt(name, text.encode())
    return name


def send_again(session: Session, seat: str, number: int, digest: str) -> None:
    """The same receipt in an email of its own, to the email with this digest."""
    name = receipt_name(seat, number)
    text = session.folder.receipt(name)
    if text is None:
        return
    message = Message(
        to=session.players.seats[seat],
        words=text.decode(),
        about=f"{session.label}: received before",
        file=f"receipt-{name}-again",
        id=f"r{name}.{digest[:8]}",
        time=session.time,
        code=session.code(seat),
    )
    send(post_of(session), message)


def receipt_name(seat: str, number: int) -> str:
    """What the receipts of a seat are called, in desk/receipts and after `receipt-`."""
    return f"{seat}-{number:04d}"


#: orders that the player did not give himself
GIVEN = {"forced": " (the only possible order)", "default": " (by default)"}


class Told(NamedTuple):
    """What an undo does to orders, a line for each, in the order they were played."""

    back: tuple[str, ...] = ()  #: these are taken back
    again: tuple[str, ...] = ()  #: these count again


def told_of(session: Session, wanted: Undo, seat: str) -> Told:
    """In the words of one seat, which knows its own orders whole; "" for everybody."""
    return Told(_lines(session, wanted.links, seat), _lines(session, wanted.again, seat))


def told_in_report(session: Session) -> "tuple[tuple[str, ...], dict[str, Told]]":
    """The rulings of the newest link, and what they undid by reader; empty where it is no undo.

    From the states alone, so that a report can be written again; where one is lost, it says less.
    """
    ruling = session.link.rulings[0] if session.link.rulings else None
    if ruling is None or ruling.name != "undo":
        return (), {}

    def state_of(n: int) -> Link:
        return older(session, n)

    try:
        target = older(session, int(ruling.operand("to")))
        wanted = undo_between(older(session, session.link.n - 1), target, state_of)
    except PbemError:
        return (), {}
    said = tuple(ruling_in_report(one, session.link, target.time) for one in session.link.rulings)
    return said, {seat: told_of(session, wanted, seat) for seat in (*session.link.setup.seats, "")}


def _lines(session: Session, links: tuple[Link, ...], seat: str) -> tuple[str, ...]:
    found = []
    for link in links:
        for number, one in enumerate(link.entries, 1):
            order = _own(session, link, number, one) if one.seat == seat else one.words
            who = f"{link.player(one.seat).name} ({one.seat})"
            found.append(f"{who}: {order}{GIVEN.get(one.source, '')}")
        found += [
            f"the ruling: {ruling_words(one)}" for one in link.rulings if one.name == "correct"
        ]
    return tuple(found)


def _own(session: Session, link: Link, number: int, one: Entry) -> str:
    """A player's own order as he gave it: all others know its public words alone."""
    seals = Seals(session.secret, link.game, link.n, unb64(link.prev, 32))
    return order_of(unpae(seals.open_order(f"{link.n}/order/{number}", one.token))[4].decode())
