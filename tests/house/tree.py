"""The checkout as the house tests see it: paths, parsed modules, and the imports in them."""

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pbem"
Item = TypeVar("Item")


def modules() -> list[Path]:
    """Every Python file of the product."""
    return sorted(PACKAGE.rglob("*.py"))


def ours() -> list[Path]:
    """Every Python file that imports the product: itself, tests, benchmarks, the plug-in."""
    folders = ("pbem", "tests", "benchmarks", "examples/plugin")
    return sorted(path for name in folders for path in (ROOT / name).rglob("*.py"))


def each(items: Sequence[Item]) -> Callable[[Callable[[Item], None]], Callable[[], None]]:
    """One test that looks at all of them, and lists every one that fails.

    A test for each would take longer to report than to run.
    """

    def looked_at(test: Callable[[Item], None]) -> Callable[[], None]:
        def together() -> None:
            failed = []
            for item in items:
                try:
                    test(item)
                except AssertionError as error:
                    failed.append(f"{item}: {error}")
            assert not failed, "\n".join(failed)

        together.__doc__ = test.__doc__
        return together

    return looked_at


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of one file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def dotted(path: Path) -> str:
    """The module's name: pbem/disk/__init__.py is pbem.disk."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Every module imported anywhere in the file, inside functions and TYPE_CHECKING too.

    ``from pbem import render`` counts as pbem.report.render and ``from pbem.disk.lock import Lock``
    as pbem.disk.lock.Lock: the room is the second part either way.
    """
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(path, node)
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def _base(path: Path, node: ast.ImportFrom) -> str:
    """The module a ``from`` speaks of, with leading dots resolved."""
    if not node.level:
        return node.module or ""
    inside = path.name == "__init__.py"
    parts = dotted(path).split(".")
    parts = parts[: len(parts) - node.level + inside]
    return ".".join([*parts, node.module] if node.module else parts)
