"""Every ruling of Great Wall has a case, every case a ruling, and every case holds."""

import pytest

from pbem import catalog
from pbem.engine.rulebook import numbers

from .case_great_wall import CASES, read
from .judging_great_wall import judge

RULED = numbers(catalog.rules("great-wall"))
FILES = {path.stem: path for path in sorted(CASES.glob("*.toml"))}


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
