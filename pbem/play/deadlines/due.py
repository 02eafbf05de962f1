"""What is to be done in a game because of the time, and when to look again: ``due``.

What must never be here: the time of day, the drive, the doing of anything.
Laws: pure: the same state, desk and moment give the same acts. Nobody misses a turn before its
deadline, reserve and grace are over, nor for a failure of ours; a reminder goes once.
Source: docs/CLOCK.md; docs/SPECIFICATION.md section 9 (Missed); decision 0029.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.chain.clock import HOUR, WAIT, Clock, Due, seconds
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.notation.absence import Away
from pbem.play.deadlines.calendar import begins, hours_to_later, local_day, slid

PATIENCE = 7 * 24 * HOUR  #: seconds for which a turn is not missed, while its email cannot be sent
NEVER = 1 << 40  #: later than any year that a state can have


class Desk(NamedTuple):
    """What the desk tells of a seat that is asked."""

    asked: int  #: when, in seconds since 1970
    reminded: int = 0  #: the last reminder of this deadline: so many hours before it; 0: none
    unsent: bool = False  #: the newest report that was to be emailed has not gone out
    sent: int = 0  #: when it did; 0 where nobody knows
    away: Sequence[Away] = ()  #: when its player is
    refused: bool = False  #: a server refused it, and the clock was not stopped for this question


class Silence(NamedTuple):
    """From when to when nobody looked, in seconds since 1970: the machine was off."""

    begin: int
    end: int

    @property
    def hours(self) -> int:
        return -(-(self.end - self.begin) // HOUR)


#: why deadlines move
SILENT, UNSENT, AWAY, REFUSED = "silent", "unsent", "away", "refused"


class Remind(NamedTuple):
    """An email to the seat: so many hours are left."""

    seat: str
    hours: int


class Extend(NamedTuple):
    """A ruling that moves the deadlines of these seats, for a failure of ours."""

    seats: tuple[str, ...]
    hours: int
    why: str = SILENT  #: or UNSENT, AWAY, REFUSED


class Miss(NamedTuple):
    """The turn of the seat is missed."""

    seat: str


Act = Remind | Extend | Miss


def due(
    record: StateRecord,
    desk: Mapping[str, Desk],
    now: int,
    silence: Silence | None = None,
    heard: bool = True,
) -> tuple[tuple[Act, ...], int]:
    """What is to be done, in order, and the next moment at which there is something, ``NEVER`` for
    none. ``desk``: of each seat that has a deadline. ``heard``: whether all email that came up to
    now was fetched: without that, nobody knows who has answered.
    """
    clock = record.clock
    if not clock.on or not record.dealt or record.phase == CLOSED:
        return (), NEVER
    rows = [row for row in clock.seats if row.due]
    late = tuple(row.seat for row in rows if silence and _fell_in(clock, row, silence))
    if silence and late:
        return (Extend(late, silence.hours),), now
    acts, following = list[Act](), NEVER
    for row in sorted(rows, key=lambda row: clock.missed_at(row.seat)):
        acts += _of_seat(clock, row, desk[row.seat], now, heard)
        later = [at for at in _moments(clock, row, desk[row.seat]) if at > now]
        following = min([following, *later])
    return tuple(acts), following


def _fell_in(clock: Clock, row: Due, silence: Silence) -> bool:
    moments = seconds(row.due), clock.missed_at(row.seat)
    return any(silence.begin < moment <= silence.end for moment in moments)


def _moments(clock: Clock, row: Due, desk: Desk) -> list[int]:
    """The moments at which something may be to be done of a deadline."""
    end, missed = seconds(row.due), clock.missed_at(row.seat)
    reminders = [end - hours * HOUR for hours in _reminders(clock, row, desk)]
    return [*reminders, missed, *([missed + PATIENCE] if desk.unsent else [])]


def _reminders(clock: Clock, row: Due, desk: Desk) -> list[int]:
    """How many hours before a deadline: as the clock says, and on the last day of an absence."""
    asked = local_day(desk.asked, clock.zone)
    days = (one.last for one in desk.away if one.last >= asked)
    last = (seconds(row.due) - begins(day, clock.zone) for day in days)
    return [*map(int, clock.remind), *(left // HOUR for left in last if left >= HOUR)]


def _of_seat(clock: Clock, row: Due, desk: Desk, now: int, heard: bool) -> Iterator[Act]:
    end, missed = seconds(row.due), clock.missed_at(row.seat)
    if desk.refused:
        yield Extend((row.seat,), hours_to_later(end, PATIENCE // HOUR, clock.zone), REFUSED)
    elif (back := slid(clock, end, desk.away)) > end:
        yield Extend((row.seat,), -((end - back) // HOUR), AWAY)
    elif now < end:
        told = _reminders(clock, row, desk)
        passed = [hours for hours in told if desk.asked < end - hours * HOUR <= now]
        if passed and not 0 < desk.reminded <= min(passed):
            yield Remind(row.seat, min(passed))
    elif now >= missed and clock.missed != WAIT and heard:
        if desk.unsent and now < missed + PATIENCE:
            return
        if not desk.unsent and desk.sent > end:  # they have had no time for it
            spans = [span for span in (clock.turn, clock.choice) if span]
            least = min(spans, default=24) * HOUR
            yield Extend((row.seat,), -((end - desk.sent - least) // HOUR), UNSENT)
        else:
            yield Miss(row.seat)
