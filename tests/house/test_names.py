"""Names say what is inside, and nothing grows too long. Source: docs/DESIGN.md law 9."""

import ast
from pathlib import Path

from . import tree

SAYS_NOTHING = {"utils", "util", "common", "helpers", "helper", "misc", "manager", "managers"}
FILE_LINES = 400
FUNCTION_LINES = 60
LONGER: dict[str, int] = {}  # "pbem/x.py" or "pbem/x.py:function" → lines, with the reason beside

FILES = tree.each(tree.modules())


@FILES
def test_names_say_something(path: Path) -> None:
    assert not SAYS_NOTHING & {*path.relative_to(tree.ROOT).with_suffix("").parts}


@FILES
def test_files_are_short(path: Path) -> None:
    name = path.relative_to(tree.ROOT).as_posix()
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGER.get(name, FILE_LINES), f"{name} has {lines} lines"


@FILES
def test_functions_are_short(path: Path) -> None:
    name = path.relative_to(tree.ROOT).as_posix()
    for node in ast.walk(tree.parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            budget = LONGER.get(f"{name}:{node.name}", FUNCTION_LINES)
            assert lines <= budget, f"{name}:{node.lineno}: {node.name} has {lines} lines"


@FILES
def test_a_module_says_what_lives_in_it(path: Path) -> None:
    assert ast.get_docstring(tree.parsed(path)), f"{path} has no docstring"
