"""Idle games: those in which `pbem tick` found nothing to do, in PBEM_HOME/post/idle.txt.

Not allowed here: what makes a game idle (transport/tick.py).
Laws: an entry counts only while the private folder of the game is unchanged. A game that changed
just before the last run gets no entry, since a drive's clock could miss another change.
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
_MIN_AGE = 3 * 10**9  #: nanoseconds; the coarsest clock of a drive has two seconds (FAT)


class IdleGames(NamedTuple):
    """What the runs of this day noted, and when the last one did by the drive's clock."""

    idle_until: Mapping[str, int] = MappingProxyType(
        {}
    )  #: by fingerprint: until when it is idle, in seconds since 1970
    noted_at: int = 0


class Fingerprint(NamedTuple):
    """A digest that changes with a game's folder, and the newest time in that folder."""

    digest: str
    newest_change: int

    def is_old_enough(self, idle_games: IdleGames) -> bool:
        """Whether the game may be noted as idle."""
        return self.newest_change + _MIN_AGE < idle_games.noted_at


def _path(home: Home) -> Path:
    return home.path / "post" / "idle.txt"


def read_idle(home: Home, day: str) -> IdleGames:
    """Return the notes of this day; none from other days, because a new day can bring new work."""
    with suppress(OSError, PbemError, ValueError, LookupError):
        noted_at = os.stat(_path(home)).st_mtime_ns
        rows = (read_if_present(_path(home), _MAX_FILE_SIZE) or b"").decode("ascii", "replace").splitlines()
        pairs = [row.split(" ") for row in rows[1:] if rows[0] == day]
        return IdleGames({pair[0]: int(pair[1]) for pair in pairs}, noted_at)
    return IdleGames()


def write_idle(home: Home, day: str, idle_until: Mapping[str, int]) -> None:
    """Replace the notes."""
    home.make_folder("post")
    rows = "".join(f"{digest} {until}\n" for digest, until in sorted(idle_until.items()))
    whole.write(_path(home), f"{day}\n{rows}".encode(), 0o600)


def fingerprint_of(game: GameFolder, n: int, *extra_rows: str) -> Fingerprint | None:
    """Return the fingerprint of a game with newest state ``n``; None if its folder cannot be read.
    ``extra_rows`` are other facts that make a difference. A folder's time shows added and removed
    names; files are checked where pbem reads them or people edit them.
    """
    desk = game.root / "desk"
    rows = [str(game.root.resolve()), *extra_rows]
    newest_change = 0
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
