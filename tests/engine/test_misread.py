"""Positions and views of Chang Cheng that are none: one line each, which quotes nothing of them."""

import re
from typing import Any

import pytest

from pbem.engine.chang_cheng import GAME
from pbem.errors import BadInput

from .case import CASES, position, read

CASE = read(CASES / "CC-24_break.toml")
CONFIG = GAME.configure(["red", "green"], {})

#: what is wrong with a position, and how it gets so
MISREAD: dict[str, Any] = {
    "other seats": lambda p, v: p.update(seats=["red", "blue"]),
    "boards for more players": lambda p, v: p.update(boards_allowed=4),
    "one board": lambda p, v: p.update(boards=p["boards"][:1]),
    "more boards than allowed": lambda p, v: p.update(boards=[*p["boards"], "C 3a:3:3", "D 4a:3:3"]),
    "no board": lambda p, v: p.update(boards=["A 1a:3:4", "B 2a:3:3"]),
    "a square that is not there": lambda p, v: p.update(squares=["C1 red single"]),
    "a colour that is not there": lambda p, v: p.update(squares=["A1 blue single"]),
    "no such piece": lambda p, v: p.update(squares=["A1 red house"]),
    "no such province": lambda p, v: p.update(cards=["1/card/01 red CP1"]),
    "nobody's turn": lambda p, v: p.update(seat="blue"),
    "a number in words": lambda p, v: p.update(turn="ten"),
    "no turn": lambda p, v: p.pop("turn"),
    "a hidden counter left out": lambda p, v: v.pop("1/threat/00"),
    "a hidden counter in words": lambda p, v: v.update({"1/threat/00": "three"}),
    "a pile cut short": lambda p, v: v.pop("1/reputation/14"),
    "a hidden card left out": lambda p, v: v.pop("1/card/01"),
    "a hidden card of no kind": lambda p, v: v.update({"1/card/01": "emperor"}),
    "rows that are none": lambda p, v: p.update(squares=3),
}


@pytest.mark.parametrize("what", MISREAD)
def test_no_position(what: str) -> None:
    found = GAME.encode(position(CASE, "en"))
    values = {slot: hidden.for_sealing() for slot, hidden in found.hidden.items()}
    MISREAD[what](found.public, values)
    with pytest.raises(BadInput) as refused:
        GAME.decode(CONFIG, found.public, values)
    assert refused.value.code == "position/unreadable"
    assert re.fullmatch(
        r"this is not a position of chang-cheng \((Value|Key|Type)Error\)"
        r"\. Get the file again from where it came\.",
        refused.value.as_line(),
    )


@pytest.mark.parametrize("changed", [{"seats": ["red"]}, {"turn": "ten"}, {"boards": None}])
def test_nothing_to_watch(changed: dict[str, Any]) -> None:
    public = GAME.encode(position(CASE, "en")).public | changed
    with pytest.raises(BadInput) as refused:
        GAME.watch(CONFIG, public)
    assert refused.value.code == "position/unreadable"
    assert refused.value.as_line().startswith("this is not a position of chang-cheng (")


@pytest.mark.parametrize("changed", [{"seat": "blue"}, {"table": {}}, {"table": None}])
def test_no_view(changed: dict[str, Any]) -> None:
    data = GAME.encode_view(GAME.view(position(CASE, "en"), "red"))
    with pytest.raises(BadInput) as refused:
        GAME.decode_view(CONFIG, data | changed)
    assert refused.value.code == "view/unreadable"
    line = refused.value.as_line()
    assert re.match(r"this is not a view of chang-cheng \((Value|Key|Type)Error\)", line)


def test_the_same_position_and_another() -> None:
    before, other = position(CASE, "en"), position(CASE, "fr")
    assert before == position(CASE, "en")
    assert before != other
    seat, line = CASE["orders"][0]
    after = GAME.apply(before, seat, line, 2).state
    assert before.public != after.public
    assert before.public != 3


def test_an_order_that_is_not_legal() -> None:
    """Who asks ``apply`` for it gets the refusal's words; a moderator has asked before."""
    state = position(CASE, "en")
    with pytest.raises(BadInput) as refused:
        GAME.apply(state, "green", "wall A1", 2)
    assert refused.value.code == "order/illegal"
    assert refused.value.as_line() == "'wall A1' is not legal: A1 is already taken. See CC-10."


def test_no_card_without_cards() -> None:
    state = position(read(CASES / "CC-1_no_card_left.toml"), "en")
    with pytest.raises(BadInput, match="you no longer hold the warrior"):
        GAME.apply(state, "red", "card warrior AP1", 2)
