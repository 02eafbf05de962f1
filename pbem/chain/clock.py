"""The clock of a game as every state has it: the options chosen, and each seat's deadline.

Not allowed here: the time of day; how deadlines are computed; how a clock may change from
one state to the next (proof/verify/clock.py).
Law: an option that is not chosen has one fixed value. A game with neither spans nor fixed days has
no deadlines.
Source: docs/SPECIFICATION.md section 5 (clock).
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

from pbem.chain.rows import NUMBER, WORD, Cell, RowFormat, optional_cell
from pbem.formats.toml import TableReader

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WAIT, DEFAULT, BOT = "wait", "default", "bot"
MAX_VALUE = 9999
HOUR = 3600
SLOT_NOTICE = 12  #: hours: a fixed day nearer than this to a new turn is skipped
MAX_SLOT_GAP = 14 * 24  #: hours: the most until the second of two fixed days
MAX_SLIDE = 70 * 24 * HOUR  #: seconds: the most by which weekdays and absences move a deadline
_INSTANT = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")
_TIME_OF_DAY = re.compile("(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_ZONE = re.compile("(?=.{1,60}$)[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+)*")


def check_instant(text: str) -> str:
    """Return a time as states write it, ``2026-11-21T09:45:00Z``; ValueError if it is not one."""
    match = _INSTANT.fullmatch(text)
    if not match:
        raise ValueError(text)
    datetime(*map(int, match.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
    return text


def epoch_seconds(text: str) -> int:
    """Return such a time in seconds since 1970."""
    return int(datetime.fromisoformat(text).timestamp())


LATEST = epoch_seconds("9999-12-31T23:59:59Z")


def format_instant(timestamp: float) -> str:
    """Return seconds since 1970 as such a time, at most ``LATEST``."""
    return f"{datetime.fromtimestamp(min(timestamp, LATEST), UTC):%Y-%m-%dT%H:%M:%SZ}"


INSTANT = optional_cell(Cell(read=check_instant), "")


DEFAULT_REGRET = 10  #: minutes, if none were chosen


class SeatClock(NamedTuple):
    """The clock's values for one seat."""

    seat: str
    deadline: str  #: when it must answer its open question; "" for never
    time_bank: int  #: hours left in its time bank
    missed_turns: int  #: turns missed in a row


class Clock(NamedTuple):
    """A game's clock: its options in the order of the document, in hours except ``regret``."""

    turn: int = 0
    choice: int = 0
    slots: tuple[str, ...] = ()
    at: str = ""
    zone: str = ""
    days: tuple[str, ...] = ()
    days_off: tuple[str, ...] = ()
    time_bank: int = 0
    grace: int = 0
    regret: int = 0  #: minutes
    remind: tuple[str, ...] = ()
    missed: str = WAIT
    missed_turn_limit: int = 0
    paused_until: str = ""  #: until when it is paused; "" if it runs
    seats: tuple[SeatClock, ...] = ()

    @property
    def has_deadlines(self) -> bool:
        """Whether the game has deadlines at all."""
        return bool(self.turn or self.slots)

    @property
    def replace_minutes(self) -> int:
        """How many minutes orders can be replaced before they are played."""
        return self.regret or DEFAULT_REGRET

    def option(self, name: str) -> Any:
        """The value of an option, by the name that the referee types."""
        return getattr(self, _FIELD_BY_OPTION.get(name, name))

    def with_options(self, values: Mapping[str, Any]) -> "Clock":
        """This clock with other values of these options."""
        return self._replace(**{_FIELD_BY_OPTION.get(name, name): value for name, value in values.items()})

    def for_seat(self, seat: str) -> SeatClock:
        return next(row for row in self.seats if row.seat == seat)

    def remaining_pause(self, time: str) -> int:
        """Return how many seconds of the pause remain at ``time``."""
        return max(0, epoch_seconds(self.paused_until) - epoch_seconds(time)) if self.paused_until else 0

    def is_seat_open(self, row: SeatClock) -> bool:
        """Whether a seat missed so many turns in a row that another player may take it."""
        return 0 < self.missed_turn_limit <= row.missed_turns

    def latest_deadline(self, time: str) -> int:
        """Return the latest possible deadline, in seconds, of a question asked at ``time``."""
        span = MAX_SLOT_GAP if self.slots else 2 * max(self.turn, self.choice)  # a first turn has two spans
        latest = epoch_seconds(max(time, self.paused_until)) + span * HOUR + MAX_SLIDE
        for days_off in self.days_off:
            first, last = (epoch_seconds(f"{day}T00:00:00Z") for day in days_off.split(" "))
            latest = max(latest, last + MAX_SLIDE) if first <= latest else latest
        return latest

    def promised_deadline(self, earlier: "Clock", seat: str, time_bank: int, time: str) -> int:
        """Return the earliest deadline, in seconds, that keeps the promise of an older clock to a
        seat. With the time bank and grace of now, the seat misses its turn no sooner than promised.
        That holds even if a pause that began since then ends at ``time``.
        """
        pause_shift = max(0, self.remaining_pause(time) - earlier.remaining_pause(time))
        missed_at = earlier.missed_at(seat) - (time_bank + self.grace) * HOUR
        return max(epoch_seconds(earlier.for_seat(seat).deadline), missed_at) + pause_shift

    def missed_at(self, seat: str) -> int:
        """Return when a seat with a deadline misses its turn, in seconds."""
        row = self.for_seat(seat)
        return epoch_seconds(row.deadline) + (row.time_bank + self.grace) * HOUR


