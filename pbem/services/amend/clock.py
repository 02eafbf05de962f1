"""Rulings on a game's time: another clock, more time, a pause and its end.

What must never be here: when something falls due (play/deadlines/); what is asked on a screen.
Laws: no deadline moves back but by `resume`; whoever would delay a game by more than a month in two
needs the consent of all, and nothing here asks for it.
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
    """What is ``options`` of the clock in place of what there was. BadInput ``clock/…``."""

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
    """Every deadline, or that of ``seat`` alone, so many hours later, by ``hours_to_later``."""
    operands = [("seat", seat)] if seat else []

    def extension_ruling(record: StateRecord, max_hours: int, already_moved: int = 0) -> Ruling:
        """As it is made of deadlines that have ``already_moved`` by so many hours."""
        due_times = (row.deadline for row in record.clock.seats if row.deadline and seat in ("", row.seat))
        zone, original_times = (record.clock.zone, (epoch_seconds(due) - already_moved * HOUR for due in due_times))
        span = max((local_span_hours(due, hours, zone) for due in original_times), default=hours)
        return EXTEND.make_ruling(reason, *operands, ("hours", str(min(span, max_hours))))

    def plan(session: Session) -> RulingPlan:
        return plan_extension(session, extension_ruling(session.record, max(hours, max_delay_hours(session))))

    def is_same_ruling(newest_ruling: Ruling) -> bool:
        already_moved = int(newest_ruling.operand("hours")) if newest_ruling.name == EXTEND.name else 0
        return newest_ruling == extension_ruling(session.reread().record, max(already_moved, hours), already_moved)

    return make_ruling(session, plan, dry_run, is_same_ruling)


def plan_extension(session: Session, ruling: Ruling) -> RulingPlan:
    """The ruling `extend`, as it would be made."""
    seat, record = ruling.operand("seat"), _require_dealt(session)
    if not any(row.deadline for row in record.clock.seats if seat in ("", row.seat)):
        player_text = record.player(seat).label if seat else "nobody"
        raise Refused("clock/no-deadline", f"{player_text} has {'no' if seat else 'a'} deadline now", "")
    return _plan_clock_ruling(session, _require_dealt(session).clock, ruling)


def mark_absent(session: Session, seat: str, absence: Absence, reason: str, dry_run: bool) -> RulingResult:
    """The player at a seat is away on these days: a note that all read, and deadlines that fall
    into them move when they come.
    """
    _refuse_without_deadlines(_require_dealt(session))
    if not max(absence.first.isoformat(), session.time[:10]) <= absence.last.isoformat():
        problem = f"{absence.first} to {absence.last} is over"
        raise BadInput("clock/days", problem, "for example --absent 2026-12-24..2027-01-03")
    player_text, days_text = (session.record.player(seat).label, absence_in_prose(absence, session.time))
    ruling = NOTE.make_ruling(check_reason(f"{player_text} is away {days_text}. {reason}"))

    def desk_files(session: Session) -> dict[str, bytes]:
        return {AWAY_FILE: with_absences(session, seat, (*absences_by_seat(session).get(seat, ()), absence))}

    return make_standing_ruling(session, ruling, dry_run, desk_files)


def pause(session: Session, until: str, reason: str, dry_run: bool) -> RulingResult:
    """Nothing falls due before ``until``, and each deadline moves by as much."""
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
    """The end of a pause before its time: deadlines move back by what is left of it."""
    ruling = RESUME.make_ruling(reason)

    def plan(session: Session) -> RulingPlan:
        clock = _require_dealt(session).clock
        if not clock.paused_until or epoch_seconds(clock.paused_until) <= epoch_seconds(session.time):
            raise Refused("clock/runs", "the clock of this game is not paused", "pbem status")
        return _plan_clock_ruling(session, clock._replace(paused_until=""), ruling)

    # made a second time, it is refused by the plan, whose words say what is so
    return make_ruling(session, plan, dry_run, lambda _: False)


def _require_dealt(session: Session) -> StateRecord:
    if not session.record.is_dealt:
        raise not_dealt_error(session.record)
    return session.record


def _refuse_without_deadlines(record: StateRecord) -> None:
    if not record.clock.has_deadlines:
        problem = "this game has no deadlines"
        raise Refused("clock/stopped", problem, "pbem amend DIR clock turn=3d --reason …")


def _plan_clock_ruling(session: Session, clock: Clock, ruling: Ruling) -> RulingPlan:
    """The ruling, if the state that it makes is one that `verify` lets pass."""
    old_record = session.record
    if ruling.name != CLOCK.name:
        _refuse_without_deadlines(old_record)
    basis = RulingBasis(old_record._replace(clock=clock), session.position.state, (ruling,))
    record = basis.previous._replace(n=old_record.n + 1, time=session.time, rulings=(ruling,), entries=())
    record = record._replace(clock=next_clock(session)(record, session.position.state))
    kind, older_records = kind_of(ruling), _records_in_window(session)
    if fault := kind.find_fault(record, old_record, older_records):
        raise Refused("clock/ruling", f"this ruling {fault}", "see docs/CLOCK.md")
    if kind.required_consents(record, old_record, older_records) != ():
        days = MAX_DELAY // 24
        problem = f"this would move deadlines by more than {days} days within {DELAY_WINDOW // 24 // HOUR}"
        hours_left = remaining_delay(old_record, older_records, session.time)
        hint = f"{hours_as_typed(hours_left)} can be given now" if hours_left else "wait for some days"
        raise Refused("clock/too-far", problem, hint)
    return session, basis, clear_notes(session.pending_by_seat)


def _records_in_window(session: Session) -> dict[int, StateRecord]:
    """The states of the time within which delays are counted, and the one before them."""
    records, state_number = {session.record.n: session.record}, session.record.n
    while (
        state_number > DEAL and epoch_seconds(session.time) - epoch_seconds(records[state_number].time) <= DELAY_WINDOW
    ):
        record = record_at(session, state_number - 1)
        if record is None:
            break
        records[state_number := state_number - 1] = record
    return records


def max_delay_hours(session: Session) -> int:
    """By how many hours deadlines can still be moved without anybody's consent."""
    return remaining_delay(session.record, _records_in_window(session), session.time)


def time_after_hours(session: Session, hours: int) -> str:
    """The moment so many hours from now, as a state has it: whole days by the first deadline."""
    clock = session.record.clock
    first_due = min(
        (epoch_seconds(row.deadline) for row in clock.seats if row.deadline), default=epoch_seconds(session.time)
    )
    return format_instant(epoch_seconds(session.time) + local_span_hours(first_due, hours, clock.zone) * HOUR)
