"""Write the missing reports of the newest state, and email those that are due.

Not allowed here: a change of the game, an incoming email, receipts (receipts.py), headers
(outbox.py), who gets which report (recipients.py).
Laws: a report's text file is written last, so it marks the report as complete. A report can be
written again from the newest state and the private folder (P8).
Source: docs/DESIGN.md "One game's folder", "A report"; P8.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.chain.rulings.people import hand_over_rows
from pbem.chain.signed_state import state_hash_of
from pbem.chain.state_record import CLOSED, PHASES
from pbem.disk.folder import MessageStatus
from pbem.disk.whole import state_file_name
from pbem.engine.settings import ARCHIVE_ATTACHED, SPECTATORS
from pbem.errors import BadInput, Refused
from pbem.play.joining import opening
from pbem.play.pending_orders import PendingOrders
from pbem.report.block import write_block
from pbem.report.build import build_report
from pbem.report.disclosures import report_attachments, write_report_block
from pbem.report.game_rows import PointSources, points_by_source, to_plain
from pbem.report.message_ids import make_message_id
from pbem.report.render import render
from pbem.report.report import (
    Reader,
    Report,
    ReportedState,
    ReportRulings,
    latest_deed,
    report_subject,
    template_values,
)
from pbem.services import recipients
from pbem.services.html import WIDE, YES_OR_NO, render_mail_html, render_report_html
from pbem.services.outbox import NO_ADDRESS, Message, build_outbox_files, send_message
from pbem.services.recipients import MailedReport, ReportPlan, email_file_name
from pbem.services.session.history import (
    UndoEffects,
    list_counting_records,
    previous_player_name,
    rulings_in_words,
    undo_effects_in_report,
)
from pbem.services.session.session import Session
from pbem.services.session.timing import zone_for

#: bytes; in base64 still below what pbem reads of a message (8 MB) and most servers take (10 MB)
MAX_ATTACHED_ARCHIVE = 5 << 20
ARCHIVE_FILE = "archive.tar"  #: as it is attached, and as the report tells its reader to check it


def list_readers(session: Session) -> list[Reader]:
    """List everybody who gets a report: each seat, and the spectators. Secret: it has their pending orders."""
    seats = [
        Reader(seat, session.code(seat), session.pending_by_seat[seat], zone_for(session, seat))
        for seat in session.record.setup.seats
    ]
    return [*seats, Reader(SPECTATORS, "", PendingOrders(), session.record.clock.zone)]


def write_reports(
    session: Session, repeat_reader: str = "", rewrite_all: bool = False, id_suffix: str = ""
) -> list[str]:
    """Write the reports of the newest state that are missing, and return the names of their readers.

    The report of ``repeat_reader``, or with ``rewrite_all`` every report, is written once more.
    ``id_suffix`` becomes part of the Message-IDs: a mail provider drops an email whose id it has seen.
    """
    reader_names = (*session.record.setup.seats, SPECTATORS)
    complete_readers = set[str]()
    if not rewrite_all:
        complete_readers = {name for name in reader_names if name != repeat_reader and _is_complete(session, name)}
    if len(complete_readers) == len(reader_names):
        recipients.remove_obsolete_emails(session)
        return []
    due_readers = [reader for reader in list_readers(session) if reader.name not in complete_readers]
    written_reports = _render_reports(session, due_readers, bool(repeat_reader), id_suffix, rewrite_all)
    new_rows = [written_report.mailed_row for written_report in written_reports if written_report.mailed_row]
    desk_files = recipients.update_mailed_file(session, new_rows)
    if repeat_reader:  # its text exists already, so it cannot mark the new report as complete
        session.folder.stage_desk_changes(session.record.n, desk_files | _outbox_files(session, written_reports))
    else:
        for name, data in desk_files.items():
            session.folder.put_desk_file(name, data)
        for written_report in written_reports:
            if written_report.message is not None:
                send_message(session, written_report.message)
    for written_report in written_reports:
        _store_report(session, written_report, written_report is written_reports[-1])
    replaced_rows = [
        written_report.previous_row
        for written_report in written_reports
        if written_report.mailed_row and written_report.previous_row
    ]
    recipients.remove_obsolete_emails(session, replaced_rows)
    return [reader.name for reader in due_readers]


def _outbox_files(session: Session, written_reports: "Sequence[WrittenReport]") -> dict[str, bytes]:
    """Return the emails of these reports, by their path in the private folder."""
    game_id, referee = session.record.game, session.players.referee
    outbox_files = dict[str, bytes]()
    for written_report in written_reports:
        if written_report.message:
            outbox_files |= build_outbox_files(game_id, session.codes_secret, referee, written_report.message)
    return outbox_files


def _is_complete(session: Session, reader_name: str) -> bool:
    """Return whether a reader's report and view file are on the drive, and its email, if any, is not empty."""
    state_number, folder = session.record.n, session.folder
    files = [f"{reader_name}.txt"]
    if session.record.is_dealt:
        files.append(f"{reader_name}.view.toml")
    has_files = all(folder.read_report(state_number, file) for file in files)
    return has_files and folder.read_message(MessageStatus.WAITING, email_file_name(state_number, reader_name)) != b""


