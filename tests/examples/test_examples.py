"""The example games, played again: the same mails through receive and resolve; no byte differs.

Source: examples/games/chang-cheng-4/README.md; P9. After a change that is meant (words of a report,
the rules), `python examples/games/make.py` makes the example anew.
"""

import json
import shutil
from pathlib import Path

import pytest

from pbem import cli

EXAMPLE = Path(__file__).parents[2] / "examples" / "games" / "chang-cheng-4"
KEYS = EXAMPLE / "throw-away-keys"
START, STEP = 1793606400, 7800


def _opened(root: Path) -> Path:
    """The game as it was dealt: three states, the referee's secrets, no orders in hand."""
    game = root / "chang-cheng"
    (game / "states").mkdir(parents=True)
    (game / "desk").mkdir(mode=0o700)
    for n in range(3):
        shutil.copy(EXAMPLE / "states" / f"{n:04d}.toml", game / "states")
    for name in ("secret", "codes", "players.toml"):
        shutil.copy(KEYS / name, game / "desk" / name)
    (root / "home" / "keys").mkdir(parents=True)
    for key in KEYS.glob("*.key"):
        shutil.copy(key, root / "home" / "keys")
        (root / "home" / "keys" / key.name).chmod(0o600)
    return game


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the game after all mails have gone in."""
    root = tmp_path_factory.mktemp("replay")
    game = _opened(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_HOME", str(root / "home"))
        for k, path in enumerate(sorted((EXAMPLE / "received").iterdir()), 1):
            patch.setenv("SOURCE_DATE_EPOCH", str(START + k * STEP))
            assert cli.run(["receive", str(game), str(path)]) in (0, 1)
            assert cli.run(["resolve", str(game)]) == 0
    return game


def _files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_the_same_states(replayed: Path) -> None:
    assert _files(replayed / "states") == _files(EXAMPLE / "states")
    assert (replayed / "game.toml").read_bytes() == (EXAMPLE / "game.toml").read_bytes()


def test_the_same_reports(replayed: Path) -> None:
    expected = _files(EXAMPLE / "reports")
    assert len(expected) > 40
    found = _files(replayed / "desk" / "reports")
    assert {name: found.get(name) for name in expected} == expected


def test_the_same_receipts(replayed: Path) -> None:
    assert _files(replayed / "desk" / "receipts") == _files(EXAMPLE / "receipts")


def test_the_answers_were_of_every_sort() -> None:
    answers = list(_files(EXAMPLE / "received").values())
    for sign in (b"quoted-printable", b"base64", b"text/html", b"alternative", b"\norders = ["):
        assert any(sign in data for data in answers), sign
    receipts = list(_files(EXAMPLE / "receipts").values())
    for sign in (b"did you mean", b"answered already", b"How to answer"):
        assert any(sign in data for data in receipts), sign


def test_it_verifies(capsys: pytest.CaptureFixture[str]) -> None:
    game = _game_id()
    reports = [str(path) for path in sorted(EXAMPLE.glob("reports/*/*.txt"))]
    assert cli.run(["verify", str(EXAMPLE), *reports, "--game", game, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["paths"]
    assert {row["verdict"] for row in found} == {"genuine"}
    assert len(found) == len(reports) + 1


def test_a_changed_byte_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(EXAMPLE / "states", tmp_path / "states")
    path = tmp_path / "states" / "0007.toml"
    path.write_bytes(path.read_bytes().replace(b"turn = ", b"turn =  ", 1))
    assert cli.run(["verify", str(tmp_path), "--game", _game_id()]) == 1
    capsys.readouterr()


def test_the_script_ends_with_the_same_scores(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["script", "run", str(EXAMPLE / "script.json"), "--json"]) == 0
    played = json.loads(capsys.readouterr().out)
    assert played["over"]
    assert cli.run(["show", str(EXAMPLE), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert played["final"]["scores"] == shown["scores"]


def test_the_readme_names_what_is_there() -> None:
    text = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    named = [word.strip("`:;.,") for word in text.split() if word.startswith("`re")]
    assert named
    assert all((EXAMPLE / name).exists() for name in named)
    assert _game_id() in text
    assert f"{START} + k * {STEP}" in text


def _game_id() -> str:
    lines = (EXAMPLE / "game.toml").read_text(encoding="utf-8").splitlines()
    return next(line.split('"')[1] for line in lines if line.startswith("game = "))
