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

from pbem.chain.rulings.people import LAST_SIGNED, hand_over_rows
from pbem.chain.signed_state import state_hash_of
from pbem.chain.state_record import PHASES
from pbem.disk.folder import MessageStatus
from pbem.disk.whole import state_file_name
from pbem.engine.settings import SPECTATORS
from pbem.play.joining import opening
from pbem.play.pending_orders import PendingOrders
from pbem.report import report
from pbem.report.block import write_block
from pbem.report.game_rows import PointSources, points_by_source
from pbem.report.message_ids import make_message_id
from pbem.report.render import begin_render
from pbem.report.report import Reader
from pbem.services import html as faces
from pbem.services import recipients
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

TextFuture = Callable[[], str]  #: that has been begun, and is waited for when it is called


def list_readers(session: Session) -> list[Reader]:
    """Everybody who gets a report: each seat, and the spectators."""
    waiting_values = session.pending_before
    seats = [
        Reader(
            seat,
            session.code(seat),
            session.pending_by_seat[seat],
            waiting_values.get(seat, ""),
            zone_for(session, seat),
        )
        for seat in session.record.setup.seats
    ]
    return [*seats, Reader(SPECTATORS, "", PendingOrders(), zone=session.record.clock.zone)]


def write_reports(
    session: Session, repeat_reader: str = "", rewrite_all: bool = False, id_suffix: str = ""
) -> list[str]:
    """The reports of the newest link that are not there yet (that of ``repeat_reader``, or all, once
    more). ``id_suffix`` goes into the mails' ids: a mail provider drops a mail whose id it has seen.
    """
    reader_names = (*session.record.setup.seats, SPECTATORS)
    complete_readers = {n for n in reader_names if not rewrite_all and n != repeat_reader and _is_complete(session, n)}
    if len(complete_readers) == len(reader_names):
        recipients.remove_obsolete_emails(session)
        return []
    due_readers = [reader for reader in list_readers(session) if reader.name not in complete_readers]
    written_reports = _render_reports(session, due_readers, bool(repeat_reader), id_suffix, rewrite_all)
    desk_files = recipients.update_mailed_file(
        session, [written_report.mailed_row for written_report in written_reports if written_report.mailed_row]
    )
    if repeat_reader:  # its text is there, and would pass for the mark that all of it is
        session.folder.stage_desk_changes(session.record.n, desk_files | _outbox_files(session, written_reports))
    else:
        for name, data in desk_files.items():
            session.folder.put_desk_file(name, data)
        for written_report in written_reports:
            if written_report.message is not None:
                send_message(session, written_report.message)
    for written_report in written_reports:
        _store_report(session, written_report, written_report is written_reports[-1])
    recipients.remove_obsolete_emails(
        session,
        [
            written_report.previous_row
            for written_report in written_reports
            if written_report.mailed_row and written_report.previous_row
        ],
    )
    return [reader.name for reader in due_readers]


def _outbox_files(session: Session, written_reports: "Sequence[WrittenReport]") -> dict[str, bytes]:
    """Their emails, by their path in the desk."""
    mail_context = session.record.game, session.codes_secret, session.players.referee
    files_of_messages = [
        build_outbox_files(*mail_context, written_report.message)
        for written_report in written_reports
        if written_report.message
    ]
    return {path: data for files in files_of_messages for path, data in files.items()}


def _is_complete(session: Session, reader_name: str) -> bool:
    """Whether a reader's report is there, and what belongs to it. A mail that is not was sent."""
    state_number, folder = session.record.n, session.folder
    files = [f"{reader_name}.txt", *([f"{reader_name}.view.toml"] if session.record.is_dealt else [])]
    has_files = all(folder.read_report(state_number, file) for file in files)
    return has_files and folder.read_message(MessageStatus.WAITING, email_file_name(state_number, reader_name)) != b""


class ReportRulings(NamedTuple):
    """What the states before the newest say of its rulings and of its points."""

    texts: tuple[str, ...] = ()  #: in full, for all
    undone_orders: Mapping[str, UndoEffects] = MappingProxyType({})  #: what an undo took back, by reader
    point_sources: PointSources = MappingProxyType({})  #: of points, at the end


