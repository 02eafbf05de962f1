"""Decide which reader gets the report of the newest state by email, and which states it covers.

Readers are the seats and the spectators. An emailed report covers all states since the last one.
Not allowed here: what a report says (report/), an email, what another seat may know.
Laws: an email that was not delivered has reported nothing. Whether a seat gets a report, and which
states it covers, depends only on that seat (P2). A row of desk/mailed is on the drive before its
email, and a waiting email leaves the outbox only when the newer report is complete. So if pbem is
killed, it may report something twice, but it leaves out nothing (P8).
Source: docs/decisions/0018-who-gets-what.md, decision 0029; FORMAT.md section 5.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.people import NONE
from pbem.chain.rulings.clock import CLOCK_RULINGS
from pbem.chain.rulings.kind import NOTE
from pbem.chain.signed_state import state_hash_of
from pbem.chain.state_record import CLOSED, DEAL, PHASES, config_of
from pbem.crypto.encoding import b64
from pbem.disk.folder import MessageStatus
from pbem.engine.decision import Soon
from pbem.engine.optional_parts import round_of
from pbem.errors import BadInput, Missing
from pbem.formats import state_file
from pbem.formats.state_file import are_numbers, read_rows, write_rows
from pbem.notation.asks import MAILS
from pbem.report import game_rows
from pbem.report.report import Reader, ReportedState
from pbem.services.session.desk import read_pending_before
from pbem.services.session.history import game_at, read_older_record
from pbem.services.session.session import Session

MAILED_FILE = "mailed"  #: desk file: the newest report that was emailed to each seat
NO_ID = "-"  #: in place of a Message-ID, in a row of that file
FEW, MINE, ROUND, EVERY = MAILS  #: which reports a player wants: fewest, own questions, rounds, all
#: rulings that a later report can repeat
REPEATABLE_RULINGS = (NOTE.name, *CLOCK_RULINGS)


class MailedReport(NamedTuple):
    """The newest report that was emailed to a seat: a line of desk/mailed."""

    seat: str
    first_state: int
    last_state: int
    short_hash: str  #: the first letters of the last state's hash
    receipt_count: int  #: how many emails its player had been answered then
    is_irreplaceable: bool  #: whether it says something that no later report can repeat
    message_id: str  #: the Message-ID with which it was first sent
    parent_id: str  #: the Message-ID of the report before it; "-" for none


class ReportPlan(NamedTuple):
    """Whether one reader is emailed the report of the newest state, and which states it covers."""

    is_emailed: bool
    first_state: int
    older_states: tuple[ReportedState, ...]  #: the older states that it covers, oldest first
    turn: int  #: the turn in which the newest state was made
    last_mailed: MailedReport | None  #: the last emailed report, which may be this one; None if there is none


class LastReport(NamedTuple):
    """The view file of the newest report that was emailed to a seat."""

    code: str
    view: Any


def email_file_name(state_number: int, name: str) -> str:
    """Return the name of a report's email: `0005-red`."""
    return f"{state_number:04d}-{name}"


def short_state_hash(session: Session) -> str:
    """Return letters that tell the newest state from one with the same number before a backup was restored."""
    return b64(state_hash_of(session.newest.raw))[:8]


def read_mailed_reports(session: Session) -> dict[str, MailedReport]:
    """Read the newest emailed report of each seat, except reports of a state that a backup replaced."""
    valid_rows = []
    for row in read_rows(session.folder.read_desk_file(MAILED_FILE), len(MailedReport._fields)):
        seat, first, last, short_hash, receipts, irreplaceable, message_id, parent_id = row
        if are_numbers((first, last, receipts, irreplaceable)):
            numbers = int(first), int(last), short_hash, int(receipts)
            valid_rows.append(MailedReport(seat, *numbers, irreplaceable == "1", message_id, parent_id))
    state_number, short_hash = session.record.n, short_state_hash(session)
    return {
        row.seat: row
        for row in valid_rows
        if row.last_state < state_number or (row.last_state, row.short_hash) == (state_number, short_hash)
    }


def update_mailed_file(session: Session, new_rows: Sequence[MailedReport]) -> dict[str, bytes]:
    """Return the file desk/mailed, by its name, with the new rows; {} if there are none."""
    if not new_rows:
        return {}
    row_by_seat = read_mailed_reports(session) | {row.seat: row for row in new_rows}
    fields = (row._asdict() | {"is_irreplaceable": int(row.is_irreplaceable)} for row in row_by_seat.values())
    return {MAILED_FILE: write_rows(row.values() for row in fields)}


