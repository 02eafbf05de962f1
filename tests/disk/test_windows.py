"""pbem by the file rules of Windows, which windows.py plays. README's commands: tests/house/test_pages.py."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from durability import games
from durability.games import Place

from pbem.disk.system import is_name_on_windows
from pbem.disk.whole import is_safe_name

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc: run it on Linux")

SHIM = Path(__file__).with_name("windows.py")
BEGIN = (
    f"import os, sys, threading, time; sys.path.insert(0, {str(SHIM.parent)!r}); import windows; windows.install()\n"
)
REFUSALS = {
    "of an open file": ("f = open('a', 'w'); os.replace('a', 'b')", "PermissionError"),
    "of an open file, deleted": ("f = open('a', 'w'); os.unlink('a')", "PermissionError"),
    "of a folder with one": ("os.mkdir('d'); f = open('d/a', 'w'); os.rename('d', 'e')", "PermissionError"),
    "onto a name that is taken": ("open('a', 'w'); open('b', 'w'); os.rename('a', 'b')", "FileExistsError"),
    "onto a device": ("open('a', 'w'); os.rename('a', 'con.toml')", "Invalid argument"),
    "of a folder, opened": ("os.mkdir('d'); os.open('d', os.O_RDONLY)", "PermissionError"),
    "of what is only read, synced": ("open('a', 'w'); os.fsync(os.open('a', os.O_RDONLY))", "Bad file descriptor"),
    "of another process": ("os.fork()", "AttributeError"),
    "of fcntl": ("import fcntl", "ModuleNotFoundError"),
}


def script(lines: str, folder: Path, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-P", "-c", BEGIN + lines], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def pbem(place: Place, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-P", str(SHIM), *words],
        cwd=place.path, env=place.process_env(), capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return games.opened(tmp_path_factory.mktemp("windows") / "place")


@pytest.mark.parametrize("what", REFUSALS)
def test_the_rules_are_kept(what: str, tmp_path: Path) -> None:
    lines, expected = REFUSALS[what]
    assert expected in script(lines, tmp_path).stderr.splitlines()[-1]


def test_a_text_gets_other_line_ends_unless_it_is_bytes(tmp_path: Path) -> None:
    flags = "os.O_WRONLY | os.O_CREAT"
    done = script(
        f"os.write(os.open('t', {flags}), b'x\\n'); os.write(os.open('b', {flags} | os.O_BINARY), b'x\\n')", tmp_path
    )
    assert (done.stderr, (tmp_path / "t").read_bytes(), (tmp_path / "b").read_bytes()) == ("", b"x\r\n", b"x\n")


def test_a_file_that_another_program_holds_for_a_moment_is_waited_for(table: Place, tmp_path: Path) -> None:
    lines = (
        "from pathlib import Path\nfrom pbem.disk import whole\nf = open('a', 'wb')\n"
        "threading.Timer({seconds}, f.close).start()\nwhole.write(Path('a'), b'new\\n')\n"
    )
    short = script(lines.format(seconds=0.2), tmp_path, table.process_env())
    assert (short.stderr, (tmp_path / "a").read_bytes()) == ("", b"new\n")
    long = script(lines.format(seconds=2), tmp_path, table.process_env())
    assert "CannotRead: cannot write a: you may not do that there" in long.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_file_that_is_moved_replaces_another(table: Place, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"new\n")
    (tmp_path / "b").write_bytes(b"old\n")
    lines = "from pathlib import Path\nfrom pbem.disk import whole\nwhole.move(Path('a'), Path('b'))\n"
    assert script(lines, tmp_path, table.process_env()).stderr == ""
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("b", b"new\n")]


@pytest.mark.parametrize(
    "name", ["con", "NUL", "nul.txt", "COM1", "lpt9.eml", "a.", "a ", "a:b", "a?b", 'a"b', "a\\b", "a|b", ""]
)
def test_a_name_that_windows_forbids_is_refused_everywhere(name: str) -> None:
    assert not is_name_on_windows(name)
    assert not is_safe_name(name)


def test_what_the_referee_names_is_refused_too(table: Place) -> None:
    words = (
        "--game",
        "chang-cheng",
        "--player",
        "red=Ann,",
        "--player",
        "blue=Bob,",
        "--referee",
        "R,r@x.org",
        "--deal",
    )
    before = {*table.path.rglob("*")}
    for name in ("NUL", "games/a:b", "autumn."):
        said = pbem(table, "new", name, *words)
        assert (said.returncode, "Windows cannot have a file named" in said.stderr) == (2, True), said.stderr
    for output in (("backup", "game", "-o", "nul.tar.gz"), ("show", "game", "--html", "a?.html")):
        said = pbem(table, *output)
        assert (said.returncode, "Windows cannot have a file named" in said.stderr) == (2, True), said.stderr
    assert {*table.path.rglob("*")} == before


def test_wildcards_are_files(table: Place) -> None:
    """cmd.exe and PowerShell leave them to the program."""
    assert pbem(table, "verify", "game/states/*.toml").stdout == pbem(table, "verify", *(
        f"game/states/{path.name}" for path in sorted((table.game / "states").iterdir())
    )).stdout  # fmt: skip
    assert "no such file" in pbem(table, "verify", "game/*.none").stdout


def test_the_command_of_an_account_keeps_its_backslashes(table: Place) -> None:
    """And a tick with a Maildir and a backup lives by the rules."""
    for folder in ("cur", "new", "tmp"):
        (table.path / "maildir" / folder).mkdir(parents=True)
    words = ("--address", "Ref <ref@example.org>", "--fetch", f"maildir:{table.path}/maildir", "--send", "none")
    secret = r'"C:\Program Files\pass.exe" show mail\rita'
    said = pbem(table, "account", "add", "club", *words, "--secret", secret)
    assert said.returncode == 0, said.stderr
    settings = (table.home / "post.toml").read_bytes()
    assert b"\r" not in settings
    assert tomllib.loads(settings.decode())["club"]["secret"] == [r"C:\Program Files\pass.exe", "show", r"mail\rita"]
    assert "fetching begins" in pbem(table, "tick", "game").stdout
    mail = Path(table.mail(games.asked(table), "wall A5"))
    mail.rename(table.path / "maildir" / "new" / f"{int(games.TIME) + 1}.a.host")
    said = pbem(table, "tick", "game")
    assert "accepted" in said.stdout, said.stdout + said.stderr
    assert list((table.home / "backups").rglob("*.tar.gz"))


def test_the_scheduler_opens_no_window(table: Place) -> None:
    said = json.loads(pbem(table, "tick", "game", "--install", "--json").stdout)["ways"]["windows"]
    assert r"\"-m\" \"pbem\" \"tick\"" in said
