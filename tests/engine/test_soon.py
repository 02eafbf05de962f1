"""Cards of Chang Cheng that may soon be turned up, as their owner is reminded of them."""

from typing import Any

import pytest

from pbem.engine.chang_cheng import GAME

from .case import position
from .in_words import in_words

SMALL = {"boards": ["small:3,4:4,3", "other:3,1:3,1"], "box": ["third:3:3"]}


def soon(before: dict[str, Any], seat: str | None = "red") -> list[tuple[str, ...]]:
    """What a seat is reminded of."""
    case = {"players": ["red", "green"], "before": SMALL | before}
    found = GAME.soon(GAME.view(position(case, "en"), seat))
    return [(one.name, in_words(GAME, "soon", one.row), one.order) for one in found]


def text(name: str, squares: str, kind: str) -> str:
    return f"{name} has {squares} left, and your {kind} is there."


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("warrior", "warrior mandarin"),
        ("flood", "flood +2"),
        ("builder", "builder wall"),
        ("mandarin", "mandarin none"),
    ],
)
def test_an_answer_for_each_kind(kind: str, answer: str) -> None:
    before = {"squares": ["A1 green"], "cards": [f"red {kind} AP1"]}
    assert soon(before) == [("AP1", text("AP1", "2 empty squares", kind), answer)]


def test_the_master_builder_is_asked_nothing() -> None:
    assert soon({"squares": ["A1 green"], "cards": ["red master-builder AP1"]}) == []


@pytest.mark.parametrize(
    ("squares", "words"),
    [([], ""), (["A1 green"], "2 empty squares"), (["A1 A2 green"], "1 empty square"), (["A1 A2 A3 green"], "")],
)
def test_only_where_one_turn_can_complete_it(squares: list[str], words: str) -> None:
    found = soon({"squares": squares, "cards": ["red flood AP1"]})
    assert found == ([("AP1", text("AP1", words, "flood"), "flood +2")] if words else [])


def test_the_fullest_comes_first() -> None:
    cards = ["red flood AP1", "red warrior BP1", "red builder BP2"]
    found = soon({"squares": ["A1 green", "B1 B2 red"], "cards": cards})
    assert [name for name, _, _ in found] == ["BP1", "BP2", "AP1"]
    cards = ["red builder BP2", "red flood AP1", "red warrior BP1"]  # of two alike, the first laid
    found = soon({"squares": ["A1 green", "B1 B2 red"], "cards": cards})
    assert [name for name, _, _ in found] == ["BP2", "BP1", "AP1"]


def test_nobody_else_is_reminded() -> None:
    before = {"squares": ["A1 green"], "cards": ["red flood AP1", "green warrior AP1"]}
    assert [answer for _, _, answer in soon(before)] == ["flood +2"]
    assert [answer for _, _, answer in soon(before, "green")] == ["warrior mandarin"]
    assert soon(before, None) == []


@pytest.mark.parametrize(
    ("before", "answer"),
    [
        ({"squares": ["A2 green"]}, "traitor break A2"),
        ({"squares": ["A2 green", "A1 red"]}, "traitor break A1"),
        ({"squares": ["A2 A1 green broken"]}, "traitor counter AM1"),
        ({"squares": ["A3 green tower"]}, "traitor counter AM1"),
        ({"squares": ["A1 A2 green broken"], "gone": ["AM1"]}, "traitor none"),
    ],
    ids=str,
)
def test_what_a_traitor_may_do(before: dict[str, Any], answer: str) -> None:
    """The leftmost wall that can be broken, else the counter beside the province."""
    found = soon({"cards": ["red traitor AP1"]} | before)
    assert [one[2] for one in found] == [answer]


def test_a_region_further_on() -> None:
    before = {"squares": ["A4 A5 A6 green broken"], "cards": ["red traitor AP2"]}
    assert [one[2] for one in soon(before)] == ["traitor counter AM1"]
    before |= {"gone": ["AM1"]}
    assert [one[2] for one in soon(before)] == ["traitor counter AM2"]
