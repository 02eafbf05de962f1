"""When an answer is due: spans and fixed days, slid on to the hours and days that a game allows.

What must never be here: the time of day, which comes in; what was due before (asked.py).
Laws: a deadline is never earlier than its span says; a local time that a change of the clocks
leaves out is the first one after it, and of one that comes twice the first is meant.
Source: docs/CLOCK.md; docs/SPECIFICATION.md section 5 (clock).
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING

from pbem.chain.clock import HOUR, LATEST, SLOT_NOTICE, WEEKDAYS, Clock
from pbem.chain.clock_words import zone_of

if TYPE_CHECKING:
    from pbem.notation.absence import Absence

_DAY = timedelta(days=1)
_MAX_DAYS = 3700  #: ten years: whoever takes more off than that has no next day


def local_day(timestamp: int, zone: str) -> date:
    """The day that it is in a zone."""
    timestamp = min(timestamp, LATEST - 24 * HOUR)
    return datetime.fromtimestamp(timestamp, zone_of(zone)).date()


def start_of_day(day: date, zone: str) -> int:
    """The first moment of a day in a zone."""
    return to_timestamp(datetime.combine(day, time()), zone_of(zone))


def local_span_hours(timestamp: int, hours: int, zone: str) -> int:
    """A span from a moment on, in hours: whole days of it keep the local time."""
    days, odd_hours = divmod(hours, 24)
    if not days or timestamp > LATEST - _MAX_DAYS * 24 * HOUR:
        return hours
    local_begin = datetime.fromtimestamp(timestamp, zone_of(zone)).replace(tzinfo=None)
    end = to_timestamp(local_begin + days * _DAY, zone_of(zone))
    return -((timestamp - end) // HOUR) + odd_hours


def compute_deadline(clock: Clock, now: int, hours: int, absences: Sequence["Absence"] = (), nth: int = 1) -> int:
    """When what is asked at ``now`` is due, in seconds since 1970, as ``now``.

    ``hours``: the span, where the clock has spans; else the ``nth`` fixed day from then on counts.
    ``absences``: days on which nothing falls due of this player.
    """
    if not clock.slots:
        return first_allowed_moment(clock, now + hours * HOUR, absences)
    due = now + SLOT_NOTICE * HOUR
    for number in range(nth):
        due = first_allowed_moment(clock, due + (number > 0), absences)
    return due


def slide_deadline(clock: Clock, due_at: int, absences: Sequence["Absence"]) -> int:
    """A deadline, or the first moment after these days at which something may be due."""
    day = local_day(due_at, clock.zone)
    if not any(first <= day <= last for first, last in absences):
        return due_at
    return first_allowed_moment(clock, due_at, absences)


def first_allowed_moment(clock: Clock, earliest: int, absences: Sequence["Absence"] = ()) -> int:
    """The first moment from ``earliest`` on at which something may fall due."""
    zone = zone_of(clock.zone)
    if not (clock.slots or clock.at or clock.days or clock.days_off or absences):
        return earliest
    if earliest > LATEST - _MAX_DAYS * 24 * HOUR:  # no calendar has the days after that
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
    weekday = WEEKDAYS[day.weekday()]
    allowed_days = clock.days or tuple(row.split(" ")[0] for row in clock.slots)
    days_off = (tuple(map(date.fromisoformat, row.split(" "))) for row in clock.days_off)
    free_spans = [*days_off, *absences]
    return (not allowed_days or weekday in allowed_days) and not any(first <= day <= last for first, last in free_spans)


def _times_of_day(clock: Clock, day: date, local_begin: datetime) -> list[time]:
    """The times of a day at which something may fall due."""
    if clock.slots:
        rows = (row.split(" ") for row in clock.slots)
        return [time.fromisoformat(clock_time) for name, clock_time in rows if name == WEEKDAYS[day.weekday()]]
    return [time.fromisoformat(clock.at)] if clock.at else [local_begin.time()]


def to_timestamp(local_time: datetime, zone: tzinfo) -> int:
    """A local time in seconds since 1970."""
    while True:
        utc_moment = local_time.replace(tzinfo=zone).astimezone(UTC)
        if utc_moment.astimezone(zone).replace(tzinfo=None) == local_time:
            return int(utc_moment.timestamp())
        # it is left out
        local_time = local_time.replace(second=0) + timedelta(minutes=1)
