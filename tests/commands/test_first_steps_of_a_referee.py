"""What an experienced referee typed in the first week, November 2026: each has a way on."""

import subprocess
import sys
from pathlib import Path

import pytest
from durability import games


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> games.Place:
    return games.opened(tmp_path_factory.mktemp("dealt") / "one")


WHY = ("--reason", "a slip", "--dry-run")

#: what was typed, and what the answer lists, by name and in words
CORRECTIONS = [
    ("squares.B10=free", ("squares.B10 (square B10)", "`single`", "`tower`", "`squares.B10=` frees it")),
    ("squares.A1=green", ("squares.A1 (square A1)", "a colour")),
    ("colours.red.points=x", ("colours.red.points (the points of red)", "a whole number")),
    ("colours.red.hand=many", ("colours.red.hand (the number of cards in the hand of red)", "6")),
    ("seat=green", ("seat (whose turn it is)", "a colour")),
    ("stage=foo", ("stage (what is asked now)", "`action`")),
    ("squares.A1=", ("squares.A1", "`single`", "t has none")),
    ("squares.A1.owner=red", ("squares.A1", "t has none")),
    ("asked=red", ("turn (the number of the turn)", "squares (the walls)", "seat (whose turn")),
]


@pytest.mark.parametrize(("typed", "listed"), CORRECTIONS)
def test_a_correction_lists_what_is_allowed(typed: str, listed: tuple[str, ...], dealt: games.Place) -> None:
    said = dealt.run("amend", "GAME", "correct", typed, *WHY)
    assert said.code == 2 or "would not" in said.text or "could not" in said.text
    assert said.code
    assert all(part in said.text for part in listed), said.text
    assert said.text.count("\n") == 1


def test_what_is_listed_is_allowed(dealt: games.Place) -> None:
    for typed in ("squares.B10=red single", "squares.B10=red tower", "squares.B10=blue broken"):
        assert "would be state" in dealt.done("amend", "GAME", "correct", typed, *WHY)


def test_a_timer_is_installed_before_there_is_a_game(dealt: games.Place, tmp_path: Path) -> None:
    said = dealt.done("tick", str(tmp_path / "games"), "--install")
    assert f"{tmp_path / 'games'}" in said
    assert "does not exist yet" in said
    file = tmp_path / "file"
    file.touch()
    assert dealt.run("tick", str(file), "--install").code == 2


def test_the_first_report_without_an_invitation_says_how_to_play(dealt: games.Place) -> None:
    """Found by a newcomer in 2026-11: the first email of a game that was dealt at once was a bare board."""
    reports = {path.stem: path.read_text("utf-8") for path in (dealt.game / "desk/reports/0002").glob("*.txt")}
    assert {name for name, text in reports.items() if "example `wall A5`. A receipt says" in text} == {"red", "blue"}


def test_a_file_of_options_goes_with_a_game_on_the_line(dealt: games.Place, tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('[options]\nturn = "3d"\nmissed = "default"\n')
    players = ("--player", "red=Ann", "--player", "blue=Bob")
    words = ("new", str(tmp_path / "g"), "--from", str(file), *players, "--deal")
    assert "--game GAME" in dealt.run(*words).text
    dealt.done(*words, "--game", "chang-cheng")
    assert "A turn has 3 days" in dealt.done("show", str(tmp_path / "g"))


def test_the_manual_makes_the_file_that_an_export_prints(dealt: games.Place, tmp_path: Path) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "REFEREE.md").read_text()
    assert "`pbem key show --export > THEIR.pub`" in manual
    line = f"{sys.executable} -P -m pbem key show --export > {tmp_path / 'THEIR.pub'}"
    subprocess.run(line, shell=True, check=True, env=dealt.process_env())
    to = ("--to", str(tmp_path / "THEIR.pub"), "--referee", "Eva,eva@example.org")
    said = dealt.run("amend", "GAME", "keys", *to, *WHY)
    assert "no such" not in said.text
