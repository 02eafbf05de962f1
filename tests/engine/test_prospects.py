"""What a bot at a seat of Chang Cheng expects of a position, in hundredths of a point."""

from typing import Any

import pytest

from pbem.engine.chang_cheng import GAME

from .case import CASES, position, read

SMALL = {"boards": ["small:2,2:4", "other:2,1:3"], "box": ["third:3:3"]}


def expects(before: dict[str, Any], seat: str = "red", **parts: Any) -> int:
    """Of a position of two small boards, whose counters are gone where nothing else is said."""
    gone = {"gone": ["AM1", "BM1"]} if "threat" not in before else {}
    case = {"players": ["red", "green"], "before": SMALL | gone | before, **parts}
    return GAME.prospects(GAME.view(position(case, "en"), seat))


@pytest.mark.parametrize(
    ("before", "hundredths"),
    [
        ({"scores": {}}, 0),
        ({"scores": {"red": 3, "green": 1}}, 200),
        ({"squares": ["A1 red"]}, 50),  # AP1 is worth 2, and half full: a quarter of it
        ({"squares": ["A1 green"]}, -50),
        ({"squares": ["A1 red", "B1 green"]}, 0),
        ({"squares": ["A1 red", "A3 red"]}, 100),
        ({"squares": ["A1 red"], "reputation": {"AP1": 4}}, 150),
        ({"squares": ["A1 A2 red"]}, 0),  # it is scored, and done
        ({"squares": ["A1 A2 red", "A3 red"]}, 50),
        ({"squares": ["A1 red broken"]}, 0),  # nobody leads, or everybody
        ({"squares": ["A1 red"], "cards": ["red builder AP1"]}, 50),
        ({"squares": ["A1 green"], "cards": ["red builder AP1"]}, 0),  # level
        ({"squares": ["A1 green"], "cards": ["red master-builder AP1"]}, 50),
        ({"squares": ["A1 green"], "cards": ["red flood AP1"]}, -50),
        ({"squares": ["A1 green"], "cards": ["red master-builder AP2"]}, -50),
        ({"squares": ["A1 green"], "cards": ["green master-builder AP1"]}, -50),
        ({"squares": ["A1 green"], "cards": ["red builder BP1", "red builder AP1"]}, 0),
    ],
    ids=str,
)
def test_provinces(before: dict[str, Any], hundredths: int) -> None:
    assert expects(before) == hundredths


def test_an_own_card_is_added_to_own_walls() -> None:
    before = {"boards": ["wide:4,2:6", "other:2,1:3"], "squares": ["A1 red", "A2 A3 green"]}
    assert expects(before) == -400 * 9 // 16
    assert expects(before | {"cards": ["red builder AP1"]}) == 0


def test_a_card_of_another_seat_is_not_known() -> None:
    before = {"squares": ["A1 green"], "cards": ["red master-builder AP1"]}
    assert expects(before) == 50
    assert expects(before, "green") == 50


THREE = {"AM1": 4, "BM1": 4}


@pytest.mark.parametrize(
    ("before", "hundredths"),
    [
        # a third of BP1 and BM1 has two of three; BP2 is full: scored
        ({"squares": ["B3 red"], "gone": ["AM1"]}, -300 // 9),
        ({"squares": ["B3 red"], "gone": ["AM1"], "looked": ["red BM1"]}, -400 // 9),
        ({"squares": ["B3 red"], "gone": ["AM1"], "looked": ["green BM1"]}, -300 // 9),
        ({"squares": ["B3 red tower"], "gone": ["AM1"]}, 0),
        ({"squares": ["B3 green"], "gone": ["AM1"]}, 34),
        ({"squares": ["B3 red"], "gone": ["BM1"]}, 0),
        ({"squares": ["A1 A2 red"], "gone": ["BM1"]}, -300 * 4 // 16),
        ({"squares": ["A1 A2 red"]}, -300 * 4 // 16),
        ({"squares": ["A1 A2 red", "B3 red"]}, -75 - 34),
        ({"squares": ["A1 red"]}, 50 - 19),
    ],
    ids=str,
)
def test_regions(before: dict[str, Any], hundredths: int) -> None:
    """What the Mongols would take; 3 where one has not seen the counter."""
    assert expects({"threat": THREE} | before) == hundredths


def test_the_best_other_one_is_what_counts() -> None:
    players = ["red", "green", "blue"]
    before = SMALL | {"gone": ["AM1", "BM1"], "scores": {"red": 5, "green": 1, "blue": 4}}
    state = position({"players": players, "before": before}, "en")
    expected = {"red": 100, "green": -400, "blue": -100}
    assert {seat: GAME.prospects(GAME.view(state, seat)) for seat in players} == expected


def test_neutral_walls_are_nobodys() -> None:
    before = {"squares": ["A1 neutral", "A3 green"]}
    assert expects(before, variant="neutral") == -50


def test_two_colours_are_added() -> None:
    case = read(CASES / "CC-61_the_sum_of_both_colours.toml")
    assert case["variant"] == "two-colour"
    before = {"squares": ["A1 red", "A3 violet"]}
    assert expects(before, variant="two-colour") == 100


def test_at_the_end_only_points_count() -> None:
    case = read(CASES / "CC-42_tower.toml")
    state = position(case, "en")
    state = GAME.apply(state, "red", "wall A1", 2).state
    assert GAME.prospects(GAME.view(state, "red")) == 300
    assert GAME.prospects(GAME.view(state, "green")) == -300
