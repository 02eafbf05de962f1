"""Extra time in whole days keeps the local hour of a deadline when the clocks change: 20:00 stays
20:00.
Source: docs/REFEREE.md "Deadlines"; an experienced referee found it in November 2026.
"""

from datetime import datetime
from pathlib import Path

import pytest
from durability import games
from hypothesis import given
from hypothesis import strategies as st
from services.receive.table import dealt

from pbem.chain.clock import HOUR, epoch_seconds
from pbem.chain.clock_words import zone_of
from pbem.play.deadlines.calendar import local_span_hours
from play.deadlines.test_calendar import ZONES, at, told

ROME, WHY = "Europe/Rome", ("--reason", "as all asked")
CLOCK = ("turn=2d", "at=20:00", "zone=Europe/Rome", "missed=default", *WHY)
#: when a game begins (UTC), and whether the clocks change in the week after its deadline
BEGINS = ["2026-10-20T09:00", "2027-03-23T09:00", "2026-11-03T09:00"]


def local(place: games.Place, seat: str = "red") -> datetime:
    due = epoch_seconds(place.session().record.clock.for_seat(seat).deadline)
    return datetime.fromtimestamp(due, zone_of(ROME)).replace(tzinfo=None)


@pytest.mark.parametrize("begins", BEGINS)
@pytest.mark.parametrize("way", [("extend", "--by", "7d"), ("pause", "--for", "7d")])
@pytest.mark.parametrize("whose", [(), ("--player", "red")])
def test_the_local_hour_stays(
    begins: str, way: tuple[str, ...], whose: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "TIME", str(at(begins)))
    place = dealt(tmp_path).place
    place.done("amend", "GAME", "clock", *CLOCK)
    before = local(place)
    words = (*way, *(whose if way[0] == "extend" else ()), *WHY)
    would = place.done("amend", "GAME", *words, "--dry-run")
    done = place.done("amend", "GAME", *words)
    assert would.splitlines()[1] == done.splitlines()[1]
    after = local(place)
    assert (before.hour, after.hour, (after - before).days) == (20, 20, 7)
    assert place.done("verify", "GAME")
    again = place.run("amend", "GAME", *words)
    if way[0] == "extend":
        assert "has this ruling already" in again.text
        assert local(place) == after


def test_thirty_days_may_be_given_over_a_change_of_clocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "TIME", str(at("2026-10-20T09:00")))
    place = dealt(tmp_path).place
    place.done("amend", "GAME", "clock", *CLOCK)
    place.done("amend", "GAME", "extend", "--by", "30d", *WHY)


@given(
    begins=st.integers(at("2026-01-01"), at("2028-01-01")),
    days=st.integers(0, 60),
    rest=st.integers(0, 23),
    zone=st.sampled_from(ZONES),
)
def test_days_are_local_and_hours_are_hours(begins: int, days: int, rest: int, zone: str) -> None:
    hours = local_span_hours(begins, 24 * days + rest, zone)
    assert abs(hours - 24 * days - rest) <= 2
    if not days:
        assert hours == rest
    there = begins + HOUR * (hours - rest)
    if zone == ROME and days and told(begins, zone)[-5:-3] not in ("02", "03"):
        assert told(there, zone)[-5:] == told(begins, zone)[-5:]
