"""Games in which a run of `pbem tick` found nothing to do: lines of PBEM_HOME/post/idle.txt.

What must never be here: what makes a game idle (transport/tick.py).
Law: a line counts only while the drive says the same of the whole desk; and none is written of what
is as young as the last run, for two changes within one tick of a drive's clock can look the same.
Source: docs/decisions/0020-idle-games.md.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pbem.disk import whole
from pbem.disk.folder import GameFolder
from pbem.disk.home import Home
from pbem.disk.whole import read_if_there, state_name
from pbem.errors import PbemError

_LIMIT = 64 << 20
_YOUNG = 3 * 10**9  #: nanoseconds: the coarsest clock of a drive has two seconds (FAT)


class Idle(NamedTuple):
    """What the runs of this day noted, and when the last one did, by the clock of the drive."""

    known: Mapping[str, int] = MappingProxyType({})  #: until when, in seconds since 1970
    noted: int = 0


class Signs(NamedTuple):
    """What tells a game from itself before any change, and the youngest time in it."""

    digest: str
    youngest: int

    def old_enough(self, idle: Idle) -> bool:
        """Whether it may be noted."""
        return self.youngest + _YOUNG < idle.noted


def _path(home: Home) -> Path:
    return home.path / "post" / "idle.txt"


def read_idle(home: Home, day: str) -> Idle:
    """Nothing where there was no run, and of other days: what comes by time comes with a day."""
    with suppress(OSError, PbemError, ValueError, LookupError):
        noted = os.stat(_path(home)).st_mtime_ns
        rows = (read_if_there(_path(home), _LIMIT) or b"").decode("ascii", "replace").splitlines()
        pairs = [row.split(" ") for row in rows[1:] if rows[0] == day]
        return Idle({pair[0]: int(pair[1]) for pair in pairs}, noted)
    return Idle()


def write_idle(home: Home, day: str, known: Mapping[str, int]) -> None:
    """Notes them, whole, in place of those before."""
    home.make("post")
    rows = "".join(f"{digest} {until}\n" for digest, until in sorted(known.items()))
    whole.write(_path(home), f"{day}\n{rows}".encode(), 0o600)


def signs_of(game: GameFolder, n: int, *more: str) -> Signs | None:
    """Of a game with newest state ``n``, and of what else is told; None where nobody can look.

    Folders say by their time that a name came or went; of files, what is read or edited by hand.
    """
    desk, rows, youngest = game.root / "desk", [str(game.root.resolve()), *more], 0
    reports = state_name(n).removesuffix(".toml")
    try:
        for folder in (desk, desk / "hand" / str(n), desk / "reports" / reports):
            for name in sorted(os.listdir(folder)):
                found = os.lstat(folder / name)
                stamps = found.st_mtime_ns, found.st_ctime_ns
                rows.append(f"{name} {found.st_mode} {found.st_ino} {found.st_size} {stamps}")
                youngest = max(youngest, stamps[0])
    except (OSError, ValueError):
        return None
    return Signs(sha256("\n".join(rows).encode("utf-8", "replace")).hexdigest(), youngest)
