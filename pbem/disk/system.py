"""Where operating systems differ: flags that some lack, and what makes bytes durable.

What lives here: the guards, so that the rest reads the same everywhere. What must never be here:
a decision about games. Source: docs/DESIGN.md P8; fcntl(2) of macOS for F_FULLFSYNC.
"""

import errno
import os
import sys
from pathlib import Path

from pbem.disk.trouble import shown
from pbem.errors import Refused

NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
DIRECTORY: int = getattr(os, "O_DIRECTORY", 0)
NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)
NOCTTY: int = getattr(os, "O_NOCTTY", 0)
BINARY: int = getattr(os, "O_BINARY", 0)
POSIX = os.name == "posix"

# A folder that cannot be synced because the file system has no such notion (some network drives)
# is as safe as it gets; any other failure means the drive did not do it.
_NO_SUCH_NOTION = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}


def sync(fd: int) -> None:
    """Returns when the drive holds the bytes of ``fd``. Raises OSError."""
    if sys.platform == "darwin":
        # macOS: fsync only hands the bytes to the drive; F_FULLFSYNC waits for the drive.
        import fcntl

        try:
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
            return
        except OSError:
            pass
    os.fsync(fd)


def sync_folder(folder: Path) -> None:
    """Returns when the names in ``folder`` are durable. Nothing to do on Windows.

    Raises Refused ``file/not-durable``: the names are there, but a power cut may take them back.
    """
    if not POSIX:
        return
    try:
        fd = os.open(folder, os.O_RDONLY | DIRECTORY)
        try:
            sync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        if error.errno in _NO_SUCH_NOTION:
            return
        message = f"{shown(folder)} is written, but the drive does not confirm that it is safe"
        raise Refused("file/not-durable", message, "run the command again") from error
