"""Reading what somebody else wrote, without hanging, and without taking more than asked for.

What lives here: bytes in. What must never be here: what the bytes mean. The law: the size is known
before the first byte is taken, and nothing but a regular file is opened. Source: docs/DESIGN.md
P11.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.disk.system import (
    BINARY,
    NOCTTY,
    NOFOLLOW,
    NONBLOCK,
    POSIX,
    is_link,
    os_error_in_words,
    os_errors,
    shown,
)
from pbem.errors import BadInput, Refused

_FLAGS = os.O_RDONLY | NONBLOCK | NOCTTY | BINARY  # NONBLOCK: a FIFO without a writer hangs else
_PIECE = 1 << 20
_BEGINNING = 128 << 10


def read(path: Path, limit: int, follow: bool = True) -> bytes:
    """All bytes of the file, at most ``limit``. With ``follow`` false a symbolic link is refused.

    Raises BadInput: missing, too large, a folder, a pipe or device, not readable.
    """
    with os_errors("read", path):
        return _whole(path, limit, follow)


@contextmanager
def open_to_read(path: Path, follow: bool = True) -> Iterator[int]:
    """The descriptor of a regular file, open for the block. Raises as ``read`` does."""
    with os_errors("read", path):
        fd = _opened(path, follow)
    try:
        yield fd
    finally:
        os.close(fd)


def read_if_there(path: Path, limit: int) -> bytes | None:
    """As ``read`` without following links, but None if there is no such file."""
    with os_errors("read", path), suppress(FileNotFoundError):
        return _whole(path, limit, follow=False)
    return None


def read_private(path: Path, limit: int) -> bytes:
    """As ``read``, of a file with a secret: Refused ``file/open`` if others can read it."""
    data = read(path, limit)
    if POSIX and os.stat(path).st_mode & 0o077:
        message = f"others can read {shown(path)}"
        raise Refused("file/open", message, f"chmod 600 '{shown(path)}'")
    return data


def read_input(name: str, limit: int) -> bytes:
    """The bytes of the file a user named; ``-`` is standard input. Raises BadInput."""
    if not name:
        hint = "name a file, or - for standard input"
        raise BadInput("file/name", "a file has an empty name", hint)
    return _standard_input(limit) if name == "-" else read(Path(name), limit)


def read_beginning(name: str) -> bytes:
    """The first bytes of a file that is too large to be read; none of standard input."""
    if name == "-":
        return b""
    path = Path(name)
    with open_to_read(path) as fd, os_errors("read", path):
        return os.read(fd, _BEGINNING)


def _standard_input(limit: int) -> bytes:
    if sys.stdin is None:
        raise BadInput("file/missing", "there is no standard input", "name a file")
    try:
        data = sys.stdin.buffer.read(limit + 1)
    except OSError as error:
        raise os_error_in_words(error, "read", "standard input") from error
    if len(data) > limit:
        raise _too_large("standard input", f"more than {limit}", limit)
    return data


def _refuse_odd(found: os.stat_result, path: Path) -> None:
    if is_link(found):
        message = f"{shown(path)} is a symbolic link"
        raise Refused("file/symlink", message, "put the real file there")
    if stat.S_ISDIR(found.st_mode):
        raise BadInput("file/folder", f"{shown(path)} is a folder, not a file", "name a file")
    if not stat.S_ISREG(found.st_mode):
        message = f"{shown(path)} is a pipe, socket or device, not a file"
        hint = "copy what it gives into a file, or use - for standard input"
        raise BadInput("file/odd", message, hint)


def _opened(path: Path, follow: bool) -> int:
    """The descriptor of a regular file. Raises OSError too."""
    # Looked at before it is opened: opening alone can move a tape or wake a device.
    _refuse_odd(os.stat(path, follow_symlinks=follow), path)
    fd = os.open(path, _FLAGS if follow else _FLAGS | NOFOLLOW)
    try:
        _refuse_odd(os.fstat(fd), path)  # it may have been replaced since
    except BaseException:
        os.close(fd)
        raise
    return fd


def _whole(path: Path, limit: int, follow: bool) -> bytes:
    """All bytes of the file. Raises OSError too."""
    fd, data = _opened(path, follow), bytearray()
    try:
        size = os.fstat(fd).st_size
        if size > limit:
            raise _too_large(shown(path), str(size), limit)
        while len(data) <= limit and (piece := os.read(fd, min(_PIECE, limit + 1 - len(data)))):
            data += piece
    finally:
        os.close(fd)
    if len(data) > limit:  # grown while we read, or a file that hides its size (/proc)
        raise _too_large(shown(path), f"more than {limit}", limit)
    return bytes(data)


def _too_large(what: str, size: str, limit: int) -> BadInput:
    message = f"{what} has {size} bytes, at most {limit} are read"
    return BadInput("file/too-large", message, "is it the right file?")


def refuse_dash(path: Path, what: str, hint: str) -> None:
    """BadInput ``file/dash`` for ``-``: elsewhere it is standard input, never a file's name."""
    if str(path) == "-":
        raise BadInput("file/dash", f"{what} is a file with a name, and - is not", hint)