def last_report_id(session: Session, seat: str) -> str:
    """Return the Message-ID of the newest report that was emailed to a seat; "" if there is none."""
    row = read_mailed_reports(session).get(seat)
    return row.message_id if row else ""


def last_report_text(session: Session, seat: str) -> str:
    """Return the text of the newest report that was emailed to a seat; if there is none, of its newest report."""
    row = read_mailed_reports(session).get(seat)
    state_number = row.last_state if row else session.record.n
    return (session.folder.read_report(state_number, f"{seat}.txt") or b"").decode()


def plan_reports(session: Session, readers: Sequence[Reader], force_email: bool) -> dict[str, ReportPlan]:
    """Plan the report of each reader. A report that is not emailed covers only the newest state.

    ``force_email``: every seat is emailed its report, even if it is not due. Spectators never are.
    """
    state_number = session.record.n
    all_rows = read_mailed_reports(session)
    # the deal follows a roster without additions to the shuffle at once, so nobody has to read that
    contributions = {answer.contribution for answer in session.record.roster}
    tells_of_round = session.record.phase != PHASES[1] or contributions != {NONE}
    plan_by_reader: dict[str, ReportPlan] = {}
    for reader in readers:
        row = all_rows.get(reader.name)
        was_mailed = row is not None and row.last_state == state_number
        must_email = force_email or was_mailed
        is_due = must_email or (_is_due(session, reader, row) if session.record.is_dealt else tells_of_round)
        is_emailed = bool(reader.seat) and is_due
        first_state = _first_state_covered(session, reader, row) if is_emailed else state_number
        plan_by_reader[reader.name] = ReportPlan(is_emailed, first_state, older_states=(), turn=0, last_mailed=row)
    older_states, turn = _read_older_states(session, min(plan.first_state for plan in plan_by_reader.values()))
    first_present = older_states[0].position.record.n if older_states else state_number
    return {
        name: _with_older_states(plan, older_states, turn, first_present, state_number)
        for name, plan in plan_by_reader.items()
    }


def _with_older_states(
    plan: ReportPlan, older_states: Sequence[ReportedState], turn: int, first_present: int, state_number: int
) -> ReportPlan:
    """Return the plan with the states that it covers, as far as they are not lost.

    ``first_present``: the number of the oldest state after the newest lost one.
    """
    first_state, row = max(plan.first_state, first_present), plan.last_mailed
    if plan.first_state < first_present and row and plan.first_state <= row.last_state < state_number:
        # the waiting email has states that are lost now, so it stays, and the new report follows it
        first_state = max(row.last_state + 1, first_present)
    own_states = tuple(state for state in older_states if state.position.record.n >= first_state)
    return plan._replace(first_state=first_state, older_states=own_states, turn=turn)


def _first_state_covered(session: Session, reader: Reader, row: MailedReport | None) -> int:
    """Return the first state that an emailed report covers, if no state is lost."""
    state_number = session.record.n
    if row is None or not session.record.is_dealt:
        return state_number
    if row.last_state == state_number:
        return row.first_state
    is_repeated = is_refused(session, row) or _is_replaceable(session, reader, row)
    first_state = row.first_state if is_repeated else row.last_state + 1
    return max(first_state, session.record.player(row.seat).orders_since, DEAL)


def is_refused(session: Session, row: MailedReport) -> bool:
    """Return whether the email of a row was refused, and has not been sent since."""
    return session.folder.read_message(MessageStatus.FAILED, email_file_name(row.last_state, row.seat)) is not None


def _is_replaceable(session: Session, reader: Reader, row: MailedReport) -> bool:
    """Return whether the email of a row is still in the outbox, and a newer report can say the same."""
    if row.is_irreplaceable or reader.pending.receipt_count != row.receipt_count:
        return False
    return session.folder.read_message(MessageStatus.WAITING, email_file_name(row.last_state, row.seat)) is not None


def _is_due(session: Session, reader: Reader, row: MailedReport | None) -> bool:
    """Return whether a seat is emailed this report, compared with the one of this row."""
    shown_report = None
    data = session.folder.read_report(row.last_state, f"{row.seat}.view.toml") if row is not None else None
    if data:
        with suppress(BadInput, LookupError):  # somebody edited the file; treat it as missing
            document = state_file.parse(data)
            view = session.game.decode_view(config_of(session.record), document["view"])
            shown_report = LastReport(document["code"], view)
    return is_report_due(session.position, reader, shown_report)


