"""Backups: whole games with their private folders into one file, and back.

Not allowed here: choosing what of a game may be published (the archive does that).
Laws: a backup holds every secret, so its file is 0600 from its first byte. Each game is packed
under its lock. The same games give the same bytes. Memory use does not grow with the number of
games.
Source: docs/DESIGN.md "Command line" (``backup``); decision 0015.
"""

import errno
import gzip
import io
import os
import stat
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from pbem.disk import system
from pbem.disk.folder import GameFolder
from pbem.disk.games import find_games
from pbem.disk.system import POSIX, os_errors, printable_path, sync, sync_folder
from pbem.disk.whole import NEW_FILE_FLAGS, open_to_read
from pbem.errors import BadInput
from pbem.formats import tar

if TYPE_CHECKING:
    from gzip import GzipFile
    from tarfile import TarFile

MAX_DEPTH = 20  #: the most nested folders; a game is at most 5 deep and has 3 levels
LAST_MEMBER = ".pbem-backup"  # counts the members before it, which shows whether a file is complete
_BAD_FILE_ERRORS = (zlib.error, EOFError, OSError, ValueError)  #: what reading a damaged file raises
_MAX_PIECE = 1 << 20
# A small file must not fill a drive. pbem's backups unfold to 11 times their size and have 336
# bytes per member. These limits depend only on the size of the file, not on what it claims.
MAX_UNPACK_RATIO, SIZE_ALLOWANCE, MIN_MEMBER_SIZE, MEMBER_ALLOWANCE = 64, 16 << 20, 100, 1000


def last_member_content(count: int, size: int) -> bytes:
    """Return the content of the last member: how many members precede it, and their total size."""
    return f"pbem backup 1\nmembers {count}\nbytes {size}\n".encode("ascii")


def unpack(file: Path, root: Path, prepare: Callable[[Path], None] = lambda _: None) -> None:
    """Unpack the backup ``file`` into ``root``, which must be missing or empty.

    ``prepare`` receives the unpacked folder before it gets the name ``root``. Raises Refused
    ``game/folder-in-use``; BadInput ``backup/damaged`` (cut, changed, not a backup) or
    ``backup/unsafe`` (a name, kind or size that no backup has); any trouble of the drive. After an
    error, ``root`` is as before.
    """
    system.refuse_in_use(root)
    with open_to_read(file) as fd, os.fdopen(fd, "rb", closefd=False) as packed, system.folder_to_fill(root) as temp:
        try:
            _unpack_all(packed, temp)
        except _BAD_FILE_ERRORS as error:
            packed.seek(0)
            if packed.read(262).endswith(b"ustar"):  # the beginning of an archive
                message = f"{printable_path(file)} is not a backup; it may be the archive of a game"
                raise BadInput("backup/damaged", message, f"pbem audit {file}") from error
            message = f"{printable_path(file)} is cut, altered or not a backup of pbem"
            raise BadInput("backup/damaged", message, "use another copy") from error
        prepare(temp)


class _InflatedStream:
    """The uncompressed bytes of a backup, read forwards and in small pieces. It refuses a file that
    unfolds to more than any backup of its size could.
    """

    def __init__(self, source: "GzipFile", packed: IO[bytes]) -> None:
        self._source, self._packed, self._position = source, packed, 0

    def read_some(self, limit: int) -> bytes:
        """Return at most ``limit`` bytes; none at the end. Raises BadInput ``backup/unsafe``."""
        data = self._source.read(min(limit, _MAX_PIECE))
        self._position += len(data)
        if self._position > MAX_UNPACK_RATIO * self._packed.tell() + SIZE_ALLOWANCE:
            raise _overlarge_error()
        return data

    def content_pieces(self, size: int) -> Iterator[bytes]:
        """Yield the content of a member and skip its padding; EOFError if the file is cut."""
        remaining = size + -size % tar.BLOCK
        while remaining:
            piece = self.read_some(remaining)
            if not piece:
                raise EOFError
            yield piece[: max(0, size)]
            remaining, size = remaining - len(piece), size - len(piece)

    def next_header(self) -> tar.Header | None:
        """Return the next member's header, with its extended header; None at the end. Raises
        BadInput ``backup/unsafe`` if the extended header is longer than a megabyte.
        """
        header = self._read_header()
        if header is None or header.kind != tar.EXTENDED_HEADER:
            return header
        if header.size > _MAX_PIECE:
            message = f"the backup has a header of more than {_MAX_PIECE} bytes"
            raise BadInput("backup/unsafe", message, "do not trust this file")
        extension = b"".join(self.content_pieces(header.size))
        extended_header = self._read_header()
        if extended_header is None:
            raise EOFError
        return tar.apply_extended_header(extended_header, extension)

    def _read_header(self) -> tar.Header | None:
        return tar.parse_header(b"".join(self.content_pieces(tar.BLOCK)))

    def refuse_too_many(self, count: int) -> None:
        """Raise BadInput if the part of the file read so far cannot hold so many members."""
        if count > MEMBER_ALLOWANCE + self._packed.tell() // MIN_MEMBER_SIZE:
            raise _overlarge_error()


