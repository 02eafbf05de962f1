"""What a referee types about a clock, and what is refused. Source: docs/REFEREE.md "Deadlines"."""

import pytest

from pbem.chain.clock import Clock, clock_without_deadlines, write_clock
from pbem.chain.clock_words import typed_options
from pbem.errors import BadInput
from pbem.play.deadlines.options import describe_clock, read_clock

GOOD = {
    "turn=3d": Clock(turn=72),
    "turn=36h choice=1d12h": Clock(turn=36, choice=36),
    "slots=thu 19:00, mon 9:30 zone=Europe/Rome": Clock(slots=("mon 09:30", "thu 19:00"), zone="Europe/Rome"),
    "slots=mon thu 19:00": Clock(slots=("mon 19:00", "thu 19:00"), zone="UTC"),
    "turn=3d zone=Europe/Rome": Clock(turn=72, zone="Europe/Rome"),
    "turn=3d zone=UTC": Clock(turn=72),
    "turn=3d days=sat-mon": Clock(turn=72, days=("mon", "sat", "sun"), zone="UTC"),
    "turn=3d days=mon-sun": Clock(turn=72),
    "turn=3d off=2026-12-24..2027-01-01,2026-11-01": Clock(
        turn=72, zone="UTC", days_off=("2026-11-01 2026-11-01", "2026-12-24 2027-01-01")
    ),
    "turn=1d remind=2h,1d bank=7d grace=12h regret=5m missed=bot strikes=2": Clock(
        turn=24, remind=("24", "2"), time_bank=168, grace=12, regret=5, missed="bot", missed_turn_limit=2
    ),
    "missed=default": Clock(missed="default"),
    "regret=30m": Clock(regret=30),
}


def given(text: str) -> dict[str, str]:
    found = dict[str, str]()
    for word in text.split(" "):
        name, sign, value = word.partition("=")
        if sign:
            found[name] = value
        else:
            found[[*found][-1]] += f" {word}"
    return found


@pytest.mark.parametrize("text", GOOD)
def test_what_is_typed(text: str) -> None:
    clock = read_clock(given(text))
    assert clock == GOOD[text]
    assert read_clock(typed_options(clock)) == clock
    assert len(describe_clock(clock)) == len({*typed_options(clock), "missed"})
    assert write_clock(clock)  # it has a spelling


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("turn=3x", "clock/value"),
        ("turn=0d", "clock/value"),
        ("turn=999999d", "clock/value"),
        ("turn=-3d", "clock/value"),
        ("turn=3d at=25:00", "clock/value"),
        ("turn=3d at=8", "clock/value"),
        ("turn=3d at=20:00 zone=Mars/Base", "clock/zone"),
        ("turn=3d at=20:00 zone=../../etc/passwd", "clock/zone"),
        ("turn=3d days=mo-fr", "clock/value"),
        ("turn=3d off=2026-02-30", "clock/value"),
        ("turn=3d off=2026-12-24..2026-12-01", "clock/value"),
        ("turn=3d off=2026-12-01..2026-12-09,2026-12-09", "clock/together"),
        ("slots=mon", "clock/value"),
        ("slots=19:00", "clock/value"),
        ("turn=3d regret=1d", "clock/value"),
        ("turn=3d strikes=2", "clock/together"),
        ("turn=3d strikes=x missed=default", "clock/value"),
        ("turn=3d slots=mon 19:00", "clock/together"),
        ("slots=mon 19:00 choice=1d", "clock/together"),
        ("bank=7d", "clock/together"),
        ("missed=bot", "clock/together"),
        ("missed=maybe", "option/value"),
        ("trun=3d", "clock/name"),
    ],
)
def test_what_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadInput) as error:
        read_clock(given(text))
    assert error.value.code == code
    assert error.value.hint


def test_the_sentences_for_players() -> None:
    said = " ".join(describe_clock(read_clock(given("slots=mon thu 19:00 regret=1m"))))
    assert "You can replace your orders for 1 minute before they are played." in said
    assert "at the first of these times that leaves at least 12 hours. Each player's first turn is due one" in said


def test_over_what_there_was() -> None:
    before = read_clock(given("turn=3d at=20:00 bank=7d missed=default"))
    seated = before._replace(seats=clock_without_deadlines("default", ("red", "blue")).seats)
    assert read_clock({"at": ""}, seated) == seated._replace(at="", zone="")
    off = read_clock({"turn": ""}, seated)
    assert off == clock_without_deadlines("wait", ("red", "blue"))
