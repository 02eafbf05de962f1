"""Reading and writing whole files, safely.

Not allowed here: which files a game needs; what their bytes mean.
Laws: only regular files are opened, and their size is checked before reading. Bytes are on the
drive before a name points to them, and the name is on the drive before the caller goes on. A
private file is 0600 from its first byte. A temporary file is in ``temp_folder``, a small folder on
the same drive, where leftovers of a killed command are found quickly.
Source: docs/SPECIFICATION.md section 5; docs/DESIGN.md P8, P11.
"""

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.disk import system
from pbem.disk.modes import can_be_closed, is_open_to_others
from pbem.disk.system import BINARY, NOFOLLOW, POSIX, os_errors, printable_path, sync, sync_folder
from pbem.errors import BadInput, OurFault, PbemError, Refused

# without NONBLOCK, opening a FIFO that has no writer waits forever
_READ_FLAGS = os.O_RDONLY | system.NONBLOCK | system.NOCTTY | BINARY
_PIECE = 1 << 20
_BEGINNING = 128 << 10


def read(path: Path, limit: int, follow: bool = True) -> bytes:
    """Return all bytes of a file of at most ``limit`` bytes. With ``follow`` false, refuses a
    symbolic link. Raises BadInput if the file is missing, too large, a folder, a pipe, a device or
    unreadable.
    """
    with os_errors("read", path):
        return _read_all(path, limit, follow)


@contextmanager
def open_to_read(path: Path, follow: bool = True) -> Iterator[int]:
    """Open a regular file for the block and yield its descriptor. Raises as ``read`` does."""
    with os_errors("read", path):
        fd = _open_regular(path, follow)
    try:
        yield fd
    finally:
        os.close(fd)


def read_if_present(path: Path, limit: int) -> bytes | None:
    """Read a file as ``read`` does without following links; None if there is no such file."""
    with os_errors("read", path), suppress(FileNotFoundError):
        return _read_all(path, limit, follow=False)
    return None


def read_private(path: Path, limit: int) -> bytes:
    """Read a file with a secret; Refused ``file/open`` if others can read it."""
    data = read(path, limit)
    real_path = path.resolve()
    with os_errors("look at", path):
        is_exposed = is_open_to_others(real_path) and can_be_closed(real_path)
    if is_exposed:
        message = f"others can read {printable_path(path)}"
        raise Refused("file/open", message, f"chmod 600 '{printable_path(path)}'")
    return data


def read_input(name: str, limit: int) -> bytes:
    """Return the bytes of a file that the user named; ``-`` is standard input. Raises BadInput."""
    if not name:
        hint = "name a file, or - for standard input"
        raise BadInput("file/name", "a file has an empty name", hint)
    if name != "-":
        return read(Path(name), limit)
    if sys.stdin is None:
        raise BadInput("file/missing", "there is no standard input", "name a file")
    try:
        data = sys.stdin.buffer.read(limit + 1)
    except OSError as error:
        raise system.os_error_in_words(error, "read", "standard input") from error
    if len(data) > limit:
        raise _too_large_error("standard input", f"more than {limit}", limit)
    return data


def read_beginning(name: str) -> bytes:
    """Return the first bytes of a file that is too large to read; b"" for standard input."""
    if name == "-":
        return b""
    path = Path(name)
    with open_to_read(path) as fd, os_errors("read", path):
        return os.read(fd, _BEGINNING)


def _refuse_special(file_stat: os.stat_result, path: Path) -> None:
    if system.is_link(file_stat):
        message = f"{printable_path(path)} is a symbolic link"
        raise Refused("file/symlink", message, "put the real file there")
    if stat.S_ISDIR(file_stat.st_mode):
        raise BadInput("file/folder", f"{printable_path(path)} is a folder, not a file", "name a file")
    if not stat.S_ISREG(file_stat.st_mode):
        message = f"{printable_path(path)} is a pipe, socket or device, not a file"
        hint = "copy what it gives into a file, or use - for standard input"
        raise BadInput("file/odd", message, hint)


