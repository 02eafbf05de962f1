"""Imports run one way, and the engine is pure. Source: docs/DESIGN.md law 1, decision 0001."""

import ast
import sys
from pathlib import Path

import pytest

from . import tree

# room: the other rooms it may know. Every room may know errors, and `pbem` itself (the version);
# `unhurried` knows nothing but the import machinery.
ROOMS = {
    "__main__": {"front"},
    "front": {"cli", "unhurried"},
    "cli": {"commands"},
    "commands": {
        "disk",
        "render",
        "rendering",
        "catalog",
        "bots",
        "moderator",
        "files",
        "crypto",
        "engine",
    },
    "bots": {"files", "engine"},  # players: they know no moderator
    "disk": {"files", "crypto", "engine"},
    "render": {"rendering"},
    "rendering": {"render"},  # the child of a fork renders like its parent
    "catalog": {"engine"},
    "moderator": {"files", "crypto", "engine"},
    "files": {"engine"},
    "crypto": {"engine", "unhurried"},
    "engine": set(),
    "errors": set(),
    "unhurried": set(),
}

# Third-party packages, and who may know them. What is not named here is not a dependency.
LIBRARIES = {
    "typer": {"cli", "commands"},
    "jinja2": {"render"},
    "cryptography": {"crypto"},
    "tomli_w": {"files", "disk", "moderator"},
}

# The engine: values in, values out. Everything else of the standard library is out of its reach.
PURE = {
    "__future__", "abc", "array", "bisect", "collections", "dataclasses", "enum", "fractions",
    "functools", "heapq", "itertools", "math", "operator", "re", "string", "types", "typing",
}  # fmt: skip
# hashlib is pure as well; chance.py needs it to draw.
PURE_IN = {"pbem.engine.chance": {"hashlib", "hmac"}}
# A game's maps and texts lie beside its code; reading them is Python's own import machinery.
IMPURE_CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"}

FILES = pytest.mark.parametrize("path", tree.modules(), ids=tree.dotted)


def _room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


@FILES
def test_a_room_knows_only_the_rooms_below(path: Path) -> None:
    here = _room(tree.dotted(path))
    for line, module in tree.imports(path):
        if module.split(".")[0] != "pbem":
            continue
        there = _room(module)
        if there in {here, "errors", "__version__", ""} or not here:
            continue
        assert there in ROOMS[here], f"{path}:{line}: {here} must not know {there}"


@FILES
def test_libraries_stay_in_their_rooms(path: Path) -> None:
    here = _room(tree.dotted(path))
    for line, module in tree.imports(path):
        top = module.split(".")[0]
        if top == "pbem" or top in sys.stdlib_module_names:
            continue
        assert top in LIBRARIES, f"{path}:{line}: {top} is no dependency of pbem"
        assert here in LIBRARIES[top], f"{path}:{line}: {here} must not know {top}"


@pytest.mark.parametrize(
    "path", [p for p in tree.modules() if "engine" in p.parts], ids=tree.dotted
)
def test_the_engine_is_pure(path: Path) -> None:
    allowed = PURE | {"pbem"} | PURE_IN.get(tree.dotted(path), set())
    for line, module in tree.imports(path):
        assert module.split(".")[0] in allowed, f"{path}:{line}: the engine must not know {module}"
    for node in ast.walk(tree.parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in IMPURE_CALLS, f"{path}:{node.lineno}: {node.func.id}()"


def test_every_room_is_known() -> None:
    found = {_room(tree.dotted(path)) for path in tree.modules()} - {""}
    assert found <= ROOMS.keys()
