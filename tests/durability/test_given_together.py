"""Found by a review of a newcomer (2026-11-21): games, reports and histories given together."""

import json
import re
import shutil
from pathlib import Path

import pytest

from .games import Place, copied
from .test_lost import play_on
from .test_restored import restored

__all__ = ["restored"]


@pytest.fixture
def parted(place: Place, tmp_path: Path) -> tuple[Place, str, str]:
    """A game that went on in two ways by two machines: none of the two says why."""
    other = copied(place, tmp_path / "other")
    play_on(place)
    other.done("receive", "GAME", other.mail("red", "withdraw"))
    session = other.session()
    seat = session.game.questions(session.game.view(session.position.state, None))[0].seat
    line = session.game.legal(session.game.view(session.position.state, seat))[-1]
    other.done("receive", "GAME", other.mail(seat, line, "fork.eml"))
    other.done("resolve", "GAME")
    return place, str(other.game), str(session.position.record.n + 1)


def test_a_report_of_another_game_is_named(place: Place) -> None:
    """It said "genuine, not compared with a log (name the game's folder too)", though one was."""
    report = next((place.game / "desk/reports").glob("*/red.txt"))
    example = Path(__file__).parents[2] / "examples/games/great-wall-3"
    said = place.run("verify", str(example), str(report))
    assert said.code == 1
    assert "this is a report of game " in said.text
    assert ", not of " in said.text
    assert "give the game's folder too" not in said.text
    both = place.done("verify", str(example), "GAME", str(report))
    assert "belongs to this log" in both


def test_two_histories_are_named_by_verify(parted: tuple[Place, str, str]) -> None:
    place, other, n = parted
    said = place.run("verify", "GAME", other)
    assert said.code == 1
    assert f"has another state {n} of this game: one of the two was rewritten" in said.text
    state = f"{other}/states/{int(n):04d}.toml"
    assert "rewritten" in place.run("verify", "GAME", state).text
    assert place.run("audit", "GAME", other).text.count("one of the two was rewritten") == 2


def test_an_older_copy_is_no_other_history(place: Place, tmp_path: Path) -> None:
    """The longest of them is what a report is compared with, in whatever order they are named."""
    old = str(copied(place, tmp_path / "old").game)
    play_on(place)
    newest = str(max((place.game / "desk/reports").glob("*/red.txt")))
    for order in ((old, "GAME"), ("GAME", old)):
        assert "belongs to this log" in place.done("verify", *order, newest)


def test_a_ruling_that_states_were_lost_is_no_fraud(restored: tuple[Place, str]) -> None:
    """`restore --go-on`: the lost report is not called a forgery, and not called proven."""
    place, lost = restored
    place.done("restore", "--go-on", "GAME", "--reason", "the disk broke")
    play_on(place)
    said = place.run("verify", "GAME", lost)
    assert said.code == 1
    assert "LOST: " in said.text
    assert "their ruling in state 3 says that newer states were lost" in said.text
    assert "the game went on from state 2" in said.text
    assert "a state 4 that was played and no longer counts" in said.text
    assert "rewritten" not in said.text
    row = json.loads(place.run("verify", "GAME", lost, "--json").text)["paths"][1]
    assert (row["verdict"], row["code"]) == ("lost", "verify/lost")


def test_two_histories_by_a_ruling(place: Place, tmp_path: Path) -> None:
    """Verify and audit of both: what no longer counts, and no word of rewriting."""
    place.done("backup", "GAME", "-o", str(tmp_path / "kept.pbem"))
    play_on(place)
    play_on(place)
    old = str(tmp_path / "old")
    shutil.move(place.game, old)
    assert place.run("restore", str(tmp_path / "kept.pbem"), "--to", "GAME").code == 0
    place.done("restore", "--go-on", "GAME", "--reason", "the disk broke")
    for order in (("GAME", old), (old, "GAME")):
        for command in ("verify", "audit"):
            said = place.run(command, *order)
            assert said.code == 1
            assert "the referee ruled in state 3 that newer states were lost" in said.text
            assert "and went on from state 2: states 3 to 6 " in said.text
            assert "no longer count" in said.text
            # in an audit, each chain by itself is still proven: "none is missing or rewritten"
            assert "rewritten" not in re.sub("(?m)^  proven: the log: .*", "", said.text)
    alone = place.run("verify", "GAME", f"{old}/states/0003.toml")
    assert alone.code == 1
    assert "newer states were lost, and went on from state 2: state 3 here no longer counts" in alone.text
