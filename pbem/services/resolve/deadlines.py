"""What the time makes necessary in a game: reminders, missed turns, rulings for failures of ours.

What lives here: carrying out what play/deadlines/due.py finds. What must never be here: when
something is due; a clock of the day.
Laws: each act is done once, whoever runs when: a reminder is noted before its email, a missed turn
and a ruling are states. Email that waits for its regret is played before any turn is missed.
Source: docs/CLOCK.md.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.chain.clock import WAIT, epoch_seconds, format_instant
from pbem.chain.clock_words import instant_in_prose
from pbem.chain.rulings.clock import EXTEND
from pbem.chain.state_record import DEAL
from pbem.disk.folder import CONSENT_FILE, MessageStatus
from pbem.engine.row import join_with_and, say
from pbem.errors import OurFault
from pbem.formats.state_file import are_numbers, read_rows, write_rows
from pbem.play.deadlines.due import (
    AWAY,
    NEVER,
    REFUSED,
    SILENT,
    UNSENT,
    DueAction,
    Extension,
    MissedTurn,
    Outage,
    Reminder,
    SeatTiming,
    find_due_actions,
)
from pbem.play.pending_orders import NOW, format_pending_orders
from pbem.report.game_rows import question_row
from pbem.report.render import render
from pbem.services import sentences
from pbem.services.amend.clock import max_delay_hours, plan_extension
from pbem.services.amend.ruling import carry_out
from pbem.services.html import RESEND
from pbem.services.lock import open_for_writing
from pbem.services.outbox import message_to_seat, send_message
from pbem.services.recipients import email_file_name, is_refused, read_mailed_reports
from pbem.services.resolve.resolve import resolve_unless_recent
from pbem.services.resolve.result import ResolveResult
from pbem.services.session.history import read_older_record
from pbem.services.session.session import Session
from pbem.services.session.timing import absences_by_seat, zone_for
from pbem.services.session.worklist import asked_since

REMINDED_FILE = "reminded"  #: file of a desk: a line ``SEAT DUE HOURS`` for each seat that was reminded
#: the reasons of the rulings that pbem makes by itself
EXTENSION_REASONS = {
    SILENT: sentences.PBEM_DID_NOT_RUN,
    UNSENT: sentences.QUESTION_SENT_LATE,
    AWAY: sentences.PLAYERS_AWAY,
}
EXTENSION_REASONS |= {REFUSED: sentences.EMAIL_REFUSED}
QUESTION_NOT_SENT = (
    "the turn of {} is over, but the email that asks has not gone out: send it, or file it with "
    "`pbem sent` if you sent it by hand"
)
MAX_ACTS = 100  #: in one run: more than any game has seats
UNSENT_MARKS = (MessageStatus.WAITING, MessageStatus.SENDING)


class MailKnowledge(NamedTuple):
    """What is known of the time before now."""

    silence: Outage | None = None
    is_all_fetched: bool = True  #: whether all email was fetched
    #: a game, a seat and the Message-ID of its newest report: when that went out; "" if unknown
    find_sent_time: Callable[[Session, str, str], str] = lambda *_: ""


def act_on_deadlines(
    session: Session, grace_minutes: int, mail_knowledge: MailKnowledge, dry_run: bool
) -> tuple[ResolveResult, int]:
    """Play what may be played, then do what is due; and when there is something to do again, in
    seconds since 1970. ``grace_minutes``: for which orders may be replaced.
    """
    result, next_time = resolve_unless_recent(session, grace_minutes, dry_run), NEVER
    texts, orders, has_acted = [result.summary] if result.orders else [], [*result.orders], False
    blocked_acts = set[DueAction]()  # what cannot be done now holds up nobody else
    has_waiting_orders = False  # an order that may still be replaced
    for _ in range(MAX_ACTS):
        session = result.session
        acts, next_time = _find_due_acts(session, mail_knowledge, blocked_acts)
        has_acted = has_acted or bool(acts)
        if dry_run:
            texts += [_describe_act(session, act) for act in acts]
        if dry_run or not acts:
            break
        with open_for_writing(session) as session:
            acts, next_time = _find_due_acts(
                session, mail_knowledge, blocked_acts
            )  # another command may have been faster
            if not acts:
                result = _unplayed_result(session)
                break
            result, text = _do_act(session, acts[0], grace_minutes)
        texts += [text] if text else []
        orders += result.orders
        if isinstance(acts[0], Extension):  # a silence is made good once
            mail_knowledge = mail_knowledge._replace(silence=None)
        if not text:
            blocked_acts.add(acts[0])
            has_waiting_orders = has_waiting_orders or isinstance(acts[0], MissedTurn)
    next_time = min(next_time, epoch_seconds(session.time)) if has_waiting_orders else next_time
    summary = "; ".join(texts) or result.summary
    return result._replace(summary=summary, orders=tuple(orders), has_acted=has_acted and bool(texts)), next_time


def _find_due_acts(
    session: Session, mail_knowledge: MailKnowledge, blocked_acts: Collection[DueAction]
) -> tuple[tuple[DueAction, ...], int]:
    """What ``find_due_actions`` finds, but for what cannot be done."""
    if (
        not session.record.clock.has_deadlines
        or not session.record.is_dealt
        or session.folder.read_desk_file(CONSENT_FILE)
    ):
        return (), NEVER
    seats = {mailed_report.seat for mailed_report in session.record.clock.seats if mailed_report.deadline}
    asked_since_by_seat = asked_since(session.folder, session.record, seats) if seats else {}
    reminder_hours, mailed_reports = _read_reminders(session), read_mailed_reports(session)
    desk_by_seat, absences = dict[str, SeatTiming](), absences_by_seat(session)
    clock, now = session.record.clock, epoch_seconds(session.time)
    for seat in seats:
        mailed_report, sent_time, is_unsent, was_refused = (mailed_reports.get(seat), "", False, False)
        if mailed_report is not None:
            email_name = email_file_name(mailed_report.last_state, seat)
            is_unsent = any(session.folder.read_message(mark, email_name) is not None for mark in UNSENT_MARKS)
            was_refused = is_refused(session, mailed_report) and not _is_clock_stopped(session, seat)
            sent_time = mail_knowledge.find_sent_time(session, seat, mailed_report.message_id)
        due_time = session.record.clock.for_seat(seat).deadline
        hours_before_due = reminder_hours.get((seat, due_time), 0)
        sent_seconds, absence_days = (epoch_seconds(sent_time) if sent_time else 0, absences.get(seat, ()))
        desk_by_seat[seat] = SeatTiming(
            epoch_seconds(asked_since_by_seat[seat]),
            hours_before_due,
            is_unsent,
            sent_seconds,
            absence_days,
            was_refused,
        )
        if is_unsent and clock.missed != WAIT and now >= clock.missed_at(seat):
            _add_note(session, QUESTION_NOT_SENT.format(session.record.player(seat).label))
    acts, next_time = find_due_actions(
        session.record, desk_by_seat, now, mail_knowledge.silence, mail_knowledge.is_all_fetched
    )
    return tuple(act for act in acts if act not in blocked_acts), next_time


def _sentence_about(session: Session, seats: Sequence[str], template: str) -> str:
    """A sentence about the players at these seats, for all."""
    return str(say(template, players=join_with_and([session.record.player(seat).label for seat in seats])))


def _is_clock_stopped(session: Session, seat: str) -> bool:
    """Whether the clock of this question was stopped already, since emails are refused."""
    reason, record = _sentence_about(session, [seat], EXTENSION_REASONS[REFUSED]), session.record
    answer_counts = dict(record.answer_counts)
    while dict(record.answer_counts)[seat] == answer_counts[seat]:
        if any((ruling.name, ruling.reason) == (EXTEND.name, reason) for ruling in record.rulings):
            return True
        if record.n == DEAL or not session.folder.has_state(record.n - 1):
            return record.n != DEAL  # it is lost: nobody can tell, and it does not stop twice
        record = read_older_record(session, record.n - 1)
    return False


def _do_act(session: Session, act: DueAction, grace_minutes: int) -> tuple[ResolveResult, str]:
    """Under the lock: what became of it, and what is said."""
    if isinstance(act, Reminder):
        return _send_reminder(session, act)
    if isinstance(act, Extension):
        return _extend_deadlines(session, act)
    # what waits for its regret goes before
    result = resolve_unless_recent(session, grace_minutes, dry_run=False, missed_seats=frozenset({act.seat}))
    return result, result.summary if result.orders else ""


def _add_note(session: Session, text: str) -> None:
    """What the referee should know, once."""
    if text not in session.notes:
        session.notes.append(text)


def _describe_act(session: Session, act: DueAction) -> str:
    """What would be done, for the referee."""
    if isinstance(act, Extension):
        player_text = " and ".join(session.record.player(seat).label for seat in act.seats)
        return f"would give {player_text} {act.hours} hours more"
    player_text = session.record.player(act.seat).label
    if isinstance(act, Reminder):
        return f"would remind {player_text}"
    return f"would play the missed turn of {player_text}"


def _unplayed_result(session: Session) -> ResolveResult:
    return ResolveResult(session, False, "")


def _send_reminder(session: Session, act: Reminder) -> tuple[ResolveResult, str]:
    """Note it, then write it: who is not reminded once is not hurt, who is reminded twice is."""
    seat_clock, code = session.record.clock.for_seat(act.seat), session.code(act.seat)
    reminder_hours = {**_read_reminders(session), (act.seat, seat_clock.deadline): act.hours}
    open_deadlines = {(clock_row.seat, clock_row.deadline) for clock_row in session.record.clock.seats}
    remaining_rows = ((*deadline, hours) for deadline, hours in reminder_hours.items() if deadline in open_deadlines)
    session.folder.put_desk_file(REMINDED_FILE, write_rows(remaining_rows))
    mailed_report, due_text = (
        read_mailed_reports(session).get(act.seat),
        _in_players_zone(session, act.seat, seat_clock.deadline),
    )
    question_values = _question_values(session, act.seat)
    text, subject = (
        _render_reminder(session, act.seat, question_values, due_text),
        f"{session.label}: reminder, by {due_text}",
    )
    choices = (*question_values["choices"], *RESEND)
    id_part = f"{session.record.n:04d}.{act.seat}.due.{act.hours}.{epoch_seconds(seat_clock.deadline)}"
    pending = session.pending_by_seat[act.seat]
    if pending.proposal:  # a `yes` to the reminder confirms it too
        session = session.store_pending(act.seat, pending._replace(shown=(*pending.shown, id_part)))
    message = message_to_seat(
        session,
        act.seat,
        text,
        subject,
        file_name=f"{session.record.n:04d}-{act.seat}-reminder-{act.hours}",
        id_part=id_part,
        code=code,
        parent_id=mailed_report.message_id if mailed_report else "",
        choices=choices,
    )
    send_message(session, message)
    return _unplayed_result(session), f"{session.record.player(act.seat).label} is reminded"


def _in_players_zone(session: Session, seat: str, time: str) -> str:
    return instant_in_prose(time, zone_for(session, seat), session.time)


def _question_values(session: Session, seat: str) -> dict[str, Any]:
    """The question of a seat that has a deadline. For that seat."""
    open_question = session.game.ask(session.game.view(session.position.state, seat))
    groups = [group for group in session.pending_by_seat[seat].parts if group.name == NOW]
    if open_question is None:
        raise OurFault("clock/asked", f"{seat} has a deadline, and nothing is asked", "")
    return question_row(open_question, format_pending_orders(groups))


def _render_reminder(session: Session, seat: str, question_values: Mapping[str, Any], due_text: str) -> str:
    """Its text: what is asked, until when, what happens then, and how to answer. For that seat."""
    record = session.record
    values = {
        "label": session.label,
        "title": session.game.title,
        "kind": session.game.kind,
        "names": {player.seat: player.name for player in record.people},
        "code": session.code(seat),
        "player": record.player(seat).name,
        "seat": seat,
        "way": record.player(seat).method_name,
        "question": question_values,
        "due": due_text,
        "missed": record.clock.missed,
        "proposal": list(_proposed_orders(session, seat)),
        "last": _in_players_zone(session, seat, format_instant(record.clock.missed_at(seat))),
    }
    return render("reminder.txt", *session.templates, **values)


def _proposed_orders(session: Session, seat: str) -> tuple[str, ...]:
    """What was proposed for an email that is held at the seat's question."""
    pending = session.pending_by_seat[seat]
    return pending.proposal if pending.held == session.position.answered_count(seat) + 1 else ()


