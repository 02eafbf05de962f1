"""Opening a game: what is refused, and that a script with nonsense in it gets one clear line."""

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.chang_cheng import GAME
from pbem.errors import BadInput

SCRIPT = Path(__file__).parent / "scripts" / "cc-4-en-plain-u.json"
MANY = {"id": "many", "provinces": [1] * 10, "regions": [2] * 5}


def changed(**parts: Any) -> dict[str, Any]:
    """A good script with some of it replaced."""
    document: dict[str, Any] = json.loads(SCRIPT.read_text(encoding="utf-8"))
    return {**document, **parts}


@pytest.mark.parametrize(
    "seats", [("red",), ("red", "red"), ("red", "pink"), ("red", "green", "blue", "violet", "red")]
)
def test_seats_that_are_refused(seats: tuple[str, ...]) -> None:
    with pytest.raises(BadInput) as found:
        GAME.configure(seats, {})
    assert found.value.code.startswith("players/")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("edition", "de"),
        ("edition", "hu (fan translation)"),
        ("variant", "three-colour"),
        ("pairs", "red+blue,green+violet"),
        ("events", "E"),
        ("events", "A,A"),
        ("events", "A,B,C"),
        ("events", "drawn-3"),
        ("events", "drawn"),
        ("events", ""),
        ("counters", "123"),
        ("counters", "000111222333444/22222333334444x"),
        ("boards", "1a,1b,2a,3a"),
        ("boards", "1a,2a,3a"),
        ("boards", "9a,2a,3a,4a"),
        ("colour", "red"),
    ],
)
def test_options_that_are_refused(name: str, value: str) -> None:
    with pytest.raises(BadInput) as found:
        GAME.configure(("red", "green"), {name: value})
    assert found.value.code.startswith("option/")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"edition": "hu", "events": "A"}, "plays with 0 or 2 events, not 1"),
        ({"edition": "hu", "events": "drawn-1"}, "plays with 0 or 2 events, not 1"),
        ({"variant": "two-colour", "pairs": "red+green,blue+violet"}, "one player's colours"),
        ({"variant": "two-colour", "pairs": "red+blue,green+red"}, "not two pairs"),
        ({"variant": "two-colour", "pairs": "red+blue+green,violet"}, "not two pairs"),
        ({"sides": "1a:3:4"}, "its provinces have 3 squares, its regions 4"),
        ({"sides": "1a:3:3 2a:3:3"}, "2 boards are too few: 2 players may come to 3"),
        ({"sides": "1a:3:3 1b:3:3 2a:3:3"}, "2 boards are too few"),
        ({"sides": "1a:3:3 1a:3:3 2a:3:3"}, "two sides are called '1a'"),
        ({"sides": "1a:0,3:3"}, "at least one square"),
        ({"sides": "1a;3;3"}, "is not a board such as"),
        ({"sides": "1a:99,1:100"}, "is not a board such as"),
        ({"sides": "1a:60,60:60,60 2a:3:3 3a:3:3"}, "too big"),
        ({"sides": "w:3:3 x:3:3 y:3:3", "boards": "w,x"}, "does not name each of the 3 boards"),
        ({"sides": "w:3:3 x:3:3 y:3:3", "boards": "1a,2a,3a"}, "no board side '1a'"),
        ({"sides": "a:1,1,1,1,1,1:6 b:1,1,1,1,1,1:6 ca:6:6 cb:1,1,1,1:4 y:3:3"}, "can have 16 provinces"),
    ],
    ids=str,
)
def test_options_that_do_not_go_together(options: dict[str, str], text: str) -> None:
    with pytest.raises(BadInput) as found:
        GAME.configure(("red", "green"), options)
    assert text in found.value.as_line()
    assert "\n" not in found.value.as_line()


@pytest.mark.parametrize("variant", ["neutral", "two-colour"])
def test_variants_are_for_two(variant: str) -> None:
    with pytest.raises(BadInput, match="is for two players, not 3"):
        GAME.configure(("red", "green", "blue"), {"variant": variant})


def test_one_spelling_is_settled() -> None:
    """However it was typed; what means nothing is not settled at all."""
    given = {"events": "c, a", "edition": "FR", "boards": "4b 3b 1a 2a"}
    config = GAME.configure(("red", "green"), given)
    assert dict(config.options) == {
        "edition": "fr",
        "variant": "plain",
        "events": "A,C",
        "boards": "4b,3b,1a,2a",
        "seats": "named",
    }


