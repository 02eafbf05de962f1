"""Decide what to do in a game because of the time, and when to look again.

The same state, inputs and moment give the same actions. Nobody misses a turn before the deadline,
time bank and grace are over, or because of a failure of pbem.

Not allowed here: the current time, the drive, carrying anything out.
Source: docs/REFEREE.md "Deadlines"; docs/SPECIFICATION.md section 9 (Missed); decision 0029.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from pbem.chain.clock import HOUR, WAIT, Clock, SeatClock, check_instant, epoch_seconds
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.notation.absence import Absence
from pbem.play.deadlines.calendar import local_day, local_span_hours, slide_deadline, start_of_day

PATIENCE = 7 * 24 * HOUR  #: seconds for which a turn is not missed while its email cannot be sent
MIN_OUTAGE = 2 * HOUR  #: seconds; a shorter outage costs nobody a turn
USUAL_GAP_FACTOR = 3  #: pbem was out of service if it did not run for this many times the usual gap between runs
RUNS_REMEMBERED = 9  #: the usual gap is the median of so many gaps
NEVER = 1 << 40  #: later than any year that a state can have


class SeatTiming(NamedTuple):
    """What the private folder says about a seat that is asked."""

    asked_at: int  #: when the open question was asked, in seconds since 1970
    reminded_hours: int = 0  #: hours before the deadline of the last reminder; 0 for none
    is_report_unsent: bool = False  #: the newest report that should be emailed has not been sent
    report_sent_at: int = 0  #: 0 if unknown
    absences: Sequence[Absence] = ()  #: of its player
    was_report_refused: bool = False  #: a mail server refused it, and the deadline was not moved for that yet


class Outage(NamedTuple):
    """A time in which pbem did not run, in seconds since 1970."""

    begin: int
    end: int

    @property
    def hours(self) -> int:
        return _hours_rounded_up(self.end - self.begin)


#: why deadlines move: pbem did not run, or the report was unsent, its player away, or the report refused
SILENT, UNSENT, AWAY, REFUSED = "silent", "unsent", "away", "refused"


class Reminder(NamedTuple):
    """Remind the seat that so many hours are left."""

    seat: str
    hours: int


class Extension(NamedTuple):
    """Move the deadlines of these seats by a ruling."""

    seats: tuple[str, ...]
    hours: int
    why: str = SILENT  #: or UNSENT, AWAY, REFUSED


class MissedTurn(NamedTuple):
    """Declare the turn of the seat missed."""

    seat: str


DueAction = Reminder | Extension | MissedTurn


class DueActions(NamedTuple):
    """What to do now, in order, and when to look again."""

    actions: tuple[DueAction, ...]
    next_moment: int  #: ``NEVER`` for none


def find_due_actions(
    record: StateRecord,
    timings: Mapping[str, SeatTiming],
    now: int,
    outage: Outage | None = None,
    is_email_fetched: bool = True,
) -> DueActions:
    """Return what to do now, in order, and the next moment with something to do (``NEVER`` for none).

    ``timings`` has each seat with a deadline. Unless ``is_email_fetched`` (all email up to now was
    fetched), a player may have answered, so no turn is missed.
    """
    clock = record.clock
    if not clock.has_deadlines or not record.is_dealt or record.phase == CLOSED:
        return DueActions((), NEVER)
    rows = [row for row in clock.seats if row.deadline]
    late_seats = tuple(row.seat for row in rows if outage and _fell_in_outage(clock, row, outage))
    if outage and late_seats:
        return DueActions((Extension(late_seats, outage.hours),), now)
    actions, next_moment = list[DueAction](), NEVER
    for row in sorted(rows, key=lambda row: clock.missed_at(row.seat)):
        actions += _find_seat_actions(clock, row, timings[row.seat], now, is_email_fetched)
        later_moments = [moment for moment in _list_moments(clock, row, timings[row.seat]) if moment > now]
        next_moment = min([next_moment, *later_moments])
    return DueActions(tuple(actions), next_moment)


def _fell_in_outage(clock: Clock, row: SeatClock, outage: Outage) -> bool:
    """Return whether the deadline, or the moment when the turn is missed, was in the outage."""
    moments = epoch_seconds(row.deadline), clock.missed_at(row.seat)
    return any(outage.begin < moment <= outage.end for moment in moments)


def _list_moments(clock: Clock, row: SeatClock, timing: SeatTiming) -> list[int]:
    """Return the moments at which something may have to be done about a deadline."""
    end, missed_moment = epoch_seconds(row.deadline), clock.missed_at(row.seat)
    reminders = [end - hours * HOUR for hours in _list_reminder_hours(clock, row, timing)]
    patience_ends = [missed_moment + PATIENCE] if timing.is_report_unsent else []
    return [*reminders, missed_moment, *patience_ends]


def _list_reminder_hours(clock: Clock, row: SeatClock, timing: SeatTiming) -> list[int]:
    """Return how many hours before a deadline to remind its player; also on the last day of an absence."""
    asked_day = local_day(timing.asked_at, clock.zone)
    last_days = (absence.last for absence in timing.absences if absence.last >= asked_day)
    seconds_left = (epoch_seconds(row.deadline) - start_of_day(day, clock.zone) for day in last_days)
    last_day_hours = [seconds // HOUR for seconds in seconds_left if seconds >= HOUR]
    return [*map(int, clock.remind), *last_day_hours]


def _find_seat_actions(
    clock: Clock, row: SeatClock, timing: SeatTiming, now: int, is_email_fetched: bool
) -> Iterator[DueAction]:
    """Yield the action that is due for one seat, if any: extension, reminder, or missed turn."""
    end, missed_moment = epoch_seconds(row.deadline), clock.missed_at(row.seat)
    if timing.was_report_refused:
        yield Extension((row.seat,), local_span_hours(end, PATIENCE // HOUR, clock.zone), REFUSED)
        return
    end_after_absences = slide_deadline(clock, end, timing.absences)
    if end_after_absences > end:
        yield Extension((row.seat,), _hours_rounded_up(end_after_absences - end), AWAY)
    elif now < end:
        reminder_hours = _list_reminder_hours(clock, row, timing)
        passed_hours = [hours for hours in reminder_hours if timing.asked_at < end - hours * HOUR <= now]
        hours_left = min(passed_hours, default=0)
        was_reminded = 0 < timing.reminded_hours <= hours_left
        if passed_hours and not was_reminded:
            yield Reminder(row.seat, hours_left)
    elif now >= missed_moment and clock.missed != WAIT and is_email_fetched:
        yield from _find_missed_action(clock, row, timing, now)


def _find_missed_action(clock: Clock, row: SeatClock, timing: SeatTiming, now: int) -> Iterator[DueAction]:
    """Yield the action for a turn whose time is over: missed, extended, or none while its report is unsent."""
    end = epoch_seconds(row.deadline)
    if timing.is_report_unsent:
        if now >= clock.missed_at(row.seat) + PATIENCE:
            yield MissedTurn(row.seat)
    elif timing.report_sent_at > end:  # the report came after the deadline, so the player had no time to answer
        shortest_span = min((span for span in (clock.turn, clock.choice) if span), default=24) * HOUR
        yield Extension((row.seat,), _hours_rounded_up(timing.report_sent_at + shortest_span - end), UNSENT)
    else:
        yield MissedTurn(row.seat)


def _hours_rounded_up(seconds: int) -> int:
    return -(-seconds // HOUR)


def find_outage(last_run: str, gaps: str, time: str) -> Outage | None:
    """Return the time before this run in which pbem did not run; None if it was short or is unknown. ``last_run`` and
    ``time``: the previous run and this one. ``gaps``: the seconds between earlier runs.
    """
    with suppress(ValueError):
        begin, end = epoch_seconds(check_instant(last_run)), epoch_seconds(check_instant(time))
        sorted_gaps = sorted(int(gap) for gap in gaps.split()) or [0]
        usual_gap = sorted_gaps[len(sorted_gaps) // 2]
        if end - begin > max(MIN_OUTAGE, USUAL_GAP_FACTOR * usual_gap):
            return Outage(begin, end)
    return None


def record_run(last_run: str, gaps: str, time: str) -> tuple[str, str]:
    """Return this run and the gaps between the latest runs, which the next ``find_outage`` needs."""
    recent_gaps = [gap for gap in gaps.split() if gap.isdecimal()][-RUNS_REMEMBERED + 1 :]
    with suppress(ValueError):
        seconds_passed = epoch_seconds(check_instant(time)) - epoch_seconds(check_instant(last_run))
        recent_gaps += [str(seconds_passed)] if seconds_passed > 0 else []
    return time, " ".join(recent_gaps)
