"""The reports of the newest state, written where they are not there yet, and their emails.

What lives here: what each reader is told before the deal (invitation, roster, a round given up) and
after; which go out, and which older states they tell, is settled in recipients.py. What must never
be here: a change of the game, an email that came in, receipts (receipts.py), headers (outbox.py).
Laws: a report's text file is written last and so marks the report as complete; a report can be
written again from the newest state and the desk (P8).
Source: docs/DESIGN.md "One game's folder", "A report"; P8.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.chain.rulings.people import LAST, hand_over_rows
from pbem.chain.signed_state import head_of
from pbem.chain.state_record import PHASES
from pbem.disk.folder import Mark
from pbem.disk.whole import state_name
from pbem.engine.settings import SPECTATORS
from pbem.play.joining import opening
from pbem.play.pending_orders import Hand
from pbem.report import report
from pbem.report.block import write_block
from pbem.report.game_rows import Sources, points_by_source
from pbem.report.message_ids import message_id
from pbem.report.render import begun
from pbem.report.report import Reader
from pbem.services import html as faces
from pbem.services import recipients
from pbem.services.outbox import NO_ADDRESS, Message, send_of, sent_later
from pbem.services.recipients import Mailed, Plan, file_name
from pbem.services.session.history import Told, counted, in_full, sat_before, told_in_report
from pbem.services.session.session import Session
from pbem.services.session.timing import zone_for

Text = Callable[[], str]  #: that has been begun, and is waited for when it is called


def readers(session: Session) -> list[Reader]:
    """Everybody who gets a report: each seat, and the spectators."""
    had = session.had
    seats = [
        Reader(
            seat,
            session.code(seat),
            session.hands[seat],
            had.get(seat, ""),
            zone_for(session, seat),
        )
        for seat in session.link.setup.seats
    ]
    return [*seats, Reader(SPECTATORS, "", Hand(), zone=session.link.clock.zone)]


def write_reports(
    session: Session, again: str = "", every: bool = False, mark: str = ""
) -> list[str]:
    """The reports of the newest link that are not there yet (that of ``again``, or all, once
    more). ``mark`` goes into the mails' ids: a mail provider drops a mail whose id it has seen.
    """
    names = (*session.link.setup.seats, SPECTATORS)
    done = {n for n in names if not every and n != again and _complete(session, n)}
    if len(done) == len(names):
        recipients.take_out(session)
        return []
    wanted = [reader for reader in readers(session) if reader.name not in done]
    written = _all_written(session, wanted, bool(again), mark, every)
    noted = recipients.with_rows(session, [one.row for one in written if one.row])
    if again:  # its text is there, and would pass for the mark that all of it is
        session.folder.stage(session.link.n, noted | _emails(session, written))
    else:
        for name, data in noted.items():
            session.folder.put_desk_file(name, data)
        for one in written:
            if one.message is not None:
                send_of(session, one.message)
    for one in written:
        _lay_out(session, one, one is written[-1])
    recipients.take_out(session, [one.before for one in written if one.row and one.before])
    return [reader.name for reader in wanted]


def _emails(session: Session, written: "Sequence[Written]") -> dict[str, bytes]:
    """Their emails, by their path in the desk."""
    of = session.link.game, session.codes_secret, session.players.referee
    found = [sent_later(*of, one.message) for one in written if one.message]
    return {path: data for one in found for path, data in one.items()}


def _complete(session: Session, name: str) -> bool:
    """Whether a reader's report is there, and what belongs to it. A mail that is not was sent."""
    n, folder = session.link.n, session.folder
    files = [f"{name}.txt", *([f"{name}.view.toml"] if session.link.dealt else [])]
    whole = all(folder.report(n, file) for file in files)
    return whole and folder.message(Mark.WAITING, file_name(n, name)) != b""


class Rulings(NamedTuple):
    """What the states before the newest say of its rulings and of its points."""

    told: tuple[str, ...] = ()  #: in full, for all
    undone: Mapping[str, Told] = MappingProxyType({})  #: what an undo took back, by reader
    sources: Sources = MappingProxyType({})  #: of points, at the end


def _rulings(session: Session) -> Rulings:
    if not session.link.dealt:
        return Rulings()
    over = session.game.outcome(session.game.view(session.position.state, None)) is not None
    sources = points_by_source(counted(session)) if over else {}
    if not session.link.rulings:
        return Rulings(sources=sources)
    told, undone = told_in_report(session)  # each reader's own orders whole: not told twice
    return Rulings(told if undone else in_full(session, session.link), undone, sources)


def _told_before(session: Session, plan: Plan) -> list[str]:
    """The rulings of the older states that a report tells."""
    records = [one.position.record for one in plan.before]
    return [text for record in records if record.rulings for text in in_full(session, record)]


class Written(NamedTuple):
    """A report before it is on the drive."""

    reader: Reader
    text: str
    files: tuple[tuple[str, bytes], ...]  #: that are attached to it
    row: Mailed | None  #: None where it is not emailed
    message: Message | None
    before: Mailed | None  #: the row of the one before it


class Said(NamedTuple):
    """What a reader is told of the newest state, before it has a face."""

    template: str  #: of its text
    values: dict[str, Any]
    about: str  #: the subject, but for the code
    files: list[tuple[str, bytes]]  #: attached to it


