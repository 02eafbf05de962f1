"""Sentences to players stand in templates and in ``sentences.py``, each whole.

Source: docs/decisions/0008.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import tree

#: where what players read is made
ROOMS = (
    "files/language",
    "files/orders",
    "moderator",
    "services/intake",
    "services/post.py",
    "services/reports.py",
    "engine",
)
#: what still says a sentence itself, and why
EXEMPT = {
    "files/orders/move_file.py": "what its errors say, by functions of its own",
    "moderator/report/players.py": "a hint of its errors",
    "engine/chang_cheng/box.py": "errors of `pbem new`, faults of a state",
    "engine/chang_cheng/codec.py": "what `pbem audit` and `inspect` call a field",
    "engine/chang_cheng/description.py": "heads of the board's columns",
    "engine/chang_cheng/editions.py": "what players are told of an option, marked",
    "engine/chang_cheng/opening.py": "for the referee; what players are told is marked",
    "engine/great_wall/__init__.py": "its name and its author",
    "engine/great_wall/codec.py": "faults of a state; what `pbem audit` calls a field",
    "engine/great_wall/opening.py": "for the referee; what players are told is marked",
    "engine/laws.py": "for authors of games",
    "engine/laws_of_secrecy.py": "for authors of games",
    "engine/random_play.py": "for authors of games",
    "engine/settings.py": "for the referee, and faults of a file; what players are told is marked",
    "moderator/deadlines": "errors of `pbem new`; what players are told is marked",
    "moderator/verify": "findings, for whoever runs `pbem verify`: its screen",
    "moderator/audit": "findings, for whoever runs `pbem audit`: its screen",
    "moderator/ruling": "rulings are written into states, in English",
    "moderator/chain": "rulings and faults of a state, in English",
    "moderator/opening/contribution.py": "findings of `pbem verify` and `pbem orders join`",
    "moderator/opening/opening.py": "whom a round waits for: the referee's screen",
    "moderator/report/report.py": "rulings and subjects",
    "moderator/report/subjects.py": "subjects",
    "moderator/turn/hand.py": "HAND_LOST, a hint of errors",
    "moderator/turn/script.py": "errors of `pbem script run`",
    "services/intake": "verdicts for the referee's screen",
}
ERRORS = {"PbemError", "BadInput", "Refused", "OurFault", "ValueError", "naming", "_damaged"}
WORDS = re.compile(r"[A-Za-z']{2,}(?:[,:;]? [A-Za-z'`{}]+){2,}")


def _docstrings(module: ast.Module) -> set[int]:
    """Texts that are a statement by themselves: for whoever reads the code."""
    return {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}


def _told(module: ast.Module) -> Iterator[ast.Constant]:
    """Texts of three words and more, but for docstrings and what an error says."""
    docs = _docstrings(module)
    errors = {
        id(inner)
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS
        for inner in ast.walk(node)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            plain = WORDS.fullmatch(node.value.strip(" .?!`\"'()"))
            if plain and id(node) not in docs | errors:
                yield node


def _places() -> list[Path]:
    found = []
    for path in tree.modules():
        name = path.relative_to(tree.PACKAGE).as_posix()
        if path.name != "sentences.py" and name.startswith(ROOMS):
            found.append(path)
    return found


def _is_exempt(path: Path) -> bool:
    name = path.relative_to(tree.PACKAGE).as_posix()
    return any(name == one or name.startswith(f"{one}/") for one in EXEMPT)


def sentences(path: Path) -> list[str]:
    return [f"{node.lineno}: {node.value!r}" for node in _told(tree.parsed(path))]


@pytest.mark.parametrize(
    "path", [path for path in _places() if not _is_exempt(path)], ids=tree.dotted
)
def test_a_sentence_stands_in_a_template_or_in_sentences(path: Path) -> None:
    assert sentences(path) == []


@pytest.mark.parametrize("exempt", EXEMPT)
def test_what_is_exempt_needs_to_be(exempt: str) -> None:
    below = [path for path in _places() if path.is_relative_to(tree.PACKAGE / exempt)]
    assert any(sentences(path) for path in below)


#: `{{ "a word" if … }}`, `{{ x ~ " a word" }}`: half a sentence
_HALVES = (
    re.compile(r"\{\{[^}]*[\"'][^\"'}]*[A-Za-z]{2,} [^\"'}]*[\"'] if [^}]*\}\}"),
    re.compile(r"\{\{[^}]*(?:~ *[\"'][^\"'}/]*[A-Za-z]{2,}[ ]|[ ][A-Za-z]{2,}[\"'] *~)[^}]*\}\}"),
)
TEMPLATES = sorted(
    path
    for path in (tree.ROOT / "templates").rglob("*.txt")
    if path.parent == tree.ROOT / "templates"
)


def halves(text: str) -> list[str]:
    return [match[0] for pattern in _HALVES for match in pattern.finditer(text)]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_glues_no_sentence(path: Path) -> None:
    found = halves(path.read_text("utf-8"))
    assert not found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('It {{ "was not signed" if known else "had no password" }}.', 1),
        ("{{ who ~ ' has won the ' ~ what }}", 1),
        ('{{ words["verdict_" ~ row.kind](row.facts) }}', 0),
        ("{{ names | join(', ') }}", 0),
    ],
)
def test_it_finds_halves(text: str, count: int) -> None:
    assert len(halves(text)) == count


@pytest.mark.parametrize(
    "path", [p for p in tree.modules() if p.name == "sentences.py"], ids=tree.dotted
)
def test_sentences_are_whole(path: Path) -> None:
    """Nothing is put together there, and every text is marked."""
    for node in ast.walk(tree.parsed(path)):
        assert not isinstance(node, ast.BinOp | ast.JoinedStr), f"{path}:{node.lineno}"
    texts = [node for node in tree.parsed(path).body if isinstance(node, ast.Assign)]
    for node in texts:
        call = node.value
        assert isinstance(call, ast.Call), f"{path}:{node.lineno}"
        assert isinstance(call.func, ast.Name), f"{path}:{node.lineno}"
        assert call.func.id == "N_", f"{path}:{node.lineno}"


def test_every_row_of_the_moderator_has_its_sentence() -> None:
    """A row whose macro is missing would break the mail that says it."""
    words = (tree.ROOT / "templates/words.txt").read_text("utf-8")
    macros = set(re.findall(r"\{% macro ([a-z_]+)\(", words))
    from pbem.moderator.report.receipt import KINDS

    kinds = {kind for what, (kind, _) in KINDS.items() if what != "not read"}  # of orders
    assert {f"verdict_{kind}" for kind in kinds} <= macros
