"""docs/THREATS.md names tests; each is there."""

import re
from pathlib import Path

from . import tree

TESTS = Path(__file__).parents[1]
TEXT = (TESTS.parent / "docs" / "THREATS.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([a-z_]+/test_[a-z_]+\.py)(?:::(test_\w+))?`", TEXT)))


@tree.each(NAMED)
def test_the_test_is_there(named: tuple[str, str]) -> None:
    file, test = named
    found = (TESTS / file).read_text(encoding="utf-8")
    assert not test or f"def {test}(" in found


def test_each_of_the_five_is_there() -> None:
    for one in ("A player", "The referee", "The carrier", "The finder", "A later thief"):
        section = TEXT.partition(f"\n## {one}")[2].partition("\n## ")[0]
        assert section.count(".py") >= 5, one
        assert "\nCan:" in section, one
        assert "\nCannot" in section, one