def _overlarge_error() -> BadInput:
    message = "the backup unfolds to far more than any backup of pbem"
    return BadInput("backup/unsafe", message, "do not trust this file")


def _unpack_all(packed: IO[bytes], temp: Path) -> None:
    with gzip.GzipFile(fileobj=packed, mode="rb") as source:
        stream = _InflatedStream(source, packed)
        _unpack_members(stream, temp)
        while remaining := stream.read_some(_MAX_PIECE):  # gzip checks its checksum only at the end
            if remaining.strip(b"\0"):
                raise ValueError("more after the end")
    for folder, _, _ in os.walk(temp):
        sync_folder(Path(folder))


def _unpack_members(stream: _InflatedStream, temp: Path) -> None:
    count = size = 0
    while (member := stream.next_header()) is not None:
        if member.name == LAST_MEMBER:
            expected = last_member_content(count, size)
            if member.size != len(expected) or b"".join(stream.content_pieces(member.size)) != expected:
                raise EOFError
            if stream.next_header() is not None:
                raise EOFError
            return
        count, size = count + 1, size + member.size
        stream.refuse_too_many(count)
        _write_member(stream, member, temp, _safe_parts(member))
    raise EOFError


def _safe_parts(member: tar.Header) -> tuple[str, ...]:
    """Return the parts of a member's path; BadInput ``backup/unsafe`` if no backup has such a one."""
    parts = tuple(member.name.split("/"))
    is_plain = member.kind in (tar.PLAIN_FILE, tar.OLD_PLAIN_FILE) or (member.kind == tar.FOLDER and not member.size)
    has_bad_part = any(part in ("", ".", "..") or part.startswith(".pbem-") or "\0" in part for part in parts)
    # On Windows, such a name could point elsewhere.
    is_possible = POSIX or all(map(system.is_name_on_windows, parts))
    if is_plain and member.size >= 0 and not has_bad_part and is_possible and len(parts) <= MAX_DEPTH:
        return parts
    message = f"the backup holds '{printable_path(member.name[:90])}', which no backup of pbem would"
    raise BadInput("backup/unsafe", message, "do not trust this file")


def _write_member(stream: _InflatedStream, member: tar.Header, temp: Path, parts: tuple[str, ...]) -> None:
    is_folder = member.kind == tar.FOLDER
    folders = parts if is_folder else parts[:-1]
    for depth in range(1, len(folders) + 1):
        folder = temp.joinpath(*folders[:depth])
        with os_errors("write", folder), suppress(FileExistsError):
            os.mkdir(folder, 0o700 if "desk" in folders[:depth] else 0o755)
    if not is_folder:
        is_public = member.mode & 0o077 and "desk" not in parts
        _write_file(stream.content_pieces(member.size), temp.joinpath(*parts), 0o644 if is_public else 0o600)


