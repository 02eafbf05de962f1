"""Who gets which report by email, and which states it tells: ``plan``.

What lives here: desk/mailed, the newest report that was emailed to each seat; the older states that
a report tells; which emails that wait or were refused a newer one makes needless. What must never
be here: what a report says (report/), an email.
Laws: what is not delivered was not told; whether a seat gets one, and from which state on, hangs on
that seat alone (P2); a row is on the drive before its email, and what waits is taken out of the
outbox when the newer report is complete: a kill may tell something twice, and leaves nothing out
(P8). Source: docs/decisions/0018-who-gets-what.md, decision 0029; FORMAT.md section 5.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from pbem.chain.signed_state import state_hash_of
from pbem.chain.state_record import DEAL, config_of
from pbem.crypto.encoding import b64
from pbem.disk.folder import MessageStatus
from pbem.errors import BadInput, Missing
from pbem.formats import state_file
from pbem.formats.state_file import are_numbers, read_rows, write_rows
from pbem.report.frequency import LastReport, has_unrepeatable_news, is_report_due
from pbem.report.report import Reader, ReportedState
from pbem.services.session.desk import read_pending_before
from pbem.services.session.history import game_at, read_older_record
from pbem.services.session.session import Session

MAILED_FILE = "mailed"  #: file of a desk
NO_ID = "-"


class MailedReport(NamedTuple):
    """The newest report that was emailed to a seat: a line of the file."""

    seat: str
    first_state: int  #: it tells of the states from this one ..
    last_state: int  #: .. to this one
    short_hash: str  #: the beginning of the head of that state
    receipt_count: int  #: how many emails its player had been answered then
    is_irreplaceable: bool  #: it says what no later report can say
    message_id: str  #: its Message-ID, when it went out first
    parent_id: str  #: that of the report before it; "-" for none


class ReportPlan(NamedTuple):
    """What becomes of the report of the newest state for one reader."""

    is_emailed: bool
    first_state: int  #: the first state that it tells
    chapters: tuple[ReportedState, ...]  #: the older states that it tells, oldest first
    turn: int  #: in which the newest state was made
    last_mailed: MailedReport | None  #: of the one before it; or its own, where it was emailed already


def email_file_name(state_number: int, name: str) -> str:
    """What the email with a report is called, in the outbox and elsewhere."""
    return f"{state_number:04d}-{name}"


def short_state_hash(session: Session) -> str:
    """What tells the newest state from another of its number, once the game went on from older."""
    return b64(state_hash_of(session.newest.raw))[:8]


def read_mailed_reports(session: Session) -> dict[str, MailedReport]:
    """By seat; without those of a state that was given up."""
    valid_rows = [
        MailedReport(row[0], int(row[1]), int(row[2]), row[3], int(row[4]), row[5] == "1", row[6], row[7])
        for row in read_rows(session.folder.read_desk_file(MAILED_FILE), len(MailedReport._fields))
        if are_numbers((row[1], row[2], row[4], row[5]))
    ]
    state_number, short_hash = session.record.n, short_state_hash(session)
    return {
        row.seat: row
        for row in valid_rows
        if row.last_state < state_number or (row.last_state, row.short_hash) == (state_number, short_hash)
    }


def update_mailed_file(session: Session, new_rows: Sequence[MailedReport]) -> dict[str, bytes]:
    """The file, by its name, with these in place of those of their seats."""
    if not new_rows:
        return {}
    all_rows = {**read_mailed_reports(session), **{row.seat: row for row in new_rows}}.values()
    return {MAILED_FILE: write_rows((*row[:5], int(row.is_irreplaceable), *row[6:]) for row in all_rows)}


def last_report_id(session: Session, seat: str) -> str:
    """The Message-ID of the newest report that was emailed to a seat; "" if none is known of."""
    row = read_mailed_reports(session).get(seat)
    return row.message_id if row else ""


def last_report_text(session: Session, seat: str) -> str:
    """Its text, or that of the newest report."""
    row = read_mailed_reports(session).get(seat)
    state_number = row.last_state if row else session.record.n
    return (session.folder.read_report(state_number, f"{seat}.txt") or b"").decode()


def plan_reports(session: Session, readers: Sequence[Reader], force_email: bool) -> dict[str, ReportPlan]:
    """What becomes of the reports of these readers; ``force_email``: they are emailed, due or not. One
    that is not emailed tells the newest state alone, as that of spectators does.
    """
    state_number, all_rows, plan_by_reader = (session.record.n, read_mailed_reports(session), dict[str, ReportPlan]())
    for reader in readers:
        row = all_rows.get(reader.name)
        is_emailed = force_email or not session.record.is_dealt or (row is not None and row.last_state == state_number)
        if reader.seat and (is_emailed or _is_due(session, reader, row)):
            plan_by_reader[reader.name] = ReportPlan(True, _first_state_told(session, reader, row), (), 0, row)
        else:
            plan_by_reader[reader.name] = ReportPlan(False, state_number, (), 0, row)
    chapters, turn = _read_chapters(session, min(plan.first_state for plan in plan_by_reader.values()))
    first_present = chapters[0].position.record.n if chapters else state_number
    for name, plan in plan_by_reader.items():
        first_state = max(plan.first_state, first_present)
        if (
            plan.first_state < first_present
            and plan.last_mailed
            and plan.first_state <= plan.last_mailed.last_state < state_number
        ):
            first_state = max(
                plan.last_mailed.last_state + 1, first_present
            )  # what waits says more than can be said again
        own_chapters = tuple(chapter for chapter in chapters if chapter.position.record.n >= first_state)
        plan_by_reader[name] = plan._replace(first_state=first_state, chapters=own_chapters, turn=turn)
    return plan_by_reader


def _first_state_told(session: Session, reader: Reader, row: MailedReport | None) -> int:
    """From which state on a report tells, if all states are here."""
    state_number = session.record.n
    if row is None or not session.record.is_dealt:
        return state_number
    if row.last_state == state_number:
        return row.first_state
    is_repeated = is_refused(session, row) or _is_needless(session, reader, row)
    first_state = row.first_state if is_repeated else row.last_state + 1
    return max(first_state, session.record.player(row.seat).orders_since, DEAL)


def is_refused(session: Session, row: MailedReport) -> bool:
    """Whether the email of a row was refused, and has not gone out since."""
    return session.folder.read_message(MessageStatus.FAILED, email_file_name(row.last_state, row.seat)) is not None


def _is_needless(session: Session, reader: Reader, row: MailedReport) -> bool:
    """Whether the email of a row waits, and a newer one can say all that it says."""
    if row.is_irreplaceable or reader.pending.receipts != row.receipt_count:
        return False
    return session.folder.read_message(MessageStatus.WAITING, email_file_name(row.last_state, row.seat)) is not None


def _is_due(session: Session, reader: Reader, row: MailedReport | None) -> bool:
    shown_report = None
    if row is not None and (data := session.folder.read_report(row.last_state, f"{row.seat}.view.toml")):
        try:
            document, game = state_file.parse(data), session.game
            view = game.decode_view(config_of(session.record), document["view"])
            shown_report = LastReport(document["code"], view)
        except (BadInput, LookupError):  # it was changed: as if it were not there
            shown_report = None
    return is_report_due(session.position, reader, shown_report)


def _read_chapters(session: Session, first_state: int) -> tuple[list[ReportedState], int]:
    """The older states from ``first_state`` on, oldest first, but those behind one that is lost; and the
    turn in which the newest was made.
    """
    if first_state == session.record.n:
        return [], 0
    records = {session.record.n: session.record}
    with suppress(Missing):
        for state_number in range(session.record.n - 1, max(first_state - 1, DEAL) - 1, -1):
            records[state_number] = read_older_record(session, state_number)
    game, turn_by_state, chapters = session.game, dict[int, int](), list[ReportedState]()
    for state_number, record in sorted(records.items()):
        # that of the state before it: the game is in the turn that comes next
        turn_by_state[state_number + 1] = game.turn(game.watch(config_of(record), record.position))
        if first_state <= state_number < session.record.n:
            waiting_values = read_pending_before(session.folder, state_number) or {}
            game_and_seals = game_at(session, record), session.seals_of(record)
            chapters.append(ReportedState(*game_and_seals, waiting_values, turn_by_state.get(state_number, 0)))
    return chapters, turn_by_state.get(session.record.n, 0)


def create_mailed_row(
    session: Session, reader: Reader, plan: ReportPlan, message_id: str, renew_id: bool
) -> MailedReport:
    """The row of a report that goes out: the one it has; ``renew_id``: not its Message-ID."""
    row, state_number = plan.last_mailed, session.record.n
    if row is not None and row.last_state == state_number and not renew_id:
        return row
    is_irreplaceable = not session.record.is_dealt or has_unrepeatable_news(session.position, reader)
    parent_id = NO_ID if row is None else row.parent_id if plan.first_state <= row.last_state else row.message_id
    short_hash, receipt_count = short_state_hash(session), reader.pending.receipts
    return MailedReport(
        reader.name, plan.first_state, state_number, short_hash, receipt_count, is_irreplaceable, message_id, parent_id
    )


def remove_obsolete_emails(session: Session, old_rows: Sequence[MailedReport] = ()) -> None:
    """Takes what waits and is told by a newer report out of the outbox: that is complete. Of the
    rows ``old_rows`` also what was refused, unless no later report can say it.
    """
    all_rows = read_mailed_reports(session)
    for row in all_rows.values():
        for state_number in range(row.first_state, row.last_state) if row.last_state == session.record.n else ():
            session.folder.remove_message(email_file_name(state_number, row.seat))
    for row in old_rows:
        if not row.is_irreplaceable and all_rows[row.seat].first_state <= row.last_state < session.record.n:
            session.folder.remove_message(email_file_name(row.last_state, row.seat), MessageStatus.FAILED)
