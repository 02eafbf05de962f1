"""What a hint offers to be typed can be typed. Found by a reader of errors: about 60 could not."""

import ast
import re

import pytest

from pbem.errors import TYPED_PREFIXES, BadInput

from . import tree

ERRORS = {"BadInput", "Refused", "OurFault"}
PROSE = re.compile(r"[;:]|\b(?:says?|prints?|makes?|lists?|takes?|gives?|see|and|or|then)\b")


def _hints() -> list[tuple[str, str]]:
    found = []
    for path in tree.modules():
        for node in ast.walk(tree.parsed(path)):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if named and node.func.id in ERRORS and len(node.args) > 2:  # type: ignore[attr-defined]
                hint = node.args[2]  # type: ignore[attr-defined]
                text = "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "X"
                    for part in (hint.values if isinstance(hint, ast.JoinedStr) else [hint])
                    if isinstance(part, ast.Constant | ast.FormattedValue)
                )
                found.append((f"{path.name}:{hint.lineno}", text))
    return found


def test_a_hint_to_be_typed_is_a_command() -> None:
    found = [(where, text) for where, text in _hints() if text.startswith(TYPED_PREFIXES)]
    assert len(found) > 10
    assert not [(where, text) for where, text in found if PROSE.search(text)]


def test_no_hint_glues_two_kinds() -> None:
    assert not [row for row in _hints() if "(try:" in row[1]]


@pytest.mark.parametrize(
    ("hint", "line"),
    [
        ("", "it is so"),
        ("pbem games", "it is so (try: pbem games)"),
        ("--orders 2", "it is so (try: --orders 2)"),
        ("-o game.tar", "it is so (try: -o game.tar)"),
        ("name a file", "it is so. Name a file."),
        ("is it the right file?", "it is so. Is it the right file?"),
    ],
)
def test_a_line_has_its_way_out(hint: str, line: str) -> None:
    assert BadInput("x/y", "it is so", hint).as_line() == line
