"""The backups that `pbem tick` makes by itself: one a day of each root, the last seven.

What must never be here: what is in a backup (disk/backup.py).
Law: a backup takes its name when it was unpacked once and every game in it was verified.
Source: docs/decisions/0014-the-post.md.
"""

import re
from hashlib import sha256
from pathlib import Path

from pbem.disk import system, whole
from pbem.disk.backup import pack, unpack
from pbem.disk.games import find_games
from pbem.disk.home import Home
from pbem.services.session.newest import read_newest, trusted_key

BACKUPS_TO_KEEP = 7
_FRESH = "unchecked"


def back_up_today(home: Home, root: Path, time: str) -> Path | None:
    """Today's backup of a folder of games, or of one game; None where it is there already."""
    folder = home.make_folder("backups")
    suffix = f"-{_backup_name(root)}.tar.gz"
    file = folder / f"{time[:10]}{suffix}"
    new_file = folder / f"{_FRESH}.tar.gz"
    unpacked = folder / _FRESH
    _remove(unpacked)  # of a run that was killed
    _remove(new_file)
    if system.stat_or_none(file):
        return None
    try:
        pack(root, new_file)
        unpack(new_file, unpacked)
        for game in find_games(unpacked)[0]:
            read_newest(game, trusted_key(game, home))
        whole.move(new_file, file)
    finally:
        _remove(unpacked)
        _remove(new_file)
    for name in [name for name in system.list_names(folder) if name.endswith(suffix)][:-BACKUPS_TO_KEEP]:
        _remove(folder / name)
    return file


def _backup_name(root: Path) -> str:
    """Its name, and what tells it from others of that name."""
    path = str(root.resolve())
    plain = re.sub("[^a-z0-9]+", "-", root.resolve().name.lower()).strip("-")[:40]
    return f"{plain or 'games'}-{sha256(path.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _remove(path: Path) -> None:
    with system.os_errors("delete", path):
        system.remove_tree(path)
