"""Whole games into one file, desks and all, and out of it again.

What must never be here: choosing what of a game may be published (that is the archive). The law:
a backup holds every secret, so its file is 0600 from its first byte; each game is packed under its
lock, and the same games give the same bytes; it may hold any number of games, and memory does not
grow with them: nothing is kept of a member that is packed or unpacked.
Source: docs/DESIGN.md "Command line" (``backup``); decision 0015.
"""

import errno
import gzip
import io
import os
import stat
import sys
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from pbem.disk import system
from pbem.disk.folder import GameFolder
from pbem.disk.games import find_games
from pbem.disk.system import POSIX, os_errors, printable_path, sync, sync_folder
from pbem.disk.whole import NEW_FILE_FLAGS, open_to_read
from pbem.errors import BadInput

if TYPE_CHECKING:
    from gzip import GzipFile
    from tarfile import TarFile, TarInfo

MAX_DEPTH = 20  #: folders in folders; a game lies at most 5 deep, and has 3 in it
LAST_MEMBER = ".pbem-backup"  # the last member says what came before it: a cut file is told from a whole
_BAD_FILE_ERRORS = (tarfile.TarError, zlib.error, EOFError, OSError, ValueError, LookupError,
        ArithmeticError, RecursionError, MemoryError)  # fmt: skip  # for bad files
_MAX_PIECE = 1 << 20
# A kilobyte must not fill a drive: ours unfold to 11 times their size, and have 336 bytes a member.
# By these alone a file is bounded: what it unfolds to grows with it, and with nothing it claims.
MAX_UNPACK_RATIO, SIZE_ALLOWANCE, MIN_MEMBER_SIZE, MEMBER_ALLOWANCE = 64, 16 << 20, 100, 1000


def last_member_content(count: int, size: int) -> bytes:
    """What the last member of a backup holds: how many members before it, of how many bytes."""
    return f"pbem backup 1\nmembers {count}\nbytes {size}\n".encode("ascii")


def unpack(file: Path, root: Path, prepare: Callable[[Path], None] = lambda _: None) -> None:
    """Unpacks the backup ``file`` into ``root``, which must be missing or empty; ``prepare`` gets
    the folder before it has that name.

    Raises Refused ``game/folder-in-use``; BadInput ``backup/damaged`` (cut, altered, not a
    backup), ``backup/unsafe`` (a name or kind no backup has), ``backup/too-large``; any trouble
    of the drive. In all these cases ``root`` is as before.
    """
    system.refuse_in_use(root)
    with open_to_read(file) as fd, os.fdopen(fd, "rb", closefd=False) as packed, system.folder_to_fill(root) as temp:
        try:
            _unpack_all(packed, temp)
        except _BAD_FILE_ERRORS as error:
            packed.seek(0)
            if packed.read(262).endswith(b"ustar"):  # as an archive begins
                message = f"{printable_path(file)} is not a backup; it may be the archive of a game"
                raise BadInput("backup/damaged", message, f"pbem audit {file}") from error
            message = f"{printable_path(file)} is cut, altered or not a backup of pbem"
            raise BadInput("backup/damaged", message, "use another copy") from error
        prepare(temp)


class _InflatedStream:
    """The unpacked stream, only forwards, in small pieces, and never more than its file is worth.

    tarfile keeps a header of the length that the header itself claims: without a limit, a few
    kilobytes of an evil file would take gigabytes of memory.
    """

    def __init__(self, source: "GzipFile", packed: IO[bytes]) -> None:
        self._source, self._packed, self._position = source, packed, 0
        self.header_allowance = _MAX_PIECE  #: bytes that the headers of one member may still have

    def tell(self) -> int:
        return self._position

    def seek(self, target: int) -> int:
        while self._position < target and self.read_content(min(_MAX_PIECE, target - self._position)):
            pass
        if target != self._position:
            raise EOFError
        return target

    def read(self, size: int) -> bytes:
        if size < 0:
            raise ValueError(size)
        if size > self.header_allowance:
            message = f"the backup has a header of more than {_MAX_PIECE} bytes"
            raise BadInput("backup/unsafe", message, "do not trust this file")
        self.header_allowance -= size
        return self.read_content(size)

    def read_content(self, size: int) -> bytes:
        """The same of what is no header."""
        data = self._source.read(size)
        self._position += len(data)
        if self._position > MAX_UNPACK_RATIO * self._packed.tell() + SIZE_ALLOWANCE:
            raise _overlarge_error()
        return data

    def refuse_too_many(self, count: int) -> None:
        """BadInput for more members than have room in what was read of the file so far."""
        if count > MEMBER_ALLOWANCE + self._packed.tell() // MIN_MEMBER_SIZE:
            raise _overlarge_error()


