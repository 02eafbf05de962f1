"""A pbem under the file rules of Windows, on any system: `python -P tests/disk/windows.py WORD…` is `pbem WORD…`.

What lives here: stand-ins for the calls of ``os`` that Windows refuses, or carries out otherwise.
Not allowed here: a rule that Windows does not have. Not played: paths with backslashes, names without case,
its mail servers, its shells.
Source: learn.microsoft.com "Naming Files, Paths, and Namespaces", "MoveFileEx", "DeleteFile"; docs.python.org os.
"""

import builtins
import errno
import importlib
import os
import pathlib
import sys
import types
from collections.abc import Callable
from typing import Any

RESERVED = {"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10))}
MISSING = ("fork", "geteuid", "getuid", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_NOCTTY", "mkfifo", "chown")
# They ask which system this is, and must see the true one.
PRELOADED = (
    "bz2", "concurrent.futures", "getpass", "importlib.metadata", "json", "lzma", "mailbox", "multiprocessing",
    "platform", "shutil", "socket", "ssl", "subprocess", "tempfile", "textwrap", "tokenize", "traceback", "zoneinfo",
    "cryptography.hazmat.bindings._rust", "jinja2.sandbox", "typer.completion",
)  # fmt: skip
BINARY = 1 << 30  #: a flag that Linux does not know, in place of O_BINARY
WRITES = os.O_WRONLY | os.O_RDWR


def refused(number: int, path: object) -> OSError:
    """The error of the system; of errno EACCES Python makes a PermissionError."""
    return OSError(number, os.strerror(number), os.fspath(str(path)))


def is_open(path: Any) -> bool:
    """Whether this process has the file open, or one below the folder."""
    real = os.path.realpath(path)
    for fd in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{fd}")
        except OSError:  # the one that listed them
            continue
        if target == real or target.startswith(f"{real}/"):
            return True
    return False


def check_name(path: Any) -> None:
    """No device, no forbidden sign, no dot or blank at the end: of what is made."""
    for part in os.fsdecode(path).split("/"):
        if part in ("", ".", ".."):
            continue
        if set(part) & set('\\:*?"<>|') or part[-1] in ". " or part.partition(".")[0].strip().lower() in RESERVED:
            raise refused(errno.EINVAL, path)


class Rules:
    """The calls of ``os`` as Windows has them."""

    def __init__(self) -> None:
        self.real = types.SimpleNamespace(**vars(os))
        self.text: set[int] = set()  # descriptors that were opened without O_BINARY

    def open(self, path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        """Folders cannot be opened; without O_BINARY, line ends are changed."""
        if flags & os.O_CREAT:
            check_name(path)
        if os.path.isdir(path):
            raise refused(errno.EACCES, path)
        fd: int = self.real.open(path, flags & ~BINARY, mode, **more)
        (self.text.discard if flags & BINARY else self.text.add)(fd)
        return fd

    def write(self, fd: int, data: Any) -> int:
        """Bytes as they are, or text."""
        if fd not in self.text:
            return int(self.real.write(fd, data))
        self.real.write(fd, bytes(data).replace(b"\n", b"\r\n"))
        return len(data)

    def fsync(self, fd: int) -> None:
        """Of a file that is open for writing alone."""
        with open(f"/proc/self/fdinfo/{fd}", encoding="ascii") as info:
            flags = int(info.read().partition("flags:")[2].split()[0], 8)
        if not flags & WRITES:
            raise refused(errno.EBADF, fd)
        self.real.fsync(fd)

    def mkdir(self, path: Any, mode: int = 0o777, **more: Any) -> None:
        """A folder with a name that Windows can have."""
        check_name(path)
        self.real.mkdir(path, mode, **more)

    def rename(self, source: Any, target: Any) -> None:
        """Onto nothing, and of nothing that is open."""
        if os.path.lexists(target) and not os.path.samefile(source, target):
            raise refused(errno.EEXIST, target)
        self.replace(source, target)

    def replace(self, source: Any, target: Any) -> None:
        """Onto a file, and of nothing that is open."""
        check_name(target)
        if is_open(source) or is_open(target) or os.path.isdir(target):
            raise refused(errno.EACCES, source)
        self.real.replace(source, target)

    def link(self, source: Any, target: Any, **more: Any) -> None:
        """A second name that Windows can have."""
        check_name(target)
        self.real.link(source, target, **more)

    def unlink(self, path: Any, **more: Any) -> None:
        """Of nothing that is open."""
        if is_open(path):
            raise refused(errno.EACCES, path)
        self.real.unlink(path, **more)

    def chmod(self, path: Any, mode: int, **more: Any) -> None:
        """Nothing: Windows has one bit of them."""

    def open_text(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """``open``, which writes the line ends of Windows where it was not told otherwise."""

        def opened(file: Any, mode: str = "r", *rest: Any, newline: str | None = None, **more: Any) -> Any:
            if not isinstance(file, int) and set(mode) & set("wax"):
                check_name(file)
            if "b" not in mode and newline is None and set(mode) & set("wax"):
                newline = "\r\n"
            return real(file, mode, *rest, newline=newline, **more)

        return opened


def install() -> None:
    """From here on ``os`` behaves so. Before any module of pbem is imported, and after the library's."""
    for needed in PRELOADED:
        importlib.import_module(needed)
    rules = Rules()
    of_paths = types.SimpleNamespace(**vars(os))  # pathlib asks it which system this is
    for module in (pathlib, sys.modules.get("pathlib._local")):  # of 3.13
        if module is not None:
            vars(module)["os"] = of_paths
    for name in ("open", "write", "fsync", "mkdir", "rename", "replace", "link", "unlink", "chmod"):
        for called in (os, of_paths):
            setattr(called, name, getattr(rules, name))
    os.remove = os.unlink
    builtins.open = rules.open_text(builtins.open)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(newline="\r\n")  # type: ignore[union-attr]
    for name in MISSING:
        delattr(os, name)
    os.O_BINARY = BINARY  # type: ignore[attr-defined]
    lock = types.ModuleType("msvcrt")
    fcntl = sys.modules.pop("fcntl", None) or __import__("fcntl")
    lock.LK_NBLCK = 0  # type: ignore[attr-defined]
    lock.locking = lambda fd, *_: fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)  # type: ignore[attr-defined]
    sys.modules |= {"msvcrt": lock, "fcntl": None}  # type: ignore[dict-item]
    os.name, sys.platform = "nt", "win32"


if __name__ == "__main__":
    install()
    from pbem.front import main

    main()