def clock_without_deadlines(missed: str, seats: tuple[str, ...]) -> Clock:
    """Return the clock of a game without deadlines."""
    return Clock(missed=missed, seats=tuple(SeatClock(seat, "", 0, 0) for seat in seats))


#: the options whose field in ``Clock`` has a plainer name
_FIELD_BY_OPTION = {"off": "days_off", "bank": "time_bank", "strikes": "missed_turn_limit", "paused": "paused_until"}
_OPTION_BY_FIELD = {field: name for name, field in _FIELD_BY_OPTION.items()}
_NAMES = tuple(_OPTION_BY_FIELD.get(field, field) for field in Clock._fields)
#: the names of the options that the referee chooses
OPTIONS = _NAMES[: _NAMES.index("paused")]
LIST_OPTIONS, OPTIONAL_TEXTS = ("slots", "days", "off", "remind"), ("at", "zone", "paused")
SEAT_ROWS = RowFormat("seats", SeatClock, ("seat", WORD), ("due", INSTANT), ("bank", NUMBER), ("strikes", NUMBER))


def write_clock(clock: Clock) -> dict[str, Any]:
    """Return the table ``[clock]`` of a state."""
    table: dict[str, Any] = dict(zip(_NAMES, clock, strict=True))
    table |= {key: list(table[key]) for key in LIST_OPTIONS}
    table |= {key: table[key] or "-" for key in OPTIONAL_TEXTS}
    return table | {"seats": SEAT_ROWS.write_rows(clock.seats)}


def read_clock(reader: TableReader, seats: tuple[str, ...], where: str) -> Clock:
    """Return the clock of a table; ValueError or BadInput if it is not one."""
    values: dict[str, Any] = {}
    for key in OPTIONS:
        if key in LIST_OPTIONS:
            values[key] = tuple(reader.rows(key))
        elif key in (*OPTIONAL_TEXTS, "missed"):
            values[key] = reader.text(key)
        else:
            values[key] = reader.number(key, 0, MAX_VALUE)
    for key in ("at", "zone"):
        if not values[key]:
            raise ValueError(key)
        values[key] = "" if values[key] == "-" else values[key]
    paused = INSTANT.read(reader.text("paused")) if INSTANT.read else ""
    seat_rows = SEAT_ROWS.read_rows(reader.rows("seats"), where)
    clock = Clock(seats=seat_rows).with_options({**values, "paused": paused})
    reader.refuse_unknown_keys()
    if tuple(row.seat for row in clock.seats) != seats or not is_valid_clock(clock):
        raise ValueError("clock")
    return clock


def is_valid_clock(clock: Clock) -> bool:
    """Whether the options fit together and are written in their one spelling."""
    if not (_are_texts_valid(clock) and _are_lists_valid(clock)):
        return False
    if any(row.time_bank > MAX_VALUE or row.missed_turns > MAX_VALUE for row in clock.seats):
        return False
    if clock.has_deadlines:
        return not (clock.slots and (clock.turn or clock.choice or clock.at))
    seats = tuple(row.seat for row in clock.seats)
    is_unused = clock == clock_without_deadlines(clock.missed, seats)._replace(regret=clock.regret)
    return is_unused and clock.missed != BOT  # without deadlines the referee could choose when a bot plays


def _are_texts_valid(clock: Clock) -> bool:
    needs_zone = clock.slots or clock.at or clock.days or clock.days_off
    is_at_valid = not clock.at or _TIME_OF_DAY.fullmatch(clock.at)
    is_zone_valid = _ZONE.fullmatch(clock.zone) if clock.zone else not needs_zone
    return bool(clock.missed in (WAIT, DEFAULT, BOT) and is_at_valid and is_zone_valid)


def _are_lists_valid(clock: Clock) -> bool:
    """Whether the options with several values are well formed and in order."""
    are_days_valid = _is_rising([WEEKDAYS.index(day) for day in clock.days]) and _are_days_off_valid(clock.days_off)
    are_slots_valid = _is_rising([_parse_slot(row) for row in clock.slots])
    return are_days_valid and are_slots_valid and _is_rising([-_parse_hours(row) for row in clock.remind])


def _is_rising(values: list[Any]) -> bool:
    return values == sorted(set(values))


def _parse_slot(row: str) -> tuple[int, str]:
    """Return the place of ``mon 19:00`` in the week."""
    day, time_of_day = row.split(" ")
    if not _TIME_OF_DAY.fullmatch(time_of_day):
        raise ValueError(row)
    return WEEKDAYS.index(day), time_of_day


def _parse_hours(row: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,3}", row):
        raise ValueError(row)
    return int(row)


def _are_days_off_valid(rows: tuple[str, ...]) -> bool:
    """Whether rows like ``2026-12-24 2027-01-01`` are in order and do not overlap."""
    pairs = [row.split(" ") for row in rows]
    days = [day for first, last in pairs for day in (first, last)]
    for day in days:
        check_instant(f"{day}T00:00:00Z")
    is_disjoint = all(last < first for (_, last), (first, _) in pairwise(pairs))
    return is_disjoint and all(first <= last for first, last in pairs)
