"""Cards of Chang Cheng that may soon be turned up, as their owner is reminded of them."""

from typing import Any

import pytest

from pbem.engine.chang_cheng import GAME

from .case import position
from .in_words import in_words

SMALL = {"boards": ["small:3,4:4,3", "other:3,1:3,1"], "box": ["third:3:3"]}


def soon(before: dict[str, Any], seat: str | None = "red") -> list[tuple[str, str, tuple[str, ...]]]:
    """What a seat is reminded of: the province, the sentence, and the answers that are proposed."""
    case = {"players": ["red", "green"], "before": SMALL | before}
    reminders = GAME.soon(GAME.view(position(case, "en"), seat))
    return [(one.name, in_words(GAME, "soon", one.row), one.orders) for one in reminders]


def text(name: str, squares: str, kind: str) -> str:
    return f"Your {kind} in {name}, {squares} left:"


@pytest.mark.parametrize(
    ("kind", "answers"),
    [
        (
            "warrior",
            ("warrior traitor", "warrior flood", "warrior builder", "warrior master-builder", "warrior mandarin"),
        ),
        ("flood", ("flood +2", "flood -2")),
        ("builder", ("builder wall", "builder value")),
        ("mandarin", ()),  # no wall can be moved: `mandarin none` would harm only its player
    ],
)
def test_the_answers_for_each_kind(kind: str, answers: tuple[str, ...]) -> None:
    before = {"squares": ["A1 green"], "cards": [f"red {kind} AP1"]}
    assert soon(before) == [("AP1", text("AP1", "2 squares", kind), answers)]


def test_the_master_builder_is_asked_nothing() -> None:
    assert soon({"squares": ["A1 green"], "cards": ["red master-builder AP1"]}) == []


@pytest.mark.parametrize(
    ("squares", "words"),
    [([], ""), (["A1 green"], "2 squares"), (["A1 A2 green"], "1 square"), (["A1 A2 A3 green"], "")],
)
def test_only_where_one_turn_can_complete_it(squares: list[str], words: str) -> None:
    found = soon({"squares": squares, "cards": ["red flood AP1"]})
    assert found == ([("AP1", text("AP1", words, "flood"), ("flood +2", "flood -2"))] if words else [])


def test_the_fullest_comes_first() -> None:
    cards = ["red flood AP1", "red warrior BP1", "red builder BP2"]
    found = soon({"squares": ["A1 green", "B1 B2 red"], "cards": cards})
    assert [name for name, _, _ in found] == ["BP1", "BP2", "AP1"]
    cards = ["red builder BP2", "red flood AP1", "red warrior BP1"]  # of two alike, the first laid
    found = soon({"squares": ["A1 green", "B1 B2 red"], "cards": cards})
    assert [name for name, _, _ in found] == ["BP2", "BP1", "AP1"]


def test_nobody_else_is_reminded() -> None:
    before = {"squares": ["A1 green"], "cards": ["red flood AP1", "green warrior AP1"]}
    assert [answers[0] for _, _, answers in soon(before)] == ["flood +2"]
    assert [answers[0] for _, _, answers in soon(before, "green")] == ["warrior traitor"]
    assert soon(before, None) == []


@pytest.mark.parametrize(
    ("before", "answers"),
    [
        ({"squares": ["A2 green"]}, ["traitor break A2", "traitor counter AM1"]),
        ({"squares": ["A2 green", "A1 red"]}, ["traitor break A2", "traitor counter AM1"]),
        ({"squares": ["A2 A1 green broken"]}, ["traitor counter AM1"]),
        ({"squares": ["A3 green tower"]}, ["traitor counter AM1"]),
        ({"squares": ["A1 A2 green broken"], "gone": ["AM1"]}, []),
    ],
    ids=str,
)
def test_what_a_traitor_may_do(before: dict[str, Any], answers: list[str]) -> None:
    """Another player's walls that can be broken, and the counters beside the province; never nothing."""
    [(_, _, proposed)] = soon({"cards": ["red traitor AP1"]} | before)
    assert list(proposed) == answers


def test_a_region_further_on() -> None:
    before = {"squares": ["A4 A5 A6 green broken"], "cards": ["red traitor AP2"]}
    assert [one[2] for one in soon(before)] == [("traitor counter AM1", "traitor counter AM2")]
    before |= {"gone": ["AM1"]}
    assert [one[2] for one in soon(before)] == [("traitor counter AM2",)]
