"""What is to be done in a game because of the time, and when to look again: ``find_due_actions``.

What must never be here: the time of day, the drive, the doing of anything.
Laws: pure: the same state, desk and moment give the same acts. Nobody misses a turn before its
deadline, reserve and grace are over, nor for a failure of ours; a reminder goes once.
Source: docs/CLOCK.md; docs/SPECIFICATION.md section 9 (Missed); decision 0029.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from pbem.chain.clock import HOUR, WAIT, Clock, SeatClock, check_instant, epoch_seconds
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.notation.absence import Absence
from pbem.play.deadlines.calendar import local_day, local_span_hours, slide_deadline, start_of_day

PATIENCE = 7 * 24 * HOUR  #: seconds for which a turn is not missed, while its email cannot be sent
MIN_OUTAGE = 2 * HOUR  #: seconds: a shorter one costs nobody a turn
USUAL_GAP_FACTOR = 3  #: times the usual time between two runs
RUNS_REMEMBERED = 9  #: of how many runs is the usual time
NEVER = 1 << 40  #: later than any year that a state can have


class SeatTiming(NamedTuple):
    """What the desk tells of a seat that is asked."""

    asked_at: int  #: when, in seconds since 1970
    reminded_hours: int = 0  #: the last reminder of this deadline: so many hours before it; 0: none
    is_report_unsent: bool = False  #: the newest report that was to be emailed has not gone out
    report_sent_at: int = 0  #: when it did; 0 where nobody knows
    absences: Sequence[Absence] = ()  #: when its player is
    was_report_refused: bool = False  #: a server refused it, and the clock was not stopped for this question


class Outage(NamedTuple):
    """From when to when nobody looked, in seconds since 1970: the machine was off."""

    begin: int
    end: int

    @property
    def hours(self) -> int:
        return -(-(self.end - self.begin) // HOUR)


#: why deadlines move
SILENT, UNSENT, AWAY, REFUSED = "silent", "unsent", "away", "refused"


class Reminder(NamedTuple):
    """An email to the seat: so many hours are left."""

    seat: str
    hours: int


class Extension(NamedTuple):
    """A ruling that moves the deadlines of these seats, for a failure of ours."""

    seats: tuple[str, ...]
    hours: int
    why: str = SILENT  #: or UNSENT, AWAY, REFUSED


class MissedTurn(NamedTuple):
    """The turn of the seat is missed."""

    seat: str


DueAction = Reminder | Extension | MissedTurn


def find_due_actions(
    record: StateRecord,
    timings: Mapping[str, SeatTiming],
    now: int,
    outage: Outage | None = None,
    is_email_fetched: bool = True,
) -> tuple[tuple[DueAction, ...], int]:
    """What is to be done, in order, and the next moment at which there is something, ``NEVER`` for
    none. ``timings``: of each seat that has a deadline. ``is_email_fetched``: whether all email that came up to
    now was fetched: without that, nobody knows who has answered.
    """
    clock = record.clock
    if not clock.has_deadlines or not record.is_dealt or record.phase == CLOSED:
        return (), NEVER
    rows = [row for row in clock.seats if row.deadline]
    late_seats = tuple(row.seat for row in rows if outage and _fell_in_outage(clock, row, outage))
    if outage and late_seats:
        return (Extension(late_seats, outage.hours),), now
    actions, next_moment = list[DueAction](), NEVER
    for row in sorted(rows, key=lambda row: clock.missed_at(row.seat)):
        actions += _find_seat_actions(clock, row, timings[row.seat], now, is_email_fetched)
        later_moments = [moment for moment in _list_moments(clock, row, timings[row.seat]) if moment > now]
        next_moment = min([next_moment, *later_moments])
    return tuple(actions), next_moment


def _fell_in_outage(clock: Clock, row: SeatClock, outage: Outage) -> bool:
    moments = epoch_seconds(row.deadline), clock.missed_at(row.seat)
    return any(outage.begin < moment <= outage.end for moment in moments)


def _list_moments(clock: Clock, row: SeatClock, timing: SeatTiming) -> list[int]:
    """The moments at which something may be to be done of a deadline."""
    end, missed_moment = epoch_seconds(row.deadline), clock.missed_at(row.seat)
    reminders = [end - hours * HOUR for hours in _list_reminder_hours(clock, row, timing)]
    return [*reminders, missed_moment, *([missed_moment + PATIENCE] if timing.is_report_unsent else [])]


def _list_reminder_hours(clock: Clock, row: SeatClock, timing: SeatTiming) -> list[int]:
    """How many hours before a deadline: as the clock says, and on the last day of an absence."""
    asked_day = local_day(timing.asked_at, clock.zone)
    last_days = (absence.last for absence in timing.absences if absence.last >= asked_day)
    last_day_spans = (epoch_seconds(row.deadline) - start_of_day(day, clock.zone) for day in last_days)
    return [
        *map(int, clock.remind),
        *(remaining_time // HOUR for remaining_time in last_day_spans if remaining_time >= HOUR),
    ]


def _find_seat_actions(
    clock: Clock, row: SeatClock, timing: SeatTiming, now: int, is_email_fetched: bool
) -> Iterator[DueAction]:
    end, missed_moment = epoch_seconds(row.deadline), clock.missed_at(row.seat)
    if timing.was_report_refused:
        yield Extension((row.seat,), local_span_hours(end, PATIENCE // HOUR, clock.zone), REFUSED)
    elif (moved_end := slide_deadline(clock, end, timing.absences)) > end:
        yield Extension((row.seat,), -((end - moved_end) // HOUR), AWAY)
    elif now < end:
        reminder_hours = _list_reminder_hours(clock, row, timing)
        passed_hours = [hours for hours in reminder_hours if timing.asked_at < end - hours * HOUR <= now]
        if passed_hours and not 0 < timing.reminded_hours <= min(passed_hours):
            yield Reminder(row.seat, min(passed_hours))
    elif now >= missed_moment and clock.missed != WAIT and is_email_fetched:
        if timing.is_report_unsent and now < missed_moment + PATIENCE:
            return
        if not timing.is_report_unsent and timing.report_sent_at > end:  # they have had no time for it
            spans = [span for span in (clock.turn, clock.choice) if span]
            shortest_span = min(spans, default=24) * HOUR
            yield Extension((row.seat,), -((end - timing.report_sent_at - shortest_span) // HOUR), UNSENT)
        else:
            yield MissedTurn(row.seat)


def find_outage(last_run: str, gaps: str, time: str) -> Outage | None:
    """The silence before this run, if it was one. ``last_run``: the run before, ``gaps``: the seconds
    between those before it.
    """
    with suppress(ValueError):
        begin, end = epoch_seconds(check_instant(last_run)), epoch_seconds(check_instant(time))
        sorted_gaps = sorted(int(gap) for gap in gaps.split()) or [0]
        usual_gap = sorted_gaps[len(sorted_gaps) // 2]
        if end - begin > max(MIN_OUTAGE, USUAL_GAP_FACTOR * usual_gap):
            return Outage(begin, end)
    return None


def record_run(last_run: str, gaps: str, time: str) -> tuple[str, str]:
    """This run and the seconds between the newest ones, for the next; the order of these arguments
    is that of ``find_outage``.
    """
    recent_gaps = [gap for gap in gaps.split() if gap.isdecimal()][-RUNS_REMEMBERED + 1 :]
    with suppress(ValueError):
        seconds_passed = epoch_seconds(check_instant(time)) - epoch_seconds(check_instant(last_run))
        recent_gaps += [str(seconds_passed)] if seconds_passed > 0 else []
    return time, " ".join(recent_gaps)
