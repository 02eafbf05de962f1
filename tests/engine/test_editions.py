"""Editions are a table of switches, and the first report says what they are."""

import re
from pathlib import Path

import pytest

import pbem.engine.chang_cheng as package
from pbem.engine.chang_cheng import GAME
from pbem.engine.chang_cheng.editions import EDITIONS

from .in_words import noticed
from .ways import COUNTERS, OWN

SOURCE = Path(package.__file__).parent
#: whose business an edition's name is: the table, and the words of the first report
KNOW_THEM = {"editions.py", "rows.py"}


def test_no_rule_knows_an_edition_by_its_name() -> None:
    """Decision 0004. The option's default is the one exception."""
    names = re.compile(rf'"({"|".join(EDITIONS)})"')
    found = {
        path.name: names.findall(path.read_text(encoding="utf-8"))
        for path in SOURCE.glob("*.py")
        if path.name not in KNOW_THEM
    }
    assert {name: words for name, words in found.items() if words} == {"opening.py": ["en"]}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"edition": "en"}, ()),
        ({"edition": "it"}, ("it plays like the English edition.",)),
        ({"edition": "fr", "variant": "neutral", "events": "B"}, ("CC-26", "CC-28", "A B C")),
        ({"edition": "hu"}, ("hu (fan translation)", "CC-15", "CC-26", "CC-31")),
        ({"edition": "hu", "events": "drawn-2"}, ("longest run of all alone, with a tower counted as two (CC-51)",)),
        ({"edition": "hu", "variant": "neutral"}, ("same province (CC-60)",)),
        ({"variant": "two-colour"}, ("CC-61",)),
    ],
    ids=str,
)
def test_the_first_report_names_what_is_played(options: dict[str, str], told: tuple[str, ...]) -> None:
    said = noticed(GAME, GAME.configure(("red", "green"), options))
    assert all(any(words in line for line in said) for words in told)
    assert any("inferred" in line for line in said)
    fewer = noticed(GAME, GAME.configure(("red", "green"), {}))
    assert len(fewer) == 2
    assert (said == fewer) == (not told)


def test_own_boards_are_not_called_inferred() -> None:
    config = GAME.configure(("red", "green"), {"sides": OWN})
    assert "How many counters there are of each value is not" in noticed(GAME, config)[0]
    own = {"sides": OWN, "counters": COUNTERS}
    said = noticed(GAME, GAME.configure(("red", "green"), own))
    assert not any("inferred" in line for line in said)
    said = noticed(GAME, GAME.configure(("red", "green"), {"counters": COUNTERS}))
    assert said[0].startswith("The boards are not")
