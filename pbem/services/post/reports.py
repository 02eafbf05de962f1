"""Reports of the newest state, written where they are not there yet.

What lives here: who reads, what the newest state says to each, before the deal (invitation, roster,
a round given up) and after; the order of its files. What must
never be here: a change of the game; an email of its own making (outbox.py).
Laws: a report's text file is written last and so marks the report as complete; a report can be
written again from the newest state and the desk (P8).
Source: docs/DESIGN.md P8, "A report".
"""

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.crypto.encoding import b64
from pbem.disk.names import state_name
from pbem.engine.rulebook import first_sentence, paragraph
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.opening import rounds
from pbem.moderator.report import report
from pbem.moderator.report.hand_over import hand_over_lines
from pbem.moderator.report.report import Reader
from pbem.moderator.turn.hand import Hand
from pbem.services.post.outbox import Message, Template, post_of, send
from pbem.services.post.undone import Told, told_in_report
from pbem.services.session.history import in_full, sat_before
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
