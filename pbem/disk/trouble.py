"""What the system refused, told in one line a referee can act on.

What lives here: the only table from errno to words. What must never be here: the content of a
file. The law: no OSError leaves pbem.disk. Source: docs/DESIGN.md P11.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.errors import BadInput, PbemError, Refused

_Words = tuple[type[PbemError], str, str, str]
_MAY_NOT: _Words = (
    BadInput, "file/permission", "you may not do that there",
    "look at who owns it and at its mode with ls -l",
)  # fmt: skip
_FULL: _Words = (
    Refused, "file/full", "there is no room left on the drive",
    "free some space, then run the command again",
)  # fmt: skip
_WORDS: dict[int, _Words] = {
    errno.ENOENT: (
        BadInput, "file/missing", "there is no such file or folder", "look at how it is spelled",
    ),
    errno.EISDIR: (BadInput, "file/folder", "it is a folder, not a file", "name a file"),
    errno.ENOTDIR: (
        BadInput, "file/not-a-folder", "it, or a part of its path, is not a folder",
        "name a folder",
    ),
    errno.EACCES: _MAY_NOT,
    errno.EPERM: _MAY_NOT,
    errno.EROFS: (
        BadInput, "file/read-only", "the drive is read-only", "copy the game to one you can write",
    ),
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,  # a limit on file size (ulimit -f) is room too
    errno.ENAMETOOLONG: (BadInput, "file/name", "the name is too long", "use shorter names"),
    errno.ELOOP: (
        Refused, "file/symlink", "it is a symbolic link", "put the real file or folder there",
    ),
    errno.ENOLCK: (
        Refused, "file/no-locks", "this drive cannot lock files",
        "keep the game on a drive of this machine",
    ),
}  # fmt: skip


def shown(path: str | os.PathLike[str]) -> str:
    """The path as it may stand in a message: one line, nothing a terminal would obey."""
    return "".join(c if c.isprintable() else "?" for c in os.fspath(path))


def os_error_in_words(error: OSError, doing: str, path: str | os.PathLike[str]) -> PbemError:
    """The error to raise in the place of ``error``, met while ``doing`` (a verb) something."""
    what = f"cannot {doing} {shown(path)}"
    if error.errno not in _WORDS:
        why = (error.strerror or "the system does not say why").lower()
        return BadInput("file/trouble", f"{what}: {why}", "the drive may be damaged or gone")
    kind, code, why, hint = _WORDS[error.errno]
    return kind(code, f"{what}: {why}", hint)


@contextmanager
def os_errors(doing: str, path: str | os.PathLike[str]) -> Iterator[None]:
    """Turns what the system refuses inside the block into a PbemError naming ``path``.

    ValueError is what Python raises for a name no system can hold (a NUL, a lone surrogate), so
    the block should hold calls of ``os`` and nothing else.
    """
    try:
        yield
    except OSError as error:
        raise os_error_in_words(error, doing, path) from error
    except ValueError as error:
        message = f"cannot {doing} {shown(path)}: no file can have this name"
        raise BadInput("file/name", message, "use letters, digits, '-' and '_'") from error
