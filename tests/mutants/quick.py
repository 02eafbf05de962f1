"""Trying mutants of functions: the tests are collected once, then each mutant gets a fork.

What lives here: Quick, a plug-in of pytest that runs mutants where pytest would run tests.
Not allowed here: a change of a table; what is done while a module is loaded is done by then
(fresh.py does it).
In the fork the code is put into the function that is already loaded, so whoever imported it has the
mutant. Each mutant meets only tests that run its function, those first that killed others.
"""

import gc
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from .making import Mutant

#: tests that every mutant of their functions meets, however long the quick ones take
ALWAYS = ("test_told_",)
#: what a mutant is put into, and what remembers results
LIVE = (FunctionType, _lru_cache_wrapper)
UNCHANGED = 4  # of a fork: the change is in a default, which was made when the module was loaded
Report = Callable[[Mutant, str, str], None]


class Quick:
    """``report`` gets mutant, result (killed, time, lived) and the test that killed it."""

    def __init__(self, folder: Path, mutants: Sequence[Mutant], report: Report, most: float) -> None:
        self.folder = str(folder)
        self.mutants = mutants
        self.report = report
        self.most = most  #: seconds of tests that a mutant meets at most, quick ones first

        self.early: set[str] = set()  #: functions that run while the game is loaded
        self._seconds: dict[str, float] = {}
        self._killers: dict[str, Counter[str]] = defaultdict(Counter)
        self._meets: dict[str, list[pytest.Item]] = defaultdict(list)
        self._code: dict[CodeType, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        with self._noting(self.early):
            for module in sorted({mutant.module for mutant in self.mutants}):
                import_module(module)
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        started = time.process_time()
        for item in session.items:
            self._record(item)
        print(f"{len(session.items)} tests, {time.process_time() - started:.0f} s", flush=True)
        for place, items in self._meets.items():
            items.sort(key=lambda item: self._seconds[item.nodeid])
            sums = accumulate(self._seconds[item.nodeid] for item in items)
            self._meets[place] = [
                item
                for item, seconds in zip(items, sums, strict=True)
                if seconds <= self.most or any(word in item.nodeid for word in ALWAYS)
            ]
        self._live = [thing for thing in gc.get_objects() if isinstance(thing, LIVE)]
        for mutant in self.mutants:
            self.report(mutant, *self._tried(mutant))
        return True

    def _record(self, item: pytest.Item) -> None:
        """Run a test as it is: it must pass; see how long it takes and which functions it runs."""
        seen: set[str] = set()
        started = time.process_time()
        with self._noting(seen):
            reports = runtestprotocol(item, log=False, nextitem=None)
        self._seconds[item.nodeid] = time.process_time() - started
        failed = [str(report.longrepr) for report in reports if report.failed]
        if failed:
            raise pytest.UsageError(f"{item.nodeid} fails without any mutant: {failed[0]}")
        for place in seen:
            self._meets[place].append(item)

    @contextmanager
    def _noting(self, seen: set[str]) -> Iterator[None]:
        """Every function of the folder that is run meanwhile gets into ``seen``."""

        def note(frame: FrameType, event: str, _: Any) -> None:
            if event == "call" and frame.f_code.co_filename.startswith(self.folder):
                seen.add(self._place(frame.f_code))

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _place(self, code: CodeType) -> str:
        """Module and function, as a Mutant names them: ``wall._why_not``."""
        if code not in self._code:
            outer = code.co_qualname.partition(".<locals>")[0]
            self._code[code] = f"{Path(code.co_filename).stem}.{outer}"
        return self._code[code]

    def _tried(self, mutant: Mutant) -> tuple[str, str]:
        place = mutant.name.rpartition(" ")[0]
        items = sorted(self._meets.get(place, ()), key=lambda i: -self._killers[place][i.nodeid])
        reader, writer = os.pipe()
        pid = os.fork()
        if not pid:
            try:
                self._meet(mutant, items, writer)
            finally:
                os._exit(3)
        os.close(writer)
        with open(reader, "rb") as pipe:
            met = pipe.read().decode().split("\n")
        _, status = os.waitpid(pid, 0)
        killer = met[-1]
        if os.WIFSIGNALED(status):
            return "time", killer
        if os.WEXITSTATUS(status) == UNCHANGED:
            return "early", ""
        if os.WEXITSTATUS(status) == 0:
            return "lived", ""
        self._killers[place][killer] += 1
        return "killed", killer

    def _meet(self, mutant: Mutant, items: list[pytest.Item], writer: int) -> None:
        """In the fork: ends with 0 when every test passes, 1 at the first that fails."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        if not install(mutant, self._live):
            os._exit(UNCHANGED)
        for item in items:
            os.write(writer, f"\n{item.nodeid}".encode())
            signal.setitimer(signal.ITIMER_PROF, 1 + 10 * self._seconds[item.nodeid])
            try:
                if isinstance(item, pytest.Function):
                    item._initrequest()
                item.session._setupstate.setup(item)
                item.runtest()
            except pytest.skip.Exception:
                pass
            except BaseException:
                os._exit(1)
            item.session._setupstate.teardown_exact(None)
        os._exit(0)


def install(mutant: Mutant, live: Sequence[Any]) -> bool:
    """Put the mutant's code into the functions that are loaded, and forget what they remembered.

    False where there is no other code to put in.
    """
    changed = False
    path = sys.modules[mutant.module].__file__ or ""
    codes = defaultdict(list)
    for code in _codes(compile(mutant.source, path, "exec")):
        codes[code.co_qualname].append(code)
    functions = [thing for thing in live if isinstance(thing, FunctionType) and thing.__code__.co_filename == path]
    # code of the same name (two lambdas of one module) is told apart by its place
    functions.sort(key=lambda function: function.__code__.co_firstlineno)
    lines: dict[str, list[int]] = defaultdict(list)
    for function in functions:
        code, known = function.__code__, lines[function.__code__.co_qualname]
        if code.co_firstlineno not in known:
            known.append(code.co_firstlineno)
        same = codes[code.co_qualname]
        if len(known) <= len(same) and code != same[len(known) - 1]:
            function.__code__ = same[len(known) - 1]
            changed = True
    for thing in live:
        if isinstance(thing, _lru_cache_wrapper):
            thing.cache_clear()
    return changed


def _codes(code: CodeType) -> Iterable[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
