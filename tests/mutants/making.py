"""Making mutants: every small change that mutmut knows, in every place where it could matter.

What lives here: Mutant, and how the source of one is made. Not allowed here: running tests.
The changes are mutmut's own (``mutation_operators``); the places are ours, for mutmut leaves out
decorated functions and everything outside functions, such as tables.
"""

import ast
import difflib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import libcst as cst
from libcst.metadata import MetadataWrapper
from mutmut.mutation.mutators import mutation_operators

#: what never matters: types are not looked at when the program runs, and imports are no rules
LEFT_OUT = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)
STATEMENT = (cst.SimpleStatementLine, cst.BaseCompoundStatement)


class Mutant(NamedTuple):
    """One change. ``name`` is the same as long as the function is: ``wall._why_not 12``."""

    name: str
    module: str
    function: str  #: "" outside every function
    source: str

    def change(self, before: str) -> str:
        """The lines that differ, as a diff shows them."""
        lines = difflib.unified_diff(before.splitlines(), self.source.splitlines(), "", "", "", n=0)
        return "\n".join(line for line in list(lines)[2:] if not line.startswith("@@"))


def mutants_of(path: Path, package: str) -> Iterator[Mutant]:
    """All mutants of one file, in the order of its lines."""
    wrapper = MetadataWrapper(cst.parse_module(path.read_text(encoding="utf-8")))
    tree = wrapper.module
    visitor = _Visitor()
    wrapper.visit(visitor)
    module = package if path.stem == "__init__" else f"{package}.{path.stem}"
    texts = [cst.Module([statement]).code for statement in tree.body]
    start, end = cst.Module([], header=tree.header).code, cst.Module([], footer=tree.footer).code
    seen = [{ast.dump(ast.parse(text))} for text in texts]
    numbers: Counter[str] = Counter()
    for at, function, node, new in visitor.found:
        numbers[function] += 1
        changed = tree.body[at].deep_replace(node, new)
        text = cst.Module([changed]).code if isinstance(changed, STATEMENT) else ""
        if text and _is_new(text, seen[at]):
            source = "".join((start, *texts[:at], text, *texts[at + 1 :], end))
            title = f"{path.stem}.{function or 'table'} {numbers[function]}"
            yield Mutant(title, module, function, source)


def _is_new(text: str, seen: set[str]) -> bool:
    """Whether it can be compiled and is none that was made before."""
    try:
        tree = ast.dump(ast.parse(text))
        compile(text, "", "exec")
    except (SyntaxError, ValueError):
        return False
    known = tree in seen
    seen.add(tree)
    return not known


class _Visitor(cst.CSTVisitor):  # type: ignore[misc]  # mutmut is not installed with the tools
    """Collects changes: the statement of the module, the function, a node, its new self."""

    METADATA_DEPENDENCIES = ()

    def __init__(self) -> None:
        self.found: list[tuple[int, str, cst.CSTNode, cst.CSTNode]] = []
        self._at = -1
        self._depth = 0
        self._within: list[tuple[str, bool]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, STATEMENT) and self._depth == 1:
            self._at += 1
        if isinstance(node, LEFT_OUT) or _only_for_types(node):
            return False
        self._depth += 1
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._within.append((node.name.value, isinstance(node, cst.FunctionDef)))
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                self.found += [(self._at, self._function(), node, new) for new in operator(node)]
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, LEFT_OUT) or _only_for_types(original_node):
            return
        self._depth -= 1
        if isinstance(original_node, cst.FunctionDef | cst.ClassDef):
            self._within.pop()

    def _function(self) -> str:
        """The outermost function, with its class: ``Row.__init__``; "" outside of any."""
        for depth, (_, is_function) in enumerate(self._within):
            if is_function:
                return ".".join(name for name, _ in self._within[: depth + 1])
        return ""


def _only_for_types(node: cst.CSTNode) -> bool:
    """Whether the type checker alone reads it."""
    return isinstance(node, cst.If) and "TYPE_CHECKING" in cst.Module([]).code_for_node(node.test)