def _read_reminders(session: Session) -> dict[tuple[str, str], int]:
    """By seat and deadline the last reminder of it, in hours before it."""
    reminder_rows = read_rows(session.folder.read_desk_file(REMINDED_FILE), 3)
    return {(seat, deadline): int(hours) for seat, deadline, hours in reminder_rows if are_numbers([hours])}


def _extend_deadlines(session: Session, act: Extension) -> tuple[ResolveResult, str]:
    """A ruling, as the referee's own ones."""
    asked_seats = {row.seat for row in session.record.clock.seats if row.deadline}
    reason = _sentence_about(session, act.seats, EXTENSION_REASONS[act.why])
    is_everybody, old_state_number = asked_seats <= {*act.seats}, session.record.n
    for seat in ("",) if is_everybody else act.seats:
        operands = [("seat", seat)] if seat else []
        session = _extend_as_allowed(session, operands, act.hours, reason)
    if session.record.n == old_state_number:
        _add_note(session, _sentence_about(session, act.seats, sentences.NO_MORE_DELAY))
        return _unplayed_result(session), ""
    return _unplayed_result(session), f"deadlines moved: {reason}"


def _extend_as_allowed(session: Session, operands: list[tuple[str, str]], hours: int, reason: str) -> Session:
    """As far as may be without anybody's consent."""
    hours = min(hours, max_delay_hours(session))
    if not hours:
        return session
    ruling = EXTEND.make_ruling(reason, *operands, ("hours", str(hours)))
    session, basis, pending_by_seat = plan_extension(session, ruling)
    return carry_out(session, basis, pending_by_seat)
