"""Trying mutants of tables: a process of its own for each, in which the module was never loaded.

What lives here: ``tried``. Not allowed here: a test, a change.
Slower than quick.py by a second for each mutant, and right in every case.
"""

import os
import signal
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import CodeType, ModuleType
from typing import Any

import pytest

from .making import Mutant

COLLECTING = 30.0  # seconds of the processor, until all tests are loaded
ONE_TEST = 20.0


def tried(mutant: Mutant, arguments: Sequence[str], plugins: Sequence[Any]) -> str:
    """``killed``, ``time`` or ``lived``; pytest stops at the first failure."""
    pid = os.fork()
    if not pid:
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            signal.setitimer(signal.ITIMER_PROF, COLLECTING)
            sys.meta_path.insert(0, _Instead(mutant))
            os._exit(0 if pytest.main(["-x", *arguments], [*plugins, _Clock()]) == 0 else 1)
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return "time"
    return "lived" if os.WEXITSTATUS(status) == 0 else "killed"


class _Clock:
    def pytest_runtest_setup(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, ONE_TEST)


class _Instead(MetaPathFinder, Loader):
    """Finds the mutant where its module is looked for."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None:
            spec.loader = self
        return spec

    def exec_module(self, module: ModuleType) -> None:
        code: CodeType = compile(self._mutant.source, module.__file__ or "", "exec")
        exec(code, module.__dict__)
