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
