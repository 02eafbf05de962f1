"""Check whether a drive is of use for pbem: whether it can be written, keeps locks, and has room.

Not allowed here: anything that writes.
Source: docs/decisions/0035-doctor.md.
"""

import errno
import os
import shutil
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path

from pbem.disk.system import (
    BINARY,
    LOCKED_ELSEWHERE,
    NOFOLLOW,
    POSIX,
    os_errors,
    printable_path,
    stat_or_none,
    take_lock,
)
from pbem.errors import Refused


def check_drive(folder: Path, lock_name: str, subfolders: Iterable[str]) -> tuple[int, int]:
    """Return which drive a folder is on, and how many bytes are free on it. Raises PbemError unless pbem
    can write there, lock files, and rename files from the folder into its subfolders.

    This writes nothing: the lock is tried for an instant, where its file exists already.
    """
    with os_errors("write into", folder):
        if not os.access(folder, os.W_OK):
            is_read_only = POSIX and os.statvfs(folder).f_flag & os.ST_RDONLY
            raise OSError(errno.EROFS if is_read_only else errno.EACCES, "")
        drive = os.stat(folder).st_dev
    for name in subfolders:
        file_stat = stat_or_none(folder / name, follow=True)
        if file_stat and file_stat.st_dev != drive:
            message = f"{printable_path(folder / name)} is on another drive than the folder above it"
            raise Refused("file/other-drive", message, "put it on the same drive, since pbem moves files into it")
    with os_errors("lock", folder / lock_name), suppress(FileNotFoundError), ExitStack() as stack:
        fd = os.open(folder / lock_name, os.O_RDWR | NOFOLLOW | BINARY)
        stack.callback(os.close, fd)
        try:
            take_lock(fd)
        except OSError as error:
            if error.errno not in LOCKED_ELSEWHERE:
                raise
    with os_errors("look at", folder):
        return drive, shutil.disk_usage(folder).free