def _collect_rulings(session: Session) -> ReportRulings:
    if not session.record.is_dealt:
        return ReportRulings()
    is_over = session.game.outcome(session.game.view(session.position.state, None)) is not None
    point_sources = points_by_source(list_counting_records(session)) if is_over else {}
    if not session.record.rulings:
        return ReportRulings(point_sources=point_sources)
    texts, undone_orders = undo_effects_in_report(session)  # each reader's own orders whole: not told twice
    return ReportRulings(
        texts if undone_orders else rulings_in_words(session, session.record), undone_orders, point_sources
    )


def _older_rulings(session: Session, plan: ReportPlan) -> list[str]:
    """The rulings of the older states that a report tells."""
    records = [chapter.position.record for chapter in plan.chapters]
    return [text for record in records if record.rulings for text in rulings_in_words(session, record)]


class WrittenReport(NamedTuple):
    """A report before it is on the drive."""

    reader: Reader
    text: str
    attachments: tuple[tuple[str, bytes], ...]  #: that are attached to it
    mailed_row: MailedReport | None  #: None where it is not emailed
    message: Message | None
    previous_row: MailedReport | None  #: the row of the one before it


class ReportContent(NamedTuple):
    """What a reader is told of the newest state, before it has a face."""

    template: str  #: of its text
    values: dict[str, Any]
    subject: str  #: the subject, but for the code
    attachments: list[tuple[str, bytes]]  #: attached to it


def _compose_content(session: Session, reader: Reader, plan: ReportPlan, rulings: ReportRulings) -> ReportContent:
    record = session.record
    if record.is_dealt:
        attachments = report.report_attachments(session.position, reader, plan.chapters)
        values = _report_values(session, reader, plan, rulings, attachments)
        return ReportContent("report.txt", values, report.report_subject(values), attachments)
    # every state so far that is here: they are public, and few
    states = ((state_file_name(n), session.folder.read_state(n)) for n in range(record.n + 1))
    values, phase = _invitation_values(session, reader), record.phase
    subject, template = opening.email_subject_of(values, phase), opening.TEMPLATES[phase]
    return ReportContent(template, values, subject, [(name, raw) for name, raw in states if raw is not None])


def _start_html(session: Session, reader: Reader, content: ReportContent, text: TextFuture) -> TextFuture:
    """The HTML of a report, or of what comes before the deal; begun, not waited for."""
    if session.record.is_dealt:
        return faces.start_report_html(session, content.values)
    choices = faces.YES_OR_NO if reader.seat and session.record.phase == PHASES[0] else ()
    code = content.values["code"]
    page = faces.render_mail_html(session, reader.seat or "", text(), content.subject, code, choices)
    return lambda: page


def render_newest_html(session: Session, reader_name: str) -> str:
    """The HTML of a reader's newest report."""
    (reader,) = (candidate for candidate in list_readers(session) if candidate.name == reader_name)
    plan = recipients.plan_reports(session, [reader], True)[reader_name]
    content = _compose_content(session, reader, plan, _collect_rulings(session))
    text = begin_render(content.template, *session.templates, **content.values)
    return _start_html(session, reader, content, text)()


def _render_reports(
    session: Session, due_readers: Sequence[Reader], is_repeated: bool, id_suffix: str, rewrite_all: bool
) -> list[WrittenReport]:
    """The reports of these readers. The id of a mail is one of its kind: of its link, and of how it
    is made ``is_repeated``. It follows the report before it.
    """
    plans, rulings = (
        recipients.plan_reports(session, due_readers, is_repeated or rewrite_all),
        _collect_rulings(session),
    )
    started_reports = []
    for reader in due_readers:  # what is rendered beside goes on while the next one's values are made
        plan = plans[reader.name]
        content = _compose_content(session, reader, plan, rulings)
        text = begin_render(content.template, *session.templates, **content.values)
        wants_html = plan.is_emailed and session.players.seats[reader.name].address
        started_reports.append(
            (reader, plan, content, text, _start_html(session, reader, content, text) if wants_html else None)
        )
    written_reports = []
    for reader, plan, content, text, page in started_reports:
        written_report = WrittenReport(reader, text(), tuple(content.attachments), None, None, plan.last_mailed)
        if plan.is_emailed:
            version = f".{reader.pending.receipt_count}.{id_suffix}" if is_repeated or id_suffix else ""
            short_hash = recipients.short_state_hash(session)
            id_part = f"{session.record.n:04d}.{reader.name}.{short_hash}{version}"
            written_report = _with_message(
                session, written_report, plan, id_part, content, page() if page else None, rewrite_all
            )
        written_reports.append(written_report)
    return written_reports