def _overlarge_error() -> BadInput:
    message = "the backup unfolds to far more than any backup of pbem"
    return BadInput("backup/unsafe", message, "do not trust this file")


def _unpack_all(packed: IO[bytes], temp: Path) -> None:
    with gzip.GzipFile(fileobj=packed, mode="rb") as source:
        stream = _InflatedStream(source, packed)
        with tarfile.open(fileobj=stream, mode="r:") as tar:  # type: ignore[call-overload]
            _unpack_members(tar, temp, stream)
        while remaining := stream.read_content(_MAX_PIECE):  # to the end: only then is the checksum looked at
            if remaining.strip(b"\0"):
                raise ValueError("more after the end")
    for folder, _, _ in os.walk(temp):
        sync_folder(Path(folder))


def _unpack_members(tar: "TarFile", temp: Path, stream: _InflatedStream) -> None:
    count = size = 0
    while (member := tar.next()) is not None:
        stream.header_allowance = sys.maxsize
        _forget_members(tar)
        if member.name == LAST_MEMBER:
            source = tar.extractfile(member) if member.isreg() and member.size < 200 else None
            if source is None or source.read() != last_member_content(count, size) or tar.next() is not None:
                raise EOFError
            return
        count, size = count + 1, size + member.size
        stream.refuse_too_many(count)
        _write_member(tar, member, temp, _safe_parts(member))
        stream.header_allowance = _MAX_PIECE
    raise EOFError


def _safe_parts(member: "TarInfo") -> tuple[str, ...]:
    """The parts of a member's name. Raises BadInput ``backup/unsafe`` for what no backup has."""
    parts = tuple(member.name.split("/"))
    is_plain = member.type in (b"0", b"\0", b"5") and not member.issparse() and member.size >= 0
    has_bad_part = any(p in ("", ".", "..") or p.startswith(".pbem-") or "\0" in p for p in parts)
    # on Windows none that could point elsewhere
    has_odd_character = not POSIX and any(c in '\\:*?"<>|' or c < " " for p in parts for c in p)
    if is_plain and not has_bad_part and not has_odd_character and len(parts) <= MAX_DEPTH:
        return parts
    message = f"the backup holds '{printable_path(member.name[:90])}', which no backup of pbem would"
    raise BadInput("backup/unsafe", message, "do not trust this file")


def _write_member(tar: "TarFile", member: "TarInfo", temp: Path, parts: tuple[str, ...]) -> None:
    folders = parts if member.isdir() else parts[:-1]
    for depth in range(1, len(folders) + 1):
        folder = temp.joinpath(*folders[:depth])
        with os_errors("write", folder), suppress(FileExistsError):
            os.mkdir(folder, 0o700 if "desk" in folders[:depth] else 0o755)
    source = tar.extractfile(member)
    if source is not None:
        is_public = member.mode & 0o077 and "desk" not in parts
        _write_file(source, temp.joinpath(*parts), 0o644 if is_public else 0o600)


def _write_file(source: IO[bytes], path: Path, mode: int) -> None:
    """``os_errors`` for the writing alone: what reading raises is the backup's fault."""
    with os_errors("write", path):
        fd = os.open(path, NEW_FILE_FLAGS, mode)
    try:
        while piece := source.read(1 << 16):
            with os_errors("write", path):
                while piece:
                    piece = piece[os.write(fd, piece) :]
        with os_errors("write", path):
            sync(fd)
    finally:
        os.close(fd)


