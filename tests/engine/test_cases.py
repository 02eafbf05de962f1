"""Every ruling in scope has a case, every case a ruling, and every case holds."""

import pytest

from pbem import catalog
from pbem.engine.rulebook import numbers

from .case import CASES, read
from .judging import judge

RULED = numbers(catalog.rules("chang-cheng"))
FILES = {path.stem: path for path in sorted(CASES.glob("*.toml"))}
#: rulings that speak of what no position shows; each with its reason
WITHOUT = frozenset[str]()


@pytest.mark.parametrize("name", FILES)
def test_case(name: str) -> None:
    judge(read(FILES[name]))


def test_every_ruling_has_a_case() -> None:
    shown = {read(path)["ruling"] for path in FILES.values()}
    assert set(RULED) - shown == WITHOUT


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
    case = read(FILES["CC-18_double_touches_four"])
    case["after"]["scores"]["red"] += 1
    with pytest.raises(AssertionError):
        judge(case)
