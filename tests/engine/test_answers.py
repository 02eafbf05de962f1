"""Which lines of a mail answer the question of Chang Cheng that is put; lines spelt otherwise."""

from typing import Any

import pytest

from pbem.engine.chang_cheng import GAME
from pbem.engine.decision import Step

from .case import CASES, editions, position, read
from .judging import played


def place(name: str) -> Any:
    """The position of a case after its orders."""
    case = read(CASES / f"{name}.toml")
    begun = Step(position(case, editions(case)[0]), ())
    return played(GAME, begun, case.get("orders", ()), 2)[0]


ACTION = ("CC-10_double_and_tower_are_whole_actions", "red")
AFTER_WALL = ("CC-10_two_walls", "red")
AFTER_CARD = ("CC-10_second_card_elsewhere", "red")
BOARD = ("CC-31_who_is_asked", "red")
BUILDER = ("CC-25_what_is_asked", "red")
COLOUR = ("CC-61_colour_first", "blue")
NEUTRAL = ("CC-60_begun_turn", "red")
PASS = ("R-1_nothing_left_but_to_pass", "red")


@pytest.mark.parametrize(
    ("asked", "lines", "others"),
    [
        (
            ACTION,
            ["wall A1", "wall", "card flood AP1", "double A1 A2", "tower Z1", "pass"],
            ["board left", "flood +2", "neutral none", "colour red", "hello", ""],
        ),
        (AFTER_WALL, ["wall A1", "wall B1"], ["card flood AP1", "tower B1", "pass", "board left"]),
        (AFTER_CARD, ["wall A1", "card flood AP1"], ["double A1 A2", "tower B1", "pass"]),
        (BOARD, ["board left", "board up"], ["wall A1", "pass"]),
        (BUILDER, ["builder value", "builder none"], ["flood +2", "wall A1"]),
        (COLOUR, ["colour blue", "colour pink"], ["wall A1", "pass"]),
        (NEUTRAL, ["neutral none", "neutral A1"], ["wall A1", "pass"]),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else "",
)
def test_what_fits(asked: tuple[str, str], lines: list[str], others: list[str]) -> None:
    """A line of another sort waits for its own question; nobody else is asked."""
    case, seat = asked
    state = place(case)
    view = GAME.view(state, seat)
    assert [line for line in (*lines, *others) if GAME.fits(view, line)] == lines
    waiting = [other for other in state.public.rules.seats if other != seat]
    for other in (*waiting, None):
        assert not any(GAME.fits(GAME.view(state, other), line) for line in lines)


@pytest.mark.parametrize(
    ("asked", "line", "ruling", "words"),
    [
        (ACTION, "Wall A1", "CC-10", "write it as `wall A1`"),
        (ACTION, "wall a1", "CC-10", "write it as `wall A1`"),
        (ACTION, "hello", "CC-10", "this is not an order of this game"),
        (ACTION, "board left", "CC-10", "choose an action now; `board` answers another question"),
        (ACTION, "wall Z9", "CC-2", "there is no Z9 on the wall, which has A1 to A11, B1 to B11"),
        (PASS, "wall B7", "CC-12", "you cannot place anything: `pass` is your only order"),
    ],
)
def test_refused(asked: tuple[str, str], line: str, ruling: str, words: str) -> None:
    case, seat = asked
    refusal = GAME.check(GAME.view(place(case), seat), line)
    assert refusal is not None
    assert refusal.ruling == ruling
    assert str(refusal.sentence).startswith(words)
