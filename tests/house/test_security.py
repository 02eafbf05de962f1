"""docs/SECURITY.md has each attack that a test is marked with (`pytest.mark.attack`), and no other.

python tests/house/test_security.py writes its tables anew.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parent / "docs" / "SECURITY.md"
#: who attacks, and the heading above their table
HEADINGS = {
    "player": "A player",
    "referee": "The referee",
    "carrier": "Anyone who carries or reads email",
    "finder": "Anyone who finds the files",
    "thief": "Anyone who steals a key",
    "anybody": "Anyone who sends a file",
    "machine": "A failing machine",
}
BEGINNING, END = "<!-- made by tests/house/test_security.py -->\n", "<!-- end -->\n"


class Attack(NamedTuple):
    """One mark of a test."""

    who: str
    what: str
    found_by: str
    test: str

    @property
    def result(self) -> str:
        """What happens, in words."""
        return re.sub(r"^(verify|audit)(?=$|,| or )", r"found by \1", self.found_by)


def attacks() -> Iterator[Attack]:
    """Every mark, by files and lines."""
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        for function in ast.parse(text).body if "mark.attack(" in text else ():
            for mark in getattr(function, "decorator_list", ()):
                if isinstance(mark, ast.Call) and getattr(mark.func, "attr", "") == "attack":
                    named = {word.arg: ast.literal_eval(word.value) for word in mark.keywords}
                    test = f"{path.relative_to(TESTS).as_posix()}::{function.name}"  # type: ignore[attr-defined]
                    yield Attack(named["who"], ast.literal_eval(mark.args[0]), named["by"], test)


def tables() -> str:
    """The tables of the page, one for each attacker."""
    found = list(attacks())
    lines = []
    for who, heading in HEADINGS.items():
        rows = [f"| {row.what} | {row.result} | `{row.test}` |" for row in found if row.who == who]
        first = "what goes wrong" if who == "machine" else "tries to"
        lines += [f"### {heading}", "", f"| {first} | what happens | test |", "| --- | --- | --- |", *rows, ""]
    return "\n".join(lines)


def parts() -> tuple[str, str, str]:
    """The page before its tables, the tables, and the rest."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGINNING)
    made, _, after = rest.partition(END)
    return before, made, after


def test_the_tables_are_made_from_the_tests() -> None:
    assert parts()[1] == tables(), f"python {Path(__file__).relative_to(TESTS.parent)} makes them anew"


def test_every_attack_has_its_attacker_and_is_named_once() -> None:
    found = list(attacks())
    assert len(found) > 100
    assert {row.who for row in found} == HEADINGS.keys()
    named = [(row.who, row.what) for row in found]
    assert len(named) == len(set(named))


if __name__ == "__main__":
    before, _, after = parts()
    PAGE.write_text(f"{before}{BEGINNING}{tables()}{END}{after}", encoding="utf-8")
    sys.exit(0)
