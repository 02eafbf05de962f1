"""Rulings about time: other clock options, more time, absences, a pause and its end.

Not allowed here: when a deadline is reached (play/deadlines/); text for a screen.
Laws: deadlines only move later, except that `resume` takes back the unused part of a pause. A ruling
that moves them by more than a month within two months needs everyone's consent, so it is refused here.
Source: docs/SPECIFICATION.md section 9 (rulings); docs/REFEREE.md "Deadlines".
"""

from collections.abc import Mapping

from pbem.chain.clock import BOT, HOUR, OPTIONS, Clock, epoch_seconds, format_instant
from pbem.chain.clock_words import absence_in_prose, hours_as_typed, instant_in_prose
from pbem.chain.ruling_row import Ruling, check_reason
from pbem.chain.rulings.clock import CLOCK, DELAY_WINDOW, EXTEND, MAX_DELAY, PAUSE, RESUME, remaining_delay
from pbem.chain.rulings.kind import NOTE, RulingBasis
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.state_record import DEAL, StateRecord
from pbem.errors import BadInput, Refused
from pbem.notation.absence import Absence
from pbem.play.deadlines.calendar import local_span_hours
from pbem.play.deadlines.options import read_clock
from pbem.services.amend.ruling import RulingPlan, RulingResult, make_plain_ruling, make_ruling
from pbem.services.lost_orders import clear_notes
from pbem.services.session.desk import AWAY_FILE, encode_absences, read_noted_absences
from pbem.services.session.history import record_at
from pbem.services.session.newest import not_dealt_error
from pbem.services.session.session import Session
from pbem.services.session.timing import next_clock, refuse_bots


def change_clock(session: Session, options: Mapping[str, str], reason: str, dry_run: bool) -> RulingResult:
    """Change these options of the clock. Raises BadInput ``clock/…`` if one is invalid or all stay the same."""

    def plan(session: Session) -> RulingPlan:
        old_clock = _require_dealt(session).clock
        clock = read_clock(options, old_clock)
        changed_keys = ",".join(key for key in OPTIONS if clock.option(key) != old_clock.option(key))
        if not changed_keys:
            raise BadInput("clock/same", "the clock is like that already", "pbem show DIR")
        if not clock.has_deadlines:  # then there is nothing to pause
            clock = clock._replace(paused_until="")
        if clock.missed == BOT:
            refuse_bots(session, (player.seat for player in session.record.people))
        return _plan_clock_ruling(session, clock, CLOCK.make_ruling(reason, ("what", changed_keys)))

    def is_same_ruling(ruling: Ruling) -> bool:
        clock = session.record.clock
        return ruling.name == CLOCK.name and read_clock(options, clock) == clock

    return make_ruling(session, plan, dry_run, is_same_ruling)


def extend_deadlines(session: Session, seat: str, hours: int, reason: str, dry_run: bool) -> RulingResult:
    """Move the deadline of ``seat`` later by ``hours``, or every deadline if ``seat`` is "".

    Whole days keep the local time of a deadline: when summer time begins, two days are 47 hours.
    """
    operands = [("seat", seat)] if seat else []

    def extension_ruling(record: StateRecord, max_hours: int, already_moved: int = 0) -> Ruling:
        """Return the ruling for the deadlines before they were moved by ``already_moved`` hours."""
        due_times = (row.deadline for row in record.clock.seats if row.deadline and seat in ("", row.seat))
        zone = record.clock.zone
        original_times = (epoch_seconds(due) - already_moved * HOUR for due in due_times)
        longest_span = max((local_span_hours(due, hours, zone) for due in original_times), default=hours)
        return EXTEND.make_ruling(reason, *operands, ("hours", str(min(longest_span, max_hours))))

    def plan(session: Session) -> RulingPlan:
        return plan_extension(session, extension_ruling(session.record, max(hours, max_delay_hours(session))))

    def is_same_ruling(newest_ruling: Ruling) -> bool:
        # if this very command made it, it has moved the deadlines already
        already_moved = int(newest_ruling.operand("hours")) if newest_ruling.name == EXTEND.name else 0
        return newest_ruling == extension_ruling(session.reread().record, max(already_moved, hours), already_moved)

    return make_ruling(session, plan, dry_run, is_same_ruling)


def plan_extension(session: Session, ruling: Ruling) -> RulingPlan:
    """Plan the ruling `extend`. Raises Refused if it affects no deadline or moves one too far."""
    seat = ruling.operand("seat")
    record = _require_dealt(session)
    _refuse_without_deadlines(record)
    if not any(row.deadline for row in record.clock.seats if seat in ("", row.seat)):
        problem = f"{record.player(seat).label} has no deadline now" if seat else "nobody has a deadline now"
        raise Refused("clock/no-deadline", problem, "")
    return _plan_clock_ruling(session, record.clock, ruling)


