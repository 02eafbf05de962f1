"""The clock of a game as every state has it: what was chosen of it, and what is due of each seat.

What must never be here: the time of day; when something falls due, which whoever makes a state
works out; what a state may change of the one before (verify/clock.py).
Laws: what is not chosen has the one value that says so; without a span or fixed days nothing is
ever due.
Source: docs/SPECIFICATION.md section 5 (clock).
"""

import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

from pbem.chain.rows import NUMBER, WORD, Cell, Shape, or_dash
from pbem.formats.toml import TableReader

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WAIT, DEFAULT, BOT = "wait", "default", "bot"
MOST = 9999
HOUR = 3600
SLOT_NOTICE = 12  #: hours: a fixed day that is nearer to a new turn is not meant
FIXED = 14 * 24  #: hours until the second of two fixed days, at most
SLIDE = 70 * 24 * HOUR  #: seconds by which days of the week and absences move a deadline at most
_INSTANT = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")
_AT = re.compile("(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_ZONE = re.compile("(?=.{1,60}$)[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+)*")


def instant(text: str) -> str:
    """A moment as states write it, ``2026-11-21T09:45:00Z``; ValueError where it is none."""
    found = _INSTANT.fullmatch(text)
    if not found:
        raise ValueError(text)
    datetime(*map(int, found.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
    return text


def seconds(text: str) -> int:
    """Such a moment as a number, to be subtracted from another."""
    return int(datetime.fromisoformat(text).timestamp())


LATEST = seconds("9999-12-31T23:59:59Z")


def written(moment: float) -> str:
    """A number of seconds as such a moment; none is later than ``LATEST``."""
    return f"{datetime.fromtimestamp(min(moment, LATEST), UTC):%Y-%m-%dT%H:%M:%SZ}"


INSTANT = or_dash(Cell(read=instant), "")


REGRET = 10  #: minutes, where nothing was chosen


class Due(NamedTuple):
    """What the clock has of one seat."""

    seat: str
    due: str  #: when the question open to it is to be answered; "" for never
    bank: int  #: hours left in its reserve
    strikes: int  #: turns missed in a row


class Clock(NamedTuple):
    """What was chosen, in the order of the document; hours, but for ``regret``."""

    turn: int = 0
    choice: int = 0
    slots: tuple[str, ...] = ()
    at: str = ""
    zone: str = ""
    days: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    bank: int = 0
    grace: int = 0
    regret: int = 0  #: minutes
    remind: tuple[str, ...] = ()
    missed: str = WAIT
    strikes: int = 0
    paused: str = ""  #: until when; "" where it runs
    seats: tuple[Due, ...] = ()

    @property
    def on(self) -> bool:
        """Whether anything is ever due."""
        return bool(self.turn or self.slots)

    @property
    def replaceable(self) -> int:
        """For how many minutes orders can be replaced before they are played."""
        return self.regret or REGRET

    def of(self, seat: str) -> Due:
        return next(row for row in self.seats if row.seat == seat)

    def pause_left(self, time: str) -> int:
        """How much of its pause is left at this time, in seconds."""
        return max(0, seconds(self.paused) - seconds(time)) if self.paused else 0

    def opened(self, row: Due) -> bool:
        """Whether a seat missed so many turns in a row that it is open to another player."""
        return 0 < self.strikes <= row.strikes

    def latest(self, time: str) -> int:
        """The moment, in seconds, after which nothing is due that is asked at this time."""
        span = FIXED if self.slots else 2 * max(self.turn, self.choice)  # a first turn has two
        found = seconds(max(time, self.paused)) + span * HOUR + SLIDE
        for row in self.off:
            first, last = (seconds(f"{day}T00:00:00Z") for day in row.split(" "))
            found = max(found, last + SLIDE) if first <= found else found
        return found

    def promised(self, told: "Clock", seat: str, bank: int, time: str) -> int:
        """The deadline that an older clock gave a seat, or later: with the reserve and the grace of
        now, its turn is missed no sooner than it was to be, also if a pause that began since ends
        at this time.
        """
        moved = max(0, self.pause_left(time) - told.pause_left(time))
        missed = told.missed_at(seat) - (bank + self.grace) * HOUR
        return max(seconds(told.of(seat).due), missed) + moved

    def missed_at(self, seat: str) -> int:
        """The moment, in seconds, from which on its turn is missed: it has a deadline, and its
        reserve and the grace are used up.
        """
        row = self.of(seat)
        return seconds(row.due) + (row.bank + self.grace) * HOUR


def stopped(missed: str, seats: tuple[str, ...]) -> Clock:
    """That of a game without deadlines."""
    return Clock(missed=missed, seats=tuple(Due(seat, "", 0, 0) for seat in seats))


#: all that a referee chooses
OPTIONS = Clock._fields[: Clock._fields.index("paused")]
LISTS, MOMENTS = ("slots", "days", "off", "remind"), ("at", "zone", "paused")
SEATS = Shape("seats", Due, ("seat", WORD), ("due", INSTANT), ("bank", NUMBER), ("strikes", NUMBER))


def write_clock(clock: Clock) -> dict[str, Any]:
    """The table ``[clock]``."""
    found: dict[str, Any] = clock._asdict()
    found |= {key: list(found[key]) for key in LISTS}
    found |= {key: found[key] or "-" for key in MOMENTS}
    return found | {"seats": SEATS.rows(clock.seats)}


def read_clock(reader: TableReader, seats: tuple[str, ...], where: str) -> Clock:
    """Read it back; ValueError or BadInput where it is none."""
    found: dict[str, Any] = {}
    for key in OPTIONS:
        if key in LISTS:
            found[key] = tuple(reader.rows(key))
        elif key in (*MOMENTS, "missed"):
            found[key] = reader.text(key)
        else:
            found[key] = reader.number(key, 0, MOST)
    for key in ("at", "zone"):
        if not found[key]:
            raise ValueError(key)
        found[key] = "" if found[key] == "-" else found[key]
    paused = INSTANT.read(reader.text("paused")) if INSTANT.read else ""
    clock = Clock(**found, paused=paused, seats=SEATS.read(reader.rows("seats"), where))
    reader.done()
    if tuple(row.seat for row in clock.seats) != seats or not fits(clock):
        raise ValueError("clock")
    return clock


def fits(clock: Clock) -> bool:
    """Whether it can be a clock, and is written the one way it can be."""
    local = clock.slots or clock.at or clock.days or clock.off
    texts = clock.missed in (WAIT, DEFAULT, BOT) and bool(clock.zone or not local)
    texts = texts and all(map(_AT.fullmatch, filter(None, (clock.at,))))
    texts = texts and all(map(_ZONE.fullmatch, filter(None, (clock.zone,))))
    lists = _rising([*map(_slot, clock.slots)]) and _rising([*map(DAYS.index, clock.days)])
    lists = lists and _free(clock.off) and _rising([-_hours(row) for row in clock.remind])
    if any(row.bank > MOST or row.strikes > MOST for row in clock.seats):
        return False
    if clock.on:
        spans = not (clock.slots and (clock.turn or clock.choice or clock.at))
        return texts and lists and spans
    seats = tuple(row.seat for row in clock.seats)
    texts = texts and clock.missed != BOT  # it could play whenever its referee wants it to
    return texts and clock == stopped(clock.missed, seats)._replace(regret=clock.regret)


def _rising(found: list[Any]) -> bool:
    return found == sorted(set(found))


def _slot(row: str) -> tuple[int, str]:
    """``mon 19:00``: its place in the week."""
    day, hour = row.split(" ")
    if not _AT.fullmatch(hour):
        raise ValueError(row)
    return DAYS.index(day), hour


def _hours(row: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,3}", row):
        raise ValueError(row)
    return int(row)


def _free(rows: tuple[str, ...]) -> bool:
    """Rows ``2026-12-24 2027-01-01``: no day in two of them, the earlier first."""
    pairs = [row.split(" ") for row in rows]
    days = [day for first, last in pairs for day in (first, last)]
    for day in days:
        instant(f"{day}T00:00:00Z")
    starts = all(last < first for (_, last), (first, _) in pairwise(pairs))
    return starts and all(first <= last for first, last in pairs)
