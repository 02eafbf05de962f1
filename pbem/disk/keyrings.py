"""Where a player's own keys lie: ``PBEM_HOME/players/<game>/<seat>.toml``.

What lives here: reading, writing, and holding one of them while its number goes up. What must
never be here: what is in it (moderator/opening/keyring.py). The law: 0600 from the first byte, 0700
its folders; a file that others can read is not used; what is written is on the drive.
Source: decision 0005; docs/DESIGN.md P8.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.disk import atomic, lock, tree
from pbem.disk.home import Home
from pbem.disk.names import checked, fits
from pbem.disk.reading import read_if_there
from pbem.disk.system import POSIX, shown
from pbem.errors import Refused

_LIMIT = 64 << 10


def path_of(home: Home, game: str, seat: str) -> Path:
    """Where the key of a seat lies, there or not."""
    return home.path / "players" / checked(game) / f"{checked(seat)}.toml"


def read(home: Home, game: str, seat: str) -> bytes | None:
    """The bytes of a seat's key, None if there is none. Secret. Refused ``key/open``."""
    path = path_of(home, game, seat)
    data = read_if_there(path, _LIMIT)
    if data is not None and POSIX and os.lstat(path).st_mode & 0o077:
        message = f"others can read the key {shown(path)}"
        raise Refused("key/open", message, f"type: chmod 600 '{shown(path)}'")
    return data


def write(home: Home, game: str, seat: str, data: bytes) -> Path:
    """Writes it whole and durably, in place of what was there; call it under ``hold``."""
    path = path_of(home, game, seat)
    _make(home, game)
    atomic.write(path, data, 0o600)
    return path


def kept(home: Home) -> list[tuple[str, str]]:
    """Every key here: game and seat, sorted. Raises nothing for names that are not ours."""
    games = home.path / "players"
    found = []
    for game in sorted(n for n in tree.names(games) if fits(n) and (games / n).is_dir()):
        names = (name[:-5] for name in tree.names(games / game) if name.endswith(".toml"))
        found += [(game, seat) for seat in sorted(names) if fits(seat)]
    return found


@contextmanager
def hold(home: Home, game: str) -> Iterator[None]:
    """One command at a time on the keys of a game. Not for nesting. Refused ``game/busy``."""
    _make(home, game)
    with lock.hold(home.path / "players" / checked(game) / "lock"):
        yield


def _make(home: Home, game: str) -> None:
    players = home.path / "players"
    for folder in (*reversed(home.path.parents), home.path):
        if not folder.is_dir():
            tree.make(folder, 0o700)
    tree.make(players, 0o700)
    tree.make(players / checked(game), 0o700)
