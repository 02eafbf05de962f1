"""What a shell is offered where TAB is pressed carries nothing out, in real shells too.

Source: docs/DESIGN.md "Command line".
"""

import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from durability import games

from pbem import cli

Capture = pytest.CaptureFixture[str]
#: names that a shell would carry out, each making a file `pwned` if it does
EVIL = (
    "$(touch pwned)",
    "`touch pwned`",
    "\\$(touch pwned)",
    "\\`touch pwned\\`",
    '"; touch pwned; "',
    "'; touch pwned; '",
    "x;touch pwned",
    "x|touch pwned",
    "x\\",
    "a&touch pwned",
    "<(touch pwned)",
    "~root",
    "a b",
    "*",
    "x:$(touch pwned)",
    "\\)) $(touch pwned)",
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> games.Place:
    """Games with evil players, and a game in a folder with each evil name."""
    place = games.opened(tmp_path_factory.mktemp("evil") / "one")
    os.environ.update(PBEM_HOME=str(place.home))
    for number, name in enumerate(EVIL):
        shutil.copytree(place.game, place.path / name)
        words = ["new", str(place.path / f"g{number}"), "--game", "chang-cheng", "--deal"]
        players = ["--player", f"red={name},", "--player", "blue=Bob,", "--referee", "Ref,r@x.org"]
        cli.run([*words, *players])  # some names are refused
    assert len(list(place.path.glob("g[0-9]*"))) > 3
    return place


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_nothing_is_offered_that_means_something_to_a_shell(
    table: games.Place, shell: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(table.path)
    monkeypatch.setenv("PBEM_HOME", str(table.home))
    monkeypatch.setenv("_PBEM_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setenv("_TYPER_COMPLETE_WORD_TO_COMPLETE", "")
    for line in ("status ", *(f"legal {path.name} --player " for path in table.path.glob("g[0-9]*"))):
        monkeypatch.setenv("COMP_WORDS", f"pbem {line}")
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" "))))
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", f"pbem {line}")
        cli.run([])
        said = capsys.readouterr().out
        assert "red" in said or "game" in said
        offered = said.replace("_arguments '*: :((", "").replace("))'", "").replace(":::", "")
        assert not set("$`\\;&|<>*~'()") & set(offered), said


class Terminal:
    """A shell, and somebody who types; `pbem` leaves a line in `asked` when it has ended."""

    def __init__(self, shell: str, folder: Path) -> None:
        self._folder = folder
        program = folder / "pbem"
        program.write_text(f'#!/bin/sh\n{sys.executable} -m pbem "$@"\nc=$?\necho >> {folder}/asked\nexit $c\n')
        program.chmod(0o755)
        self._child, self._fd = pty.fork()
        if self._child == 0:
            os.environ |= {"PATH": f"{folder}:{os.environ['PATH']}", "TERM": "dumb"}
            os.execvp(shell, [shell, *FLAGS[shell]])

    def line(self, text: str) -> None:
        """A whole line, and the shell waits for the next."""
        os.write(self._fd, f"{text}; touch {self._folder}/ready\n".encode())
        self._until((self._folder / "ready").exists)
        (self._folder / "ready").unlink()

    def tab(self, begin: str) -> None:
        """The beginning of a line, completed, and given up."""
        before = self._asked()
        os.write(self._fd, begin.encode())
        self._until(lambda: False, 0.3)
        os.write(self._fd, b"\t")
        self._until(lambda: self._asked() > before)
        os.write(self._fd, b"\x03")
        self._until(lambda: False, 0.3)

    def end(self) -> None:
        os.kill(self._child, signal.SIGKILL)
        os.close(self._fd)
        os.waitpid(self._child, 0)

    def _asked(self) -> int:
        path = self._folder / "asked"
        return path.stat().st_size if path.exists() else 0

    def _until(self, done: Callable[[], bool], most: float = 30.0) -> None:
        """Read what comes until then, and a little longer."""
        end = time.monotonic() + most
        while time.monotonic() < end:
            if select.select([self._fd], [], [], 0.05)[0]:
                os.read(self._fd, 65536)
            elif done():
                end = min(end, time.monotonic() + 0.5)


FLAGS = {"zsh": ["-f", "-i"], "bash": ["--norc", "-i"], "fish": ["--no-config", "-i"]}


@pytest.mark.parametrize("shell", ["zsh", "bash", "fish"])
def test_tab_in_a_real_shell_runs_nothing(
    table: games.Place, shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which(shell):
        pytest.skip(f"needs {shell}: apt-get install -y {shell}")
    monkeypatch.setenv("PBEM_HOME", str(table.home))
    monkeypatch.setenv("HOME", str(tmp_path))
    script = subprocess.run(
        [sys.executable, "-c", "import sys; from pbem.front import main; sys.argv[1:] = []; main()"],
        env={**os.environ, "_PBEM_COMPLETE": f"source_{shell}"},
        capture_output=True,
        check=True,
    )
    (tmp_path / "completion").write_bytes(script.stdout)
    terminal = Terminal(shell, tmp_path)
    try:
        first = "autoload -U compinit; compinit -u; " if shell == "zsh" else ""
        terminal.line(f"{first}source {tmp_path}/completion")
        for number, name in enumerate(EVIL[:4]):
            shutil.copytree(table.game, tmp_path / str(number) / name)
            terminal.line(f"cd {tmp_path}/{number}")
            terminal.tab("pbem status ")
    finally:
        terminal.end()
    assert (tmp_path / "asked").stat().st_size >= 4  # it was asked
    assert not list(tmp_path.rglob("pwned"))
