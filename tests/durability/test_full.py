"""The drive is full from some operation on: one clear line, nothing half done, and it goes on."""

import os
import shutil
from functools import partial
from pathlib import Path

import pytest
from disk import killer

from . import games
from .games import Place, copied, difference, one_line, tree
from .test_kills import MAILS, Unkilled, receiving

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks")


@pytest.mark.attack("the drive is full", by="the game is as before or as after", who="machine")
@pytest.mark.parametrize("kind", ["resolve", *MAILS])
def test_a_full_drive_leaves_the_old_or_the_new_and_says_so(scoring: Place, tmp_path: Path, kind: str) -> None:
    """Whatever needed room and had none is told in one line; with room again all is completed."""
    base = copied(scoring, tmp_path / "base")
    words = ("resolve", "GAME") if kind == "resolve" else receiving(base, kind)
    peace = Unkilled(base, tmp_path, *words)
    said_done = copied(base, tmp_path / "said").run(*words).code
    for k in games.points(len(peace.steps)):
        place, said = peace.strike(k, "full")
        assert list(place.game.rglob(".pbem-tmp-*")) == [], peace.steps[k - 1]
        which = peace.check_whole(place)
        if said.code != said_done:
            assert said.code in (1, 2), said.text
            one_line(said)
            assert "room" in said.text
            if kind != "resolve" and "not imported" in said.text:
                assert which == "old" or peace.old_hands == peace.new_hands
        peace.check_completed(place)
        shutil.rmtree(place.path)


def test_a_full_drive_leaves_no_game_or_a_whole_one(tmp_path: Path) -> None:
    """`new` takes back what it began, or says how to complete it."""
    wanted = tree(games.opened(tmp_path / "unkilled").path)
    counted = games.fresh(tmp_path / "count")
    steps = killer.fork_points(lambda: games.open_in(counted))
    seen = set()
    for k in games.points(len(steps)):
        place = games.fresh(tmp_path / str(k))
        outcome = killer.fork_killed(partial(games.open_in, place), k, "full")
        assert outcome.code in (0, 1, 2), outcome.output
        seen.add(place.game.exists())
        if place.game.exists():
            assert outcome.code == 0 or "the game is dealt, but" in outcome.output
            place.done("resolve", "GAME")
            assert difference(tree(place.path), wanted) == []
        else:
            assert "room" in outcome.output
        shutil.rmtree(place.path)
    assert seen == {True, False}
