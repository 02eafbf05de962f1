"""What to do because of the time, and when to look again. Source: docs/REFEREE.md "Deadlines"."""

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.chain.clock import HOUR, Clock, SeatClock, epoch_seconds, format_instant
from pbem.chain.people import SeatedPlayer
from pbem.chain.state_record import Setup, StateRecord
from pbem.notation.absence import Absence
from pbem.play.deadlines.due import (
    NEVER,
    PATIENCE,
    Extension,
    MissedTurn,
    Outage,
    Reminder,
    SeatTiming,
    find_due_actions,
    find_outage,
    record_run,
)

ASKED = epoch_seconds("2026-11-02T09:00:00Z")
END = ASKED + 72 * HOUR
CLOCK = Clock(turn=72, time_bank=24, grace=6, remind=("24", "2"), missed="default", missed_turn_limit=2)
MISSED = END + 30 * HOUR


def link(clock: Clock = CLOCK, strikes: int = 0, key: bytes = b"") -> StateRecord:
    setup = Setup("g", "r", "v", ("red", "blue"), (), b"", 1, "none")
    people = (SeatedPlayer("red", "reply", key, 0, "Ann"), SeatedPlayer("blue", "reply", b"", 0, "Ben"))
    rows = (SeatClock("red", format_instant(END), 24, strikes), SeatClock("blue", "", 24, 0))
    first = StateRecord(7, "", "", "play", format_instant(ASKED), setup, (), (), people, position={"x": 1})
    return first._replace(clock=clock._replace(seats=rows))


DESK = SeatTiming(ASKED)
GONE = (Absence(date(2026, 11, 1), date(2026, 11, 4)),)
Change = Callable[[SeatTiming], SeatTiming]


@pytest.mark.parametrize(
    ("now", "desk", "acts", "following"),
    [
        (ASKED, DESK, (), END - 24 * HOUR),
        (END - 24 * HOUR, DESK, (Reminder("red", 24),), END - 2 * HOUR),
        (END - 24 * HOUR, DESK._replace(reminded_hours=24), (), END - 2 * HOUR),
        (END - HOUR, DESK, (Reminder("red", 2),), MISSED),  # caught up: the last one alone
        (END - HOUR, DESK._replace(reminded_hours=2), (), MISSED),
        # on the last day away, 4 November, whatever else reminds
        (ASKED, DESK._replace(absences=GONE), (), END - 33 * HOUR),
        (END - 33 * HOUR, DESK._replace(absences=GONE), (Reminder("red", 33),), END - 24 * HOUR),
        # an absence that was over before is nothing, however long ago
        (ASKED, DESK._replace(absences=(Absence(date.min, date.min),)), (), END - 24 * HOUR),
        (END - 30 * HOUR, DESK._replace(absences=GONE, reminded_hours=33), (), END - 24 * HOUR),
        # what was asked after that moment needs no reminder of it
        (END - 3 * HOUR, SeatTiming(END - 5 * HOUR), (), END - 2 * HOUR),
        (END, DESK, (), MISSED),
        (MISSED - 1, DESK, (), MISSED),
        (MISSED, DESK, (MissedTurn("red"),), NEVER),
        (MISSED, DESK._replace(is_report_unsent=True), (), MISSED + PATIENCE),
        (MISSED + PATIENCE, DESK._replace(is_report_unsent=True), (MissedTurn("red"),), NEVER),
        # sent four hours after its deadline: from then on the lesser span
        (MISSED, DESK._replace(report_sent_at=END + 4 * HOUR), (Extension(("red",), 76, "unsent"),), NEVER),
        (MISSED, DESK._replace(report_sent_at=END - HOUR), (MissedTurn("red"),), NEVER),
    ],
)
def test_what_is_due(now: int, desk: SeatTiming, acts: object, following: int) -> None:
    assert find_due_actions(link(), {"red": desk}, now) == (acts, following)


