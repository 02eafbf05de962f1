"""What is measured, as data: a name, a command line, a goal, and how its folder is made ready.

What lives here: the table. What must never be here: a clock (run.py has it). Source of the goals:
design.md section 8, floors.md section 5.
"""

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


def demo_game(pbem: Path, folder: Path) -> None:
    """A game of four with some turns behind it, in ``game``."""
    subprocess.run(
        [pbem, "demo", "--game", "chang-cheng", "--players", "4", "--seed", "1", "--dir", "game"],
        cwd=folder,
        check=True,
        capture_output=True,
    )


# To come: resolve with four reports, goal 10, with ``fresh=True`` and a folder with orders in hand;
# a further game resolved in one process, goal 25 ms, goes into inside.py.
# ``--version``: the script pip writes (seen up to 24.2) imports re; the front door alone is 0.9.
CASES = (
    Case("--version", ("--version",), 1.3),
    Case("--help", ("--help",), 6.5),
    Case("games", ("games",), 8.0),  # importlib.metadata looks for plug-ins: one bare start more
    Case("status", ("status", "game"), 6.5, demo_game),
    Case("show", ("show", "game"), 6.5, demo_game),
    Case("verify", ("verify", "game"), 6.5, demo_game),
)
