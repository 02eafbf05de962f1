"""A game goes on under the rulings it was begun with (docs/decisions/0006).

``begun-2026-11``: a game of edition hu under the rulings of 2026-11, stopped before its end, with
throw-away keys, the emails still to come, and the last state and report. The code of 2026-11
played it first; ``make.py`` wrote it again, move for move, when the format changed before its
first release.
Dominance (CC-51) pays red 4 there; by 2026-12 it would pay green's 3 as well.
"""

import json
from pathlib import Path

import pytest

from pbem import catalog, cli
from pbem.chain.signed_state import read_self_signed_record, read_verified_record
from pbem.chain.state_record import config_of
from pbem.engine.chang_cheng import GAME, scoring

from .make import adopt, lay_out

BEGUN = Path(__file__).parent / "begun-2026-11"
START, STEP = 1793606400, 7800
BEFORE = 10  # emails that had come when it was stopped


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, as it lay in its referee's folder."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    folder = lay_out(BEGUN, tmp_path)
    adopt(folder)
    return folder


def finish(game: Path, monkeypatch: pytest.MonkeyPatch, emails: int = 4) -> None:
    """The emails that were still to come, each at its time; or the first of them."""
    came = sorted((BEGUN / "received").iterdir())[:emails]
    for number, path in enumerate(came, BEFORE + 1):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(START + number * STEP))
        assert cli.run(["receive", str(game), str(path)]) in (0, 1)
        assert cli.run(["resolve", str(game)]) == 0


def test_it_ends_as_it_would_have(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(game, monkeypatch)
    assert (game / "game.toml").read_bytes() == (BEGUN / "last.toml").read_bytes()
    report = (game / "desk" / "reports" / "0016" / "spectators.txt").read_text(encoding="utf-8")
    assert "Squares: Ann 4, Ben 3. Ann gained 4 points. (CC-51)" in report
    # the scores and the signed block are as they were; words may have been improved
    old = (BEGUN / "last-report.txt").read_text(encoding="utf-8")
    for start in ("head ", "commit ", "open "):
        assert _lines(report, start) == _lines(old, start) != []
    assert [line.split()[:3] for line in _lines(report, "1. ") + _lines(report, "2. ")] == [
        ["1.", "Ann:", "21"],
        ["2.", "Ben:", "0"],
    ]


def _lines(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


def test_it_is_archived_and_proven(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finish(game, monkeypatch)
    archive = game.parent / "wall.pbem"
    assert cli.run(["archive", str(game), "-o", str(archive)]) == 0
    capsys.readouterr()
    assert cli.run(["audit", str(archive), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["games"][0]
    assert {row["verdict"] for row in found["items"]} == {"proven"}, found
    assert cli.run(["verify", str(archive)]) == 0


def test_by_todays_rulings_it_would_end_otherwise(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the test above can fail: the same last state, played by 2026-12, pays green too."""
    finish(game, monkeypatch)
    raw = (game / "states" / "0016.toml").read_bytes()
    record = read_verified_record(raw, _key(game), "states/0016.toml")
    config = config_of(record)
    assert config.rulings == "2026-11"
    then, now = (
        scoring._dominance_payment(GAME.watch(config._replace(rulings=rulings), record.position).public)
        for rulings in ("2026-11", "2026-12")
    )
    assert (then, now) == (((4, 3), (4, 0)), ((4, 4), (4, 3)))


def _key(game: Path) -> bytes:
    genesis = (game / "states" / "0000.toml").read_bytes()
    return read_self_signed_record(genesis, "states/0000.toml").referees[0].acting


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "command", [["show"], ["legal"], ["resolve"], ["receive", str(BEGUN / "received/0012-red.eml")]]
)
def test_rulings_that_are_not_here_are_refused_in_one_line(
    command: list[str], game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finish(game, monkeypatch, 1)  # a folder in use: nothing is missing on its desk
    monkeypatch.setattr(type(GAME), "rulings", ("2031-02", "2031-01"))
    before = files(game)
    capsys.readouterr()
    assert cli.run([command[0], str(game), *command[1:]]) != 0
    out, err = capsys.readouterr()
    said = out + err
    assert "by the rules of 2026-11, but this pbem has those of 2031-02 and 2031-01 (" in said
    assert "pip install pbem==" in said
    assert len(said.splitlines()) == 1
    assert files(game) == before


def test_a_view_file_of_rulings_that_are_not_here(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finish(game, monkeypatch)
    view = game / "desk" / "reports" / "0014" / "green.view.toml"
    orders = tmp_path / "orders.txt"
    orders.write_text("card flood CP1\n", encoding="utf-8")
    capsys.readouterr()
    assert cli.run(["orders", "list", str(view)]) == 0
    listed = capsys.readouterr().out
    assert "card" in listed
    monkeypatch.setattr(type(GAME), "rulings", ("2031-01",))
    for command in (["list", str(view)], ["check", str(view), str(orders)]):
        assert cli.run(["orders", *command]) == 1
        said = capsys.readouterr()
        assert "2031-01. Use the pbem that your referee uses." in said.err
        assert len((said.out + said.err).splitlines()) == 1


def test_the_first_report_says_by_which_rulings() -> None:
    """Where they matter to this game, and nowhere else."""

    def said(edition: str, events: str, rulings: str) -> str:
        options = {"edition": edition, "events": events}
        rows = GAME.notices(GAME.configure(("red", "green"), options, rulings))
        return " ".join(f"{row.kind} {row.facts}" for row in rows)

    assert "older_rulings {'version': '2026-11'}" in said("hu", "B,D", "2026-11")
    assert "older_tower_in_run" in said("hu", "drawn-2", "2026-11")
    assert "older_tower_in_run" not in said("hu", "A,C", "2026-11")
    assert "older_second_reckoned" in said("hu", "A,C", "2026-11")
    assert "2026-11" not in said("hu", "B,D", "2026-12")
    assert said("en", "B", "2026-11") == said("en", "B", "2026-12")


def test_a_game_that_begins_takes_the_newest() -> None:
    for game in map(catalog.load, catalog.BUILT_IN):
        assert game.configure(game.seats[:2], {}).rulings == game.rulings[0] == "2026-12"
        assert game.configure(game.seats[:2], {}, "2026-11").rulings == "2026-11"
