"""The engine's Great Wall and the rules written down again, played side by side.

Decks and reserve are drawn; a short reserve brings the end of GW-30, which full ones hardly reach.
"""

from random import Random
from typing import Any

import pytest
from sizes import size

from pbem.engine.great_wall import GAME

from .again_great_wall import Again
from .case_great_wall import DECK, MARKERS

GAMES = size("games against the rules written again")


def dealt(random: Random, players: int) -> tuple[list[str], dict[str, list[str]], list[int]]:
    """Seats, decks and reserve."""
    seats = random.sample(GAME.seats, players)
    decks = {seat: random.sample([*DECK.elements()], DECK.total()) for seat in seats}
    reserve = random.sample([*MARKERS.elements()], MARKERS.total())
    short = 2 * random.randint(5 if players > 2 else 9, 18)
    return seats, decks, reserve[:short]


def both(random: Random, players: int) -> str:
    """One game played twice; the ruling that ended it."""
    seats, decks, reserve = dealt(random, players)
    again = Again(seats, decks, reserve)
    deal: dict[str, list[str]] = {f"deck/{seat}": deck for seat, deck in decks.items()}
    deal["reserve"] = [str(value) for value in reserve]
    state = GAME.setup(GAME.configure(seats, {}), deal, 1).state
    eager = random.random()
    for _ in range(2000):
        agree(state, again)
        lines = sorted(again.legal())
        if not lines:
            return again.ended_by
        plays = [line for line in lines if line != "draw"]
        line = random.choice(plays if plays and random.random() < eager else lines)
        state = GAME.apply(state, again.seat, line, 2).state
        again.give(line)
    raise AssertionError("the game does not end")


def agree(state: Any, again: Again) -> None:
    """The same seat asked, the same orders, influence, points, end."""
    view = GAME.view(state, None)
    asked = [question.seat for question in GAME.questions(view)]
    assert asked == ([] if again.ended_by else [again.seat])
    for seat in asked:
        legal = GAME.legal(GAME.view(state, seat))
        assert sorted(legal) == sorted(again.legal())
    for site, also in zip(state.public.sites, again.sites, strict=True):
        found = dict(zip(again.seats, site.influence, strict=True))
        found = {seat: number for seat, number in found.items() if number is not None}
        assert found == (again.influence(also) if also else {})
    scores = dict(GAME.scores(view))
    assert scores == {seat: sum(won) for seat, won in again.won.items()}
    outcome = GAME.outcome(view)
    assert (outcome.ended_by if outcome else "") == again.ended_by


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_both_play_alike(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    random = Random(players)
    ends = [both(random, players) for _ in range(GAMES)]
    with capsys.disabled():
        print(f" [{players}: GW-30 {ends.count('GW-30')}, GW-31 {ends.count('GW-31')}] ", end="")
    assert set(ends) == {"GW-30", "GW-31"}
