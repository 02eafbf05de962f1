"""Kills pbem at every file operation it does, to see what a kill leaves behind.

Three ways, from fast to complete:
* ``fork_points(call)``, ``fork_killed(call, k, how)``: a callable in a forked child (5 ms each);
* ``kill_points(argv)``, ``run_killed(argv, k, how)``: a command in a process of its own;
* ``strace_points(argv)``, ``run_straced(argv, point)``: the system's own calls, which also sees
  what C code writes past ``os`` (buffered files, gzip). Needs strace (``HAS_STRACE``).
``how`` is one of strikes.py. A killed process returns -9.
``argv`` is what follows the interpreter: ``["-m", "pbem", "resolve", "game"]``.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from .strikes import Strikes

KILLED = -9
HAS_STRACE = shutil.which("strace") is not None
_STRIKES = Path(__file__).with_name("strikes.py")
_CALLS = (
    "openat,write,pwrite64,writev,fsync,fdatasync,link,linkat,symlink,symlinkat,rename,renameat,"
    "renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,chmod,fchmod,fchmodat,ftruncate,"
    "copy_file_range,sendfile"
)
_MINE = re.compile(r"^(?:\d+ +)?(\w+)\((.*)")

Environ = Mapping[str, str] | None


class Outcome(NamedTuple):
    """What became of a forked call: exit code or -9, what it printed, the operations it did."""

    code: int
    output: str
    steps: list[str]


def fork_points(call: Callable[[], object]) -> list[str]:
    """The file operations of ``call``, run to its end in a child; raises if it fails."""
    outcome = fork_killed(call, 0, "before")
    assert outcome.code == 0, outcome.output
    return outcome.steps


def fork_killed(call: Callable[[], object], k: int, how: str = "before", within: str = "") -> Outcome:
    """Runs ``call`` in a child struck at its ``k``-th operation (0: never) on paths ``within``."""
    with tempfile.TemporaryDirectory() as place:
        log, out = f"{place}/log", f"{place}/out"
        pid = os.fork()
        if pid == 0:
            _child(call, Strikes(k, how, _new(log), within), out)
        _, status = os.waitpid(pid, 0)
        steps = Path(log).read_text(errors="replace").splitlines()
        return Outcome(os.waitstatus_to_exitcode(status), Path(out).read_text(), steps)


def _new(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)


def _child(call: Callable[[], object], strikes: Strikes, out: str) -> NoReturn:
    code = 70
    try:
        fd = _new(out)
        os.dup2(fd, 1)
        os.dup2(fd, 2)
        sys.stdout = sys.stderr = os.fdopen(1, "w", buffering=1, closefd=False)
        strikes.install()
        call()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException as error:
        code = getattr(error, "exit_code", 70)
        lines = [*traceback.format_exception_only(error), traceback.format_exc()]
        os.write(2, "".join(lines).encode(errors="replace"))
    finally:
        strikes.lose()
        os._exit(code)


def kill_points(argv: Sequence[str], env: Environ = None, cwd: Path | None = None) -> int:
    """How many file operations the command does from start to end. It is run for that."""
    with tempfile.TemporaryDirectory() as place:
        code = _launch(argv, 0, "before", f"{place}/log", env, cwd)
        assert code != KILLED
        return len(Path(f"{place}/log").read_text(errors="replace").splitlines())


def run_killed(argv: Sequence[str], k: int, how: str = "before", env: Environ = None, cwd: Path | None = None) -> int:
    """Runs the command struck at its ``k``-th operation; gives its exit code, or -9."""
    with tempfile.TemporaryDirectory() as place:
        return _launch(argv, k, how, f"{place}/log", env, cwd)


def _launch(argv: Sequence[str], k: int, how: str, log: str, env: Environ, cwd: Path | None) -> int:
    command = [sys.executable, "-B", str(_STRIKES), str(k), how, log, "--", *argv]
    return subprocess.run(command, env=_environ(env), cwd=cwd, check=False, capture_output=True).returncode


def _environ(env: Environ) -> dict[str, str]:
    """The same operations in each run: no bytecode written, no order that changes."""
    return dict(os.environ if env is None else env) | {
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
    }  # fmt: skip


def strace_points(argv: Sequence[str], env: Environ = None, cwd: Path | None = None) -> list[tuple[str, int]]:
    """The points at which ``run_straced`` can kill: a system call, and which one of its kind.

    Calls that only read are left out, and so is what goes to the terminal.
    """
    with tempfile.TemporaryDirectory() as place:
        log = f"{place}/log"
        _strace(["-o", log, "-e", f"trace={_CALLS}"], argv, env, cwd)
        lines = Path(log).read_text(errors="replace").splitlines()
    seen: dict[str, int] = {}
    points = []
    for match in filter(None, map(_MINE.match, lines)):
        name, args = match[1], match[2]
        seen[name] = seen.get(name, 0) + 1
        reads = name == "openat" and not re.search(r"O_WRONLY|O_RDWR|O_CREAT", args)
        if not reads and not (name == "write" and re.match(r"[12],", args)):
            points.append((name, seen[name]))
    return points


def run_straced(argv: Sequence[str], point: tuple[str, int], env: Environ = None, cwd: Path | None = None) -> int:
    """Runs the command, killed as it enters the system call ``point``; gives -9 or its code."""
    name, k = point
    options = ["-o", os.devnull, "-e", f"trace={name}"]
    return _strace([*options, "-e", f"inject={name}:signal=KILL:when={k}"], argv, env, cwd)


def _strace(options: list[str], argv: Sequence[str], env: Environ, cwd: Path | None) -> int:
    command = ["strace", "-f", "-qq", *options, sys.executable, "-B", *argv]
    return subprocess.run(command, env=_environ(env), cwd=cwd, check=False, capture_output=True).returncode
