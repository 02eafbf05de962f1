"""English is whole sentences with named fields, which a catalogue of another language can hold.

What players read lives in templates and in the ``sentences.py`` of a room: in PLAYERS_ROOMS no other
text with words and values may be. What only the referee reads may be where it is printed, as a
whole: in no room is a sentence put together from parts, and none is a part of another.
Source: docs/decisions/0008; docs/NEW-GAME.md section 6.
"""

import ast
import re
from collections.abc import Collection, Iterator

import pytest

from . import tree

PLAYERS_ROOMS = ("report", "play", "engine", "chain", "mail", "notation")
HOME = "sentences.py"
WORD = re.compile(r"(?<![\w./=-])[a-z]{2,}(?![\w/=-]|\.\w)")
QUOTED = re.compile(r"`[^`]*`?|<[^>]*>")
#: how a part of a sentence begins, and how it ends; a remark after a semicolon is whole
PART_BEGINS = re.compile(r", | \(| and | but ")
PART_ENDS = re.compile(r"(?:[,;]| and| or) $")
# The reader of an error is the one who typed the command or made the file; errors are English in every room.
ERRORS = {
    "BadInput", "Damaged", "InternalFault", "Missing", "OurFault", "Refused", "ValueError", "TypeError",
    "AttributeError", "RuntimeError",
}  # fmt: skip
ERROR_PARTS = {"problem", "hint", "why", "error", "fault", "message", "expected"}

# How many composed texts a file may have, and why. The numbers may only fall.
ALLOWED: dict[str, tuple[int, str]] = {
    "pbem/catalog.py": (5, "errors about a plug-in"),
    "pbem/chain/clock_words.py": (1, "left to do: an absence"),
    "pbem/chain/names.py": (4, "an error about what somebody typed"),
    "pbem/chain/rows.py": (2, "a fault of a signed state"),
    "pbem/chain/rulings/clock.py": (9, "left to do: rulings in reports"),
    "pbem/chain/rulings/correct.py": (13, "faults of a signed state; left to do: rulings in reports"),
    "pbem/chain/rulings/fields.py": (2, "errors about what somebody typed; left to do: names of hidden things"),
    "pbem/chain/rulings/kind.py": (3, "left to do: rulings in reports"),
    "pbem/chain/rulings/people.py": (13, "faults of a signed state; left to do: rulings in reports"),
    "pbem/chain/rulings/undo.py": (8, "errors about what somebody typed; left to do: rulings in reports"),
    "pbem/chain/signed_state.py": (1, "a hint of an error"),
    "pbem/chain/sources.py": (1, "left to do: rulings in reports"),
    "pbem/commands/status.py": (1, "a span of time as a value: `late 5 min`"),
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
    "pbem/formats/toml.py": (1, "an error about what somebody typed"),
    "pbem/notation/absence.py": (1, "a pattern"),
    "pbem/play/consent.py": (2, "signed, and left to do: a screen"),
    "pbem/play/deadlines/options.py": (1, "an error about what somebody typed"),
    "pbem/play/joining/answers.py": (4, "signed"),
    "pbem/play/joining/contribution.py": (6, "a fault of a signed state"),
    "pbem/play/pending_file.py": (1, "an error about what somebody typed"),
    "pbem/play/script.py": (2, "an error about what somebody typed"),
    "pbem/report/receipt_block.py": (2, "signed"),
    "pbem/report/render.py": (2, "an error about a template"),
    "pbem/transport/scheduler.py": (1, "a command"),
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


def glued_texts(module: ast.Module) -> Iterator[ast.expr]:
    """Expressions that put a sentence together from parts, are a part of one, or word a subject; no errors."""
    functions = (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef))
    return _find_glued(module, {function.name for function in functions if _returns_words(function)})


def _find_glued(node: ast.AST, worded: set[str]) -> Iterator[ast.expr]:
    """``worded``: the functions of the module that return words, and the variables here that hold some."""
    if isinstance(node, (ast.Raise, ast.Assert)) or _makes_error(node):
        return
    if isinstance(node, ast.FunctionDef):
        worded = worded | _worded_variables(node)
    if isinstance(node, ast.expr) and _is_glued(node, worded):
        yield node
        return
    if isinstance(node, (ast.Assign, ast.keyword)) and _names_subject(node) and _has_words(node.value):
        yield node.value
        return
    for child in ast.iter_child_nodes(node):
        yield from _find_glued(child, worded)


