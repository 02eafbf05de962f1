"""Lines of Great Wall taken apart; what is none, and how some are refused, word by word."""

import pytest

from pbem.engine.great_wall import GAME
from pbem.engine.great_wall.parts import DRAGON, HORSEMAN, WALL
from pbem.engine.great_wall.spelling import Order, parse_order

from .case_great_wall import position

TAKEN_APART = {
    "draw": Order("draw"),
    "play S1 wall": Order("play", 0, WALL, 1),
    "play S2 wall wall": Order("play", 1, WALL, 2),
    "play S1 dragon": Order("play", 0, DRAGON, 1),
    "play S1 dragon over 3": Order("play", 0, DRAGON, 1, card=2),
    "play S1 dragon over 999": Order("play", 0, DRAGON, 1, card=998),
    "horseman S3": Order("horseman", 2, HORSEMAN, 1),
    "take S1 7 on 1": Order("take", 0, marker=7, card=0),
    "take S4 10 on 12": Order("take", 3, marker=10, card=11),
}
NONE = (
    "",
    "draw S1",
    "hello S1",
    "play",
    "play S1",
    "play S9 wall",
    "play S1 palace",
    "play S1 wall gate",
    "play S1 dragon over 0",
    "play S1 dragon over 03",
    "play S1 dragon over 1000",
    "play S1 dragon over ٣",
    "play S1 dragon over x",
    "play S1 dragon over",
    "play S1 dragon dragon over",
    "play S1 wall over 3",
    "horseman",
    "horseman S1 S2",
    "pass S1",
    "take S1",
    "take S1 7",
    "take S1 7 on",
    "take S1 7 at 1",
    "take S1 0 on 1",
    "take S1 7 on 0",
    "take S1 x on y",
    "take S1 1000 on 1",
    "take S1 7 on 1 2",
    "place S1 7 on 1",
)


@pytest.mark.parametrize("line", TAKEN_APART)
def test_an_order(line: str) -> None:
    assert parse_order(line) == TAKEN_APART[line]


@pytest.mark.parametrize("line", NONE)
def test_no_order(line: str) -> None:
    assert parse_order(line) is None


@pytest.mark.parametrize("line", ["take S1 7 on 1", "take S1 7"])
def test_no_marker_now(line: str) -> None:
    view = GAME.view(position({"players": ["blue", "green"], "before": {}}), "blue")
    refusal = GAME.check(view, line)
    assert refusal is not None
    assert str(refusal.sentence) == "you cannot take a marker now; choose an action"


def test_the_sites_of_three() -> None:
    players = ["blue", "green", "red"]
    view = GAME.view(position({"players": players, "before": {}}), "blue")
    assert GAME.why_never(view, "S3") == ""
    assert GAME.why_never(view, "S4") == "there is no S4 in this game; its sites are S1 to S3"