def _open_regular(path: Path, follow: bool) -> int:
    """Return the descriptor of a regular file. Also raises OSError."""
    # Check before opening: opening alone can move a tape or wake a device.
    _refuse_special(os.stat(path, follow_symlinks=follow), path)
    fd = os.open(path, _READ_FLAGS if follow else _READ_FLAGS | NOFOLLOW)
    try:
        _refuse_special(os.fstat(fd), path)  # it may have been replaced since the check
    except BaseException:
        os.close(fd)
        raise
    return fd


def _read_all(path: Path, limit: int, follow: bool) -> bytes:
    """Return all bytes of a file. Also raises OSError."""
    fd, data = _open_regular(path, follow), bytearray()
    try:
        size = os.fstat(fd).st_size
        if size > limit:
            raise _too_large_error(printable_path(path), str(size), limit)
        while len(data) <= limit and (piece := os.read(fd, min(_PIECE, limit + 1 - len(data)))):
            data += piece
    finally:
        os.close(fd)
    if len(data) > limit:  # it grew while it was read, or it hides its size (/proc)
        raise _too_large_error(printable_path(path), f"more than {limit}", limit)
    return bytes(data)


def _too_large_error(source: str, size: str, limit: int) -> BadInput:
    message = f"{source} has {size} bytes, at most {limit} are read"
    return BadInput("file/too-large", message, "is it the right file?")


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file to which lines are appended; none if there is no file. Ignores a
    last line without a line end, which was cut short. Raises as ``read`` does.
    """
    if not system.stat_or_none(path):
        return
    with open_to_read(path) as fd, os.fdopen(fd, "rb", closefd=False) as source:
        while (line := source.readline(_PIECE)).endswith(b"\n"):
            if line.strip():
                yield line
        if len(line) == _PIECE:
            raise _too_large_error(f"a line of {printable_path(path)}", "more", _PIECE)


def append_line(path: Path, line: bytes) -> None:
    """Append a line to a file, durably; start a new line if the last one was cut short."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | NOFOLLOW | BINARY
    with os_errors("write", path):
        fd = os.open(path, flags, 0o644)
        try:
            _refuse_special(os.fstat(fd), path)
            size = os.lseek(fd, 0, os.SEEK_END)
            os.lseek(fd, max(0, size - 1), os.SEEK_SET)
            was_cut_short = os.read(fd, 1) not in (b"", b"\n")
            remaining = memoryview(b"\n" * was_cut_short + line + b"\n")
            while remaining:
                remaining = remaining[os.write(fd, remaining) :]
            sync(fd)
        finally:
            os.close(fd)


def refuse_dash(path: Path, purpose: str, hint: str) -> None:
    """Raise BadInput ``file/dash`` for ``-``, which elsewhere means standard input."""
    if str(path) == "-":
        raise BadInput("file/dash", f"{purpose} is a file with a name, and - is not", hint)


_SAFE_NAME = re.compile(r"[a-z0-9][a-z0-9._+-]{0,80}")


def is_safe_name(name: str) -> bool:
    """Whether ``name`` can be one part of a path on any system."""
    return _SAFE_NAME.fullmatch(name) is not None and system.is_name_on_windows(name)


def safe_name(name: str) -> str:
    """Return ``name`` if it can be one part of a path; BadInput ``file/name`` if not."""
    if is_safe_name(name):
        return name
    message = f"'{printable_path(name[:90])}' cannot be the name of a file"
    hint = "use a-z, 0-9, '.', '_', '+', '-', starting with a letter or digit, at most 81"
    raise BadInput("file/name", message, hint)


def state_file_name(n: int) -> str:
    """Return the file name of state ``n``: four digits, more if needed. Raises OurFault if ``n`` has none."""
    if not 0 <= n < 10**9:
        raise OurFault("disk/number", f"{n} is no number of a state")
    return f"{n:04d}.toml"


NEW_FILE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NOFOLLOW | BINARY
_NO_HARD_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
if not POSIX:
    _NO_HARD_LINKS.add(errno.EINVAL)  # FAT on Windows answers this


