"""Whole games whose every step is known: who acts, how many orders, which, the points, the end."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem import catalog
from pbem.engine.game import Game

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.json"))


@pytest.mark.parametrize(("prefix", "players", "number"), [("cc", "234", 40), ("gw", "2345", 8)])
def test_there_are_scripts_for_every_number_of_players(prefix: str, players: str, number: int) -> None:
    names = [path.name for path in SCRIPTS if path.name.startswith(f"{prefix}-")]
    assert {name.split("-")[1] for name in names} == set(players)
    assert len(names) == number


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    expected = document["expected"]
    game = catalog.load(document["game"])
    script = game.from_script(document)
    state = game.setup(script.config, script.deal, 1).state
    steps = [*script.orders, (None, None)]
    assert len(steps) == len(expected["steps"])
    for number, ((player, line), step) in enumerate(zip(steps, expected["steps"], strict=True)):
        assert position(game, state, script.names) == step, f"before order {number + 1}"
        if player is not None and line is not None:
            seat = next(seat for seat, name in script.names.items() if name == player)
            state = game.apply(state, seat, line, number + 2).state
    assert final(game, state, script.names) == expected["final"]
    assert expected["over"] is (game.outcome(game.view(state, None)) is not None)


def position(game: Game, state: Any, names: dict[str, str]) -> list[Any]:
    """One step as scripts have it: who acts, legal orders, the digest of their list, the points."""
    view = game.view(state, None)
    scores = [points for _, points in game.scores(view)]
    questions = game.questions(view)
    seat = questions[0].seat if questions else None
    lines = game.legal(game.view(state, seat)) if seat else ()
    digest = sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]
    return [names[seat] if seat else None, len(lines), digest, scores]


def final(game: Game, state: Any, names: dict[str, str]) -> dict[str, Any] | None:
    """How it ended, by the players' names."""
    outcome = game.outcome(game.view(state, None))
    if outcome is None:
        return None
    return {
        "scores": {names[seat]: points for seat, points in outcome.scores},
        "winners": [names[seat] for seat in outcome.winners],
        "ended_by": outcome.ended_by,
    }
