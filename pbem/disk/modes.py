"""Who may use a file or folder: the modes of a drive, and what to do where it keeps none.

What must never be here: what stands in the files.
Law: what others can use is refused or closed, unless the drive cannot close it: then it is told.
"""

import os
import stat
from pathlib import Path

from pbem.disk.system import POSIX, is_folder, os_errors, shown, temp_in
from pbem.errors import Refused, notices


def keep_private(folder: Path) -> None:
    """Sees to it that only its owner may enter ``folder``, where the drive can."""
    with os_errors("close to others", folder):
        if is_open(folder):
            _closed(folder, os.lstat(folder), 0o700)


def refuse_shared(folder: Path) -> None:
    """Refused ``home/…`` if others may use a folder, or if it is somebody else's, where the drive
    keeps modes.
    """
    if not POSIX or not is_folder(folder):
        return
    with os_errors("look at", real := folder.resolve()):
        if os.stat(real).st_uid != os.geteuid() and _is_others(real):
            why, way = "belongs to somebody else", "set PBEM_HOME to a folder of your own"
            raise Refused("home/others", f"{shown(folder)} {why}", way)
        if is_open(real) and can_be_closed(real, 0o700):
            why = f"others can use {shown(folder)}, so they may have changed what is in it"
            raise Refused("home/open", why, f"chmod 700 '{shown(folder)}'")


def _is_others(folder: Path) -> bool:
    """Whether a drive that keeps owners says so: there, what we make is ours."""
    try:
        os.mkdir(temp := temp_in(folder))
    except OSError:
        return True
    ours = os.lstat(temp).st_uid == os.geteuid()
    os.rmdir(temp)
    return ours


def is_open(path: Path) -> bool:
    """May others use ``path``? Raises OSError. Not on Windows."""
    return POSIX and bool(os.lstat(path).st_mode & 0o077)


def can_be_closed(path: Path, mode: int = 0o600) -> bool:
    """Whether its owner could close what is open; it stays as it is. Raises OSError."""
    found = os.lstat(path)
    closed = _closed(path, found, mode)
    if closed:
        os.chmod(path, stat.S_IMODE(found.st_mode))
    return closed


def _closed(path: Path, found: os.stat_result, mode: int) -> bool:
    """Close it; False, and a notice, where the drive keeps no modes (exFAT, some network drives):
    it gives all files the same, and chmod fails there or does nothing.
    """
    try:
        os.chmod(path, mode)
    except OSError:
        if found.st_uid != os.geteuid() and stat.S_IMODE(found.st_mode) != 0o777:
            raise
    if not is_open(path):
        return True
    drive = "this drive keeps no file modes, so others who use this machine may read your"
    notices[f"{drive} keys and desks on it"] = None
    return False
