"""What only a process of its own can show: pipes, terminals, rights."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem import cli

from . import world as worlds
from .world import World

CHECKOUT = str(Path(worlds.__file__).parents[2])
NOBODY = 65534
ROOT = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can be nobody")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    with pytest.MonkeyPatch.context() as patch:
        return worlds.build(tmp_path_factory.mktemp("world"), patch)


def pbem(world: World, *words: str, **more: Any) -> "subprocess.CompletedProcess[bytes]":
    env = {**os.environ, "PBEM_HOME": str(world.root / "home"), "SOURCE_DATE_EPOCH": worlds.TIME}
    import pbem as tested

    env["PYTHONPATH"] = str(Path(tested.__file__).parents[1])
    env |= more.pop("env", {})
    done = {"cwd": world.root, "env": env, "stderr": subprocess.PIPE, "timeout": 60}
    ran: subprocess.CompletedProcess[bytes] = subprocess.run(
        [sys.executable, "-m", "pbem", *words], check=False, **{"stdout": subprocess.PIPE, **done, **more}
    )
    return ran


def test_a_terminal_that_knows_ascii_alone(world: World) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    (world.root / "letter").write_text(f"Größe?\n[pbem {world.names['north']}]\n", "utf-8")
    done = pbem(world, "receive", "games", "letter", env=ascii_only)
    assert done.returncode == 0
    assert b"message: Gr??e" in done.stdout
    assert not done.stderr


def test_a_reader_who_leaves(world: World) -> None:
    """``pbem … | head``: the command has done its work and says nothing of the pipe."""
    read, write = os.pipe()
    os.close(read)
    done = pbem(world, "rules", "chang-cheng", stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_no_standard_output_at_all(world: World) -> None:
    words = [sys.executable, "-m", "pbem", "status", "games"]
    line = ["sh", "-c", f"{' '.join(words)} >&-"]
    env = {**os.environ, "PBEM_HOME": str(world.root / "home"), "PYTHONPATH": CHECKOUT}
    done = subprocess.run(line, cwd=world.root, env=env, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 2)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_drive_under_the_answer(world: World) -> None:
    with open("/dev/full", "wb") as full:
        done = pbem(world, "status", "games", stdout=full)
    assert done.returncode == 2
    assert done.stderr.startswith(b"pbem: the answer cannot be written: ")
    assert len(done.stderr.splitlines()) == 1


def test_no_standard_input(world: World) -> None:
    env = {**os.environ, "PBEM_HOME": str(world.root / "home"), "PYTHONPATH": CHECKOUT}
    line = ["sh", "-c", f"{sys.executable} -m pbem receive games - <&-"]
    done = subprocess.run(line, cwd=world.root, env=env, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"not imported: " in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.fixture
def open_world(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """The same world where another user can look at it; the commands are loaded already."""
    place = Path(tempfile.mkdtemp(prefix="pbem-test-"))
    place.chmod(0o755)
    found = worlds.copy(world, place / "w")
    found.root.chmod(0o755)
    worlds.settle_in(found.root, monkeypatch)
    monkeypatch.setenv("PBEM_HOME", str(found.root / "other"))
    yield found
    shutil.rmtree(place)


@contextmanager
def as_nobody() -> Iterator[None]:
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@ROOT
@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("verify games/north", 0, "games/north: genuine: "),
        ("orders check view letter", 2, "pbem: cannot read letter: you may not do that there"),
        ("key new", 2, "/other: you may not do that there"),
        ("legal games/north", 2, "pbem: there is no referee key in "),
    ],
)
def test_another_user(open_world: World, line: str, code: int, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is shared he may look at; of the rest he is told that he may not."""
    view = open_world.games / "north/desk/reports/0003/blue.view.toml"
    (open_world.root / "view").write_bytes(view.read_bytes())
    letter = open_world.root / "letter"
    letter.write_text("wall A7\n", encoding="utf-8")
    letter.chmod(0o600)
    cli.run([*line.split(), "--json"])  # loads what it needs while it may
    shutil.rmtree(open_world.root / "other", ignore_errors=True)
    capsys.readouterr()
    with as_nobody():
        assert cli.run(line.split()) == code
    out, err = capsys.readouterr()
    assert words in out + err
    assert len(err.splitlines()) == (1 if code else 0)


@pytest.mark.skipif(os.name != "posix", reason="only there is a word any bytes")
@pytest.mark.parametrize(
    "line",
    [
        b"status no\xff",
        b"--no\xff",
        b"\xff",
        b"rules chang-cheng \xff",
        b"legal games/north --player \xff",
        b"amend games/north note abc\xff",
        b"amend games/north correct \xff=1 --reason abc",
        b"new other --game \xff",
        b"new other --game chang-cheng --player red=A\xff --player blue=Bob --referee R",
        b"receive games no\xff",
    ],
)
def test_a_word_that_is_no_utf_8(world: World, line: bytes) -> None:
    """Found by an attack of 2026-11: some ended in "our fault"."""
    words: list[bytes] = line.split(b" ")
    done = pbem(world, *words)  # type: ignore[arg-type]
    assert done.returncode in (1, 2), done.stderr
    assert b"our fault" not in done.stderr + done.stdout
    assert b"Traceback" not in done.stderr


def test_a_year_of_five_digits(world: World) -> None:
    """Found by an attack of 2026-11: nothing that was saved in it could be read."""
    import pbem as tested

    script = (
        "import time, sys; from pbem.cli import run; time.time = lambda: 253402300800.0;"
        "sys.exit(run(['receive', 'games', 'none']))"
    )
    env = {**os.environ, "PBEM_HOME": str(world.root / "home"), "SOURCE_DATE_EPOCH": ""}
    env["PYTHONPATH"] = str(Path(tested.__file__).parents[1])
    line = [sys.executable, "-c", script]
    done = subprocess.run(line, cwd=world.root, env=env, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"the clock is not in a year from 1970 to 9999" in done.stderr