def pack(root: Path, sink_path: Path) -> list[str]:
    """Writes all games of ``root`` to ``sink_path`` (.tar.gz, replaced whole); gives the notes.

    A note names what was left out: an unreadable folder, a symbolic link, a device. Raises
    BadInput ``backup/no-game``, Refused ``game/busy``, any trouble of the drive; the old file
    then stands as before. The file is as secret as the desks in it.
    """
    root, sink_path = root.resolve(), sink_path.parent.resolve() / sink_path.name
    games, notes = find_games(root)
    if not games:
        hint = "name the folder of a game"
        raise BadInput("backup/no-game", f"there is no game in {printable_path(root)}", hint)
    with os_errors("write", sink_path):
        if system.is_folder(sink_path):
            raise IsADirectoryError(errno.EISDIR, "")
        system.sweep_temps(sink_path.parent)
        temp = system.temp_path_in(sink_path.parent)
        sink = os.fdopen(os.open(temp, NEW_FILE_FLAGS, 0o600), "wb")
        with system.removed_on_failure(temp), system.mark_busy(temp):
            with sink:
                _pack_games(games, root, sink, sink_path, notes)
                sink.flush()
                sync(sink.fileno())
            os.replace(temp, sink_path)
    sync_folder(sink_path.parent)
    return notes


def _pack_games(games: list[GameFolder], root: Path, sink: BinaryIO, sink_path: Path, notes: list[str]) -> None:
    count = size = 0
    with (
        gzip.GzipFile("", "wb", 6, sink, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
    ):
        for game in games:
            with _locked(game):
                if unfinished_note := game.describe_unfinished():
                    notes.append(f"{printable_path(game.root)}: {unfinished_note}")
                for path in _packable_paths(game.root, root, sink_path, notes):
                    count, size = count + 1, size + _add_member(tar, path, root, sink)
        content, info = last_member_content(count, size), tarfile.TarInfo(LAST_MEMBER)
        info.size, info.mode = len(content), 0o600
        tar.addfile(info, io.BytesIO(content))


@contextmanager
def _locked(game: GameFolder) -> Iterator[None]:
    """Under its lock, if it has a desk: a shared copy without one must not get one by this."""
    if not system.refuse_link(game.root / "desk"):
        yield
        return
    with game.lock():
        yield


def _packable_paths(folder: Path, root: Path, sink_path: Path, notes: list[str]) -> Iterator[Path]:
    """What is packed of a folder: all but temporary files, locks and the backup itself."""
    for name in system.list_names(folder):
        path = folder / name
        if len(path.relative_to(root).parts) > MAX_DEPTH:
            hint = "move what is no game's elsewhere"
            raise BadInput("backup/too-deep", f"{printable_path(folder)} is too deep to be packed", hint)
        file_stat = os.lstat(path)
        mode = file_stat.st_mode
        if name.startswith(".pbem-") or path == sink_path or path.parts[-2:] == ("desk", "lock"):
            continue
        if system.is_link(file_stat) or not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            notes.append(f"left out: {printable_path(path)} is a link, pipe or device")
            continue
        yield path
        if stat.S_ISDIR(mode):
            yield from _packable_paths(path, root, sink_path, notes)


class _PackedFile:
    """A file that is packed, as long as `unpack` would unpack it: not one that is mostly holes."""

    def __init__(self, source: IO[bytes], path: Path, tar: "TarFile", sink: BinaryIO) -> None:
        self._source, self._path, self._tar, self._sink = source, path, tar, sink
        self._position = 0

    def read(self, size: int) -> bytes:
        data = self._source.read(size)
        self._position += len(data)
        if self._tar.offset + self._position > MAX_UNPACK_RATIO * self._sink.tell() + SIZE_ALLOWANCE:
            message = f"{printable_path(self._path)} is mostly empty, so its backup could not be restored"
            raise BadInput("backup/sparse", message, "move it out of the folder of the game")
        return data


def _add_member(tar: "TarFile", path: Path, root: Path, sink: BinaryIO) -> int:
    """Adds one file or folder; gives its size. Owner and times are left out: they differ."""
    file_stat = os.lstat(path)
    # not gettarinfo: it remembers every file, so as to write a link for its second name
    info = tarfile.TarInfo(path.relative_to(root).as_posix())
    info.mode = stat.S_IMODE(file_stat.st_mode)
    if stat.S_ISDIR(file_stat.st_mode):
        info.type = tarfile.DIRTYPE
        tar.addfile(info)
    else:
        info.size = file_stat.st_size
        with open_to_read(path, follow=False) as fd, os.fdopen(fd, "rb", closefd=False) as source:
            tar.addfile(info, _PackedFile(source, path, tar, sink))  # type: ignore[arg-type]
    _forget_members(tar)
    return info.size


def _forget_members(tar: "TarFile") -> None:
    """Else it keeps every member."""
    tar.members = []  # type: ignore[attr-defined]
