"""README's commands are run, in its order, in an empty folder, by a shell, as a newcomer would.

Once as they are, and once by a pbem that lives by the file rules of Windows (tests/disk/windows.py).
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pbem

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    """Every line with a prompt in a console block."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


@pytest.fixture(params=["as it is", "on Windows' files"])
def programs(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of the `pbem` to run."""
    if request.param == "as it is":
        return Path(sys.executable).parent
    if not sys.platform.startswith("linux"):
        pytest.skip("looks into /proc: run it on Linux")
    program = tmp_path / "bin" / "pbem"
    program.parent.mkdir()
    shim = ROOT / "tests" / "disk" / "windows.py"
    source = Path(pbem.__file__).parents[1]
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{source}" exec "{sys.executable}" -P "{shim}" "$@"\n', "utf-8")
    program.chmod(0o755)
    return program.parent


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash: install it")
def test_the_commands_of_the_readme_work_in_its_order(programs: Path, tmp_path: Path) -> None:
    place = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    place |= {"PBEM_HOME": str(tmp_path / "home"), "LANG": "C.UTF-8"}
    lines = commands()
    assert len(lines) >= 8
    more = [line.strip() for line in README.splitlines() if line.startswith("    pbem new ")]
    assert more  # after the game of 60 seconds, and beside it
    for line in [*lines, *more, "pbem status games/"]:
        done = subprocess.run(
            ["bash", "-c", line], cwd=tmp_path, env=place, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), f"$ {line}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("page", ["README.md", *sorted(p.name for p in (ROOT / "docs").glob("*.md"))])
def test_every_command_that_a_page_names_exists(page: str) -> None:
    from pbem.cli import COMMANDS, GROUP_HELP

    text = README if page == "README.md" else (ROOT / "docs" / page).read_text(encoding="utf-8")
    used = set(re.findall(r"`pbem ([a-z]+(?: (?:new|show|list|check|run))?)", text))
    unknown = {
        name for name in used if name not in COMMANDS and name.split()[0] not in {*COMMANDS, *GROUP_HELP, "help"}
    }
    assert not unknown