def _said(session: Session, reader: Reader, plan: Plan, rulings: Rulings) -> Said:
    record = session.link
    if record.dealt:
        files = report.attached(session.position, reader, plan.before)
        values = _values(session, reader, plan, rulings, files)
        return Said("report.txt", values, report.subject(values), files)
    # every state so far that is here: they are public, and few
    states = ((state_name(n), session.folder.state(n)) for n in range(record.n + 1))
    values, phase = _invitation(session, reader), record.phase
    about, template = opening.subject(values, phase), opening.TEMPLATES[phase]
    return Said(template, values, about, [(name, raw) for name, raw in states if raw is not None])


def _page(session: Session, reader: Reader, said: Said, text: Text) -> Text:
    """The HTML of a report, or of what comes before the deal; begun, not waited for."""
    if session.link.dealt:
        return faces.report(session, said.values)
    asked = faces.YES_OR_NO if reader.seat and session.link.phase == PHASES[0] else ()
    code = said.values["code"]
    page = faces.framed(session, reader.seat or "", text(), said.about, code, asked)
    return lambda: page


def page_of(session: Session, name: str) -> str:
    """The HTML of a reader's newest report."""
    (reader,) = (one for one in readers(session) if one.name == name)
    plan = recipients.plans(session, [reader], True)[name]
    said = _said(session, reader, plan, _rulings(session))
    text = begun(said.template, *session.templates, **said.values)
    return _page(session, reader, said, text)()


def _all_written(
    session: Session, wanted: Sequence[Reader], again: bool, mark: str, every: bool
) -> list[Written]:
    """The reports of these readers. The id of a mail is one of its kind: of its link, and of how it
    is made ``again``. It follows the report before it.
    """
    plans, rulings = recipients.plans(session, wanted, again or every), _rulings(session)
    begins = []
    for reader in wanted:  # what is rendered beside goes on while the next one's values are made
        plan = plans[reader.name]
        said = _said(session, reader, plan, rulings)
        text = begun(said.template, *session.templates, **said.values)
        html = plan.mailed and session.players.seats[reader.name].address
        begins.append(
            (reader, plan, said, text, _page(session, reader, said, text) if html else None)
        )
    found = []
    for reader, plan, said, text, page in begins:
        one = Written(reader, text(), tuple(said.files), None, None, plan.row)
        if plan.mailed:
            made = f".{reader.hand.receipts}.{mark}" if again or mark else ""
            head = recipients.head_in_short(session)
            called = f"{session.link.n:04d}.{reader.name}.{head}{made}"
            one = _as_mail(session, one, plan, called, said, page() if page else None, every)
        found.append(one)
    return found


def _as_mail(
    session: Session,
    one: Written,
    plan: Plan,
    called: str,
    said: Said,
    html: str | None,
    renew: bool,
) -> Written:
    """The report as a message, with its row: who it follows stands there."""
    reader, record, secret = one.reader, session.link, session.codes_secret
    to, code = session.players.seats[reader.name], said.values["code"]
    sender = session.players.referee.address or NO_ADDRESS
    own = message_id(secret, record.game, called, sender, code)
    row = recipients.row_of(session, reader, plan, own, renew)
    follows = row.follows if own == row.id else row.id
    message = Message(
        to=to,
        text=one.text,
        about=said.about,
        file=file_name(record.n, reader.name),
        id=called,
        time=record.time,
        code=code,
        files=one.files,
        follows="" if follows == recipients.NONE else follows,
        html=html,
    )
    return one._replace(row=row, message=message)


def _lay_out(session: Session, one: Written, last: bool) -> None:
    """View file, then the text, which marks it as complete. The name of the last text alone is
    waited for: a journal keeps their order.
    """
    folder, n = session.folder, session.link.n
    if session.link.dealt:
        folder.put_report(n, *one.files[0], durable=False)
    folder.put_report(n, f"{one.reader.name}.txt", one.text.encode(), durable=last)


def _invitation(session: Session, reader: Reader) -> dict[str, Any]:
    """What the template is given before the deal."""
    record, head, seat = session.link, head_of(session.newest.raw), reader.seat or ""
    keys = session.key.signing, session.key.public
    signed = write_block(record, reader.name, head, (), *keys)  # nothing to open
    return opening.values(record, head, session.game, session.label, seat, reader.code, signed)


def _values(
    session: Session,
    reader: Reader,
    plan: Plan,
    rulings: Rulings,
    files: Sequence[tuple[str, bytes]],
) -> dict[str, Any]:
    """What the template of a report is given; ``files``: what is attached to it."""
    position, key, seals = session.position, session.key, session.seals
    keys = key.signing, key.public
    signed = report.report_block(position, reader, seals, *keys, files, plan.before)
    values = report.report_values(
        position,
        reader,
        session.label,
        session.rule_in_short,
        signed,
        seals,
        (*_told_before(session, plan), *rulings.told),
        rulings.sources,
        plan.before,
        plan.turn,
    )
    if told := rulings.undone.get(reader.seat or ""):
        values |= {"taken_back": list(told.back), "counts_again": list(told.again)}
        values["seen"] = list(told.seen)
    address = session.players.referee.address
    found = hand_over_rows(session.link, address, reader.seat or "", key.public)
    values["new_referee"] = [row.plain() for row in found]
    values["closes_key"] = any(row.kind == LAST for row in found)
    if values["closes_key"]:  # its codes are void as soon as the new key signs
        values |= {"question": {}, "soon": [], "code": ""}
    if reader.seat and session.link.rulings:
        values["welcome"] = sat_before(session, reader.seat)
    return values
