"""A guessed Great Wall might be the true one: the right cards and markers, the same View."""

from random import Random

import pytest

from pbem.engine.great_wall import GAME
from pbem.engine.random_play import deal_piles

from .case_great_wall import CASES, position, read
from .conserved_great_wall import conserved


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_guess_is_possible(players: int) -> None:
    random = Random(players)
    config = GAME.configure(GAME.seats[:players], {})
    state = GAME.setup(config, deal_piles(GAME, config, random.randrange), 1).state
    for number in range(600):
        questions = GAME.questions(GAME.view(state, None))
        if number % 9 == 0 or not questions:
            for seat in (*config.seats, None):
                guessed = GAME.guess(GAME.view(state, seat), random.randrange)
                assert conserved(guessed) is None
                assert GAME.view(guessed, seat) == GAME.view(state, seat)
        if not questions:
            return
        lines = GAME.legal(GAME.view(state, questions[0].seat))
        state = GAME.apply(state, questions[0].seat, random.choice(lines), number + 2).state
    raise AssertionError("the game does not end")


def test_positions_differ() -> None:
    """Equality, on which laws rely, sees every public fact and every hidden one."""
    case = read(CASES / "GW-20_one_kind.toml")
    state = position(case)
    assert state == position(case)
    case["before"]["won"] = {"blue": "8"}
    assert state != position(case)
    assert state.public != position(case).public
    assert state.public != "another thing"
