"""What a line of Chang Cheng means that leaves out, or says, what there is no choice about."""

from typing import Any

import pytest

from pbem.engine.chang_cheng import GAME

from .case import CASES, position, read


def view(before: dict[str, Any], seat: str = "red", edition: str = "en", players: int = 2) -> Any:
    case = {"players": list(GAME.seats[:players]), "before": {"number": 10} | before}
    return GAME.view(position(case, edition), seat)


OPEN: dict[str, Any] = {}
BESIDE = {"squares": ["A4 green"]}
NO_WALLS = {"squares": ["A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 B1 B2 B3 red"]}
KEPT = {"squares": ["A3 green tower"], "reserved": ["green A4"]}


@pytest.mark.parametrize(
    ("before", "line", "meant"),
    [
        (OPEN, "tower A5", "tower A5 reserve A6"),
        (OPEN, "tower A5 reserve A4", "tower A5 reserve A4"),
        (OPEN, "tower A11", "tower A11 reserve B1"),
        (OPEN, "tower A1", "tower A1"),
        (OPEN, "tower A1 reserve A2", "tower A1"),
        (OPEN, "tower B11 reserve B10", "tower B11"),
        (OPEN, "tower A5 reserve A7", "tower A5 reserve A7"),
        (BESIDE, "tower A5 reserve A6", "tower A5"),
        (BESIDE, "tower A5 reserve A4", "tower A5 reserve A4"),
        (BESIDE, "tower A5", "tower A5"),
        (BESIDE, "tower A3 reserve A2", "tower A3"),
        (KEPT, "tower A5 reserve A6", "tower A5"),
        (KEPT, "tower A5 reserve A4", "tower A5 reserve A4"),
        (NO_WALLS, "tower B6 reserve B7", "tower B6 reserve B7"),
        (NO_WALLS, "tower B4 reserve B5", "tower B4 reserve B5"),
        (OPEN, "tower", "tower"),
        (OPEN, "tower Z1", "tower Z1"),
        (OPEN, "double A6 A5", "double A5 A6"),
        (OPEN, "double B1 A11", "double A11 B1"),
        (OPEN, "double A5 A6", "double A5 A6"),
        (OPEN, "double A5 A7", "double A5 A7"),
        (OPEN, "double A7 A5", "double A7 A5"),
        (BESIDE, "double A5 A4", "double A5 A4"),
        (OPEN, "double A6", "double A6"),
        (OPEN, "wall A5", "wall A5"),
        (OPEN, "card AP1 flood", "card AP1 flood"),
        (OPEN, "hello", "hello"),
    ],
)
def test_meant(before: dict[str, Any], line: str, meant: str) -> None:
    assert GAME.complete(view(before), line) == meant
    assert GAME.complete(view(before, "green"), line) == line  # who is not asked means nothing


@pytest.mark.parametrize("line", ["tower A5", "tower A5 reserve A6"])
def test_where_nothing_is_named(line: str) -> None:
    assert GAME.complete(view(OPEN, edition="hu"), line) == line


def test_a_swap_may_be_named_from_either_end() -> None:
    case = read(CASES / "CC-26_swap.toml")
    *first, (seat, line) = case["orders"]
    state = position(case, "en")
    for link, (one, order) in enumerate(first):
        state = GAME.apply(state, one, order, 2 + link).state
    word, a, b = line.split()
    assert GAME.complete(GAME.view(state, seat), f"{word} {b} {a}") == line
    assert GAME.complete(GAME.view(state, seat), line) == line
    assert GAME.complete(GAME.view(state, seat), f"{word} {b} {b}") == f"{word} {b} {b}"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("AP1", ""),
        ("BP3", ""),
        ("A5", "name a province, such as AP2: cards do not take effect on A5"),
        ("AM1", "name a province, such as AP2: cards do not take effect on AM1"),
        ("CP1", ""),
        ("CP3", ""),
        ("CP4", "there is no CP4, and none can join"),
        ("DP1", "there is no DP1, and none can join"),
        ("CM1", "name a province, such as AP2: cards do not take effect on CM1"),
        ("C1", "name a province, such as AP2: cards do not take effect on C1"),
    ],
)
def test_why_never(name: str, why: str) -> None:
    before = {"squares": ["A4 red"], "box": ["third:2,2,2:6", "fourth:3:3"]}
    assert GAME.why_never(view(before), name) == why


def test_four_players_may_come_to_a_fourth_board() -> None:
    four = view({"box": ["third:3:3", "fourth:2,2:4"]}, players=4)
    assert [GAME.why_never(four, name) for name in ("CP1", "DP1", "DP2")] == ["", "", ""]
    assert GAME.why_never(four, "CP2") == "there is no CP2, and none can join"
    assert GAME.why_never(four, "DP3") == "there is no DP3, and none can join"


def test_a_province_that_is_scored() -> None:
    before = {"squares": ["A1 A2 A3 red"]}
    assert GAME.why_never(view(before), "AP1") == ("AP1 has been scored; cards no longer take effect there")
    assert GAME.why_never(view(before), "AP2") == ""


def test_a_province_that_is_being_scored() -> None:
    """What waits its turn can still be asked about; so can what is resolved now."""
    case = read(CASES / "CC-20_two_at_once.toml")
    assert case["ruling"] == "CC-20"
    cards = ["green flood AP1", "red flood AP1", "green builder AP2"]
    before = {"squares": ["A1 A2 red", "A5 A6 A7 green"], "cards": cards}
    state = position({"players": ["red", "green"], "before": before}, "en")
    state = GAME.apply(state, "red", "double A3 A4", 2).state
    public = GAME.view(state, "green")
    asked = GAME.questions(public)[0]
    assert GAME.why_never(public, "AP2") == ""
    assert GAME.why_never(public, asked.about) == ""
    assert GAME.concerns(public, asked.about)
    assert not GAME.concerns(public, "AP3")
