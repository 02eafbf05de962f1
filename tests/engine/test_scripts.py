"""Whole games whose every step is known: who acts, how many orders, which, the points, the end."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.chang_cheng import GAME

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("cc-*.json"))


def test_there_are_scripts_of_two_three_and_four() -> None:
    assert {path.name.split("-")[1] for path in SCRIPTS} == {"2", "3", "4"}
    assert len(SCRIPTS) == 40


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    expected = document["expected"]
    script = GAME.from_script(document)
    state = GAME.setup(script.config, script.deal, 1).state
    steps = [*script.orders, (None, None)]
    assert len(steps) == len(expected["steps"])
    for number, ((player, line), step) in enumerate(zip(steps, expected["steps"], strict=True)):
        assert position(state, script.names) == step, f"before order {number + 1}"
        if player is not None and line is not None:
            seat = next(seat for seat, name in script.names.items() if name == player)
            state = GAME.apply(state, seat, line, number + 2).state
    assert final(state, script.names) == expected["final"]
    assert expected["over"] is (GAME.outcome(GAME.view(state, None)) is not None)


def position(state: Any, names: dict[str, str]) -> list[Any]:
    """One step as scripts have it: who acts, legal orders, the digest of their list, the points."""
    view = GAME.view(state, None)
    scores = [points for _, points in GAME.scores(view)]
    questions = GAME.questions(view)
    seat = questions[0].seat if questions else None
    lines = GAME.legal(GAME.view(state, seat)) if seat else ()
    digest = sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]
    return [names[seat] if seat else None, len(lines), digest, scores]


def final(state: Any, names: dict[str, str]) -> dict[str, Any] | None:
    """How it ended, by the players' names."""
    outcome = GAME.outcome(GAME.view(state, None))
    if outcome is None:
        return None
    return {
        "scores": {names[seat]: points for seat, points in outcome.scores},
        "winners": [names[seat] for seat in outcome.winners],
        "ended_by": outcome.ended_by,
    }