def _with_message(
    session: Session,
    written_report: WrittenReport,
    plan: ReportPlan,
    id_part: str,
    content: ReportContent,
    html: str | None,
    renew_id: bool,
) -> WrittenReport:
    """The report as a message, with its row: who it follows stands there."""
    reader, record, secret = written_report.reader, session.record, session.codes_secret
    recipient, code = session.players.seats[reader.name], content.values["code"]
    sender = session.players.referee.address or NO_ADDRESS
    new_id = make_message_id(secret, record.game, id_part, sender, code)
    row = recipients.create_mailed_row(session, reader, plan, new_id, renew_id)
    parent_id = row.parent_id if new_id == row.message_id else row.message_id
    message = Message(
        recipient=recipient,
        text=written_report.text,
        subject=content.subject,
        file_name=email_file_name(record.n, reader.name),
        id_part=id_part,
        time=record.time,
        code=code,
        attachments=written_report.attachments,
        parent_id="" if parent_id == recipients.NO_ID else parent_id,
        html=html,
    )
    return written_report._replace(mailed_row=row, message=message)


def _store_report(session: Session, written_report: WrittenReport, is_last: bool) -> None:
    """View file, then the text, which marks it as complete. The name of the last text alone is
    waited for: a journal keeps their order.
    """
    folder, state_number = session.folder, session.record.n
    if session.record.is_dealt:
        folder.put_report(state_number, *written_report.attachments[0], durable=False)
    folder.put_report(state_number, f"{written_report.reader.name}.txt", written_report.text.encode(), durable=is_last)


def _invitation_values(session: Session, reader: Reader) -> dict[str, Any]:
    """What the template is given before the deal."""
    record, state_hash, seat = session.record, state_hash_of(session.newest.raw), reader.seat or ""
    keys = session.key.signing, session.key.public
    signed_block = write_block(record, reader.name, state_hash, (), *keys)  # nothing to open
    return opening.make_template_values(
        record, state_hash, session.game, session.label, seat, reader.code, signed_block
    )


def _report_values(
    session: Session, reader: Reader, plan: ReportPlan, rulings: ReportRulings, attachments: Sequence[tuple[str, bytes]]
) -> dict[str, Any]:
    """What the template of a report is given; ``attachments``: what is attached to it."""
    position, key, seals = session.position, session.key, session.seals
    keys = key.signing, key.public
    signed_block = report.write_report_block(position, reader, seals, *keys, attachments, plan.chapters)
    values = report.build_report_values(
        position,
        reader,
        session.label,
        session.rule_summary,
        signed_block,
        seals,
        (*_older_rulings(session, plan), *rulings.texts),
        rulings.point_sources,
        plan.chapters,
        plan.turn,
    )
    if undone_orders := rulings.undone_orders.get(reader.seat or ""):
        values |= {"taken_back": list(undone_orders.back), "counts_again": list(undone_orders.again)}
        values["seen"] = list(undone_orders.seen)
    address = session.players.referee.address
    hand_over = hand_over_rows(session.record, address, reader.seat or "", key.public)
    values["new_referee"] = [row.plain() for row in hand_over]
    values["closes_key"] = any(row.kind == LAST_SIGNED for row in hand_over)
    if values["closes_key"]:  # its codes are void as soon as the new key signs
        values |= {"question": {}, "soon": [], "code": ""}
    if reader.seat and session.record.rulings:
        values["welcome"] = previous_player_name(session, reader.seat)
    return values
