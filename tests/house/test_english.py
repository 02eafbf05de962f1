"""English is whole sentences with named fields, in the places where sentences live.

Those are templates, and for a screen the ``sentences.py`` of a room. Anything else composes a
sentence from parts, which no catalogue of another language can hold.
Source: docs/decisions/0008; docs/NEW-GAME.md section 6.
"""

import ast
import re
from collections.abc import Iterator

import pytest

from . import tree

ROOMS = ("report", "play", "engine")
HOME = "sentences.py"
WORD = re.compile(r"(?<![\w./=-])[a-z]{2,}(?![\w/=-]|\.\w)")
QUOTED = re.compile(r"`[^`]*`?")
# The reader of an error is the one who typed the command or made the file; errors are English in every room.
ERRORS = {
    "BadInput", "Damaged", "InternalFault", "Missing", "OurFault", "Refused", "ValueError", "TypeError",
    "AttributeError", "RuntimeError",
}  # fmt: skip
ERROR_PARTS = {"problem", "hint", "why", "error", "fault", "message", "expected"}

# How many composed texts a file may have, and why. The numbers may only fall.
ALLOWED: dict[str, tuple[int, str]] = {
    "pbem/engine/chang_cheng/box.py": (24, "errors about what somebody typed; left to do: names of hidden things"),
    "pbem/engine/chang_cheng/effects.py": (2, "an order"),
    "pbem/engine/chang_cheng/foresight.py": (2, "an order"),
    "pbem/engine/chang_cheng/layout.py": (3, "an order"),
    "pbem/engine/chang_cheng/opening.py": (8, "an error about what somebody typed"),
    "pbem/engine/chang_cheng/refusals.py": (1, "left to do: a refusal"),
    "pbem/engine/chang_cheng/spelling.py": (1, "an order"),
    "pbem/engine/decision.py": (1, "an error about an order"),
    "pbem/engine/great_wall/codec.py": (4, "an error about a board that does not fit"),
    "pbem/engine/great_wall/foresight.py": (1, "an order"),
    "pbem/engine/great_wall/legal.py": (2, "an order"),
    "pbem/engine/great_wall/opening.py": (4, "errors about a script; left to do: names of hidden things"),
    "pbem/engine/great_wall/spelling.py": (1, "an order"),
    "pbem/engine/laws.py": (31, "a developer's error"),
    "pbem/engine/laws_of_secrecy.py": (15, "a developer's error"),
    "pbem/engine/random_play.py": (4, "a developer's error"),
    "pbem/engine/row.py": (1, "left to do: a list of names"),
    "pbem/engine/settings.py": (5, "an error about what somebody typed"),
    "pbem/play/consent.py": (2, "signed, and left to do: a screen"),
    "pbem/play/deadlines/options.py": (1, "an error about what somebody typed"),
    "pbem/play/joining/answers.py": (4, "signed"),
    "pbem/play/joining/contribution.py": (6, "a fault of a signed state"),
    "pbem/play/pending_file.py": (1, "an error about what somebody typed"),
    "pbem/play/script.py": (2, "an error about what somebody typed"),
    "pbem/report/receipt_block.py": (2, "signed"),
    "pbem/report/render.py": (2, "an error about a template"),
}


def composed_texts(module: ast.Module) -> Iterator[ast.expr]:
    """Expressions that compose English from words and values, except for errors."""
    pending: list[ast.AST] = [module]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Raise, ast.Assert)) or _makes_error(node):
            continue
        if isinstance(node, ast.expr) and _is_composed(node):
            yield node
            continue
        pending += ast.iter_child_nodes(node)


def _makes_error(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name in ERRORS or name.endswith(("_error", "_fault"))
    if isinstance(node, ast.Assign):
        targets = [element for target in node.targets for element in getattr(target, "elts", [target])]
        return any(isinstance(target, ast.Name) and target.id in ERROR_PARTS for target in targets)
    return False


def _is_composed(node: ast.expr) -> bool:
    match node:
        case ast.JoinedStr(values=parts):
            texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            return len(texts) < len(parts) and len(_words(" ".join(texts))) >= 2
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return (_is_text(left) or _is_text(right)) and not (_is_text(left) and _is_text(right))
        case ast.BinOp(op=ast.Mult(), left=ast.Constant(value="s")) | ast.IfExp(body=ast.Constant(value="s")):
            return True  # a plural
        case ast.Call(func=ast.Attribute(attr="join", value=separator)):
            return _is_text(separator)
    return False


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_words(node.value))


def _words(text: str) -> list[str]:
    """The English words of a text; what a person types stands in backticks."""
    return WORD.findall(QUOTED.sub(" ", text))


def composed_lines() -> dict[str, list[int]]:
    """The lines of composed texts, by file."""
    lines_by_file = {}
    for path in tree.modules():
        name = path.relative_to(tree.ROOT).as_posix()
        if name.startswith(tuple(f"pbem/{room}/" for room in ROOMS)) and path.name != HOME:
            lines_by_file[name] = sorted(node.lineno for node in composed_texts(tree.parsed(path)))
    return lines_by_file


def test_sentences_are_whole() -> None:
    for name, lines in composed_lines().items():
        most, _ = ALLOWED.get(name, (0, ""))
        assert len(lines) <= most, f"{name}: a sentence is composed in one of the lines {lines}"


def test_no_allowance_is_needless() -> None:
    lines_by_file = composed_lines()
    assert [name for name in ALLOWED if not lines_by_file.get(name)] == []


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ('f"{n} orders accepted by {seat}"', 1),
        ('"orders of " + seat', 1),
        ('" and ".join(names)', 1),
        ('f"{n} order" + "s" * (n != 1)', 1),
        ("f\"order{'s' if n != 1 else ''}\"", 1),
        ('f"{seat}.view.toml"', 0),
        ('", ".join(names)', 0),
        ('f"`pbem resolve {folder}`: {seat}"', 0),
        ('raise BadInput("a/b", f"there is no seat {seat}", "look again")', 0),
        ("ACCEPTED.format(number=n)", 0),
    ],
)
def test_what_counts_as_composed(code: str, number: int) -> None:
    assert len([*composed_texts(ast.parse(code))]) == number
