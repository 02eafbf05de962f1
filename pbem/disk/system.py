"""The operating system: flags, errors in words, durability, locks and folders.

Not allowed here: a decision about games.
Laws: no OSError leaves pbem.disk. A lock file is never removed, since two commands could then hold
two locks of one name. Locks (fcntl or msvcrt) end with the process.
Source: docs/DESIGN.md P8; docs/SPECIFICATION.md section 5 (saving); fcntl(2) of macOS for
F_FULLFSYNC.
"""

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from pbem.errors import BadInput, CannotRead, PbemError, Refused

_PAUSE = 0.02
_SHARING_SECONDS = 1.0
LOCKED_ELSEWHERE = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt

    def take_lock(fd: int) -> None:
        os.lseek(fd, 0, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def take_lock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


_ErrorWords = tuple[type[PbemError], str, str, str]
_NOT_PERMITTED: _ErrorWords = (
    CannotRead, "file/permission", "you may not do that there",
    "look at who owns it and at its mode with ls -l" if os.name == "posix" else "is it open in another program?",
)  # fmt: skip
_DRIVE_FULL: _ErrorWords = (
    Refused, "file/full", "there is no room left on the drive",
    "free some space, then run the command again",
)  # fmt: skip
_ERROR_WORDS: dict[int, _ErrorWords] = {
    errno.ENOENT: (
        BadInput, "file/missing", "no such file or folder", "check the spelling",
    ),
    errno.EISDIR: (BadInput, "file/folder", "it is a folder, not a file", "name a file"),
    errno.ENOTDIR: (
        BadInput, "file/not-a-folder", "it, or a part of its path, is not a folder",
        "name a folder",
    ),
    errno.EACCES: _NOT_PERMITTED,
    errno.EPERM: _NOT_PERMITTED,
    errno.EROFS: (
        BadInput, "file/read-only", "the drive is read-only", "copy the game to one you can write",
    ),
    errno.ENOSPC: _DRIVE_FULL,
    errno.EDQUOT: _DRIVE_FULL,
    errno.EFBIG: _DRIVE_FULL,  # also a limit on file size (ulimit -f)
    errno.ENAMETOOLONG: (BadInput, "file/name", "the name is too long", "use shorter names"),
    errno.ELOOP: (
        Refused, "file/symlink", "it is a symbolic link", "put the real file or folder there",
    ),
    errno.ENOLCK: (
        Refused, "file/no-locks", "this drive cannot lock files",
        "keep the game on a drive of this machine",
    ),
}  # fmt: skip


def printable_path(path: str | os.PathLike[str]) -> str:
    """Return a path for a message: one line, without control characters."""
    return "".join(c if c.isprintable() else "?" for c in os.fspath(path))


def refuse_unprintable(path: Path) -> None:
    """Raise BadInput ``file/name`` for a folder whose name does not fit in one line."""
    if not str(path).isprintable():
        message = f"the name of the folder {printable_path(path)} cannot be printed"
        raise BadInput("file/name", message, "rename it")


def os_error_in_words(error: OSError, verb: str, path: str | os.PathLike[str]) -> PbemError:
    """Return the PbemError for an OSError that occurred while doing ``verb`` to ``path``."""
    failure = f"cannot {verb} {printable_path(path)}"
    if error.errno not in _ERROR_WORDS:
        reason = (error.strerror or "the system does not say why").lower()
        return CannotRead("file/trouble", f"{failure}: {reason}", "the drive may be damaged or gone")
    error_class, code, reason, hint = _ERROR_WORDS[error.errno]
    return error_class(code, f"{failure}: {reason}", hint)


@contextmanager
def os_errors(verb: str, path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn system errors inside the block into a PbemError that names ``path``. Python raises
    ValueError for a name that no system can hold (a NUL, a lone surrogate). So the block should
    contain only calls of ``os``.
    """
    try:
        yield
    except OSError as error:
        raise os_error_in_words(error, verb, path) from error
    except ValueError as error:
        message = f"cannot {verb} {printable_path(path)}: no file can have this name"
        raise BadInput("file/name", message, "use letters, digits, '-' and '_'") from error


def unfinished_save_error(error: PbemError, n: int, root: Path) -> PbemError:
    """Return the error to raise for one that occurred after state ``n`` was saved."""
    hint = f"mend that; the next command does the rest, for example `pbem resolve {root}`"
    message = f"state {n} is saved, but {error.message}"
    return type(error)("save/unfinished", message, hint)


def reraise(error: OSError) -> NoReturn:  #: for ``onerror``
    raise error


_FLAGS = ("NOFOLLOW", "DIRECTORY", "NONBLOCK", "NOCTTY", "BINARY")  # 0 where the system lacks one
NOFOLLOW, DIRECTORY, NONBLOCK, NOCTTY, BINARY = (getattr(os, f"O_{f}", 0) for f in _FLAGS)
POSIX = os.name == "posix"

# Some file systems (network drives) have no notion of syncing a folder. Any other failure means
# that the drive did not do it.
_SYNC_UNSUPPORTED = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}


def sync(fd: int) -> None:
    """Returns when the drive holds the bytes of ``fd``. Raises OSError."""
    if sys.platform == "darwin":
        # macOS: fsync only hands the bytes to the drive; F_FULLFSYNC waits for the drive.
        with suppress(OSError):
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
            return
    os.fsync(fd)


def sync_folder(folder: Path) -> None:
    """Return when the names in ``folder`` are durable; does nothing on Windows. Raises Refused
    ``file/not-durable``: the names are there, but a power cut may undo them.
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
        if error.errno in _SYNC_UNSUPPORTED:
            return
        message = f"{printable_path(folder)} is written, but the drive does not confirm that it is safe"
        raise Refused("file/not-durable", message, "run the command again") from error


TEMP_PREFIX = ".pbem-tmp-"
_REPARSE_POINT = 0x400  # Windows: a junction is a link too, but lstat does not say so


def is_link(file_stat: os.stat_result) -> bool:
    """Whether this result of lstat is a symbolic link or a Windows junction."""
    attributes: int = getattr(file_stat, "st_file_attributes", 0)
    return stat.S_ISLNK(file_stat.st_mode) or bool(attributes & _REPARSE_POINT)


def stat_or_none(path: Path, follow: bool = False) -> os.stat_result | None:
    """Return the status of ``path``; None only if nothing is there."""
    with os_errors("look at", path), suppress(FileNotFoundError, NotADirectoryError):
        return os.stat(path, follow_symlinks=follow)
    return None


def is_folder(path: Path) -> bool:
    """Whether there is a folder, or a link to one."""
    file_stat = stat_or_none(path, follow=True)
    return file_stat is not None and stat.S_ISDIR(file_stat.st_mode)


def is_file(path: Path) -> bool:
    """Whether there is a regular file, or a link to one."""
    file_stat = stat_or_none(path, follow=True)
    return file_stat is not None and stat.S_ISREG(file_stat.st_mode)


def refuse_link(path: Path) -> bool:
    """Whether ``path`` exists; Refused ``file/symlink`` if it is a link."""
    file_stat = stat_or_none(path)
    if file_stat is not None and is_link(file_stat):
        message = f"{printable_path(path)} is a symbolic link; a game keeps its files in its own folder"
        raise Refused("file/symlink", message, "put the real file or folder there")
    return file_stat is not None


def make_folder(folder: Path, mode: int = 0o755) -> None:
    """Make ``folder`` durably unless it exists; BadInput or Refused, also for a link."""
    if refuse_link(folder):
        with os_errors("use", folder):
            if not stat.S_ISDIR(os.lstat(folder).st_mode):
                raise NotADirectoryError(errno.ENOTDIR, "")
        return
    with os_errors("make", folder):
        try:
            os.mkdir(folder, mode)
        except FileExistsError:  # another command made it just now
            return
    sync_folder(folder.parent)


def make_with_parents(folder: Path) -> None:
    """Make a folder and those above it, durably; BadInput or Refused."""
    if is_folder(folder):
        return
    if stat_or_none(folder):
        message = f"{printable_path(folder)} is there already and is not a folder"
        raise BadInput("file/not-a-folder", message, "name another folder")
    if folder.parent != folder:
        make_with_parents(folder.parent)
    with os_errors("make", folder):
        os.mkdir(folder)
    sync_folder(folder.parent)


# Windows reserves some names for devices, with any ending: con.toml is the console.
_NOT_ON_WINDOWS = re.compile(r'[\\/:*?"<>|\x00-\x1f]|[. ]$|^$|^(con|prn|aux|nul|(com|lpt)\d) *(\.|$)', re.IGNORECASE)


def is_name_on_windows(name: str) -> bool:
    """Whether Windows can have a file of this name."""
    return not _NOT_ON_WINDOWS.search(name)


def refuse_windows_name(path: Path) -> None:
    """Raise BadInput ``file/name`` on Windows for a path that it would take for another one."""
    for part in () if POSIX else path.absolute().parts[1:]:
        if not is_name_on_windows(part):
            message = f"Windows cannot have a file named {printable_path(part)}"
            raise BadInput("file/name", message, "use letters, digits, '-' and '_'")


def refuse_in_use(root: Path) -> None:
    """Raise Refused ``game/folder-in-use`` unless ``root`` is missing or an empty folder."""
    if list_names(root):
        message = f"{printable_path(root)} is there already and is not empty"
        raise Refused("game/folder-in-use", message, "name a folder that is not there yet")


def list_names(folder: Path) -> list[str]:
    """Return the names in ``folder``, sorted; [] if it is missing. Raises BadInput."""
    with os_errors("list", folder), suppress(FileNotFoundError):
        return sorted(os.listdir(folder))
    return []


def patiently(operation: Callable[..., None], *paths: Path) -> None:
    """Call ``os.replace``, ``os.unlink`` or their like. Raises OSError.

    On Windows a virus scanner or an indexer may have a new file open for a moment, which forbids both. So this
    tries again for a second.
    """
    deadline = time.monotonic() + _SHARING_SECONDS
    while True:
        try:
            return operation(*paths)
        except PermissionError:
            if POSIX or time.monotonic() >= deadline:
                raise
        time.sleep(_PAUSE)


def remove_tree(path: Path) -> None:
    """Remove a file, a link (not its target) or a folder with everything in it. Raises OSError.
    Something already missing is not an error, so that the work of a killed command can be repeated.
    """
    with suppress(FileNotFoundError):
        file_stat = os.lstat(path)
        if is_link(file_stat) or not stat.S_ISDIR(file_stat.st_mode):
            patiently(os.unlink, path)
            return
        for name in sorted(os.listdir(path)):
            remove_tree(path / name)
        patiently(os.rmdir, path)


@contextmanager
def removed_on_failure(path: Path) -> Iterator[None]:
    """Remove ``path`` if the block fails."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            remove_tree(path)
        raise


@contextmanager
def folder_to_fill(root: Path) -> Iterator[Path]:
    """Yield a folder to fill, which gets the name ``root`` at the end; if the block fails, nothing
    stays. Raises Refused ``game/folder-in-use`` unless ``root`` is missing or an empty folder.
    """
    refuse_unprintable(root)
    refuse_windows_name(root)
    refuse_in_use(root)
    parent = root.absolute().parent
    make_with_parents(parent)
    sweep_temps(parent)
    temp = temp_path_in(parent)
    make_folder(temp)
    with removed_on_failure(temp), mark_busy(temp):
        yield temp
        refuse_in_use(root)
        with os_errors("write", root):
            if not POSIX and is_folder(root):
                os.rmdir(root)  # Windows cannot rename onto an empty folder
            patiently(os.rename, temp, root)
    sync_folder(parent)


def temp_path_in(folder: Path) -> Path:
    """Return a new random name in the folder, for a file that is not complete yet."""
    return folder / f"{TEMP_PREFIX}{os.urandom(8).hex()}"


def remove_temps(folder: Path) -> None:
    """Remove what killed commands left in a folder whose lock the caller holds."""
    for name in list_names(folder):
        if name.startswith(TEMP_PREFIX):
            with suppress(OSError):  # harmless; the next command tries again
                remove_tree(folder / name)


def sweep_temps(folder: Path) -> None:
    """Remove such leftovers from a folder without a lock, except those that a command is using."""
    for name in list_names(folder) if POSIX else ():
        if name.startswith(TEMP_PREFIX):
            with suppress(OSError), ExitStack() as stack:
                take_lock(_open_until_exit(folder / name, stack))
                remove_tree(folder / name)


@contextmanager
def mark_busy(temp: Path) -> Iterator[None]:
    """Keep ``sweep_temps`` away from ``temp`` during the block."""
    with ExitStack() as stack:
        if POSIX:  # Windows cannot rename an open file
            with suppress(OSError):  # the drive has no locks
                take_lock(_open_until_exit(temp, stack))
        yield


def _open_until_exit(path: Path, stack: ExitStack) -> int:
    fd = os.open(path, os.O_RDONLY | NOFOLLOW)
    stack.callback(os.close, fd)
    return fd


@contextmanager
def hold(path: Path, wait_seconds: float = 10.0) -> Iterator[None]:
    """Hold the lock file ``path`` for the block; it is made if missing. Do not nest. Raises Refused
    ``game/busy`` if another command holds it for longer than ``wait_seconds``; ``file/symlink``,
    ``file/no-locks`` or BadInput if it cannot be locked.
    """
    deadline = time.monotonic() + wait_seconds
    while (fd := _try_lock(path)) is None:
        if time.monotonic() >= deadline:
            hint = "try again in a moment"
            raise Refused("game/busy", "another pbem is working on this game", hint)
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        os.close(fd)  # this frees the lock


def _try_lock(path: Path) -> int | None:
    """Return the descriptor that holds the lock; None if another command holds it."""
    refuse_link(path)  # Windows has no O_NOFOLLOW
    with os_errors("lock", path):
        fd = os.open(path, os.O_RDWR | os.O_CREAT | NOFOLLOW | BINARY, 0o600)
        try:
            take_lock(fd)
            # Somebody may have removed or replaced the file meanwhile; then this lock would protect
            # nothing.
            current_stat = stat_or_none(path)
            if current_stat and os.path.samestat(os.fstat(fd), current_stat):
                return fd
        except (OSError, PbemError) as error:
            if not isinstance(error, OSError) or error.errno not in LOCKED_ELSEWHERE:
                os.close(fd)
                raise
        os.close(fd)
        return None
