"""docs/NEW-GAME.md: what it quotes stands so in the example, what it says to type works."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.engine import laws, laws_of_secrecy, random_play
from pbem.engine.game import Game

from .conftest import SOURCE
from .test_installed import pbem

PAGE = (SOURCE.parents[1] / "docs" / "NEW-GAME.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
QUOTED = [text for sort, text in BLOCKS if sort != "console" and not text.startswith("# run\n")]


@pytest.mark.parametrize("text", QUOTED, ids=lambda text: text.split("\n")[1].strip()[:40])
def test_a_piece_of_code_stands_so_in_the_example(text: str) -> None:
    name, _, piece = text.removeprefix("# ").partition("\n")
    assert piece.strip()
    assert piece in (SOURCE / name).read_text(encoding="utf-8"), name


def test_every_method_of_the_protocol_is_described() -> None:
    parts = [part for part in Game.__mro__ if part.__module__ == Game.__module__]
    methods = {name for part in parts for name in vars(part) if not name.startswith("_")}
    names = methods.union(*(part.__annotations__ for part in parts))
    assert {"questions", "soon", "guess", "kind"} <= names
    told = set(re.findall(r"`(\w+)(?:\(.*?\))?`", PAGE))
    assert names <= told, names - told


def test_every_law_is_named() -> None:
    held = {law.__name__ for law in (*laws.POSITION_LAWS, *laws.MOVE_LAWS, *laws.STEP_LAWS)}
    secret = ("as_opened", "forced_is_public", "seen_by_its_audience", "same_for_the_twin")
    whole = ("all_written", "seats_named", "seats_drawn", "told_in_words", "in_the_rules")
    held |= {*secret, *whole, "same_after_the_twin"}
    assert all(hasattr(laws_of_secrecy, name) for name in secret)
    assert all(hasattr(random_play, name) for name in whole)
    table = {name for row in re.findall(r"(?m)^\| (`.*?`) \|", PAGE) for name in row.split(", ")}
    assert {f"`{name}`" for name in held} <= table, held


def test_the_commands_work_in_their_order(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [line for sort, text in BLOCKS if sort == "console" for line in text.splitlines()]
    assert len(lines) >= 9
    for line in lines:
        prompt, command, *words = shlex.split(line)
        assert (prompt, command) == ("$", "pbem")
        done = pbem(site, tmp_path / "home", *words)
        assert (done.returncode, done.stderr) == (0, ""), f"{line}\n{done.stdout}{done.stderr}"


def test_the_laws_can_be_walked_as_it_says(site: Path, tmp_path: Path) -> None:
    (program,) = (text for _, text in BLOCKS if text.startswith("# run\n"))
    path = os.pathsep.join(p for p in (str(site), os.environ.get("PYTHONPATH", "")) if p)
    line = [sys.executable, "-P", "-c", program]
    done = subprocess.run(line, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", PAGE)
    assert links
    assert [link for link in links if not (SOURCE.parents[1] / "docs" / link).exists()] == []
