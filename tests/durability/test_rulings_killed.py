"""Rulings killed at operations on files: the game stands as before, or the ruling is whole. P8."""

import os
import shutil
from pathlib import Path

import pytest

from . import games
from .games import Place, copied

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks and kills")

RULINGS = {
    "note": ("note", "hello there"),
    "undo": ("undo", "--reason", "a slip"),
    "correct": ("correct", "colours.red.1=5", "--reason", "a slip"),
    "player": ("player", "red", "--name", "Zoe", "--address", "zoe@example.org", "--reason", "left"),
    "close": ("close", "--reason", "no time"),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = games.opened(tmp_path_factory.mktemp("killed") / "one")
    games.unseen(place)
    seat = games.asked(place)
    place.done("receive", "GAME", place.mail(seat, "later:\nwall A11"))
    return place


@pytest.mark.parametrize("name", RULINGS)
def test_a_killed_ruling_is_whole_or_not_there(name: str, played: Place, tmp_path: Path) -> None:
    """Killed anywhere: typed once more it is carried out, and once only; its reports are there."""
    words = ("amend", "GAME", *RULINGS[name])
    n = played.numbers()[-1]
    steps = copied(played, tmp_path / "count").steps(*words)
    for k in games.points(len(steps)):
        place = copied(played, tmp_path / str(k))
        place.struck(k, "half", *words)
        assert place.run("status", "GAME").code == 0
        done = place.numbers()[-1] == n + 1
        if not done:
            assert place.hands() == played.hands()
            place.done(*words)
        else:  # where the game is closed by it, it completes the reports all the same
            place.done("resolve", "GAME")
        assert place.numbers()[-1] >= n + 1
        for seat in ("red", "blue", "spectators"):
            text = (place.game / f"desk/reports/{n + 1:04d}/{seat}.txt").read_text()
            assert "RULINGS OF THE REFEREE" in text
        last = [path.name for path in (place.game / "desk/outbox").glob("replaced-*")]
        assert len(last) == (name == "player"), k
        place.done("verify", "GAME")
        shutil.rmtree(place.path)
