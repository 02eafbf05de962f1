"""Does what deadlines require: sends reminders, plays missed turns, and gives more time.

Players get more time if pbem did not run, if an email was refused or sent late, or if they are away.
Not allowed here: when something is due (play/deadlines/); the clock of this machine.
Laws: each act is done once, even if commands run at the same time. Pending orders are played before a
turn is missed.
Source: docs/REFEREE.md "Deadlines".
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.chain.clock import WAIT, epoch_seconds, format_instant
from pbem.chain.clock_words import hours_in_words, instant_in_prose
from pbem.chain.rulings.clock import EXTEND
from pbem.chain.state_record import DEAL
from pbem.disk.folder import CONSENT_FILE
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
from pbem.report.game_rows import question_row, to_plain
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
from pbem.services.session.desk import read_noted_absences
from pbem.services.session.folders import UNSENT_STATUSES
from pbem.services.session.history import read_older_record
from pbem.services.session.session import Session
from pbem.services.session.timing import zone_for
from pbem.services.session.worklist import find_asked_since

REMINDED_FILE = "reminded"  #: private file: a line ``SEAT DUE HOURS`` for each reminder of an open deadline
#: reasons of rulings that pbem makes by itself
EXTENSION_REASONS = {
    SILENT: sentences.PBEM_DID_NOT_RUN,
    UNSENT: sentences.QUESTION_SENT_LATE,
    AWAY: sentences.PLAYERS_AWAY,
    REFUSED: sentences.EMAIL_REFUSED,
}
QUESTION_NOT_SENT = (
    "the turn of {} is over, but the email that asks has not gone out: send it, or file it with "
    "`pbem sent` if you sent it by hand"
)
MAX_ACTS = 100  #: acts in one run; no game needs so many


class MailKnowledge(NamedTuple):
    """What the caller knows about email up to now."""

    silence: Outage | None = None  #: when pbem did not run
    is_all_fetched: bool = True
    #: from a game, a seat and the Message-ID of a report, returns when it was sent; "" if unknown
    find_sent_time: Callable[[Session, str, str], str] = lambda *_: ""


def act_on_deadlines(
    session: Session, grace_minutes: int, mail_knowledge: MailKnowledge, dry_run: bool
) -> tuple[ResolveResult, int]:
    """Play pending orders, then do what is due.

    Return the result, and when there is something to do next, in seconds since 1970 (or ``NEVER``).
    ``grace_minutes``: how long orders may still be replaced.
    """
    result = resolve_unless_recent(session, grace_minutes, dry_run)
    next_time = NEVER
    texts = [result.summary] if result.orders else []
    orders = [*result.orders]
    has_acted = False
    blocked_acts = set[DueAction]()  # they cannot be done now, and must not stop the rest
    is_turn_delayed = False  # a missed turn is not played while other orders may still be replaced
    for _ in range(MAX_ACTS):
        session = result.session
        acts, next_time = _find_due_acts(session, mail_knowledge, blocked_acts)
        has_acted = has_acted or bool(acts)
        if dry_run:
            texts += [_describe_act(session, act) for act in acts]
        if dry_run or not acts:
            break
        with open_for_writing(session) as session:
            # look again under the lock, because another command may have been faster
            acts, next_time = _find_due_acts(session, mail_knowledge, blocked_acts)
            if not acts:
                result = _unplayed_result(session)
                break
            act = acts[0]
            result, text = _do_act(session, act, grace_minutes)
        orders += result.orders
        if isinstance(act, Extension):  # players get time for an outage only once
            mail_knowledge = mail_knowledge._replace(silence=None)
        if text:
            texts.append(text)
        else:
            blocked_acts.add(act)
            is_turn_delayed = is_turn_delayed or isinstance(act, MissedTurn)
    if is_turn_delayed:  # look again soon
        next_time = min(next_time, epoch_seconds(session.time))
    summary = "; ".join(texts) or result.summary
    return result._replace(summary=summary, orders=tuple(orders), has_acted=has_acted and bool(texts)), next_time


def _find_due_acts(
    session: Session, mail_knowledge: MailKnowledge, blocked_acts: Collection[DueAction]
) -> tuple[tuple[DueAction, ...], int]:
    """Return what is due now, without ``blocked_acts``, and when to look again (or ``NEVER``)."""
    clock = session.record.clock
    if not clock.has_deadlines or not session.record.is_dealt or session.folder.read_desk_file(CONSENT_FILE):
        return (), NEVER
    now = epoch_seconds(session.time)
    timings = _seat_timings(session, mail_knowledge)
    for seat, timing in timings.items():
        if timing.is_report_unsent and clock.missed != WAIT and now >= clock.missed_at(seat):
            _add_note(session, QUESTION_NOT_SENT.format(session.record.player(seat).label))
    acts, next_time = find_due_actions(
        session.record, timings, now, mail_knowledge.silence, mail_knowledge.is_all_fetched
    )
    return tuple(act for act in acts if act not in blocked_acts), next_time


def _seat_timings(session: Session, mail_knowledge: MailKnowledge) -> dict[str, SeatTiming]:
    """Return what ``find_due_actions`` needs to know about each seat with a deadline."""
    clock = session.record.clock
    seats = {row.seat for row in clock.seats if row.deadline}
    asked_since_by_seat = find_asked_since(session.folder, session.record, seats) if seats else {}
    reminder_hours = _read_reminders(session)
    mailed_reports = read_mailed_reports(session)
    absences = read_noted_absences(session.folder)
    timings = dict[str, SeatTiming]()
    for seat in seats:
        mailed_report = mailed_reports.get(seat)
        sent_time = ""
        is_unsent = False
        was_refused = False
        if mailed_report is not None:
            email_name = email_file_name(mailed_report.last_state, seat)
            is_unsent = any(session.folder.read_message(status, email_name) is not None for status in UNSENT_STATUSES)
            was_refused = is_refused(session, mailed_report) and not _has_refusal_extension(session, seat)
            sent_time = mail_knowledge.find_sent_time(session, seat, mailed_report.message_id)
        timings[seat] = SeatTiming(
            asked_at=epoch_seconds(asked_since_by_seat[seat]),
            reminded_hours=reminder_hours.get((seat, clock.for_seat(seat).deadline), 0),
            is_report_unsent=is_unsent,
            report_sent_at=epoch_seconds(sent_time) if sent_time else 0,
            absences=absences.get(seat, ()),
            was_report_refused=was_refused,
        )
    return timings


def _sentence_about(session: Session, seats: Sequence[str], template: str) -> str:
    """Return a sentence about the players at these seats. Everybody may read it."""
    return str(say(template, players=join_with_and([session.record.player(seat).label for seat in seats])))


def _has_refusal_extension(session: Session, seat: str) -> bool:
    """Return whether the seat already got more time for its open question because its email was refused."""
    reason = _sentence_about(session, [seat], EXTENSION_REASONS[REFUSED])
    record = session.record
    answer_counts = dict(record.answer_counts)
    while dict(record.answer_counts)[seat] == answer_counts[seat]:
        if any((ruling.name, ruling.reason) == (EXTEND.name, reason) for ruling in record.rulings):
            return True
        if record.n == DEAL or not session.folder.has_state(record.n - 1):
            return record.n != DEAL  # if an older state is lost, assume that it gave more time
        record = read_older_record(session, record.n - 1)
    return False


def _do_act(session: Session, act: DueAction, grace_minutes: int) -> tuple[ResolveResult, str]:
    """Do one thing under the lock. Return the result, and a text for the referee ("" if nothing was done)."""
    if isinstance(act, Reminder):
        return _send_reminder(session, act)
    if isinstance(act, Extension):
        return _extend_deadlines(session, act)
    result = resolve_unless_recent(session, grace_minutes, dry_run=False, missed_seats=frozenset({act.seat}))
    return result, result.summary if result.orders else ""


def _add_note(session: Session, text: str) -> None:
    """Add a note for the referee, but only once."""
    if text not in session.notes:
        session.notes.append(text)


def _describe_act(session: Session, act: DueAction) -> str:
    """Say in a dry run what would be done."""
    if isinstance(act, Extension):
        player_text = join_with_and([session.record.player(seat).label for seat in act.seats])
        return f"would give {player_text} {hours_in_words(act.hours)} more (nothing was changed)"
    player_text = session.record.player(act.seat).label
    if isinstance(act, Reminder):
        return f"would remind {player_text} (nothing was changed)"
    return f"would play the missed turn of {player_text} (nothing was changed)"


def _unplayed_result(session: Session) -> ResolveResult:
    return ResolveResult(session, False, "")


def _send_reminder(session: Session, act: Reminder) -> tuple[ResolveResult, str]:
    """Note that a reminder is sent, then send it. To miss one reminder is better than to get two."""
    seat_clock = session.record.clock.for_seat(act.seat)
    code = session.code(act.seat)
    reminder_hours = {**_read_reminders(session), (act.seat, seat_clock.deadline): act.hours}
    open_deadlines = {(clock_row.seat, clock_row.deadline) for clock_row in session.record.clock.seats}
    rows = ((*seat_and_due, hours) for seat_and_due, hours in reminder_hours.items() if seat_and_due in open_deadlines)
    session.folder.put_desk_file(REMINDED_FILE, write_rows(rows))
    mailed_report = read_mailed_reports(session).get(act.seat)
    due_text = _in_players_zone(session, act.seat, seat_clock.deadline)
    question_values = _question_values(session, act.seat)
    text = _render_reminder(session, act.seat, question_values, due_text)
    subject = sentences.REMINDER_SUBJECT.format(label=session.label, due=due_text)
    choices = (*question_values["choices"], *RESEND)
    id_part = f"{session.record.n:04d}.{act.seat}.due.{act.hours}.{epoch_seconds(seat_clock.deadline)}"
    pending = session.pending_by_seat[act.seat]
    if pending.proposal:  # pbem has proposed orders, and a `yes` to the reminder accepts them too
        session = session.store_pending(
            act.seat, pending._replace(proposal_email_ids=(*pending.proposal_email_ids, id_part))
        )
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
    """Return the open question of a seat with a deadline, as templates read it. Only for its player."""
    open_question = session.game.ask(session.game.view(session.position.state, seat))
    groups = [group for group in session.pending_by_seat[seat].groups if group.name == NOW]
    if open_question is None:
        raise OurFault("clock/asked", f"{seat} has a deadline, and nothing is asked", "")
    values: dict[str, Any] = to_plain(question_row(open_question, format_pending_orders(groups)))
    return values


def _render_reminder(session: Session, seat: str, question_values: Mapping[str, Any], due_text: str) -> str:
    """Return the text of a reminder. Only for its player."""
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
    """Return the orders that pbem proposed for the open question, because it did not understand an email for sure."""
    pending = session.pending_by_seat[seat]
    return pending.proposal if pending.held_question == session.position.answered_count(seat) + 1 else ()


def _read_reminders(session: Session) -> dict[tuple[str, str], int]:
    """Return how many hours before a deadline its last reminder came, by seat and deadline."""
    reminder_rows = read_rows(session.folder.read_desk_file(REMINDED_FILE), 3)
    return {(seat, deadline): int(hours) for seat, deadline, hours in reminder_rows if are_numbers([hours])}


def _extend_deadlines(session: Session, act: Extension) -> tuple[ResolveResult, str]:
    """Give more time by rulings, just as the referee can."""
    asked_seats = {row.seat for row in session.record.clock.seats if row.deadline}
    reason = _sentence_about(session, act.seats, EXTENSION_REASONS[act.why])
    is_everybody = asked_seats <= {*act.seats}
    old_state_number = session.record.n
    for seat in ("",) if is_everybody else act.seats:  # a ruling without a seat is for all
        operands = [("seat", seat)] if seat else []
        session = _extend_as_allowed(session, operands, act.hours, reason)
    if session.record.n == old_state_number:
        _add_note(session, _sentence_about(session, act.seats, sentences.NO_MORE_DELAY))
        return _unplayed_result(session), ""
    return _unplayed_result(session), f"deadlines moved: {reason}"


def _extend_as_allowed(session: Session, operands: list[tuple[str, str]], hours: int, reason: str) -> Session:
    """Make the ruling `extend`, but for no more hours than need nobody's consent. Return the game after it."""
    hours = min(hours, max_delay_hours(session))
    if not hours:
        return session
    ruling = EXTEND.make_ruling(reason, *operands, ("hours", str(hours)))
    return carry_out(plan_extension(session, ruling))