class ReportSources(NamedTuple):
    """What the reports of the newest state have in common. Secret: it has orders of every seat in full."""

    pending_before: Mapping[str, str] = MappingProxyType({})  #: pending orders before the state, by seat
    ruling_texts: tuple[str, ...] = ()  #: in full, for everybody
    undo_effects: Mapping[str, UndoEffects] = MappingProxyType({})  #: by reader
    point_sources: PointSources = MappingProxyType({})  #: where points came from; empty until the game is over
    archive: bytes = b""  #: to be attached to every player's email; b"" where it is not, or not yet


def _collect_sources(session: Session) -> ReportSources:
    """Collect what all reports of the newest state need."""
    if not session.record.is_dealt:
        return ReportSources()
    is_over = session.game.outcome(session.game.view(session.position.state, None)) is not None
    point_sources = points_by_source(list_counting_records(session)) if is_over else {}
    if not session.record.rulings:
        return ReportSources(session.pending_before, point_sources=point_sources)
    # an undo lists each reader's own orders in full, so its short text is enough
    short_texts, undo_effects = undo_effects_in_report(session)
    texts = short_texts if undo_effects else rulings_in_words(session, session.record)
    return ReportSources(session.pending_before, texts, undo_effects, point_sources, _pack_archive(session))


def _pack_archive(session: Session) -> bytes:
    """Return the archive of a closed game whose players are emailed it, else b"". Notes why it cannot be attached."""
    if session.record.phase != CLOSED or ARCHIVE_ATTACHED not in session.record.setup.options:
        return b""
    from pbem.services.prove.archive import pack_game, read_game

    try:
        archive = pack_game(session, read_game(session)).data
    except (BadInput, Refused) as error:  # the game is closed all the same, and its reports must go out
        session.notes.append(f"the archive is not attached to the emails: {error.message}")
        return b""
    if len(archive) > MAX_ATTACHED_ARCHIVE:
        session.notes.append(f"the archive ({len(archive)} bytes) is too large for an email, so players ask you for it")
        return b""
    return archive


class WrittenReport(NamedTuple):
    """A report before it is on the drive."""

    reader: Reader
    text: str
    attachments: tuple[tuple[str, bytes], ...]
    mailed_row: MailedReport | None = None  #: None if it is not emailed
    message: Message | None = None  #: None if it is not emailed
    previous_row: MailedReport | None = None  #: the row of the last emailed report


class ReportContent(NamedTuple):
    """The content of one reader's report, on the drive and in the email."""

    text: str
    html: str | None  #: None where it is not emailed
    subject: str  #: without the code
    code: str
    attachments: list[tuple[str, bytes]]


def _compose_content(
    session: Session, reader: Reader, plan: ReportPlan, sources: ReportSources, wants_html: bool
) -> ReportContent:
    """Compose the report of one reader, or the invitation to one before the deal."""
    if not session.record.is_dealt:
        return _compose_invitation(session, reader, wants_html)
    newest = ReportedState(session.position, session.seals, sources.pending_before, plan.turn)
    states = (*plan.older_states, newest)
    attachments = report_attachments(states, reader)
    report = _build_report(session, reader, states, sources, attachments)
    if ARCHIVE_ATTACHED in session.record.setup.options and reader.seat and session.players.seats[reader.seat].address:
        # the signed block does not name it: it has a signature of its own
        attachments += [(ARCHIVE_FILE, sources.archive)] if sources.archive else []
        report = report._replace(archive=_archive_status(session, sources))
    values = template_values(report)
    text = render("report.txt", *session.templates, **values)
    deed = latest_deed(report)
    rows = [to_plain(deed)] if deed else []
    news = render("sentences.txt", *session.templates, **values, of="event", rows=rows).strip().rstrip(".")
    html = render_report_html(session, report) if wants_html else None
    return ReportContent(text, html, report_subject(report, news), report.recipient.code, attachments)


def _archive_status(session: Session, sources: ReportSources) -> str:
    """Return what the report says of an archive that its reader is to be emailed."""
    if session.record.phase != CLOSED:
        return "later"
    return "attached" if sources.archive else "missing"


def _compose_invitation(session: Session, reader: Reader, wants_html: bool) -> ReportContent:
    """Compose what a reader gets before the deal: invitation, roster, or the end of the round."""
    record, phase = session.record, session.record.phase
    # states before the deal are public and few, so all are attached
    states = ((state_file_name(n), session.folder.read_state(n)) for n in range(record.n + 1))
    values = _invitation_values(session, reader)
    subject, code = opening.email_subject_of(values, phase), values["code"]
    text = render(opening.TEMPLATES[phase], *session.templates, **values)
    choices = YES_OR_NO if reader.seat and phase == PHASES[0] else ()
    html = render_mail_html(session, reader.seat or "", text, subject, code, choices) if wants_html else None
    return ReportContent(text, html, subject, code, [(name, raw) for name, raw in states if raw is not None])


