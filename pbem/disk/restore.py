"""Games out of a backup, all of them or none.

What lives here: unpacking a file that may be damaged or made by an enemy. What must never be here:
trust in a name, type, mode or size that stands in the file. The law: everything is unpacked into a
fresh folder beside the goal and renamed at the end; only plain files and folders with plain
relative names get in; modes come from the place, not from the file. Source: docs/DESIGN.md "Command
line".
"""

import gzip
import os
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pbem.disk import atomic, tree
from pbem.disk.finding import make_with_parents, refuse_in_use
from pbem.disk.reading import open_to_read
from pbem.disk.system import BINARY, NOFOLLOW, POSIX, os_errors, shown, sync, sync_folder
from pbem.errors import BadInput, Refused

if TYPE_CHECKING:
    from gzip import GzipFile
    from tarfile import TarFile, TarInfo

MAX_FILES = 100_000
MAX_BYTES = 2 << 30
LAST = ".pbem-backup"  # the last member says what came before it: a cut file is told from a whole
_MAX_PIECE = 1 << 20
_OVERHEAD = 2048 * MAX_FILES  # headers and padding of the members


def last_words(count: int, size: int) -> bytes:
    """What the last member of a backup holds: how many members before it, of how many bytes."""
    return f"pbem backup 1\nmembers {count}\nbytes {size}\n".encode("ascii")


def unpack(file: Path, root: Path) -> None:
    """Unpacks the backup ``file`` into ``root``, which must be missing or empty.

    Raises Refused ``game/folder-in-use``; BadInput ``backup/damaged`` (cut, altered, not a
    backup), ``backup/unsafe`` (a name or kind no backup has), ``backup/too-large``; any trouble
    of the drive. In all these cases ``root`` is as before.
    """
    refuse_in_use(root)
    beside = root.absolute().parent
    temp = beside / f"{tree.PREFIX}{os.urandom(8).hex()}"
    with open_to_read(file) as fd, os.fdopen(fd, "rb", closefd=False) as packed:
        make_with_parents(beside)
        try:
            with _judged(file):
                _unpack_all(packed, temp)
            with os_errors("write", root):
                if not POSIX and root.is_dir():
                    os.rmdir(root)  # Windows cannot rename onto an empty folder
                os.rename(temp, root)
        except BaseException:
            with suppress(OSError):
                tree.remove_tree(temp)
            raise
    sync_folder(beside)


def refuse_too_large(count: int, size: int) -> None:
    """Raises Refused ``backup/too-large`` for more members or bytes than are ever unpacked."""
    if count > MAX_FILES or size > MAX_BYTES:
        message = f"more than {MAX_FILES} files or {MAX_BYTES >> 20} MiB in one backup"
        raise Refused("backup/too-large", message, "back up fewer games at once")


class _Inflated:
    """The unpacked stream, only forwards, in small pieces, and never more than the limit.

    tarfile reads a header of the length the header itself claims: without the limit on one piece,
    a few kilobytes of an evil file would take gigabytes of memory.
    """

    def __init__(self, source: "GzipFile") -> None:
        self._source = source
        self._at = 0

    def tell(self) -> int:
        return self._at

    def seek(self, to: int) -> int:
        while self._at < to and self.read(min(_MAX_PIECE, to - self._at)):
            pass
        if to != self._at:
            raise EOFError
        return to

    def read(self, size: int) -> bytes:
        if not 0 <= size <= _MAX_PIECE:
            raise ValueError(size)
        data = self._source.read(size)
        self._at += len(data)
        refuse_too_large(0, self._at - _OVERHEAD)
        return data


@contextmanager
def _judged(file: Path) -> Iterator[None]:
    """Whatever the libraries say about a bad file becomes one line."""
    bad = (tarfile.TarError, zlib.error, EOFError, OSError, ValueError, LookupError,
           ArithmeticError, RecursionError, MemoryError)  # fmt: skip
    try:
        yield
    except bad as error:
        message = f"{shown(file)} is cut, altered or not a backup of pbem"
        raise BadInput("backup/damaged", message, "use another copy") from error


def _unpack_all(packed: IO[bytes], temp: Path) -> None:
    tree.make(temp)
    with gzip.GzipFile(fileobj=packed, mode="rb") as source:
        stream = _Inflated(source)
        with tarfile.open(fileobj=stream, mode="r:") as tar:  # type: ignore[call-overload]
            _members(tar, temp)
        while rest := stream.read(_MAX_PIECE):  # to the end: only then is the checksum looked at
            if rest.strip(b"\0"):
                raise ValueError("more after the end")
    for folder, _, _ in os.walk(temp):
        sync_folder(Path(folder))


def _members(tar: "TarFile", temp: Path) -> None:
    count = size = 0
    while (member := tar.next()) is not None:
        tar.members = []  # type: ignore[attr-defined]  # else it keeps them all
        if member.name == LAST:
            _check_last(tar, member, last_words(count, size))
            return
        count, size = count + 1, size + member.size
        refuse_too_large(count, size)
        _put(tar, member, temp, _parts(member))
    raise EOFError


def _check_last(tar: "TarFile", member: "TarInfo", expected: bytes) -> None:
    source = tar.extractfile(member) if member.isreg() and member.size < 200 else None
    if source is None or source.read() != expected or tar.next() is not None:
        raise EOFError


def _parts(member: "TarInfo") -> tuple[str, ...]:
    """The parts of a member's name. Raises BadInput ``backup/unsafe`` for what no backup has."""
    parts = tuple(member.name.split("/"))
    plain = member.type in (b"0", b"\0", b"5") and not member.issparse() and member.size >= 0
    bad = any(p in ("", ".", "..") or p.startswith(".pbem-") or not _is_plain(p) for p in parts)
    if plain and not bad:
        return parts
    message = f"the backup holds '{shown(member.name[:90])}', which no backup of pbem would"
    raise BadInput("backup/unsafe", message, "do not trust this file")


def _is_plain(part: str) -> bool:
    """On POSIX any name but one with a NUL; on Windows none that could point elsewhere."""
    return "\0" not in part and (POSIX or not any(c in '\\/:*?"<>|' or c < " " for c in part))


def _put(tar: "TarFile", member: "TarInfo", temp: Path, parts: tuple[str, ...]) -> None:
    folders = parts if member.isdir() else parts[:-1]
    for i in range(1, len(folders) + 1):
        place = temp.joinpath(*folders[:i])
        with os_errors("write", place), suppress(FileExistsError):
            os.mkdir(place, 0o700 if "desk" in folders[:i] else 0o755)
    source = tar.extractfile(member)
    if source is not None:
        open_to_all = member.mode & 0o077 and "desk" not in parts
        _put_file(source, temp.joinpath(*parts), 0o644 if open_to_all else 0o600)


def _put_file(source: IO[bytes], path: Path, mode: int) -> None:
    """``os_errors`` for the writing alone: what reading raises is the backup's fault."""
    with os_errors("write", path):
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NOFOLLOW | BINARY, mode)
    try:
        while piece := source.read(1 << 16):
            with os_errors("write", path):
                atomic.write_all(fd, piece)
        with os_errors("write", path):
            sync(fd)
    finally:
        os.close(fd)