def _read_older_states(session: Session, first_state: int) -> tuple[list[ReportedState], int]:
    """Return the older states from ``first_state`` on, oldest first, and the turn in which the newest was made.

    States before a lost one are left out. The turn is 0 if it is not known.
    """
    if first_state == session.record.n:
        return [], 0
    records = {session.record.n: session.record}
    with suppress(Missing):  # a lost state ends the search
        for state_number in range(session.record.n - 1, max(first_state - 1, DEAL) - 1, -1):
            records[state_number] = read_older_record(session, state_number)
    game, turn_by_state, older_states = session.game, dict[int, int](), list[ReportedState]()
    for state_number, record in sorted(records.items()):
        # a state is made in the turn to which the state before it led
        turn_by_state[state_number + 1] = game.turn(game.watch(config_of(record), record.position))
        if first_state <= state_number < session.record.n:
            older_states.append(
                ReportedState(
                    position=game_at(session, record),
                    seals=session.seals_of(record),
                    pending_before=read_pending_before(session.folder, state_number) or {},
                    turn=turn_by_state.get(state_number, 0),
                )
            )
    return older_states, turn_by_state.get(session.record.n, 0)


def create_mailed_row(
    session: Session, reader: Reader, plan: ReportPlan, message_id: str, renew_id: bool
) -> MailedReport:
    """Make the row of a report that is sent. A report that was sent before keeps its row, unless ``renew_id``."""
    row, state_number = plan.last_mailed, session.record.n
    if row is not None and row.last_state == state_number and not renew_id:
        return row
    is_irreplaceable = not session.record.is_dealt or has_unrepeatable_news(session.position, reader)
    parent_id = NO_ID
    if row is not None:
        parent_id = row.parent_id if plan.first_state <= row.last_state else row.message_id
    return MailedReport(
        seat=reader.name,
        first_state=plan.first_state,
        last_state=state_number,
        short_hash=short_state_hash(session),
        receipt_count=reader.pending.receipt_count,
        is_irreplaceable=is_irreplaceable,
        message_id=message_id,
        parent_id=parent_id,
    )


def remove_obsolete_emails(session: Session, old_rows: Sequence[MailedReport] = ()) -> None:
    """Remove waiting emails from the outbox whose states a newer, complete report covers.

    Refused emails of ``old_rows`` are removed too, unless no later report can say the same.
    """
    all_rows = read_mailed_reports(session)
    newest_rows = [row for row in all_rows.values() if row.last_state == session.record.n]
    for row in newest_rows:
        for state_number in range(row.first_state, row.last_state):
            session.folder.remove_message(email_file_name(state_number, row.seat))
    for row in old_rows:
        if not row.is_irreplaceable and all_rows[row.seat].first_state <= row.last_state < session.record.n:
            session.folder.remove_message(email_file_name(row.last_state, row.seat), MessageStatus.FAILED)


def has_unrepeatable_news(position: LoadedGame, reader: Reader) -> bool:
    """Return whether the report of this state says something that a later report cannot repeat: the deal,
    what became of pending orders, or a ruling that changes the game.
    """
    has_other_rulings = any(ruling.name not in REPEATABLE_RULINGS for ruling in position.record.rulings)
    return bool(position.record.n == DEAL or has_other_rulings or reader.pending.notes)


def is_report_due(position: LoadedGame, reader: Reader, last_report: LastReport | None) -> bool:
    """Return whether a seat is emailed the report of the newest state. ``last_report`` is None if it is lost.

    News that cannot be repeated is always emailed, and so is a new question. Otherwise the player's
    choice decides.
    """
    game, record, seat, mails = position.game, position.record, reader.seat, reader.pending.report_choice
    view = game.view(position.state, seat)
    has_missed_turn = any(source.for_missed_turn for source in record.sources(seat))
    is_over = record.phase == CLOSED or game.outcome(view) is not None
    if last_report is None or record.rulings or has_unrepeatable_news(position, reader) or has_missed_turn or is_over:
        return True
    if mails == EVERY or (mails == ROUND and round_of(game, view) > round_of(game, last_report.view)):
        return True
    question = game.ask(view)
    if question and (reader.code != last_report.code or question != game.ask(last_report.view)):
        return True
    announced_keys = set(map(_upcoming_key, game.soon(last_report.view)))
    return mails != FEW and any(
        _upcoming_key(upcoming) not in announced_keys
        for upcoming in game_rows.unanswered_upcoming(position, view, reader.pending)
    )


def _upcoming_key(upcoming: Soon) -> tuple[str, str]:
    """Return what a coming question is about, and the first word of its answer."""
    return upcoming.name, upcoming.word
