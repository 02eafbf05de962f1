"""What is in the wheel of the plug-in, and that real processes of pbem find it and play it."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from .conftest import PIP, SOURCE


def pbem(site: Path, home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """One command line, in a process of its own that has the plug-in on its path."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "pbem", *arguments],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": _path(site), "PBEM_HOME": str(home)},
    )


def _path(site: Path) -> str:
    return os.pathsep.join(part for part in (str(site), os.environ.get("PYTHONPATH", "")) if part)


def test_the_wheel_has_rules_and_templates(tmp_path: Path) -> None:
    line = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(tmp_path)]
    subprocess.run([*PIP, *line, str(SOURCE)], check=True, capture_output=True)
    names = set(zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist())
    lying_here = {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / "night_market").rglob("*")
        if path.suffix in {".py", ".md", ".txt"}
    }
    assert {"night_market/RULES.md", "night_market/templates/night-market/board.txt"} <= lying_here
    assert {name for name in names if not name.startswith("pbem_")} == lying_here


def test_without_it_there_is_no_such_game(tmp_path: Path) -> None:
    done = pbem(tmp_path, tmp_path, "rules", "night-market")
    assert done.returncode == 2
    assert done.stderr.startswith("pbem: there is no game 'night-market'")


def test_a_process_finds_it_by_its_entry_point(site: Path, tmp_path: Path) -> None:
    done = pbem(site, tmp_path, "games", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = {one["kind"]: one for one in json.loads(done.stdout)["games"]}
    market = found["night-market"]
    assert (market["package"], market["version"]) == ("pbem-night-market", "1.0")
    assert "chang-cheng" in found


def test_a_process_tells_its_rules(site: Path, tmp_path: Path) -> None:
    done = pbem(site, tmp_path, "rules", "night-market", "nm6")
    assert done.returncode == 0
    assert done.stdout.startswith("NM-6: When the last bid is in, all are opened.")


@pytest.mark.parametrize(("players", "bots"), [(2, "random"), (4, "sensible")])
def test_bots_play_it_through_real_files(players: int, bots: str, site: Path, tmp_path: Path) -> None:
    root = tmp_path / "a demo"
    line = ("demo", "--game", "night-market", "--players", str(players), "--bots", bots)
    done = pbem(site, tmp_path / "home", *line, "--dir", str(root), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["winners"]
    answers = found["answers"]
    assert answers["kept"] == 5 * players  # six lots; the last tokens are bid for them
    assert answers.get("stale", 0) <= players * 2, "bots answer the newest report"
    checked = pbem(site, tmp_path, "verify", found["game_dir"], "--game", found["game"])
    assert checked.returncode == 0
    assert f"states 0 to {found['states'] - 1}" in checked.stdout
