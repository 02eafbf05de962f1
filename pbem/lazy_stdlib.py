"""Modules of the standard library that are run when somebody first asks them for something.

What must never be here: a module of ours, a module that acts by being imported. How: such a module
is found now, so that a missing one is missing, and run at the first use of a name in it.
`importlib.util.LazyLoader` means the same, but runs a module as soon as a second `import` names it,
which Typer's imports all do.
Law: front.py calls it, before anything else is imported, and nobody else does.
Source: decision 0003: imports are most of a start; what these are worth stands there.
"""

import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType

# Asked for by shutil (two), linecache, Typer (two), urllib.parse, traceback, Jinja (two).
RARELY_USED = (
    "bz2", "lzma", "tokenize", "subprocess", "platform", "ipaddress", "textwrap",
    "tempfile", "json",
)  # fmt: skip


class LazyModule(ModuleType):
    """A module that has been found and not run yet."""

    def __getattr__(self, name: str) -> object:
        """Asked for a name it does not have yet: run it, once, and answer as it would have."""
        self.__class__ = ModuleType  # type: ignore[assignment]
        if self.__spec__ and self.__spec__.loader:
            self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def defer_rarely_used() -> None:
    """Put those that are not loaded yet into ``sys.modules``, to be run at first use."""
    for name in RARELY_USED:
        spec = None if name in sys.modules else find_spec(name)
        if spec is None or spec.loader is None:
            continue
        module = module_from_spec(spec)
        module.__class__ = LazyModule
        sys.modules[name] = module
