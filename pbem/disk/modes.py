"""Who may use a file or folder: the modes of a drive, and what to do where it keeps none.

What must never be here: what stands in the files.
Law: what others can use is refused or closed, unless the drive cannot close it: then it is told.
"""

import os
import stat
from pathlib import Path

from pbem.disk.system import POSIX, is_folder, os_errors, printable_path, temp_path_in
from pbem.errors import Refused, notices


def keep_private(folder: Path) -> None:
    """Sees to it that only its owner may enter ``folder``, where the drive can."""
    with os_errors("close to others", folder):
        if is_open_to_others(folder):
            _close_to_others(folder, os.lstat(folder), 0o700)


def refuse_shared(folder: Path) -> None:
    """Refused ``home/…`` if others may use a folder, or if it is somebody else's, where the drive
    keeps modes.
    """
    if not POSIX or not is_folder(folder):
        return
    with os_errors("look at", real_folder := folder.resolve()):
        if os.stat(real_folder).st_uid != os.geteuid() and _belongs_to_others(real_folder):
            message, hint = "belongs to somebody else", "set PBEM_HOME to a folder of your own"
            raise Refused("home/others", f"{printable_path(folder)} {message}", hint)
        if is_open_to_others(real_folder) and can_be_closed(real_folder, 0o700):
            message = f"others can use {printable_path(folder)}, so they may have changed what is in it"
            raise Refused("home/open", message, f"chmod 700 '{printable_path(folder)}'")


def _belongs_to_others(folder: Path) -> bool:
    """Whether a drive that keeps owners says so: there, what we make is ours."""
    try:
        os.mkdir(temp := temp_path_in(folder))
    except OSError:
        return True
    keeps_owners = os.lstat(temp).st_uid == os.geteuid()
    os.rmdir(temp)
    return keeps_owners


def is_open_to_others(path: Path) -> bool:
    """May others use ``path``? Raises OSError. Not on Windows."""
    return POSIX and bool(os.lstat(path).st_mode & 0o077)


def can_be_closed(path: Path, mode: int = 0o600) -> bool:
    """Whether its owner could close what is open; it stays as it is. Raises OSError."""
    file_stat = os.lstat(path)
    was_closed = _close_to_others(path, file_stat, mode)
    if was_closed:
        os.chmod(path, stat.S_IMODE(file_stat.st_mode))
    return was_closed


def _close_to_others(path: Path, file_stat: os.stat_result, mode: int) -> bool:
    """Close it; False, and a notice, where the drive keeps no modes (exFAT, some network drives):
    it gives all files the same, and chmod fails there or does nothing.
    """
    try:
        os.chmod(path, mode)
    except OSError:
        if file_stat.st_uid != os.geteuid() and stat.S_IMODE(file_stat.st_mode) != 0o777:
            raise
    if not is_open_to_others(path):
        return True
    notice = "this drive keeps no file modes, so others who use this machine may read your"
    notices[f"{notice} keys and desks on it"] = None
    return False
