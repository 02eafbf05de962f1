"""``pbem demo`` as a process: whole games through real files, and what they leave behind."""

import json
import os
import subprocess
import sys
import tomllib
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

ENDS = (".txt", ".view.toml")


@pytest.fixture(scope="module")
def no_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of the referee that no demonstration may touch."""
    return tmp_path_factory.mktemp("elsewhere")


def _pbem(home: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PBEM_HOME": str(home), **settings}
    return subprocess.run(
        [sys.executable, "-P", "-m", "pbem", *arguments],
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=60,
        env=environment,
    )


@pytest.fixture(scope="module", params=[2, 3, 4])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, no_home: Path) -> dict[str, Any]:
    """One demonstration, with a real deal: what it answered as JSON."""
    root = tmp_path_factory.mktemp("demo") / "a demo"
    number = str(request.param)
    done = _pbem(no_home, "demo", "--players", number, "--dir", str(root), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    assert len(found["seats"]) == request.param
    return found


def _game(played: dict[str, Any]) -> Path:
    return Path(played["game_dir"])


def test_it_ends_with_a_winner(played: dict[str, Any]) -> None:
    best = max(played["scores"].values())
    assert played["winners"]
    assert {played["scores"][seat] for seat in played["winners"]} == {best}


def test_it_verifies_with_its_genesis(played: dict[str, Any], tmp_path: Path) -> None:
    done = _pbem(tmp_path, "verify", str(_game(played)), "--game", played["game"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"states 0 to {played['states'] - 1}" in done.stdout


def test_game_toml_is_the_last_state(played: dict[str, Any]) -> None:
    states = sorted((_game(played) / "states").iterdir())
    assert len(states) == played["states"]
    assert (_game(played) / "game.toml").read_bytes() == states[-1].read_bytes()


def test_every_report_is_there(played: dict[str, Any]) -> None:
    names = {f"{who}{end}" for who in (*played["seats"], "spectators") for end in ENDS}
    for n in range(2, played["states"]):
        folder = _game(played) / "desk" / "reports" / f"{n:04d}"
        assert {path.name for path in folder.iterdir()} == names


def test_every_answer_got_a_receipt_or_a_line(played: dict[str, Any]) -> None:
    answers = len(list(Path(played["inbox"]).iterdir()))
    receipts = len(list((_game(played) / "desk" / "receipts").glob("*.txt")))
    assert answers == sum(played["answers"].values()) == receipts
    assert not {"unknown", "unreadable", "repeated"} & played["answers"].keys()


def test_every_mail_can_be_read_by_others(played: dict[str, Any]) -> None:
    outbox = sorted((_game(played) / "desk" / "outbox").glob("*.eml"))
    assert len(outbox) > played["states"]
    for path in outbox:
        mail = BytesParser(policy=default).parsebytes(path.read_bytes())
        body = mail.get_body(("plain",))
        assert not mail.defects
        assert body is not None
        assert mail["Subject"].startswith("chang-cheng: ")
        for part in mail.iter_attachments():
            if str(part.get_filename()).endswith(".toml"):
                tomllib.loads(part.get_content().decode())


def test_what_it_names_is_there(played: dict[str, Any]) -> None:
    assert len(played["look_first"]) == 3
    assert all(Path(path).is_file() for path in played["look_first"])


def test_it_keeps_to_its_folder(played: dict[str, Any], no_home: Path) -> None:
    assert not list(no_home.iterdir())
    assert {path.name for path in Path(played["dir"]).iterdir()} == {"home", "inbox", "chang-cheng"}


def _bytes(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file() and path.name != "lock")
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def test_the_same_seed_and_clock_give_the_same_files(tmp_path: Path, no_home: Path) -> None:
    for name in ("one", "two"):
        line = ("demo", "--players", "2", "--seed", "5", "--dir", str(tmp_path / name))
        settings = {"SOURCE_DATE_EPOCH": "946684800", "PYTHONHASHSEED": str(ord(name[0]))}
        done = _pbem(no_home, *line, **settings)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("NOT SECRET: ")
    files = _bytes(tmp_path / "one")
    assert files == _bytes(tmp_path / "two")
    assert b'time = "2000-01-01T00:00:00Z"' in files["chang-cheng/states/0000.toml"]


def test_a_folder_in_use_is_left_alone(tmp_path: Path, no_home: Path) -> None:
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    done = _pbem(no_home, "demo", "--dir", str(tmp_path))
    assert done.returncode == 1
    assert "is not empty (try: pbem demo --dir OTHER" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--players", "5"), "Chang Cheng is for 2 to 4 players, not 5"),
        (("--players", "0"), "Chang Cheng is for 2 to 4 players, not 0"),
        (("--game", "chess"), "there is no game 'chess'"),
        (("--seed", "-1"), "is not in the range x>=0"),
    ],
)
def test_what_cannot_be_played(arguments: tuple[str, str], says: str, tmp_path: Path, no_home: Path) -> None:
    done = _pbem(no_home, "demo", *arguments, "--dir", str(tmp_path / "x"))
    assert done.returncode == 2
    assert says in done.stderr
    assert not (tmp_path / "x").exists()
