"""Compute when an answer is due: spans and fixed days, moved to the hours and days that a game allows.

Not allowed here: the current time, which is an argument; earlier deadlines (next_clock.py).
Source: docs/REFEREE.md "Deadlines"; docs/SPECIFICATION.md section 5 (clock).
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING

from pbem.chain.clock import HOUR, LATEST, SLOT_NOTICE, WEEKDAYS, Clock
from pbem.chain.clock_words import zone_of

if TYPE_CHECKING:
    from pbem.notation.absence import Absence

_DAY = timedelta(days=1)
_MAX_DAYS = 3700  #: ten years; after more days off there is no next day


def local_day(timestamp: int, zone: str) -> date:
    """Return the date in a zone at this moment, in seconds since 1970."""
    timestamp = min(timestamp, LATEST - 24 * HOUR)
    return datetime.fromtimestamp(timestamp, zone_of(zone)).date()


def start_of_day(day: date, zone: str) -> int:
    """Return the first moment of a day in a zone, in seconds since 1970."""
    return to_timestamp(datetime.combine(day, time()), zone_of(zone))


def local_span_hours(timestamp: int, hours: int, zone: str) -> int:
    """Return the real hours of a span from a moment on. Whole days keep the local time, so one may have 23 or 25."""
    days, other_hours = divmod(hours, 24)
    if not days or timestamp > LATEST - _MAX_DAYS * 24 * HOUR:
        return hours
    local_begin = datetime.fromtimestamp(timestamp, zone_of(zone)).replace(tzinfo=None)
    end = to_timestamp(local_begin + days * _DAY, zone_of(zone))
    return -((timestamp - end) // HOUR) + other_hours  # the negative signs round up


def compute_deadline(clock: Clock, now: int, hours: int, absences: Sequence["Absence"] = (), nth: int = 1) -> int:
    """Return when a question that is asked ``now`` is due, in seconds since 1970, like ``now``.

    If the clock has spans, it is due when ``hours`` have passed or at the next allowed moment. Otherwise the ``nth``
    fixed day (slot) is the deadline. Nothing is due on the days of ``absences``.
    """
    if not clock.slots:
        return first_allowed_moment(clock, now + hours * HOUR, absences)
    due = first_allowed_moment(clock, now + SLOT_NOTICE * HOUR, absences)
    for _ in range(nth - 1):
        due = first_allowed_moment(clock, due + 1, absences)
    return due


def slide_deadline(clock: Clock, due_at: int, absences: Sequence["Absence"]) -> int:
    """Return the deadline or, if it is on a day of ``absences``, the first allowed moment after it."""
    day = local_day(due_at, clock.zone)
    if not any(first <= day <= last for first, last in absences):
        return due_at
    return first_allowed_moment(clock, due_at, absences)


def first_allowed_moment(clock: Clock, earliest: int, absences: Sequence["Absence"] = ()) -> int:
    """Return the first moment from ``earliest`` on when something may be due, or ``earliest`` if none is found."""
    zone = zone_of(clock.zone)
    if not (clock.slots or clock.at or clock.days or clock.days_off or absences):
        return earliest
    if earliest > LATEST - _MAX_DAYS * 24 * HOUR:  # no calendar has later days
        return min(earliest, LATEST)
    local_begin = datetime.fromtimestamp(earliest, zone)
    for number in range(_MAX_DAYS):
        day = local_begin.date() + number * _DAY
        if not _is_allowed_day(clock, day, absences):
            continue
        for time_of_day in _times_of_day(clock, day, local_begin):
            timestamp = to_timestamp(datetime.combine(day, time_of_day), zone)
            if timestamp >= earliest:
                return timestamp
    return earliest


def _is_allowed_day(clock: Clock, day: date, absences: Sequence["Absence"]) -> bool:
    """Return whether something may be due on a day: its weekday is allowed, and it is not free."""
    weekday = WEEKDAYS[day.weekday()]
    allowed_days = clock.days or tuple(row.split(" ")[0] for row in clock.slots)
    days_off = (tuple(map(date.fromisoformat, row.split(" "))) for row in clock.days_off)
    is_free = any(first <= day <= last for first, last in [*days_off, *absences])
    return (not allowed_days or weekday in allowed_days) and not is_free


def _times_of_day(clock: Clock, day: date, local_begin: datetime) -> list[time]:
    """Return the times of an allowed day at which something may be due."""
    if clock.slots:
        rows = (row.split(" ") for row in clock.slots)
        return [time.fromisoformat(clock_time) for name, clock_time in rows if name == WEEKDAYS[day.weekday()]]
    return [time.fromisoformat(clock.at)] if clock.at else [local_begin.time()]


def to_timestamp(local_time: datetime, zone: tzinfo) -> int:
    """Return a local time in seconds since 1970. If it does not exist, because the clocks go forward, the first minute
    after the change counts. If it occurs twice, because the clocks go back, the first occurrence counts.
    """
    while True:
        utc_moment = local_time.replace(tzinfo=zone).astimezone(UTC)
        if utc_moment.astimezone(zone).replace(tzinfo=None) == local_time:
            return int(utc_moment.timestamp())
        local_time = local_time.replace(second=0) + timedelta(minutes=1)