def render_newest_html(session: Session, reader_name: str) -> str:
    """Render a reader's newest report as a page of HTML. Only that reader may see it."""
    (reader,) = (candidate for candidate in list_readers(session) if candidate.name == reader_name)
    plan = recipients.plan_reports(session, [reader], True)[reader_name]
    html = _compose_content(session, reader, plan, _collect_sources(session), wants_html=True).html or ""
    return html.replace("</style>", f"{WIDE}</style>", 1)


def _render_reports(
    session: Session, due_readers: Sequence[Reader], is_repeated: bool, id_suffix: str, rewrite_all: bool
) -> list[WrittenReport]:
    """Compose the reports of these readers, with emails for those to whom they are sent."""
    plans = recipients.plan_reports(session, due_readers, is_repeated or rewrite_all)
    sources = _collect_sources(session)
    written_reports = []
    for reader in due_readers:
        plan = plans[reader.name]
        wants_html = plan.is_emailed and bool(session.players.seats[reader.name].address)
        content = _compose_content(session, reader, plan, sources, wants_html)
        written_report = WrittenReport(reader, content.text, tuple(content.attachments), previous_row=plan.last_mailed)
        if plan.is_emailed:
            # an email that is sent again needs another id, or email programs would drop it
            version = f".{reader.pending.receipt_count}.{id_suffix}" if is_repeated or id_suffix else ""
            id_part = f"{session.record.n:04d}.{reader.name}.{recipients.short_state_hash(session)}{version}"
            written_report = _with_message(session, written_report, plan, id_part, content, rewrite_all)
        written_reports.append(written_report)
    return written_reports


def _with_message(
    session: Session,
    written_report: WrittenReport,
    plan: ReportPlan,
    id_part: str,
    content: ReportContent,
    renew_id: bool,
) -> WrittenReport:
    """Return the report with its email and its row in desk/mailed, which names the email before it."""
    reader, record, secret = written_report.reader, session.record, session.codes_secret
    sender = session.players.referee.address or NO_ADDRESS
    new_id = make_message_id(secret, record.game, id_part, sender, content.code)
    row = recipients.create_mailed_row(session, reader, plan, new_id, renew_id)
    parent_id = row.parent_id if new_id == row.message_id else row.message_id
    message = Message(
        recipient=session.players.seats[reader.name],
        text=written_report.text,
        subject=content.subject,
        file_name=email_file_name(record.n, reader.name),
        id_part=id_part,
        time=record.time,
        code=content.code,
        attachments=written_report.attachments,
        parent_id="" if parent_id == recipients.NO_ID else parent_id,
        html=content.html,
    )
    return written_report._replace(mailed_row=row, message=message)


def _store_report(session: Session, written_report: WrittenReport, is_last: bool) -> None:
    """Write the view file, then the text, which marks the report as complete.

    Only the last text must reach the drive at once: a journalling file system keeps their order.
    """
    folder, state_number = session.folder, session.record.n
    if session.record.is_dealt:
        view_file, *_ = written_report.attachments
        folder.put_report(state_number, *view_file, durable=False)
    folder.put_report(state_number, f"{written_report.reader.name}.txt", written_report.text.encode(), durable=is_last)


def _invitation_values(session: Session, reader: Reader) -> dict[str, Any]:
    """Return the template values before the deal. The signed block has no hidden values to open yet."""
    record, state_hash, key = session.record, state_hash_of(session.newest.raw), session.key
    signed_block = write_block(record, reader.name, state_hash, (), key.signing, key.public)
    return opening.make_template_values(
        record, state_hash, session.game, session.label, reader.seat or "", reader.code, signed_block
    )


def _build_report(
    session: Session,
    reader: Reader,
    states: Sequence[ReportedState],
    sources: ReportSources,
    attachments: Sequence[tuple[str, bytes]],
) -> Report:
    """Build the report of one reader from the states that it covers, with its signed block."""
    key, seat = session.key, reader.seat or ""
    older_records = [state.position.record for state in states[:-1] if state.position.record.rulings]
    older_texts = [text for record in older_records for text in rulings_in_words(session, record)]
    undo_effects = sources.undo_effects.get(seat, UndoEffects())
    report_rulings = ReportRulings(
        texts=(*older_texts, *sources.ruling_texts),
        undone=undo_effects.back,
        restored=undo_effects.again,
        disclosures=undo_effects.seen,
        hand_over=tuple(hand_over_rows(session.record, session.players.referee.address, seat, key.public)),
        former_player=previous_player_name(session, seat) if seat and session.record.rulings else "",
    )
    signed_block = write_report_block(states, reader, key.signing, key.public, attachments)
    return build_report(
        states,
        reader,
        session.label,
        session.rule_summary,
        signed_block,
        report_rulings,
        sources.point_sources,
    )
