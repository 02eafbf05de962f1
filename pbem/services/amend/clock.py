"""Rulings about time: other clock options, more time, absences, a pause and its end.

What must never be here: when a deadline is reached (play/deadlines/); text for a screen.
Laws: deadlines only move later, except that `resume` takes back the unused part of a pause; a ruling
that moves them by more than a month within two needs everybody's consent, so it is refused here.
Source: docs/SPECIFICATION.md section 9 (rulings); docs/CLOCK.md.
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
from pbem.services.amend.ruling import RulingPlan, RulingResult, make_ruling, make_standing_ruling
from pbem.services.lost_orders import clear_notes
from pbem.services.session.history import record_at
from pbem.services.session.newest import not_dealt_error
from pbem.services.session.session import Session
from pbem.services.session.timing import AWAY_FILE, absences_by_seat, next_clock, refuse_bots, with_absences


def change_clock(session: Session, options: Mapping[str, str], reason: str, dry_run: bool) -> RulingResult:
    """Change these options of the clock. BadInput ``clock/…``."""

    def plan(session: Session) -> RulingPlan:
        old_clock = _require_dealt(session).clock
        clock = read_clock(options, old_clock)
        changed_keys = ",".join(key for key in OPTIONS if clock.option(key) != old_clock.option(key))
        if not changed_keys:
            raise BadInput("clock/same", "the clock is like that already", "pbem show DIR")
        if not clock.has_deadlines:
            clock = clock._replace(paused_until="")
        if clock.missed == BOT:
            refuse_bots(session, (player.seat for player in session.record.people))
        return _plan_clock_ruling(session, clock, CLOCK.make_ruling(reason, ("what", changed_keys)))

    def is_same_ruling(ruling: Ruling) -> bool:
        clock = session.record.clock
        return ruling.name == CLOCK.name and read_clock(options, clock) == clock

    return make_ruling(session, plan, dry_run, is_same_ruling)


def extend_deadlines(session: Session, seat: str, hours: int, reason: str, dry_run: bool) -> RulingResult:
    """Move every deadline, or that of ``seat``, later by ``hours``.

    Whole days keep the local time of a deadline.
    """
    operands = [("seat", seat)] if seat else []

    def extension_ruling(record: StateRecord, max_hours: int, already_moved: int = 0) -> Ruling:
        """The ruling, computed from the deadlines as they were ``already_moved`` hours ago."""
        due_times = (row.deadline for row in record.clock.seats if row.deadline and seat in ("", row.seat))
        zone = record.clock.zone
        original_times = (epoch_seconds(due) - already_moved * HOUR for due in due_times)
        span = max((local_span_hours(due, hours, zone) for due in original_times), default=hours)
        return EXTEND.make_ruling(reason, *operands, ("hours", str(min(span, max_hours))))

    def plan(session: Session) -> RulingPlan:
        return plan_extension(session, extension_ruling(session.record, max(hours, max_delay_hours(session))))

    def is_same_ruling(newest_ruling: Ruling) -> bool:
        already_moved = int(newest_ruling.operand("hours")) if newest_ruling.name == EXTEND.name else 0
        return newest_ruling == extension_ruling(session.reread().record, max(already_moved, hours), already_moved)

    return make_ruling(session, plan, dry_run, is_same_ruling)


def plan_extension(session: Session, ruling: Ruling) -> RulingPlan:
    """Plan the ruling `extend`. Refused if no deadline is affected or it goes too far."""
    seat = ruling.operand("seat")
    record = _require_dealt(session)
    if not any(row.deadline for row in record.clock.seats if seat in ("", row.seat)):
        player_text = record.player(seat).label if seat else "nobody"
        raise Refused("clock/no-deadline", f"{player_text} has {'no' if seat else 'a'} deadline now", "")
    return _plan_clock_ruling(session, _require_dealt(session).clock, ruling)


def mark_absent(session: Session, seat: str, absence: Absence, reason: str, dry_run: bool) -> RulingResult:
    """Note for everybody that a player is away on these days. Deadlines will move past them."""
    _refuse_without_deadlines(_require_dealt(session))
    if not max(absence.first.isoformat(), session.time[:10]) <= absence.last.isoformat():
        problem = f"{absence.first} to {absence.last} is over"
        raise BadInput("clock/days", problem, "for example --absent 2026-12-24..2027-01-03")
    player_text = session.record.player(seat).label
    days_text = absence_in_prose(absence, session.time)
    ruling = NOTE.make_ruling(check_reason(f"{player_text} is away {days_text}. {reason}"))

    def desk_files(session: Session) -> dict[str, bytes]:
        return {AWAY_FILE: with_absences(session, seat, (*absences_by_seat(session).get(seat, ()), absence))}

    return make_standing_ruling(session, ruling, dry_run, desk_files)


def pause(session: Session, until: str, reason: str, dry_run: bool) -> RulingResult:
    """Pause the clock until a moment. Every deadline moves by the length of the pause."""
    ruling = PAUSE.make_ruling(reason, ("until", until))

    def plan(session: Session) -> RulingPlan:
        _refuse_without_deadlines(_require_dealt(session))
        clock = session.record.clock
        if clock.paused_until and epoch_seconds(session.time) < epoch_seconds(until) <= epoch_seconds(
            clock.paused_until
        ):
            until_text = instant_in_prose(clock.paused_until, clock.zone, session.time)
            problem = f"the clock stands still until {until_text} already"
            raise Refused("clock/paused", problem, "take a longer time, or type `resume` first")
        return _plan_clock_ruling(session, clock._replace(paused_until=until), ruling)

    return make_ruling(session, plan, dry_run, ruling.__eq__)


def resume(session: Session, reason: str, dry_run: bool) -> RulingResult:
    """End a pause early. Every deadline moves back by what is left of it."""
    ruling = RESUME.make_ruling(reason)

    def plan(session: Session) -> RulingPlan:
        clock = _require_dealt(session).clock
        if not clock.paused_until or epoch_seconds(clock.paused_until) <= epoch_seconds(session.time):
            raise Refused("clock/runs", "the clock of this game is not paused", "pbem status")
        return _plan_clock_ruling(session, clock._replace(paused_until=""), ruling)

    return make_ruling(session, plan, dry_run)


def _require_dealt(session: Session) -> StateRecord:
    if not session.record.is_dealt:
        raise not_dealt_error(session.record)
    return session.record


def _refuse_without_deadlines(record: StateRecord) -> None:
    if not record.clock.has_deadlines:
        raise Refused("clock/stopped", "this game has no deadlines", "pbem amend DIR clock turn=3d --reason …")


def _plan_clock_ruling(session: Session, clock: Clock, ruling: Ruling) -> RulingPlan:
    """Plan a ruling on the clock. Refused if `verify` would reject its state."""
    old_record = session.record
    if ruling.name != CLOCK.name:
        _refuse_without_deadlines(old_record)
    basis = RulingBasis(old_record._replace(clock=clock), session.position.state, (ruling,))
    record = basis.previous._replace(n=old_record.n + 1, time=session.time, rulings=(ruling,), entries=())
    record = record._replace(clock=next_clock(session)(record, session.position.state))
    kind = kind_of(ruling)
    older_records = _records_in_window(session)
    if fault := kind.find_fault(record, old_record, older_records):
        raise Refused("clock/ruling", f"this ruling {fault}", "see docs/CLOCK.md")
    if kind.required_consents(record, old_record, older_records) != ():
        days = MAX_DELAY // 24
        problem = f"this would move deadlines by more than {days} days within {DELAY_WINDOW // 24 // HOUR}"
        hours_left = remaining_delay(old_record, older_records, session.time)
        hint = f"{hours_as_typed(hours_left)} can be given now" if hours_left else "wait for some days"
        raise Refused("clock/too-far", problem, hint)
    return RulingPlan(session, basis, clear_notes(session.pending_by_seat))


def _records_in_window(session: Session) -> dict[int, StateRecord]:
    """By number, the states of the window in which delays are added up, and the one before."""
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
    """By how many hours deadlines can still be moved without anybody's consent."""
    return remaining_delay(session.record, _records_in_window(session), session.time)


def time_after_hours(session: Session, hours: int) -> str:
    """The moment in so many hours, as a state writes it. Whole days keep the local hour of the
    first deadline.
    """
    clock = session.record.clock
    first_due = min(
        (epoch_seconds(row.deadline) for row in clock.seats if row.deadline), default=epoch_seconds(session.time)
    )
    return format_instant(epoch_seconds(session.time) + local_span_hours(first_due, hours, clock.zone) * HOUR)
