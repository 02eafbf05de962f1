"""Every ruling of Great Wall has a case, every case a ruling, and every case holds."""

import pytest

from pbem import catalog
from pbem.engine.rulebook import find_first_sentence, list_rule_numbers

from .case_great_wall import CASES, read
from .judging_great_wall import judge

RULES = catalog.read_rules("great-wall")
RULED = list_rule_numbers(RULES)
FILES = {path.stem: path for path in sorted(CASES.glob("*.toml"))}


#: every ruling, in the order of RULES.md
GREAT_WALL = (
    *(f"R-{n}" for n in (1, 2, 3)),
    *(f"GW-{n}" for n in (*range(6), *range(10, 15), *range(20, 27), *range(30, 34))),
    *(f"GW-{letter}" for letter in "ABCD"),
)


def test_no_ruling_is_missing() -> None:
    assert RULED == GREAT_WALL
    for number in RULED:
        assert len(find_first_sentence(RULES, number) or "") > 15, number


@pytest.mark.parametrize("name", FILES)
def test_case(name: str) -> None:
    judge(read(FILES[name]))


def test_every_ruling_has_a_case() -> None:
    assert {read(path)["ruling"] for path in FILES.values()} >= set(RULED)


def test_every_case_has_a_ruling() -> None:
    for name, path in FILES.items():
        ruling = read(path)["ruling"]
        assert ruling in RULED, name
        assert name.startswith((f"{ruling}_", "found_")), name


def test_every_case_says_what_it_shows() -> None:
    for name, path in FILES.items():
        assert len(read(path)["says"]) > 12, name


def test_a_wrong_case_fails() -> None:
    """The judge itself: turn what a case expects round, and it must notice."""
    case = read(FILES["GW-24_guards_do_not_rise"])
    case["after"]["influence"]["S1"] = "blue 7, green 2"
    with pytest.raises(AssertionError):
        judge(case)
