"""Names say what is inside, and nothing grows too long. Source: docs/DESIGN.md law 9."""

import ast
from pathlib import Path

from . import tree

SAYS_NOTHING = {"utils", "util", "common", "helpers", "helper", "misc", "manager", "managers"}
FILE_LINES = 400
FUNCTION_LINES = 60
LONGER: dict[str, int] = {}  # "pbem/x.py" or "pbem/x.py:function" → lines, with the reason beside

#: names that do not say what they hold (decision 0030), and how often they may still occur: two fields of
#: plug-ins' options, and the places in braces of sentences
HOLDS_NOTHING = {"one", "found", "said", "told", "there", "kept", "given"}
STILL = 6

FILES = tree.each(tree.modules())


def _names(node: ast.AST) -> list[str]:
    return [name for field in ("id", "arg", "attr", "name") if isinstance(name := getattr(node, field, None), str)]


def test_names_say_what_they_hold() -> None:
    places = [
        f"{path.relative_to(tree.ROOT)}:{getattr(node, 'lineno', 0)}"
        for path in tree.modules()
        for node in ast.walk(tree.parsed(path))
        if HOLDS_NOTHING & {*_names(node)}
    ]
    assert len(places) <= STILL, places


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
