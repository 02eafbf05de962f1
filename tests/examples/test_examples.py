"""The example games, played again: the same mails through receive and resolve; no byte differs.

Source: README.md of each example; P9. After a change that is meant (words of a report,
the rules), `python examples/games/make.py` makes the examples anew.
"""

import json
import shutil
from pathlib import Path

import pytest
from sizes import drawn

from pbem import cli
from pbem.chain.signed_state import read_self_signed_record
from pbem.play.pending_file import encode_pending
from pbem.play.pending_orders import PendingOrders

GAMES = Path(__file__).parents[2] / "examples" / "games"
EXAMPLES = sorted(path.parent.name for path in GAMES.glob("*/game.toml"))
START, STEP = 1793606400, 7800


@pytest.fixture(scope="module", params=EXAMPLES)
def example(request: pytest.FixtureRequest) -> Path:
    """The folder of each example."""
    return GAMES / str(request.param)


def test_each_game_and_each_variant_for_two_is_there() -> None:
    assert set(EXAMPLES) == {
        "chang-cheng-4",
        "chang-cheng-2-plain",
        "chang-cheng-2-neutral",
        "chang-cheng-2-two-colour",
        "great-wall-3",
    }


def _opened(example: Path, root: Path) -> Path:
    """The game as it was dealt: three states, the referee's secrets, no orders in hand."""
    kind = "great-wall" if example.name.startswith("great") else "chang-cheng"
    game, keys = root / kind, example / "throw-away-keys"
    (game / "states").mkdir(parents=True)
    (game / "desk").mkdir(mode=0o700)
    for n in range(3):
        shutil.copy(example / "states" / f"{n:04d}.toml", game / "states")
    for name in ("secret", "codes", "players.toml"):
        shutil.copy(keys / name, game / "desk" / name)
    (game / "desk" / "hand" / "2").mkdir(parents=True)  # nothing waited, and nothing was lost
    for seat in read_self_signed_record((game / "states" / "0000.toml").read_bytes()).setup.seats:
        (game / "desk" / "hand" / "2" / f"{seat}.toml").write_bytes(encode_pending(PendingOrders()))
    (root / "home").mkdir(0o700)
    (root / "home" / "keys").mkdir()
    for key in keys.glob("*.key"):
        shutil.copy(key, root / "home" / "keys")
        (root / "home" / "keys" / key.name).chmod(0o600)
    return game


@pytest.fixture(scope="module", params=drawn("examples played again", EXAMPLES))
def again(request: pytest.FixtureRequest) -> Path:
    """The folder of an example that is played again."""
    return GAMES / str(request.param)


@pytest.fixture(scope="module")
def replayed(again: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the game after all mails have gone in."""
    root = tmp_path_factory.mktemp("replay")
    game = _opened(again, root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_HOME", str(root / "home"))
        patch.setenv("SOURCE_DATE_EPOCH", str(START))
        assert cli.run(["adopt", str(game)]) == 0
        assert cli.run(["restore", "--nothing-lost", str(game)]) == 0
        for k, path in enumerate(sorted((again / "received").iterdir()), 1):
            patch.setenv("SOURCE_DATE_EPOCH", str(START + k * STEP))
            assert cli.run(["receive", str(game), str(path)]) in (0, 1)
            assert cli.run(["resolve", str(game)]) == 0
    return game


def _files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_the_same_states(again: Path, replayed: Path) -> None:
    assert _files(replayed / "states") == _files(again / "states")
    assert (replayed / "game.toml").read_bytes() == (again / "game.toml").read_bytes()


def test_the_same_reports(again: Path, replayed: Path) -> None:
    expected = _files(again / "reports")
    assert len(expected) >= 20  # a text and a view file for everybody, many times
    found = _files(replayed / "desk" / "reports")
    assert {name: found.get(name) for name in expected} == expected


def test_the_same_receipts(again: Path, replayed: Path) -> None:
    assert _files(replayed / "desk" / "receipts") == _files(again / "receipts")


def test_the_answers_were_of_every_sort() -> None:
    example = GAMES / "chang-cheng-4"
    answers = list(_files(example / "received").values())
    for sign in (b"quoted-printable", b"base64", b"text/html", b"alternative", b"\norders = ["):
        assert any(sign in data for data in answers), sign
    receipts = list(_files(example / "receipts").values())
    for sign in (b"Is this what you mean", b"already settled", b"How to answer"):
        assert any(sign in data for data in receipts), sign


def test_it_verifies(
    example: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    game = _game_id(example)
    reports = [str(path) for path in sorted(example.glob("reports/*/*.txt"))]
    assert cli.run(["verify", str(example), *reports, "--game", game, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["paths"]
    assert {row["verdict"] for row in found} == {"genuine"}
    assert len(found) == len(reports) + 1


def test_a_changed_byte_is_noticed(example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(example / "states", tmp_path / "states")
    path = tmp_path / "states" / "0007.toml"
    path.write_bytes(path.read_bytes().replace(b"turn = ", b"turn =  ", 1))
    assert cli.run(["verify", str(tmp_path), "--game", _game_id(example)]) == 1
    capsys.readouterr()


def test_the_script_ends_with_the_same_scores(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["script", "run", str(example / "script.json"), "--json"]) == 0
    played = json.loads(capsys.readouterr().out)
    assert played["over"]
    assert cli.run(["show", str(example), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert played["final"]["scores"] == shown["scores"]


def test_the_readme_names_what_is_there(example: Path) -> None:
    text = (example / "README.md").read_text(encoding="utf-8")
    named = [word.strip("`:;.,") for word in text.split() if word.startswith("`re")]
    assert named
    assert all((example / name).exists() for name in named)
    assert _game_id(example) in text
    assert f"{START} + k * {STEP}" in text


def _game_id(example: Path) -> str:
    lines = (example / "game.toml").read_text(encoding="utf-8").splitlines()
    return next(line.split('"')[1] for line in lines if line.startswith("game = "))