def test_own_boards_are_drawn_or_chosen_like_any() -> None:
    sides = "w:3:3 1a:2,2:4 1b:4:1,3 z:5:5"
    drawn = GAME.configure(("red", "green"), {"sides": sides})
    piles = {pile.name: pile.items for pile in GAME.piles(drawn)}
    assert piles["boards"] == ("w", "1", "z")
    assert (piles["side/1"], piles["side/w"]) == (("1a", "1b"), ("w",))
    chosen = GAME.configure(("red", "green"), {"sides": sides, "boards": "1b,w,z"})
    deal = {pile.name: pile.items for pile in GAME.piles(chosen)}
    public = GAME.setup(chosen, deal, 1).state.public
    assert [placed.board.id for placed in public.layout.placed] == ["1b", "w"]
    assert [board.id for board in public.box] == ["z"]


def test_own_counters_are_those_that_are_dealt() -> None:
    counters = "555555555555555/999999999999999"
    config = GAME.configure(("red", "green"), {"counters": counters})
    piles = {pile.name: pile.items for pile in GAME.piles(config)}
    assert set(piles["reputation"]) == {"5"}
    assert set(piles["threat"]) == {"9"}


def test_the_worst_draw_counts_not_the_lucky_one() -> None:
    """CC-31: boards that could need too many are refused, though another draw would do."""
    many = "a:1,1,1,1,1,1,1,1,1,1:10"
    with pytest.raises(BadInput, match="can have 20 provinces"):
        GAME.configure(("red", "green"), {"sides": f"{many} 2a:5,5:10 2b:2,2,2,2,2:10 c:5,5,5,5,5:25"})
    few = f"{many} 2a:5,5:10 c:25:25"
    assert GAME.configure(("red", "green"), {"sides": few})


def test_boards_that_want_too_many_counters_are_refused() -> None:
    """CC-31: four players may come to four boards; with two of ten provinces they want 26."""
    script = GAME.from_script(changed(box=[MANY, MANY]))
    with pytest.raises(BadInput) as found:
        GAME.setup(script.config, script.deal, 1)
    assert "26 provinces" in found.value.as_line()


def test_fifteen_counters_are_enough_for_fifteen() -> None:
    board = {"id": "five", "provinces": [1] * 5, "regions": [1] * 5}
    players = [{"name": "ann", "colours": ["red"]}, {"name": "bob", "colours": ["blue"]}]
    script = GAME.from_script(changed(players=players, boards=[board, board], box=[board, board]))
    assert GAME.setup(script.config, script.deal, 1).state.public.rules.max_boards == 3


@pytest.mark.parametrize(
    "parts",
    [
        {"players": "ann"},
        {"players": [{"name": "ann", "colours": ["red", "green"]}]},
        {"boards": [{"id": "x", "provinces": ["many"], "regions": [3]}] * 2},
        {"boards": [{"id": "x", "provinces": [3], "regions": [4]}] * 2},
        {"boards": []},
        {"boards": None},
        {"reputation": [1, 2, 3]},
        {"threat": ["x"] * 15},
        {"threat": [99] * 15},
        {"orders": [{"player": "ann"}]},
        {"options": {"events": ["E"]}},
        {"options": {"events": 3}},
        {"options": {"edition": "hu", "events": ["A"]}},
        {"options": {"variant": "two-colour"}},
    ],
    ids=str,
)
def test_a_script_that_is_none_gets_one_line(parts: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as found:
        GAME.from_script(changed(**parts))
    assert "\n" not in found.value.as_line()


def test_a_script_comes_back_from_its_deal() -> None:
    document = changed()
    script = GAME.from_script(document)
    again = GAME.to_script(script.config, script.deal)
    for part in ("boards", "box", "reputation", "threat"):
        assert again[part] == document[part]


@pytest.mark.parametrize("path", sorted(SCRIPT.parent.glob("cc-*.json")), ids=lambda p: p.stem)
def test_every_script_comes_back(path: Path) -> None:
    """Players are named by their seats then; all else is the same, options and colours too."""
    document = json.loads(path.read_text(encoding="utf-8"))
    script = GAME.from_script(document)
    again = GAME.to_script(script.config, script.deal)
    assert [one["colours"] for one in again["players"]] == [one["colours"] for one in document["players"]]
    for part in ("options", "boards", "box", "reputation", "threat"):
        assert again[part] == document[part]
    assert GAME.from_script(again).config == script.config


def test_seats_as_drawn_in_a_script() -> None:
    script = GAME.from_script(changed())
    seats = script.config.seats
    written = GAME.to_script(script.config, {**script.deal, "seats": seats[::-1]})
    assert written["game"] == "chang-cheng"
    assert [one["name"] for one in written["players"]] == [*seats[::-1]]
    assert written["orders"] == []


def test_options_may_be_left_out_of_a_script() -> None:
    document = changed()
    del document["options"]
    options = GAME.from_script(document).config.options
    assert options == GAME.configure(("red", "green"), {}).options