def test_nobody_misses_what_nobody_heard() -> None:
    assert find_due_actions(link(), {"red": DESK}, MISSED, is_email_fetched=False) == ((), NEVER)
    waits = CLOCK._replace(missed="wait", missed_turn_limit=0)
    assert find_due_actions(link(waits), {"red": DESK}, MISSED) == ((), NEVER)
    assert find_due_actions(link(Clock()), {}, MISSED) == ((), NEVER)


@pytest.mark.parametrize("begin", [END - HOUR, END + HOUR, MISSED - 1])
def test_a_deadline_in_a_silence_moves_by_its_length(begin: int) -> None:
    silence = Outage(begin, begin + 50 * HOUR)
    acts, _ = find_due_actions(link(), {"red": DESK}, silence.end, silence)
    assert acts == (Extension(("red",), 50),)
    later = Outage(MISSED, MISSED + 50 * HOUR)
    assert find_due_actions(link(), {"red": DESK}, later.end, later)[0] == (MissedTurn("red"),)


def test_days_away_move_the_deadline_that_falls_into_them() -> None:
    desk = DESK._replace(absences=[Absence(date(2026, 11, 4), date(2026, 11, 9))])
    assert find_due_actions(link(), {"red": desk}, ASKED)[0] == (Extension(("red",), 5 * 24, "away"),)


@given(st.lists(st.integers(0, 300 * HOUR), max_size=30), st.booleans())
def test_looking_more_often_changes_nothing(moments: list[int], bot: bool) -> None:
    """The actions at any moments are those at the moments when something is due."""
    clock = CLOCK._replace(missed="bot") if bot else CLOCK

    def acts(instants: list[int]) -> list[object]:
        found, desk = list[object](), DESK
        for now in sorted(instants):
            for act in find_due_actions(link(clock), {"red": desk}, ASKED + now)[0]:
                found.append(act)
                if isinstance(act, Reminder):
                    desk = desk._replace(reminded_hours=act.hours)
                else:
                    return found
        return found

    marks = [48 * HOUR, 70 * HOUR, 102 * HOUR]
    assert acts([*moments, *marks]) == [Reminder("red", 24), Reminder("red", 2), MissedTurn("red")]
    assert [one for one in acts(moments) if isinstance(one, MissedTurn)] == (
        [MissedTurn("red")] if any(one >= 102 * HOUR for one in moments) else []
    )


@given(st.integers(0, 400 * HOUR))
def test_until_the_next_moment_nothing_is_due(now: int) -> None:
    acts, following = find_due_actions(link(), {"red": DESK._replace(reminded_hours=2)}, ASKED + now)
    if not acts and following < NEVER:
        assert not find_due_actions(link(), {"red": DESK._replace(reminded_hours=2)}, following - 1)[0]
        assert find_due_actions(link(), {"red": DESK._replace(reminded_hours=2)}, following)[0] or following < MISSED


def test_silences() -> None:
    every = " ".join(["300"] * 8)
    assert find_outage("2026-11-02T09:00:00Z", every, "2026-11-02T10:59:00Z") is None
    found = find_outage("2026-11-02T09:00:00Z", every, "2026-11-02T11:01:00Z")
    assert found is not None
    assert found.hours == 3
    daily = " ".join(["86400"] * 8)
    assert find_outage("2026-11-02T09:00:00Z", daily, "2026-11-05T08:59:00Z") is None
    assert find_outage("2026-11-02T09:00:00Z", daily, "2026-11-05T09:01:00Z") is not None
    assert find_outage("", "", "2026-11-05T09:01:00Z") is None  # the first run
    assert find_outage("2026-11-02T09:00:00Z", "", "2026-11-01T09:00:00Z") is None
    time, gaps = record_run("2026-11-02T09:00:00Z", every, "2026-11-02T10:00:00Z")
    assert (time, gaps.split()[-1]) == ("2026-11-02T10:00:00Z", "3600")
    assert len(gaps.split()) == 9
