"""States that are there and not what they should be: told in one line, never as "our fault"."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from disk import killer
from proof.verify.test_history import resigned

from . import games
from .games import Place, copied, one_line
from .test_half_done import NEW

WRITING = (
    ("resolve", "GAME"),
    ("report", "GAME", "--player", "red"),
    ("amend", "GAME", "close", "--reason", "no time"),
    ("tick", "GAME"),
)


@pytest.mark.parametrize("option", ["edition", "variant", "events", "boards", "seats"])
def test_an_own_state_without_an_option(tmp_path: Path, option: str) -> None:
    """Before the deal no position shows it: without `edition=` all that writes ended with 3."""
    place = games.fresh(tmp_path / "one")
    place.done(*NEW)

    def less(document: dict[str, Any]) -> None:
        rows = document["setup"]["options"]
        document["setup"]["options"] = [row for row in rows if not row.startswith(option)]

    for path in (place.game / "states" / "0000.toml", place.game / "game.toml"):
        path.write_bytes(resigned(path.read_bytes(), less))
    shutil.rmtree(place.home / "marks")
    shutil.rmtree(place.game / "desk" / "reports")
    place.adopted()  # the game is another by its genesis
    for words in (*WRITING, ("show", "GAME"), ("status", "GAME"), ("verify", "GAME")):
        said = place.run(*words)
        assert said.code in (0, 1, 2), said
        assert "our fault" not in said.text
    said = place.run("resolve", "GAME")
    one_line(said)
    assert "state 0" in said.text


def test_an_older_state_that_is_damaged_is_not_lost(place: Place, tmp_path: Path) -> None:
    """A report would leave it out for ever. What is not there is told as lost, as before."""
    games.answer(place)
    games.answer(place)
    path = place.game / "states" / "0003.toml"
    path.write_bytes(path.read_bytes()[:-10] + b"A" * 10)
    undo = ("amend", "GAME", "undo", "--reason", "a slip")
    before = games.tree(place.path)
    for words in (undo, ("history", "GAME")):
        said = place.run(*words)
        assert said.code in (1, 2), said
        one_line(said)
        assert "0003.toml" in said.text or "state 3" in said.text
        assert games.tree(place.path) == before
    gone = copied(place, tmp_path / "gone")
    (gone.game / "states" / "0003.toml").unlink()
    assert "this state is lost" in gone.done("history", "GAME")


def test_verify_takes_a_folder_of_games_each_in_turn(place: Place, tmp_path: Path) -> None:
    root = tmp_path / "games"
    for name in ("a", "club/b", "c"):
        shutil.copytree(place.game, root / name)
    (root / "c" / "states" / "0001.toml").write_bytes(b"rubbish\n")
    said = place.run("verify", str(root))
    rows = said.text.splitlines()
    assert [row.partition(": ")[0] for row in rows] == [str(root / n) for n in ("a", "c", "club/b")]
    assert [": genuine" in row for row in rows] == [True, False, True]
    assert said.code in (1, 2)
    assert place.done("verify", str(root / "a"), str(root / "club")).count("genuine: game") == 2
    assert "there is no game" in place.run("verify", str(place.home)).text


@pytest.mark.skipif(os.name != "posix", reason="forks")
def test_verify_names_a_folder_that_cannot_be_read(place: Place, tmp_path: Path) -> None:
    root = tmp_path / "games"
    shutil.copytree(place.game, root / "a")
    (root / "closed").mkdir()
    call = place._call(("verify", str(root)))
    said = killer.fork_killed(call, 1, "read-EACCES", str(root / "closed"))
    assert ": genuine" in said.output
    assert "skipped: cannot" in said.output
    assert said.code == 2
