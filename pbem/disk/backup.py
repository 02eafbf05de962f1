"""Whole games into one file, desks and all.

What lives here: packing. Its other half is restore.py. What must never be here: choosing what of a
game may be published (that is the archive; a backup holds every secret). The law: the file is 0600
from its first byte, each game is packed under its lock, and the same games give the same bytes.
Source: docs/DESIGN.md "Command line" (``backup``).
"""

import errno
import gzip
import io
import os
import stat
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pbem.disk import tree
from pbem.disk.finding import find_games
from pbem.disk.folder import GameFolder
from pbem.disk.reading import open_to_read
from pbem.disk.restore import LAST, last_words, refuse_too_large, unpack
from pbem.disk.system import BINARY, NOFOLLOW, os_errors, shown, sync, sync_folder
from pbem.errors import BadInput

if TYPE_CHECKING:
    from tarfile import TarFile

__all__ = ["pack", "unpack"]


def pack(root: Path, sink_path: Path) -> list[str]:
    """Writes all games of ``root`` to ``sink_path`` (.tar.gz, replaced whole); gives the notes.

    A note names what was left out: an unreadable folder, a symbolic link, a device. Raises
    BadInput ``backup/no-game``, Refused ``game/busy``, any trouble of the drive; the old file
    then stands as before. The file is as secret as the desks in it.
    """
    root, sink_path = root.resolve(), sink_path.parent.resolve() / sink_path.name
    games, notes = find_games(root)
    if not games:
        raise BadInput("backup/no-game", f"there is no game in {shown(root)}", "name its folder")
    with os_errors("write", sink_path):
        if sink_path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "")
        temp = sink_path.parent / f"{tree.PREFIX}{os.urandom(8).hex()}"
        try:
            with _opened(temp) as sink:
                _pack_games(games, root, sink, sink_path, notes)
            os.replace(temp, sink_path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temp)
            raise
    sync_folder(sink_path.parent)
    return notes


@contextmanager
def _opened(temp: Path) -> Iterator[BinaryIO]:
    fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NOFOLLOW | BINARY, 0o600)
    with os.fdopen(fd, "wb") as sink:
        yield sink
        sink.flush()
        sync(fd)


def _pack_games(
    games: list[GameFolder], root: Path, sink: BinaryIO, own: Path, notes: list[str]
) -> None:
    count = size = 0
    with (
        gzip.GzipFile("", "wb", 6, sink, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
    ):
        for game in games:
            with _quiet(game):
                for path in _inside(game.root, own, notes):
                    count, size = count + 1, size + _add(tar, path, root)
                    refuse_too_large(count, size)  # a backup nobody could restore is none
        _add_last(tar, last_words(count, size))


@contextmanager
def _quiet(game: GameFolder) -> Iterator[None]:
    """Under its lock, if it has a desk: a shared copy without one must not get one by this."""
    if not tree.refuse_link(game.root / "desk"):
        yield
        return
    with game.lock():
        yield


def _inside(folder: Path, own: Path, notes: list[str]) -> Iterator[Path]:
    """What is packed of a folder: all but temporary files, locks and the backup itself."""
    for name in tree.names(folder):
        path = folder / name
        found = os.lstat(path)
        mode = found.st_mode
        if name.startswith(".pbem-") or path == own or path.parts[-2:] == ("desk", "lock"):
            continue
        if tree.is_link(found) or not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            notes.append(f"left out: {shown(path)} is a link, pipe or device")
            continue
        yield path
        if stat.S_ISDIR(mode):
            yield from _inside(path, own, notes)


def _add(tar: "TarFile", path: Path, root: Path) -> int:
    """Adds one file or folder; gives its size. Owner and times are left out: they differ."""
    info = tar.gettarinfo(path, path.relative_to(root).as_posix())
    info.uid = info.gid = info.mtime = 0
    info.uname = info.gname = ""
    if info.islnk():  # two names of one file: tarfile would write a link
        info.type, info.linkname, info.size = b"0", "", os.stat(path).st_size
    if not info.isreg():
        tar.addfile(info)
        return 0
    with open_to_read(path, follow=False) as fd, os.fdopen(fd, "rb", closefd=False) as source:
        tar.addfile(info, source)
    return info.size


def _add_last(tar: "TarFile", words: bytes) -> None:
    info = tarfile.TarInfo(LAST)
    info.size = len(words)
    info.mode = 0o600
    tar.addfile(info, io.BytesIO(words))
