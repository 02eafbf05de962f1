"""Random games to the end, without laws: every game ends."""

from random import Random

import pytest
from sizes import size

from pbem import catalog
from pbem.engine.random_play import deal_piles

from .conserved import conserved
from .ways import WAYS, way

GAMES = size("games to the end")
GAME = catalog.load("chang-cheng")


def play(players: int, seed: int) -> tuple[int, str]:
    """One game by list: the orders it took, and the ruling that ended it."""
    random = Random(f"{players}/{seed}")
    config = GAME.configure(GAME.seats[:players], way(players, seed))
    state = GAME.setup(config, deal_piles(GAME, config, random.randrange), 1).state
    for number in range(400):
        questions = GAME.questions(GAME.view(state, None))
        if not questions:
            assert conserved(state) is None
            outcome = GAME.outcome(GAME.view(state, None))
            assert outcome is not None
            best = max(points for _, points in outcome.scores)
            leaders = {seat for seat, n in outcome.scores if n == best}
            two = config.option("variant") == "two-colour"  # a tie is broken, CC-61
            assert set(outcome.winners) <= leaders if two else set(outcome.winners) == leaders
            return number, outcome.ended_by
        seat = questions[0].seat
        lines = GAME.legal(GAME.view(state, seat))
        state = GAME.apply(state, seat, random.choice(lines), number + 2).state
    raise AssertionError("it does not end")


@pytest.mark.parametrize("players", [2, 3, 4], ids=lambda n: f"{GAMES}-games-of-{n}")
def test_games_end(players: int) -> None:
    ended = [play(players, seed) for seed in range(GAMES)]
    assert {ruling for _, ruling in ended} <= {"CC-40", "CC-41"}
    assert max(orders for orders, _ in ended) < 250


def test_default_plays_a_whole_game() -> None:
    """R-2 alone can finish a game, too."""
    for players, options in [(2, one) for one in WAYS] + [(3, {}), (4, {})]:
        config = GAME.configure(GAME.seats[:players], options)
        state = GAME.setup(config, deal_piles(GAME, config, Random(players).randrange), 1).state
        while questions := GAME.questions(GAME.view(state, None)):
            seat = questions[0].seat
            state = GAME.apply(state, seat, GAME.default(GAME.view(state, seat)), 2).state
        assert GAME.outcome(GAME.view(state, None)) is not None
