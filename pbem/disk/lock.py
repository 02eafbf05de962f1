"""One command at a time on one game.

What lives here: the lock of fcntl (POSIX) and msvcrt (Windows), freed by the system when a command
dies. What must never be here: what is done under it. The law: the file stays, since removing it
would let two commands hold two locks of one name. Source: docs/SPECIFICATION.md section 5 (saving).
"""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.disk.system import BINARY, NOFOLLOW, os_errors, refuse_link
from pbem.errors import Refused

_PAUSE = 0.02
_HELD_ELSEWHERE = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt

    def _take(fd: int) -> None:
        os.lseek(fd, 0, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def hold(path: Path, wait_seconds: float = 10.0) -> Iterator[None]:
    """Holds the lock at ``path`` (made 0600 if missing, its folder must be there) for the block.

    Raises Refused ``game/busy`` when another command still holds it after ``wait_seconds``;
    ``file/symlink``, ``file/no-locks`` or BadInput if there can be no lock. Not for nesting.
    """
    until = time.monotonic() + wait_seconds
    while (fd := _try(path)) is None:
        if time.monotonic() >= until:
            raise Refused("game/busy", "another pbem works on this game", "try again")
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        os.close(fd)  # frees the lock too


def _try(path: Path) -> int | None:
    """The descriptor that holds the lock, or None if another command does."""
    refuse_link(path)  # Windows has no O_NOFOLLOW
    with os_errors("lock", path):
        fd = os.open(path, os.O_RDWR | os.O_CREAT | NOFOLLOW | BINARY, 0o600)
        try:
            _take(fd)
            if _still_named(fd, path):
                return fd
        except OSError as error:
            if error.errno not in _HELD_ELSEWHERE:
                os.close(fd)
                raise
        os.close(fd)
        return None


def _still_named(fd: int, path: Path) -> bool:
    """False if somebody removed or replaced the file while we waited: our lock guards nothing."""
    try:
        return os.path.samestat(os.fstat(fd), os.lstat(path))
    except FileNotFoundError:
        return False
