"""What people are told of a game's time: the referee by `status`, players by reports and emails."""

from pathlib import Path

import pytest
from durability import games
from durability.games import Place, fresh

NEW = (
    "new", "GAME", "--game", "great-wall", "--player", "red=Ann,ann@example.org",
    "--player", "blue=Bob,bob@example.org", "--referee", "Ref,ref@example.org", "--deal",
    "--option", "turn=1d", "--option", "at=20:00", "--option", "zone=Europe/Rome",
)  # fmt: skip
BEGIN, DAY = 1_700_000_000, 24 * 3600  # 14 November 2023, 22:13 UTC
REASON = ("--reason", "so it is")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = fresh(tmp_path)
    made.done(*NEW, "--option", "missed=default", "--option", "bank=2d")
    return made


def later(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    monkeypatch.setattr(games, "TIME", str(int(BEGIN + days * DAY)))


def test_status_tells_times_by_the_clocks_of_the_game(place: Place) -> None:
    assert "Fri 17 Nov 20:00 Europe/Rome" in place.done("status", "GAME")


def test_status_says_what_to_type_when_a_turn_is_over(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, 4)  # the reserve is being used
    assert "is over" not in place.done("status", "GAME")
    later(monkeypatch, 5)
    said = place.done("status", "GAME")
    assert "the turn of Ann (red) is over: `pbem tick" in said
    place.done("resolve", "GAME", "--missed", "red")
    assert "is over" not in place.done("status", "GAME")


def test_a_pause_is_told(place: Place) -> None:
    place.done("amend", "GAME", "pause", "--for", "7d", *REASON)
    assert "paused until Tue 21 Nov 23:13 Europe/Rome" in place.done("status", "GAME")
    place.done("report", "GAME", "--player", "red")
    report = " ".join(newest(place, "red").split())
    assert "The clock stands still until Tue 21 Nov 23:13 Europe/Rome." in report
    assert "2023-11-21T" not in report.partition("head ")[0]


def newest(place: Place, seat: str) -> str:
    reports = max((place.game / "desk" / "reports").iterdir())
    return (reports / f"{seat}.txt").read_text("utf-8")


def test_whoever_is_asked_reads_how_to_be_away(place: Place) -> None:
    assert "reply with the days, for example `absent 20 Dec to 3 Jan`" in newest(place, "red")
    assert "If you are away" not in newest(place, "blue")


def test_the_first_report_of_a_deal_lists_the_terms(place: Place) -> None:
    report = " ".join(newest(place, "blue").split())
    terms = "A turn has 1 day, and the first one twice as long. Every deadline is at 20:00."
    assert terms in report


def test_an_absence_is_ended_by_present(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    days = place.game / "desk" / "away"
    place.done("receive", "GAME", place.mail("red", "absent 13 Nov to 20 Nov", "1.eml"))
    place.done("receive", "GAME", place.mail("blue", "absent 1 Dec to 2 Dec", "2.eml"))
    later(monkeypatch, 2)
    said = place.done("receive", "GAME", place.mail("red", "present", "3.eml"))
    assert "nothing was read" not in said
    assert sorted(days.read_text().splitlines()) == [
        "blue 2023-12-01 2023-12-02",
        "red 2023-11-14 2023-11-15",
    ]
    receipt = max((place.game / "desk" / "receipts").glob("red-*")).read_text("utf-8")
    assert "You are not away from today on." in " ".join(receipt.split())


def test_rulings_tell_times_as_reports_do(place: Place) -> None:
    place.done("amend", "GAME", "clock", "turn=4d", "grace=12h", *REASON)
    place.done("amend", "GAME", "extend", "--by", "48h", *REASON)
    said = place.done("history", "GAME")
    assert "turn from 1 day to 4 days; grace from nothing to 12 hours" in said
    assert "deadlines moved by 2 days" in said


def test_the_same_reserve_again_fills_none(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch, 3.5)  # nine hours and more after the deadline
    session = place.session()
    line = session.game.legal(session.game.view(session.position.state, "red"))[0]
    place.done("receive", "GAME", place.mail("red", line))
    place.done("resolve", "GAME")
    left = place.session().link.clock.of("red").bank
    assert 0 < left < 48
    place.done("amend", "GAME", "clock", "turn=3d", "bank=2d", *REASON)
    assert place.session().link.clock.of("red").bank == left


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["extend", "--by", "0h"], "from 1h to 9999h. For example --by=3d"),
        (["extend", "--by", "31d"], "more than 30 days within 60. 30d can be given now"),
        (["pause", "--for", "3"], "--for='3' is not days and hours"),
        (["clock", "turn"], "'turn' is not NAME=VALUE. For example turn=4d"),
        (["clock", "zone=rome", "at=20:00"], "For example zone=Europe/Rome;"),
        (["clock", "slots=mon 25:00"], "'25:00' is not a time of day, from 00:00 to 23:59."),
        (["clock", "strikes=0"], "is not a number from 1 to 99. For example strikes=2"),
        (["clock", "off=2026-12-24..2026-12-20"], "For example off=2026-12-20..2026-12-24"),
        (["extend", "--player", "red", "--absent", "xmas"], "--absent=2026-12-24..2027-01-01"),
    ],
)
def test_what_is_out_of_range_is_told_with_its_range(
    place: Place, words: list[str], said: str
) -> None:
    found = place.run("amend", "GAME", *words, *REASON)
    assert found.code
    assert said in found.text
