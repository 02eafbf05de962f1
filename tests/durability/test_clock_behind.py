"""A clock that went backwards: said once and plainly, and in the chain time never falls.

Found by an attack of 2026-11: nothing was said, and the next state was older than the one before.
"""

import os
from pathlib import Path

import pytest

from . import games

EARLIER = str(int(games.TIME) - 90_000)


def time_of(place: games.Place) -> str:
    return place.session().record.time


@pytest.mark.attack(
    "the machine's clock is set back", by="pbem says so, and the time in a game never goes back", who="machine"
)
def test_it_is_said_once(scoring: games.Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = games.copied(scoring, tmp_path / "one")
    before = time_of(place)
    monkeypatch.setattr(games, "TIME", EARLIER)
    text = place.done("resolve", "GAME")
    assert text.count("the clock of this machine says") == 1
    assert "set the clock right" in text
    assert time_of(place) == before
    assert place.run("verify", "GAME").code == 0


def test_a_clock_that_stands_right_says_nothing(scoring: games.Place, tmp_path: Path) -> None:
    place = games.copied(scoring, tmp_path / "one")
    assert "the clock of" not in place.done("resolve", "GAME")
    assert os.environ["SOURCE_DATE_EPOCH"] == games.TIME


def test_a_state_is_not_older_than_a_receipt_before_it(
    scoring: games.Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A receipt that is of a later time than the state after it contradicts its referee; and a
    clock may be set right between the two, or one command wait for another.
    """
    place, now = games.copied(scoring, tmp_path / "one"), games.TIME
    monkeypatch.setattr(games, "TIME", str(int(now) + 600))
    place.run("receive", "GAME", place.mail("red", "help"))
    told = max((place.game / "desk" / "receipts").glob("red-*.txt"))
    monkeypatch.setattr(games, "TIME", now)
    place.done("amend", "GAME", "note", "the clock is right now")
    assert f"time {time_of(place)}\n" in told.read_text("utf-8")
    assert place.run("verify", "GAME", str(told)).code == 0