def _write_file(pieces: Iterable[bytes], path: Path, mode: int) -> None:
    """Write a file. ``os_errors`` covers only the writing: errors of reading are the backup's."""
    with os_errors("write", path):
        fd = os.open(path, NEW_FILE_FLAGS, mode)
    try:
        for piece in pieces:
            remaining = piece
            with os_errors("write", path):
                while remaining:
                    remaining = remaining[os.write(fd, remaining) :]
        with os_errors("write", path):
            sync(fd)
    finally:
        os.close(fd)


def pack(root: Path, sink_path: Path) -> list[str]:
    """Write all games of ``root`` to ``sink_path`` (.tar.gz) and return notes about what was left
    out. A note names an unreadable folder, a symbolic link or a device. Raises BadInput
    ``backup/no-game``, Refused ``game/busy``, any trouble of the drive; then an old file at
    ``sink_path`` stays as it was. The file is as secret as the private folders in it.
    """
    root, sink_path = root.resolve(), sink_path.parent.resolve() / sink_path.name
    games, notes = find_games(root)
    if not games:
        hint = "name the folder of a game"
        raise BadInput("backup/no-game", f"there is no game in {printable_path(root)}", hint)
    with os_errors("write", sink_path):
        system.refuse_windows_name(sink_path)
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
            system.patiently(os.replace, temp, sink_path)
    sync_folder(sink_path.parent)
    return notes


def _pack_games(games: list[GameFolder], root: Path, sink: BinaryIO, sink_path: Path, notes: list[str]) -> None:
    count = size = 0
    with (
        gzip.GzipFile("", "wb", 6, sink, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar_file,
    ):
        for game in games:
            with _locked(game):
                if unfinished_note := game.describe_unfinished():
                    notes.append(f"{printable_path(game.root)}: {unfinished_note}")
                for path in _packable_paths(game.root, root, sink_path, notes):
                    count, size = count + 1, size + _add_member(tar_file, path, root, sink)
        content, info = last_member_content(count, size), tarfile.TarInfo(LAST_MEMBER)
        info.size, info.mode = len(content), 0o600
        tar_file.addfile(info, io.BytesIO(content))


@contextmanager
def _locked(game: GameFolder) -> Iterator[None]:
    """Hold the lock of a game, unless it is a shared copy without a private folder."""
    if not system.refuse_link(game.root / "desk"):
        yield
        return
    with game.lock():
        yield


def _packable_paths(folder: Path, root: Path, sink_path: Path, notes: list[str]) -> Iterator[Path]:
    """Yield everything in a folder except temporary files, locks and the backup itself."""
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
    """A file being packed; it fails if ``unpack`` would refuse so many empty bytes."""

    def __init__(self, source: IO[bytes], path: Path, tar_file: "TarFile", sink: BinaryIO) -> None:
        self._source, self._path, self._tar_file, self._sink = source, path, tar_file, sink
        self._position = 0

    def read(self, size: int) -> bytes:
        data = self._source.read(size)
        self._position += len(data)
        if self._tar_file.offset + self._position > MAX_UNPACK_RATIO * self._sink.tell() + SIZE_ALLOWANCE:
            message = f"{printable_path(self._path)} is mostly empty, so its backup could not be restored"
            raise BadInput("backup/sparse", message, "move it out of the folder of the game")
        return data


def _add_member(tar_file: "TarFile", path: Path, root: Path, sink: BinaryIO) -> int:
    """Add a file or folder and return its size. Owner and times are left out, because they differ."""
    file_stat = os.lstat(path)
    # gettarinfo would remember every file, to write a link for its second name
    info = tarfile.TarInfo(path.relative_to(root).as_posix())
    info.mode = stat.S_IMODE(file_stat.st_mode)
    if stat.S_ISDIR(file_stat.st_mode):
        info.type = tarfile.DIRTYPE
        tar_file.addfile(info)
    else:
        info.size = file_stat.st_size
        with open_to_read(path, follow=False) as fd, os.fdopen(fd, "rb", closefd=False) as source:
            tar_file.addfile(info, _PackedFile(source, path, tar_file, sink))  # type: ignore[arg-type]
    tar_file.members = []  # type: ignore[attr-defined]  # otherwise tarfile keeps every member in memory
    return info.size
