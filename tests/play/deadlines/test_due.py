"""What the time makes necessary, and when to look again. Source: docs/CLOCK.md."""

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.chain.clock import HOUR, Clock, Due, seconds, written
from pbem.chain.people import Seated
from pbem.chain.state_record import Setup, StateRecord
from pbem.notation.absence import Away
from pbem.play.deadlines.due import NEVER, PATIENCE, Desk, Extend, Miss, Remind, Silence, due
from pbem.play.deadlines.outages import noted, silence_since

ASKED = seconds("2026-11-02T09:00:00Z")
END = ASKED + 72 * HOUR
CLOCK = Clock(turn=72, bank=24, grace=6, remind=("24", "2"), missed="default", strikes=2)
MISSED = END + 30 * HOUR


def link(clock: Clock = CLOCK, strikes: int = 0, key: bytes = b"") -> StateRecord:
    setup = Setup("g", "r", "v", ("red", "blue"), (), b"", 1, "none")
    people = (Seated("red", "reply", key, 0, "Ann"), Seated("blue", "reply", b"", 0, "Ben"))
    rows = (Due("red", written(END), 24, strikes), Due("blue", "", 24, 0))
    first = StateRecord(7, "", "", "play", written(ASKED), setup, (), (), people, position={"x": 1})
    return first._replace(clock=clock._replace(seats=rows))


DESK = Desk(ASKED)
GONE = (Away(date(2026, 11, 1), date(2026, 11, 4)),)
Change = Callable[[Desk], Desk]


@pytest.mark.parametrize(
    ("now", "desk", "acts", "following"),
    [
        (ASKED, DESK, (), END - 24 * HOUR),
        (END - 24 * HOUR, DESK, (Remind("red", 24),), END - 2 * HOUR),
        (END - 24 * HOUR, DESK._replace(reminded=24), (), END - 2 * HOUR),
        (END - HOUR, DESK, (Remind("red", 2),), MISSED),  # caught up: the last one alone
        (END - HOUR, DESK._replace(reminded=2), (), MISSED),
        # on the last day away, 4 November, whatever else reminds
        (ASKED, DESK._replace(away=GONE), (), END - 33 * HOUR),
        (END - 33 * HOUR, DESK._replace(away=GONE), (Remind("red", 33),), END - 24 * HOUR),
        # an absence that was over before is nothing, however long ago
        (ASKED, DESK._replace(away=(Away(date.min, date.min),)), (), END - 24 * HOUR),
        (END - 30 * HOUR, DESK._replace(away=GONE, reminded=33), (), END - 24 * HOUR),
        # what was asked after that moment needs no reminder of it
        (END - 3 * HOUR, Desk(END - 5 * HOUR), (), END - 2 * HOUR),
        (END, DESK, (), MISSED),
        (MISSED - 1, DESK, (), MISSED),
        (MISSED, DESK, (Miss("red"),), NEVER),
        (MISSED, DESK._replace(unsent=True), (), MISSED + PATIENCE),
        (MISSED + PATIENCE, DESK._replace(unsent=True), (Miss("red"),), NEVER),
        # sent four hours after its deadline: from then on the lesser span
        (MISSED, DESK._replace(sent=END + 4 * HOUR), (Extend(("red",), 76, "unsent"),), NEVER),
        (MISSED, DESK._replace(sent=END - HOUR), (Miss("red"),), NEVER),
    ],
)
def test_what_is_due(now: int, desk: Desk, acts: object, following: int) -> None:
    assert due(link(), {"red": desk}, now) == (acts, following)


def test_nobody_misses_what_nobody_heard() -> None:
    assert due(link(), {"red": DESK}, MISSED, heard=False) == ((), NEVER)
    waits = CLOCK._replace(missed="wait", strikes=0)
    assert due(link(waits), {"red": DESK}, MISSED) == ((), NEVER)
    assert due(link(Clock()), {}, MISSED) == ((), NEVER)


@pytest.mark.parametrize("begin", [END - HOUR, END + HOUR, MISSED - 1])
def test_a_deadline_in_a_silence_moves_by_its_length(begin: int) -> None:
    silence = Silence(begin, begin + 50 * HOUR)
    acts, _ = due(link(), {"red": DESK}, silence.end, silence)
    assert acts == (Extend(("red",), 50),)
    later = Silence(MISSED, MISSED + 50 * HOUR)
    assert due(link(), {"red": DESK}, later.end, later)[0] == (Miss("red"),)


def test_days_away_move_the_deadline_that_falls_into_them() -> None:
    desk = DESK._replace(away=[Away(date(2026, 11, 4), date(2026, 11, 9))])
    assert due(link(), {"red": desk}, ASKED)[0] == (Extend(("red",), 5 * 24, "away"),)


@given(st.lists(st.integers(0, 300 * HOUR), max_size=30), st.booleans())
def test_looking_more_often_changes_nothing(moments: list[int], bot: bool) -> None:
    """The acts of any set of moments are those of the moments at which something is due."""
    clock = CLOCK._replace(missed="bot") if bot else CLOCK

    def acts(instants: list[int]) -> list[object]:
        found, desk = list[object](), DESK
        for now in sorted(instants):
            for act in due(link(clock), {"red": desk}, ASKED + now)[0]:
                found.append(act)
                if isinstance(act, Remind):
                    desk = desk._replace(reminded=act.hours)
                else:
                    return found
        return found

    marks = [48 * HOUR, 70 * HOUR, 102 * HOUR]
    assert acts([*moments, *marks]) == [Remind("red", 24), Remind("red", 2), Miss("red")]
    assert [one for one in acts(moments) if isinstance(one, Miss)] == (
        [Miss("red")] if any(one >= 102 * HOUR for one in moments) else []
    )


@given(st.integers(0, 400 * HOUR))
def test_until_the_next_moment_nothing_is_due(now: int) -> None:
    acts, following = due(link(), {"red": DESK._replace(reminded=2)}, ASKED + now)
    if not acts and following < NEVER:
        assert not due(link(), {"red": DESK._replace(reminded=2)}, following - 1)[0]
        assert due(link(), {"red": DESK._replace(reminded=2)}, following)[0] or following < MISSED


def test_silences() -> None:
    every = " ".join(["300"] * 8)
    assert silence_since("2026-11-02T09:00:00Z", every, "2026-11-02T10:59:00Z") is None
    found = silence_since("2026-11-02T09:00:00Z", every, "2026-11-02T11:01:00Z")
    assert found is not None
    assert found.hours == 3
    daily = " ".join(["86400"] * 8)
    assert silence_since("2026-11-02T09:00:00Z", daily, "2026-11-05T08:59:00Z") is None
    assert silence_since("2026-11-02T09:00:00Z", daily, "2026-11-05T09:01:00Z") is not None
    assert silence_since("", "", "2026-11-05T09:01:00Z") is None  # the first run
    assert silence_since("2026-11-02T09:00:00Z", "", "2026-11-01T09:00:00Z") is None
    time, gaps = noted("2026-11-02T09:00:00Z", every, "2026-11-02T10:00:00Z")
    assert (time, gaps.split()[-1]) == ("2026-11-02T10:00:00Z", "3600")
    assert len(gaps.split()) == 9
