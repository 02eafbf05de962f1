"""File modes: who may use a file or folder, and what to do on drives without modes.

Not allowed here: what the files contain.
Law: pbem refuses or closes what others can use. If the drive cannot close it, pbem says so.
"""

import os
import stat
from pathlib import Path

from pbem.disk.system import POSIX, is_folder, os_errors, printable_path, temp_path_in
from pbem.errors import Refused, notices

NO_MODES_NOTICE = "this drive keeps no file modes, so others who use this machine may read your keys and desks on it"


def keep_private(folder: Path) -> None:
    """Make sure that only its owner may enter ``folder``, where the drive can."""
    with os_errors("close to others", folder):
        if is_open_to_others(folder):
            _close_to_others(folder, os.lstat(folder), 0o700)


def refuse_shared(folder: Path) -> None:
    """Raise Refused ``home/…`` if others may use a folder or it belongs to somebody else. This
    applies only where the drive keeps modes.
    """
    if not POSIX or not is_folder(folder):
        return
    real_folder = folder.resolve()
    with os_errors("look at", real_folder):
        if os.stat(real_folder).st_uid != os.geteuid() and _belongs_to_others(real_folder):
            message, hint = "belongs to somebody else", "set PBEM_HOME to a folder of your own"
            raise Refused("home/others", f"{printable_path(folder)} {message}", hint)
        if is_open_to_others(real_folder) and can_be_closed(real_folder, 0o700):
            message = f"others can use {printable_path(folder)}, so they may have changed what is in it"
            raise Refused("home/open", message, f"chmod 700 '{printable_path(folder)}'")


def _belongs_to_others(folder: Path) -> bool:
    """Whether the drive keeps owners, so that a folder with another owner really has another owner."""
    temp = temp_path_in(folder)
    try:
        os.mkdir(temp)
    except OSError:
        return True
    keeps_owners = os.lstat(temp).st_uid == os.geteuid()
    os.rmdir(temp)
    return keeps_owners


def is_open_to_others(path: Path) -> bool:
    """Whether others may use ``path``; never on Windows. Raises OSError."""
    return POSIX and bool(os.lstat(path).st_mode & 0o077)


def can_be_closed(path: Path, mode: int = 0o600) -> bool:
    """Whether the owner could close ``path`` to others; it stays as it is. Raises OSError."""
    file_stat = os.lstat(path)
    was_closed = _close_to_others(path, file_stat, mode)
    if was_closed:
        os.chmod(path, stat.S_IMODE(file_stat.st_mode))
    return was_closed


def _close_to_others(path: Path, file_stat: os.stat_result, mode: int) -> bool:
    """Close ``path`` to others; False, with a notice, if the drive keeps no modes. Such drives
    (exFAT, some network drives) give all files the same mode; chmod fails or does nothing.
    """
    try:
        os.chmod(path, mode)
    except OSError:
        if file_stat.st_uid != os.geteuid() and stat.S_IMODE(file_stat.st_mode) != 0o777:
            raise
    if not is_open_to_others(path):
        return True
    notices[NO_MODES_NOTICE] = None
    return False
