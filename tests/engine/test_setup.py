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
        ("variant", "neutral"),
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


def test_boards_that_want_too_many_counters_are_refused() -> None:
    """CC-31: four players may come to four boards; with two of ten provinces they want 26."""
    script = GAME.from_script(changed(box=[MANY, MANY]))
    with pytest.raises(BadInput) as found:
        GAME.setup(script.config, script.deal, 1)
    assert "26 provinces" in found.value.line()


def test_fifteen_counters_are_enough_for_fifteen() -> None:
    board = {"id": "five", "provinces": [1] * 5, "regions": [1] * 5}
    players = [{"name": "ann", "colours": ["red"]}, {"name": "bob", "colours": ["blue"]}]
    script = GAME.from_script(changed(players=players, boards=[board, board], box=[board, board]))
    assert GAME.setup(script.config, script.deal, 1).state.public.rules.boards == 3


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
        {"options": {"events": ["A"]}},
        {"options": {"edition": "hu"}},
    ],
    ids=str,
)
def test_a_script_that_is_none_gets_one_line(parts: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as found:
        GAME.from_script(changed(**parts))
    assert "\n" not in found.value.line()


def test_a_script_comes_back_from_its_deal() -> None:
    document = changed()
    script = GAME.from_script(document)
    again = GAME.to_script(script.config, script.deal)
    for part in ("boards", "box", "reputation", "threat"):
        assert again[part] == document[part]