def _is_glued(node: ast.expr, worded: set[str]) -> bool:
    if not isinstance(node, ast.JoinedStr):
        return _is_composed(node)
    first, last = (str(getattr(part, "value", "")) for part in (node.values[0], node.values[-1]))
    follows_colon = False  # after a label and a colon, a text is whole
    has_worded_value = False
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            has_worded_value |= not follows_colon and _has_words(part.value, worded)
        follows_colon = isinstance(part, ast.Constant) and str(part.value).endswith(": ")
    is_part = PART_BEGINS.match(first) or PART_ENDS.search(last)
    return _has_words(node) and (bool(is_part) or has_worded_value)


def _has_words(node: ast.AST | None, worded: Collection[str] = ()) -> bool:
    """Whether the value is, or may be, a text with English words from the code."""
    match node:
        case ast.JoinedStr(values=parts):
            return any(_is_text(part) for part in parts if isinstance(part, ast.Constant))
        case ast.BoolOp(values=values):
            return any(_has_words(value, worded) for value in values)
        case ast.IfExp(body=left, orelse=right) | ast.BinOp(left=left, op=ast.Add() | ast.Mult(), right=right):
            return _has_words(left, worded) or _has_words(right, worded)
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)):
            return name in worded
    return isinstance(node, ast.expr) and _is_text(node)


def _returns_words(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Return) and _has_words(node.value) for node in ast.walk(function))


def _worded_variables(function: ast.FunctionDef) -> set[str]:
    """The names of variables that are set to words."""
    nodes = [node for node in ast.walk(function) if isinstance(node, (ast.Assign, ast.NamedExpr))]
    return {
        target.id
        for node in nodes
        if _has_words(node.value)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }


def _names_subject(node: ast.Assign | ast.keyword) -> bool:
    names = [node.arg] if isinstance(node, ast.keyword) else [getattr(target, "id", "") for target in node.targets]
    return "subject" in names


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


def wrong_lines() -> dict[str, list[int]]:
    """The lines of texts that no catalogue can hold, by file."""
    lines_by_file = {}
    for path in tree.modules():
        name = path.relative_to(tree.ROOT).as_posix()
        if path.name != HOME:
            is_of_players = name.startswith(tuple(f"pbem/{room}/" for room in PLAYERS_ROOMS))
            find_texts = composed_texts if is_of_players else glued_texts
            lines_by_file[name] = sorted(node.lineno for node in find_texts(tree.parsed(path)))
    return lines_by_file


def test_sentences_are_whole() -> None:
    for name, lines in wrong_lines().items():
        most, _ = ALLOWED.get(name, (0, ""))
        assert len(lines) <= most, f"{name}: a sentence is composed in one of the lines {lines}"


def test_no_allowance_is_needless() -> None:
    lines_by_file = wrong_lines()
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


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ('f"{n} orders accepted by {seat}"', 0),
        ('f"{root}: {sentence}"', 0),
        ('f"The winner is {winner or seat}"', 0),
        ('f"{n} orders" + note', 0),
        ('note + " by the referee"', 1),
        ('" and ".join(names)', 1),
        ('f"{n} order" + "s" * (n != 1)', 1),
        ("f\"{n} {'order' if n == 1 else 'orders'} accepted\"", 1),
        ("f\"The winner is {winner or 'nobody'}\"", 1),
        ('f", but for {n} of them"', 1),
        ('def f():\n    note = "of the referee" if n else ""\n    return f"a ruling {note}"', 1),
        ('def note():\n    return "of the referee"\nf"a ruling {note()}"', 1),
        ('subject = f"{label}: your password"', 1),
        ('raise BadInput("a/b", f"there is no seat {seat or \'at all\'}", "look again")', 0),
    ],
)
def test_what_counts_as_glued(code: str, number: int) -> None:
    assert len([*glued_texts(ast.parse(code))]) == number
