"""Every ruling in scope has a case, every case a ruling, and every case holds."""

import pytest

from pbem import catalog
from pbem.engine.rulebook import list_rule_numbers

from .case import CASES, EDITIONS, editions, read
from .judging_chang_cheng import judge

RULED = list_rule_numbers(catalog.read_rules("chang-cheng"))
FILES = {path.stem: path for path in sorted(CASES.glob("*.toml"))}
#: rulings that speak of what no position shows; each with its reason
WITHOUT = frozenset[str]()


#: every case in every edition in which it holds
PLAYED = [(name, edition) for name, path in FILES.items() for edition in editions(read(path))]
#: rulings that the editions have differently: each edition has a case named after it
DIFFER = ("CC-12", "CC-15", "CC-20", "CC-26", "CC-31", "CC-50", "CC-51", "CC-60", "CC-I")


@pytest.mark.parametrize(("name", "edition"), PLAYED, ids=lambda word: word)
def test_case(name: str, edition: str) -> None:
    judge(read(FILES[name]), edition)


@pytest.mark.parametrize("ruling", RULED)
def test_every_ruling_is_shown_in_every_edition(ruling: str) -> None:
    """An example that one rulebook tells otherwise has a number with that edition's name."""
    told = ruling.rpartition("-")[2]
    wanted = {told} if told in EDITIONS else {"en", "fr"} if ruling == "CC-H" else set(EDITIONS)
    cases = [read(path) for path in FILES.values()]
    assert {e for case in cases if case["ruling"] == ruling for e in editions(case)} == wanted


@pytest.mark.parametrize("ruling", DIFFER)
def test_editions_that_differ_have_cases_of_their_own(ruling: str) -> None:
    cases = [case for case in map(read, FILES.values()) if case["ruling"] == ruling]
    own = {e for case in cases for e in case.get("editions", ())}
    assert own == set(EDITIONS)


def test_a_case_is_named_after_its_editions() -> None:
    for name, path in FILES.items():
        case = read(path)
        tag = "".join(f"-{edition}" for edition in case.get("editions", ()))
        tag = "" if case["ruling"].startswith("CC-H") else tag
        assert name.startswith((f"{case['ruling']}{tag}_", "found_")), name


def test_every_ruling_has_a_case() -> None:
    shown = {read(path)["ruling"] for path in FILES.values()}
    assert set(RULED) - shown == WITHOUT


def test_every_case_has_a_ruling() -> None:
    for name, path in FILES.items():
        ruling = read(path)["ruling"]
        assert ruling in RULED, name


def test_every_case_says_what_it_shows() -> None:
    for name, path in FILES.items():
        assert len(read(path)["says"]) > 12, name


def test_a_wrong_case_fails() -> None:
    """The judge itself: turn what a case expects round, and it must notice."""
    case = read(FILES["CC-18_double_touches_four"])
    case["after"]["scores"]["red"] += 1
    with pytest.raises(AssertionError):
        judge(case, "en")
