"""When something is due: spans, fixed days, zones, days off. Source: docs/REFEREE.md "Deadlines"."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.chain.clock import HOUR, WEEKDAYS, Clock, epoch_seconds, format_instant
from pbem.chain.clock_words import hours_in_words, instant_in_prose, zone_of
from pbem.errors import BadInput
from pbem.notation.absence import Absence, find_absence, resolve_absence
from pbem.play.deadlines.calendar import compute_deadline, slide_deadline, to_timestamp
from pbem.play.deadlines.options import read_clock

ROME = "Europe/Rome"
ZONES = (ROME, "America/Santiago", "Australia/Lord_Howe", "Pacific/Apia", "UTC")


def at(text: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=zone_of(zone)).timestamp())


def told(seconds: int, zone: str = "UTC") -> str:
    return f"{datetime.fromtimestamp(seconds, zone_of(zone)):%a %Y-%m-%d %H:%M}"


#: what is chosen, when it is asked (UTC), how many hours it has, and when it is due in Rome
CASES = [
    ("turn=3d", "2026-11-02T09:00", 72, "Thu 2026-11-05 10:00"),
    ("turn=3d at=20:00", "2026-11-02T09:00", 72, "Thu 2026-11-05 20:00"),
    ("turn=3d at=20:00", "2026-11-02T19:30", 72, "Fri 2026-11-06 20:00"),
    ("turn=2d at=20:00 days=mon-fri", "2026-11-05T09:00", 48, "Mon 2026-11-09 20:00"),
    ("turn=3d at=20:00 off=2026-12-24..2027-01-01", "2026-12-22T09:00", 72, "Sat 2027-01-02 20:00"),
    # a span that crosses a change of the clocks has its hours; the hour of the day stays
    ("turn=2d", "2026-10-24T10:00", 48, "Mon 2026-10-26 11:00"),
    ("turn=2d at=20:00", "2026-10-24T10:00", 48, "Mon 2026-10-26 20:00"),
    # a time that the clocks leave out is the first after it; of one that comes twice the first
    ("turn=1d at=02:30", "2026-03-27T10:00", 24, "Sun 2026-03-29 03:00"),
    ("turn=1d at=02:30", "2026-10-24T00:20", 24, "Sun 2026-10-25 02:30"),
    ("turn=1d at=08:00 days=sun", "2028-02-25T00:00", 24, "Sun 2028-02-27 08:00"),
    ("turn=1d at=08:00 days=tue", "2028-02-26T00:00", 24, "Tue 2028-02-29 08:00"),
]


def clock_of(text: str, zone: str = ROME) -> Clock:
    given = dict(one.split("=") for one in text.split(" "))
    local = given.keys() & {"at", "days", "off", "slots"}
    return read_clock({**given, **({"zone": zone} if local else {})})


@pytest.mark.parametrize(("chosen", "asked", "hours", "due"), CASES)
def test_a_deadline(chosen: str, asked: str, hours: int, due: str) -> None:
    assert told(compute_deadline(clock_of(chosen), at(asked), hours), ROME) == due


@pytest.mark.parametrize(
    ("asked", "nth", "due"),
    [
        ("2026-11-02T05:59", 1, "Mon 2026-11-02 19:00"),  # 12 hours and a minute before
        ("2026-11-02T06:01", 1, "Thu 2026-11-05 19:00"),
        ("2026-11-02T05:59", 2, "Thu 2026-11-05 19:00"),
        ("2026-11-02T06:01", 2, "Mon 2026-11-09 19:00"),
    ],
)
def test_fixed_days(asked: str, nth: int, due: str) -> None:
    clock = read_clock({"slots": "mon thu 19:00", "zone": ROME})
    assert told(compute_deadline(clock, at(asked), 0, (), nth), ROME) == due


def test_days_on_which_a_player_is_away() -> None:
    clock, gone = clock_of("turn=3d at=20:00"), [Absence(date(2026, 11, 4), date(2026, 11, 8))]
    assert told(compute_deadline(clock, at("2026-11-02T09:00"), 72, gone), ROME) == "Mon 2026-11-09 20:00"
    running = at("2026-11-05T20:00", ROME)
    assert told(slide_deadline(clock, running, gone), ROME) == "Mon 2026-11-09 20:00"
    before = at("2026-11-03T20:00", ROME)
    assert slide_deadline(clock, before, gone) == before


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("absent 20 Dec to 3 Jan", "2026-12-20 2027-01-03"),
        ("absent 20 Nov to 25 Nov", "2026-11-20 2026-11-25"),  # they write it late
        ("absent 24 Dec", "2026-12-24 2026-12-24"),
        ("on holiday 1-14 August", "2027-08-01 2027-08-14"),
        ("absent tomorrow", "2026-11-24 2026-11-24"),
        ("absent from tomorrow to Friday", "2026-11-24 2026-11-27"),
        ("absent until Sunday", "2026-11-23 2026-11-29"),
        ("I am away next week", "2026-11-30 2026-12-06"),
        ("absent until Monday", ""),  # today, or in a week?
        ("absent 30 Feb", ""),
        ("absent from 20 Dec", ""),
    ],
)
def test_days_are_the_next_such_days(line: str, days: str) -> None:
    ask = find_absence(line.lower())
    found = resolve_absence(ask or "", date(2026, 11, 23))  # a Monday
    assert " ".join(map(str, found or ())) == days
    # what a signed line holds reads back
    assert ask == find_absence(ask or "") or ask == "absent 20 dec .. ?"


def test_spans_in_words() -> None:
    said = [hours_in_words(hours) for hours in (1, 24, 36, 54, 73)]
    assert said == ["1 hour", "1 day", "36 hours", "2 days and 6 hours", "3 days and 1 hour"]


@given(
    zone=st.sampled_from(ZONES),
    now=st.integers(at("2011-12-01T00:00"), at("2030-01-01T00:00")),
    hours=st.integers(1, 400),
    days=st.sets(st.sampled_from(WEEKDAYS)),
    hour=st.times(),
)
def test_never_earlier_than_its_span(zone: str, now: int, hours: int, days: set[str], hour: object) -> None:
    chosen = {"turn": "1d", "zone": zone, "at": f"{hour:%H:%M}", "days": " ".join(days)}
    clock = read_clock(chosen)
    due = compute_deadline(clock, now, hours)
    assert due >= now + hours * HOUR
    local = datetime.fromtimestamp(due, zone_of(zone))
    assert not clock.days or WEEKDAYS[local.weekday()] in days or zone == "Pacific/Apia"
    # later questions are never due before earlier ones
    assert compute_deadline(clock, now + 1, hours) >= due


@given(st.sampled_from(ZONES), st.datetimes(datetime(2011, 1, 1), datetime(2031, 1, 1)))
def test_every_local_time_is_a_moment(zone: str, local: datetime) -> None:
    local = local.replace(second=0, microsecond=0)
    found = datetime.fromtimestamp(to_timestamp(local, zone_of(zone)), zone_of(zone)).replace(tzinfo=None)
    assert found == local or timedelta() < found - local <= timedelta(days=1)


def test_times_in_prose() -> None:
    told = "2026-01-31T00:00:00Z"
    assert instant_in_prose("2026-11-21T09:45:00Z", now=told) == "Sat 21 Nov 09:45 UTC"
    assert instant_in_prose("2026-11-21T23:45:00Z", ROME, told) == "Sun 22 Nov 00:45 Europe/Rome"
    assert instant_in_prose("2026-12-31T23:45:00Z", ROME, told) == "Fri 1 Jan 2027, 00:45 Europe/Rome"
    with pytest.raises(BadInput, match="no time zone 'Mars/Base' here"):
        instant_in_prose("2026-11-21T23:45:00Z", "Mars/Base")
    assert datetime.fromtimestamp(at("2026-11-21T00:00"), UTC).year == 2026


def test_the_last_days_of_the_calendar() -> None:
    last, zone = "9999-12-31T23:59:59Z", "Pacific/Auckland"
    clock = read_clock({"turn": "400d", "at": "20:00", "zone": zone})
    end = at("9999-12-31T23:50")
    assert format_instant(compute_deadline(clock, end, 400 * 24)) == last
    assert slide_deadline(clock, epoch_seconds(last), [Absence(date(9999, 12, 31), date(9999, 12, 31))]) >= end
    assert instant_in_prose(last, zone) == instant_in_prose(last) == "Fri 31 Dec 9999, 23:59 UTC"
    assert format_instant(epoch_seconds(last) + HOUR) == last


@pytest.mark.parametrize("off", ["", "2026-11-20..2027-04-30", "2026-11-24,2026-12-05..2027-06-01"])
@pytest.mark.parametrize("chosen", ["turn=3d", "turn=9d choice=12d days=sun", "slots=mon-19:00"])
def test_no_deadline_is_later_than_its_end(chosen: str, off: str) -> None:
    """With everything that can move a deadline: a first turn, days off, thirty days of absence
    after them.
    """
    given = dict(one.split("=") for one in chosen.split(" "))
    given = {name: value.replace("-", " ") for name, value in given.items()}
    clock = read_clock({**given, **({"off": off} if off else {})})
    now = at("2026-11-02T09:00")
    hours = 2 * max(clock.turn, clock.choice)
    due = compute_deadline(clock, now, hours, (), 2)
    first = datetime.fromtimestamp(due, UTC).date()
    gone = [Absence(first, first + timedelta(days=30))]
    assert due < compute_deadline(clock, now, hours, gone, 2) <= clock.latest_deadline(format_instant(now))


def test_no_machine_lacks_utc() -> None:
    """Without tables of time zones, an audit contradicted an honest archive with a pause."""
    assert zone_of("") is zone_of("UTC") is UTC
