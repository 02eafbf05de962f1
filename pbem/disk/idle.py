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
from pbem.disk.whole import read_if_present, state_file_name
from pbem.errors import PbemError

_MAX_FILE_SIZE = 64 << 20
_MIN_AGE = 3 * 10**9  #: nanoseconds: the coarsest clock of a drive has two seconds (FAT)


class IdleGames(NamedTuple):
    """What the runs of this day noted, and when the last one did, by the clock of the drive."""

    idle_until: Mapping[str, int] = MappingProxyType({})  #: until when, in seconds since 1970
    noted_at: int = 0


class Fingerprint(NamedTuple):
    """What tells a game from itself before any change, and the youngest time in it."""

    digest: str
    newest_change: int

    def is_old_enough(self, idle_games: IdleGames) -> bool:
        """Whether it may be noted."""
        return self.newest_change + _MIN_AGE < idle_games.noted_at


def _path(home: Home) -> Path:
    return home.path / "post" / "idle.txt"


def read_idle(home: Home, day: str) -> IdleGames:
    """Nothing where there was no run, and of other days: what comes by time comes with a day."""
    with suppress(OSError, PbemError, ValueError, LookupError):
        noted_at = os.stat(_path(home)).st_mtime_ns
        rows = (read_if_present(_path(home), _MAX_FILE_SIZE) or b"").decode("ascii", "replace").splitlines()
        pairs = [row.split(" ") for row in rows[1:] if rows[0] == day]
        return IdleGames({pair[0]: int(pair[1]) for pair in pairs}, noted_at)
    return IdleGames()


def write_idle(home: Home, day: str, idle_until: Mapping[str, int]) -> None:
    """Notes them, whole, in place of those before."""
    home.make_folder("post")
    rows = "".join(f"{digest} {until}\n" for digest, until in sorted(idle_until.items()))
    whole.write(_path(home), f"{day}\n{rows}".encode(), 0o600)


def fingerprint_of(game: GameFolder, n: int, *extra_rows: str) -> Fingerprint | None:
    """Of a game with newest state ``n``, and of what else is told; None where nobody can look.

    Folders say by their time that a name came or went; of files, what is read or edited by hand.
    """
    desk, rows, newest_change = game.root / "desk", [str(game.root.resolve()), *extra_rows], 0
    reports = state_file_name(n).removesuffix(".toml")
    try:
        for folder in (desk, desk / "hand" / str(n), desk / "reports" / reports):
            for name in sorted(os.listdir(folder)):
                file_stat = os.lstat(folder / name)
                times = file_stat.st_mtime_ns, file_stat.st_ctime_ns
                rows.append(f"{name} {file_stat.st_mode} {file_stat.st_ino} {file_stat.st_size} {times}")
                newest_change = max(newest_change, times[0])
    except (OSError, ValueError):
        return None
    return Fingerprint(sha256("\n".join(rows).encode("utf-8", "replace")).hexdigest(), newest_change)