def write_new_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file that must not exist yet, directly under its name. Not atomic: a kill leaves part
    of it. Use it for temporary names and for folders not yet in use. Raises OSError; the callers,
    which know the purpose of the file, put it in words.
    """
    fd = os.open(path, NEW_FILE_FLAGS, mode)  # with the mode given here, others can never read it
    with system.removed_on_failure(path):
        try:
            remaining = memoryview(data)
            while remaining:  # os.write may write only a part
                remaining = remaining[os.write(fd, remaining) :]
            sync(fd)
        finally:
            os.close(fd)


def write_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by their paths into a new folder, durably. Raises OSError."""
    os.mkdir(folder, 0o700)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        write_new_file(path, data)
        sync_folder(path.parent)
    sync_folder(folder)


def write(path: Path, data: bytes, mode: int = 0o644, durable: bool = True, temp_folder: Path | None = None) -> None:
    """Write ``data`` to ``path``, replacing what was there; readers see either the old or the new.
    ``mode`` is restricted by the umask. A symbolic link at ``path`` is replaced, not followed. If
    not ``durable``, a power cut may undo the change, but never leaves half a file. Raises BadInput
    or Refused in one line; then the old file is unchanged.
    """
    with os_errors("write", path):
        temp = _write_temp(path, data, mode, temp_folder)
        with system.removed_on_failure(temp):
            system.patiently(os.replace, temp, path)
    if durable:
        sync_folder(path.parent)


def create(path: Path, data: bytes, mode: int = 0o644, temp_folder: Path | None = None) -> None:
    """Write ``data`` under a name that does not exist yet, durably. Raises Refused
    ``save/number-taken`` if the name exists, even as a dangling link; otherwise BadInput or
    Refused. After an error nothing has changed, except after ``file/not-durable``: then the file is
    there.
    """
    with os_errors("write", path):
        temp = _write_temp(path, data, mode, temp_folder)
        try:
            _claim_name(temp, path)
        except FileExistsError as error:
            raise name_taken_error(path) from error
        finally:
            with suppress(OSError):
                system.patiently(os.unlink, temp)
    sync_folder(path.parent)


def name_taken_error(path: Path) -> Refused:
    """Return the error for a name that another command took first."""
    hint = "another command was first; run this one again"
    return Refused("save/number-taken", f"{printable_path(path)} is already there", hint)


def write_user_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file into a folder that is not pbem's, after removing old leftovers there."""
    with os_errors("write", path):
        system.sweep_temps(path.parent)
    write(path, data, mode)


def _write_temp(path: Path, data: bytes, mode: int, temp_folder: Path | None) -> Path:
    system.refuse_windows_name(path)
    file_stat = system.stat_or_none(path)
    if file_stat and stat.S_ISDIR(file_stat.st_mode):  # report this before anything is written
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    temp = system.temp_path_in(temp_folder or path.parent)
    write_new_file(temp, data, mode)
    return temp


def _claim_name(temp: Path, path: Path) -> None:
    """Give the temporary file its name, or fail if the name exists. link(2) does this for two
    commands at once, even on NFS. On drives without hard links (FAT, some network drives), rename
    on Windows fails if the name exists. On POSIX it overwrites; there the lock, which every caller
    holds, separates the check from the rename.
    """
    try:
        os.link(temp, path)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        if POSIX and system.stat_or_none(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        system.patiently(os.rename, temp, path)


def move(path: Path, target: Path) -> None:
    """Rename a file on the same drive, durably: it always has one of the two names. Its bytes are
    synced first. Raises BadInput or Refused; then the file is where it was. Call it under the lock,
    since a file at ``target`` is replaced. Refuses a symbolic link.
    """
    with os_errors("move", path):
        fd = os.open(path, os.O_RDWR | NOFOLLOW | BINARY)  # Windows cannot sync a file that is only open for reading
        try:
            sync(fd)
        finally:
            os.close(fd)
        system.patiently(os.replace, path, target)  # on Windows, os.rename replaces nothing
    sync_folder(target.parent)  # sync this first: a power cut may leave both names, but never neither
    sync_folder(path.parent)


def link_if_same(existing_path: Path, new_path: Path, data: bytes) -> bool:
    """Give an existing file with these very bytes a second name; False if that is impossible. This
    needs no sync. Files are only replaced, never changed, so a shared one is as good as a copy.
    """
    with suppress(PbemError, OSError):  # there is no such file, or the drive has no hard links
        if read_if_present(existing_path, len(data) + 1) == data:
            os.link(existing_path, new_path)
            return True
    return False
