"""Strikes a process at its k-th file operation: kills it, lets the drive be full from there on, or
lets a read fail.

Runs by itself (``python strikes.py K HOW LOG -- ARGV``) and from killer.py after a fork. Imports
nothing of pbem and nothing that is not loaded anyway. Ways to strike: ``before`` the operation;
``half`` (a write does its first half, any other operation is done, then the kill); ``full`` (from
there on whatever needs room fails with ENOSPC, and the program goes on); ``lost`` (as ``before``,
and what was written and not synced is empty, as after a power cut; also where it was never struck);
``EIO`` and ``EACCES`` (that one operation fails so, and the program goes on).
``read-EIO``, ``read-EACCES`` and ``read-EMFILE`` count what only reads instead: a file opened or
read, a name looked at, a folder listed. That one fails so; but for EMFILE, so does each later read
of the same path. ``within``: only operations on paths below it count and are struck.
"""

import builtins
import errno
import io
import os
import runpy
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from stat import S_ISFIFO
from typing import Any

BY_FD = ("write", "pwrite", "writev", "fsync", "fdatasync", "ftruncate", "fchmod", "sendfile")
BY_PATH = ("open", "link", "symlink", "replace", "rename", "unlink", "remove", "mkdir", "rmdir",
           "chmod", "truncate", "utime", "mkfifo")  # fmt: skip
READS = ("stat", "lstat", "listdir", "scandir", "readlink", "access", "read")
NEED_ROOM = {"open", "fopen", "write", "pwrite", "writev", "link", "symlink", "mkdir", "sendfile"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Strikes:
    """Counts the file operations of this process from ``install`` on; strikes at the ``at``-th."""

    def __init__(self, at: int, how: str, log: int | list[str], within: str = "") -> None:
        self.reads = how.startswith("read-")
        self.at, self.how, self.log, self.within = at, how.removeprefix("read-"), log, within
        self.unreadable = ""
        self.count = 0
        self.pid = 0
        self.names: dict[int, str] = {}
        self.real: dict[tuple[Any, str], Any] = {}
        self.unsynced: dict[tuple[int, int], int] = {}  # a second descriptor of each file

    def install(self) -> None:
        self.pid = os.getpid()
        for name in (*READS, "open") if self.reads else (*BY_FD, *BY_PATH):
            if hasattr(os, name):
                self._replace(os, name, self._wrapped(name, getattr(os, name)))
        opened = self._wrapped_open(io.open)
        self._replace(io, "open", opened)
        self._replace(builtins, "open", opened)

    def uninstall(self) -> None:
        for (module, name), real in self.real.items():
            setattr(module, name, real)

    def _replace(self, module: Any, name: str, new: Any) -> None:
        self.real[module, name] = getattr(module, name)
        setattr(module, name, new)

    def _wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **named: Any) -> Any:
            if self.reads and name != "open":
                self.step(name, self._read_path(args), real, args)
                return real(*args, **named)
            if name in BY_FD and (args[0] <= 2 or S_ISFIFO(os.fstat(args[0]).st_mode)):
                return real(*args, **named)  # neither the terminal nor a pipe is a file
            if name == "open" and self.reads is bool(args[1] & _WRITING):
                return self._named(real(*args, **named), args[0])
            self.step(name, self._what(name, args), real, args)
            result = real(*args, **named)
            if self.how == "lost":
                self._note(name, args, result)
            return self._named(result, args[0]) if name == "open" else result

        return wrapper

    def _note(self, name: str, args: tuple[Any, ...], result: Any) -> None:
        new = name == "open" and args[1] & os.O_EXCL
        fd = result if new else args[0] if name in ("write", "fsync") else -1
        if fd < 0 or os.getpid() != self.pid:
            return
        found = os.fstat(fd)
        if name == "fsync":
            other = self.unsynced.pop((found.st_dev, found.st_ino), None)
            if other is not None:
                os.close(other)
        else:
            self.unsynced.setdefault((found.st_dev, found.st_ino), os.dup(fd))

    def lose(self) -> None:
        """The power is cut: what was not synced is gone, though its name may be there."""
        for fd in self.unsynced.values():
            self.real[os, "ftruncate"](fd, 0)

    def _wrapped_open(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(file: Any, mode: str = "r", *args: Any, **named: Any) -> Any:
            if self.reads is not bool(set(mode) & set("wax+")) and file not in (0, 1, 2):
                self.step("fopen", str(file), real, ())
            return real(file, mode, *args, **named)

        return wrapper

    def _named(self, fd: int, path: object) -> int:
        self.names[fd] = str(path)
        return fd

    def _read_path(self, args: tuple[Any, ...]) -> str:
        what = args[0] if args else "."
        return self.names.get(what, "") if isinstance(what, int) else os.fspath(what)

    def _what(self, name: str, args: tuple[Any, ...]) -> str:
        if name in BY_FD:
            return self.names.get(args[0], f"fd {args[0]}")
        return " -> ".join(str(a) for a in args[:2]) if name in NAMED_TWICE else str(args[0])

    def step(self, name: str, what: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if os.getpid() != self.pid:  # the child that renders writes no files that matter
            return
        if not any(path.startswith(self.within) for path in what.split(" -> ")):
            return
        self.count += 1
        if isinstance(self.log, list):
            self.log.append(f"{name} {what}")
        else:
            self.real.get((os, "write"), os.write)(self.log, f"{name} {what}\n".encode(errors="replace"))
        if self.how == "full":
            if 0 < self.at <= self.count and name in NEED_ROOM:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        elif hasattr(errno, self.how):
            self._fail(what)
        elif self.count == self.at:
            if self.how == "half" and name == "write":
                real(args[0], bytes(args[1])[: len(args[1]) // 2])
            elif self.how == "half" and args:
                with suppress(OSError):  # a folder that is there already: killed all the same
                    real(*args)
            self.lose()
            os.kill(os.getpid(), signal.SIGKILL)

    def _fail(self, what: str) -> None:
        """The one operation that fails; of a file that cannot be read, each read of it."""
        if self.count == self.at and self.reads and self.how != "EMFILE":
            self.unreadable = what
        if self.count == self.at or (self.unreadable and what == self.unreadable):
            number = getattr(errno, self.how)
            raise OSError(number, os.strerror(number), what)


NAMED_TWICE = ("link", "symlink", "replace", "rename")


def main() -> None:
    """Runs ARGV (``-m module …``, ``-c code …`` or ``script …``) in this process, struck."""
    at, how, log, _, *argv = sys.argv[1:]
    fd = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    if argv[0] in ("-m", "-c"):
        kind, what, *rest = argv
    else:
        kind, (what, *rest) = "", argv
    sys.argv = [what if kind != "-c" else "-c", *rest]
    sys.path[0] = "" if kind else os.path.dirname(what)
    Strikes(int(at), how, fd).install()
    if kind == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    elif kind == "-c":
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
    else:
        runpy.run_path(what, run_name="__main__")


if __name__ == "__main__":
    main()
