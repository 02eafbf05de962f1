"""Defers modules of the standard library: each is run only when a name in it is first used.

Not allowed here: a module of ours, or one whose import has an effect.
A deferred module is searched for at once, so that a missing one fails as usual. The standard
`importlib.util.LazyLoader` does not help: it runs a module as soon as a second `import` names it, and
Typer names all of these.
Law: only front.py calls this, before it imports anything else.
Source: decision 0003 (most of the time to start goes into imports; it says what each of these saves).
"""

import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType

# Imported by shutil (two of them), linecache, Typer (two), urllib.parse, traceback and Jinja (two).
RARELY_USED = (
    "bz2", "lzma", "tokenize", "subprocess", "platform", "ipaddress", "textwrap",
    "tempfile", "json",
)  # fmt: skip


class LazyModule(ModuleType):
    """A module that is found, but not run yet. Running it makes it an ordinary module."""

    def __getattr__(self, name: str) -> object:
        """Run the module, because a name is used that it does not have yet, and return what has that name."""
        self.__class__ = ModuleType  # type: ignore[assignment]
        if self.__spec__ and self.__spec__.loader:
            self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def defer_rarely_used() -> None:
    """Put the modules that are not loaded yet into ``sys.modules``, to be run at first use."""
    for name in RARELY_USED:
        spec = None if name in sys.modules else find_spec(name)
        if spec is None or spec.loader is None:
            continue
        module = module_from_spec(spec)
        module.__class__ = LazyModule
        sys.modules[name] = module
