"""Folders: made, listed, removed, and never walked out of by a symbolic link.

What lives here: what is done to folders whatever they are for. What must never be here: the names
of a game's folders (folder.py, desk.py). The law: nothing below a game's own folder may be a
symbolic link, for whoever shares the folder could then choose where we read and write.
Not promised: safety against somebody who swaps folders while a command runs.
"""

import errno
import os
import stat
from pathlib import Path

from pbem.disk.system import POSIX, os_errors, shown, sync_folder
from pbem.errors import BadInput, Refused

PREFIX = ".pbem-tmp-"
_REPARSE_POINT = 0x400  # Windows: junctions are links too, and lstat does not call them so


def is_link(found: os.stat_result) -> bool:
    """Is this (from lstat) a symbolic link or a Windows junction?"""
    attributes: int = getattr(found, "st_file_attributes", 0)
    return stat.S_ISLNK(found.st_mode) or bool(attributes & _REPARSE_POINT)


def refuse_link(path: Path) -> bool:
    """True if ``path`` is there, False if not. Raises Refused ``file/symlink`` for a link."""
    try:
        with os_errors("look at", path):
            found = os.lstat(path)
    except BadInput as error:
        if error.code == "file/missing":
            return False
        raise
    if is_link(found):
        message = f"{shown(path)} is a symbolic link; a game keeps its files in its own folder"
        raise Refused("file/symlink", message, "put the real file or folder there")
    return True


def make(folder: Path, mode: int = 0o755) -> None:
    """Makes ``folder`` (durably) unless it is there. Raises BadInput or Refused; refuses links."""
    if refuse_link(folder):
        with os_errors("use", folder):
            if not stat.S_ISDIR(os.lstat(folder).st_mode):
                raise NotADirectoryError(errno.ENOTDIR, "")
        return
    with os_errors("make", folder):
        try:
            os.mkdir(folder, mode)
        except FileExistsError:  # another command made it meanwhile
            return
    sync_folder(folder.parent)


def keep_private(folder: Path) -> None:
    """Sees to it that only its owner may enter ``folder``. Nothing to do on Windows.

    Raises Refused ``desk/open`` where the mode cannot be set: passwords would lie open.
    """
    with os_errors("close to others", folder):
        if not POSIX or not os.lstat(folder).st_mode & 0o077:
            return
        os.chmod(folder, 0o700)
        still_open = os.lstat(folder).st_mode & 0o077
    if still_open:  # drives without modes (FAT, some network drives) take chmod and do nothing
        message = f"others can read {shown(folder)}, and this drive keeps no file modes"
        raise Refused("desk/open", message, "keep the game on a drive that does")


def names(folder: Path) -> list[str]:
    """The names in ``folder``, sorted; none if it is not there. Raises BadInput."""
    try:
        with os_errors("list", folder):
            return sorted(os.listdir(folder))
    except BadInput as error:
        if error.code == "file/missing":
            return []
        raise


def remove_tree(path: Path) -> None:
    """Removes a file, a link (not what it points at) or a folder with all in it. Raises OSError.

    What is not there is not an error: two attempts, one killed, end the same.
    """
    try:
        if is_link(found := os.lstat(path)) or not stat.S_ISDIR(found.st_mode):
            os.unlink(path)
            return
        for name in sorted(os.listdir(path)):
            remove_tree(path / name)
        os.rmdir(path)
    except FileNotFoundError:
        return