def mark_absent(session: Session, seat: str, absence: Absence, reason: str, dry_run: bool) -> RulingResult:
    """Note for everybody that a player is away on these days. Deadlines will move past them."""
    _refuse_without_deadlines(_require_dealt(session))
    today = session.time[:10]
    if absence.last.isoformat() < max(absence.first.isoformat(), today):
        problem = f"{absence.first} to {absence.last} is over"
        raise BadInput("clock/days", problem, "for example --absent 2026-12-24..2027-01-03")
    player_text = session.record.player(seat).label
    days_text = absence_in_prose(absence, session.time)
    ruling = NOTE.make_ruling(check_reason(f"{player_text} is away {days_text}. {reason}"))

    def desk_files(session: Session) -> dict[str, bytes]:
        absences = (*read_noted_absences(session.folder).get(seat, ()), absence)
        return {AWAY_FILE: encode_absences(session.folder, seat, absences)}

    return make_plain_ruling(session, ruling, dry_run, desk_files)


def pause(session: Session, until: str, reason: str, dry_run: bool) -> RulingResult:
    """Pause the clock until a moment. Every deadline moves by the length of the pause."""
    ruling = PAUSE.make_ruling(reason, ("until", until))

    def plan(session: Session) -> RulingPlan:
        _refuse_without_deadlines(_require_dealt(session))
        clock = session.record.clock
        is_paused_longer = bool(clock.paused_until) and (
            epoch_seconds(session.time) < epoch_seconds(until) <= epoch_seconds(clock.paused_until)
        )
        if is_paused_longer:
            until_text = instant_in_prose(clock.paused_until, clock.zone, session.time)
            problem = f"the game is already paused until {until_text}"
            raise Refused("clock/paused", problem, "choose a longer time, or type `resume` first")
        return _plan_clock_ruling(session, clock._replace(paused_until=until), ruling)

    return make_ruling(session, plan, dry_run, is_same=lambda newest_ruling: newest_ruling == ruling)


def resume(session: Session, reason: str, dry_run: bool) -> RulingResult:
    """End a pause early. Every deadline moves back by the unused part of the pause."""
    ruling = RESUME.make_ruling(reason)

    def plan(session: Session) -> RulingPlan:
        clock = _require_dealt(session).clock
        if not clock.paused_until or epoch_seconds(clock.paused_until) <= epoch_seconds(session.time):
            raise Refused("clock/runs", "the clock of this game is not paused", "pbem status")
        return _plan_clock_ruling(session, clock._replace(paused_until=""), ruling)

    return make_ruling(session, plan, dry_run)


def _require_dealt(session: Session) -> StateRecord:
    """Return the newest state. Raises Refused if the game is not dealt."""
    if not session.record.is_dealt:
        raise not_dealt_error(session.record)
    return session.record


def _refuse_without_deadlines(record: StateRecord) -> None:
    if not record.clock.has_deadlines:
        raise Refused("clock/stopped", "this game has no deadlines", "pbem amend DIR clock turn=3d --reason …")


def _plan_clock_ruling(session: Session, clock: Clock, ruling: Ruling) -> RulingPlan:
    """Plan a ruling on the clock. Raises Refused if `verify` would reject its state or players must consent.

    ``clock``: the clock with its new options, but still with the old deadlines.
    """
    old_record = session.record
    if ruling.name != CLOCK.name:
        _refuse_without_deadlines(old_record)
    basis = RulingBasis(old_record._replace(clock=clock), session.position.state, (ruling,))
    new_record = basis.previous._replace(n=old_record.n + 1, time=session.time, rulings=(ruling,), entries=())
    new_record = new_record._replace(clock=next_clock(session)(new_record, session.position.state))
    kind = kind_of(ruling)
    older_records = _records_in_window(session)
    if fault := kind.find_fault(new_record, old_record, older_records):
        raise Refused("clock/ruling", f"this ruling {fault}", "see docs/REFEREE.md")
    if kind.required_consents(new_record, old_record, older_records) != ():  # None: states are missing
        days = MAX_DELAY // 24
        problem = f"this would move deadlines by more than {days} days within {DELAY_WINDOW // 24 // HOUR}"
        hours_left = remaining_delay(old_record, older_records, session.time)
        hint = f"{hours_as_typed(hours_left)} can be given now" if hours_left else "wait for some days"
        raise Refused("clock/too-far", problem, hint)
    return RulingPlan(session, basis, clear_notes(session.pending_by_seat))


def _records_in_window(session: Session) -> dict[int, StateRecord]:
    """Return by number the states in which delays are added up, and the one before. Stops at a missing state."""
    records = {session.record.n: session.record}
    state_number = session.record.n
    window_start = epoch_seconds(session.time) - DELAY_WINDOW
    while state_number > DEAL and epoch_seconds(records[state_number].time) >= window_start:
        state_number -= 1
        record = record_at(session, state_number)
        if record is None:
            break
        records[state_number] = record
    return records


def max_delay_hours(session: Session) -> int:
    """Return how many hours deadlines can still be moved without anyone's consent."""
    return remaining_delay(session.record, _records_in_window(session), session.time)


def time_after_hours(session: Session, hours: int) -> str:
    """Return the moment ``hours`` from now, in the format of a state, as in ``2026-11-21T09:45:00Z``.

    Whole days keep the local hour of the first deadline.
    """
    clock = session.record.clock
    now = epoch_seconds(session.time)
    first_due = min((epoch_seconds(row.deadline) for row in clock.seats if row.deadline), default=now)
    return format_instant(now + local_span_hours(first_due, hours, clock.zone) * HOUR)
