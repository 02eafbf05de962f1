"""What a command may not load. A table, so that a command is one more line; nothing is timed here.

Source: docs/DESIGN.md law 10, "Speed"; decision 0003. Times are looked at by `make bench`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"pydantic", "rich", "filelock", "asyncio", "attr", "msgspec", "markdown_it", "pygments"}
LIGHT = HEAVY | {"jinja2", "email", "sqlite3", "logging", "multiprocessing", "unittest"}
NO_TYPER = LIGHT | {"typer", "pathlib", "re", "json", "typing"}

# command line: (what it must not load, how many modules at most, exit code)
# The bare interpreter has 33 modules, with typer about 175. importlib.metadata brings email along.
COMMANDS = {
    "--version": (NO_TYPER, 45, 0),
    "--help": (LIGHT | {"cryptography", "tomllib"}, 190, 0),
    "games": ((LIGHT | {"cryptography", "tomllib"}) - {"email"}, 265, 0),  # it loads every game
    "status game": (LIGHT, 272, 0),
    "show game": (LIGHT, 270, 0),
    "verify game": (LIGHT, 288, 0),
    "audit game": (LIGHT, 332, 1),  # it is not over
    "resolve game": (HEAVY | {"email"}, 360, 0),
    "no-such-command": (LIGHT, 190, 2),
}
MORE_SINCE_3_14 = 5 if sys.version_info >= (3, 14) else 0  #: the library is cut into more modules
#: speaks to mail servers: for the commands of the post alone
POST = {"imaplib", "smtplib", "mailbox", "ssl"}

# Runs the script's own entry point; front.py ends with os._exit, so its place is taken first.
WRAPPER = """
import os, sys
target, sys.argv[1:] = sys.argv[1], sys.argv[2:]
def leave(code):
    with open(target, "w") as file:
        file.write("\\n".join(sys.modules))
    end(code)
end, os._exit = os._exit, leave
from pbem.front import main
main()
"""


def loaded(arguments: list[str], folder: Path) -> tuple[int, set[str]]:
    """Run one command in a fresh process: its exit code and the modules it loaded."""
    report = folder / "modules"
    done = subprocess.run(
        [sys.executable, "-P", "-c", WRAPPER, str(report), *arguments],
        capture_output=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PBEM_HOME": str(folder / "home")},
    )
    return done.returncode, set(report.read_text(encoding="utf-8").split("\n"))


@pytest.fixture(scope="module")
def middle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in its middle, with orders in hand: the one the benchmarks use."""
    folder = tmp_path_factory.mktemp("middle")
    script = Path(__file__).parents[2] / "benchmarks" / "midgame.py"
    subprocess.run([sys.executable, "-P", script, folder, "6"], check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_loads_nothing_it_does_not_use(line: str, middle: Path, tmp_path: Path) -> None:
    banned, most, expected = COMMANDS[line]
    shutil.copytree(middle, tmp_path, dirs_exist_ok=True)
    code, modules = loaded(line.split(), tmp_path)
    assert code == expected
    assert not {name for name in modules if name.split(".")[0] in banned | POST}
    assert not {name for name in modules if name.startswith("pbem.transport")}
    assert len(modules) <= most + MORE_SINCE_3_14
