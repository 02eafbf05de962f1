"""What is measured, as data: a name, a command line, a goal, and how its folder is made ready.

What lives here: the table. Not allowed here: a clock (run.py has it). Source of the goals:
docs/DESIGN.md "Speed"; decision 0003.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Case(NamedTuple):
    """One command, run in a folder of its own that ``prepare`` has filled.

    ``goal`` is the ratio to a bare interpreter. ``prepare`` gets the path of the installed pbem and
    the empty folder; with ``fresh`` it is called before every single run, because a run uses it up.
    """

    name: str
    arguments: tuple[str, ...]
    goal: float
    prepare: Callable[[Path, Path], None] | None = None
    fresh: bool = False


def middle(pbem: Path, folder: Path) -> None:
    """``home`` and ``game``: a game of four after 40 mails, with the next one in hand."""
    _made(pbem, folder, "kept-middle", "40")


def long(pbem: Path, folder: Path) -> None:
    """A game of five after some 190 orders: as long as one gets."""
    _made(pbem, folder, "kept-long", "120", "great-wall")


def idle(pbem: Path, folder: Path) -> None:
    """200 games that wait; the first run of the day has made its backup when the clock begins."""
    script = Path(__file__).with_name("many_games.py")
    subprocess.run([pbem.with_name("python"), script, folder, "200"], check=True, capture_output=True)


def _made(pbem: Path, folder: Path, name: str, *arguments: str) -> None:
    """Made once and copied: a run of resolve uses its folder up."""
    kept = folder.parent / name
    if not kept.is_dir():
        kept.mkdir()
        script = Path(__file__).with_name("midgame.py")
        subprocess.run([pbem.with_name("python"), script, kept, *arguments], check=True, capture_output=True)
    shutil.copytree(kept, folder, dirs_exist_ok=True)


# `--version`: the script that old pips write (seen up to 24.2) imports re; the front door is 0.9.
CASES = (
    Case("--version", ("--version",), 1.3),
    Case("--help", ("--help",), 6.5),
    Case("games", ("games",), 8.0),  # importlib.metadata looks for plug-ins: one bare start more
    Case("status", ("status", "game"), 6.5, middle),
    Case("show", ("show", "game"), 6.5, middle),
    Case("verify one state", ("verify", "game/game.toml"), 6.5, middle),
    Case("verify the folder", ("verify", "game"), 16, middle),
    Case("verify 190 orders", ("verify", "game"), 16, long),
    Case("resolve, four reports", ("resolve", "game"), 12, middle, fresh=True),  # all as emails
    Case("tick, 200 idle games", ("tick", "games"), 60, idle),  # decision 0020
)
