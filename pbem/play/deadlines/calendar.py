"""When an answer is due: spans and fixed days, slid on to the hours and days that a game allows.

What must never be here: the time of day, which comes in; what was due before (asked.py).
Laws: a deadline is never earlier than its span says; a local time that a change of the clocks
leaves out is the first one after it, and of one that comes twice the first is meant.
Source: docs/CLOCK.md; docs/SPECIFICATION.md section 5 (clock).
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING

from pbem.chain.clock import DAYS, HOUR, LATEST, SLOT_NOTICE, Clock
from pbem.chain.clock_words import zone_of

if TYPE_CHECKING:
    from pbem.notation.absence import Away

_DAY = timedelta(days=1)
_MOST_DAYS = 3700  #: ten years: whoever takes more off than that has no next day


def local_day(moment_: int, zone: str) -> date:
    """The day that it is in a zone."""
    moment_ = min(moment_, LATEST - 24 * HOUR)
    return datetime.fromtimestamp(moment_, zone_of(zone)).date()


def begins(day: date, zone: str) -> int:
    """The first moment of a day in a zone."""
    return moment(datetime.combine(day, time()), zone_of(zone))


def hours_to_later(moment_: int, hours: int, zone: str) -> int:
    """A span from a moment on, in hours: whole days of it keep the local time."""
    days, rest = divmod(hours, 24)
    if not days or moment_ > LATEST - _MOST_DAYS * 24 * HOUR:
        return hours
    begin = datetime.fromtimestamp(moment_, zone_of(zone)).replace(tzinfo=None)
    there = moment(begin + days * _DAY, zone_of(zone))
    return -((moment_ - there) // HOUR) + rest


def deadline(clock: Clock, now: int, hours: int, away: Sequence["Away"] = (), nth: int = 1) -> int:
    """When what is asked at ``now`` is due, in seconds since 1970, as ``now``.

    ``hours``: the span, where the clock has spans; else the ``nth`` fixed day from then on counts.
    ``away``: days on which nothing falls due of this player.
    """
    if not clock.slots:
        return allowed(clock, now + hours * HOUR, away)
    found = now + SLOT_NOTICE * HOUR
    for number in range(nth):
        found = allowed(clock, found + (number > 0), away)
    return found


def slid(clock: Clock, due: int, away: Sequence["Away"]) -> int:
    """A deadline, or the first moment after these days at which something may be due."""
    day = local_day(due, clock.zone)
    if not any(first <= day <= last for first, last in away):
        return due
    return allowed(clock, due, away)


def allowed(clock: Clock, earliest: int, away: Sequence["Away"] = ()) -> int:
    """The first moment from ``earliest`` on at which something may fall due."""
    zone = zone_of(clock.zone)
    if not (clock.slots or clock.at or clock.days or clock.off or away):
        return earliest
    if earliest > LATEST - _MOST_DAYS * 24 * HOUR:  # no calendar has the days after that
        return min(earliest, LATEST)
    begin = datetime.fromtimestamp(earliest, zone)
    for number in range(_MOST_DAYS):
        day = begin.date() + number * _DAY
        if not _allowed(clock, day, away):
            continue
        for at in _times(clock, day, begin):
            found = moment(datetime.combine(day, at), zone)
            if found >= earliest:
                return found
    return earliest


def _allowed(clock: Clock, day: date, away: Sequence["Away"]) -> bool:
    name = DAYS[day.weekday()]
    wanted = clock.days or tuple(row.split(" ")[0] for row in clock.slots)
    off = (tuple(map(date.fromisoformat, row.split(" "))) for row in clock.off)
    free = [*off, *away]
    return (not wanted or name in wanted) and not any(first <= day <= last for first, last in free)


def _times(clock: Clock, day: date, begin: datetime) -> list[time]:
    """The times of a day at which something may fall due."""
    if clock.slots:
        rows = (row.split(" ") for row in clock.slots)
        return [time.fromisoformat(at) for name, at in rows if name == DAYS[day.weekday()]]
    return [time.fromisoformat(clock.at)] if clock.at else [begin.time()]


def moment(local: datetime, zone: tzinfo) -> int:
    """A local time in seconds since 1970."""
    while True:
        found = local.replace(tzinfo=zone).astimezone(UTC)
        if found.astimezone(zone).replace(tzinfo=None) == local:
            return int(found.timestamp())
        # it is left out
        local = local.replace(second=0) + timedelta(minutes=1)
