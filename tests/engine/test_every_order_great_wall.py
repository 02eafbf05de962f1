"""Great Wall: of all orders that can be written exactly the listed ones are allowed; games end."""

from random import Random
from typing import Any

import pytest
from sizes import size

from pbem.engine.great_wall import GAME
from pbem.engine.great_wall.parts import DECK_COUNTS, KINDS, SITE_NAMES
from pbem.engine.laws import LawContext, completed, listed_is_allowed
from pbem.engine.random_play import deal_piles

from .conserved_great_wall import conserved

GAMES = size("games to the end")
CARDS = range(1, 40)

#: every order that can be written, legal or not, and takes that leave something out
EVERY = (
    "draw",
    *(f"horseman {name}" for name in SITE_NAMES),
    *(
        f"play {name} {' '.join((kind,) * number)}"
        for name in SITE_NAMES
        for kind, most in zip(KINDS, DECK_COUNTS, strict=True)
        for number in range(1, most + 2)
    ),
    *(f"play {name} dragon over {card}" for name in SITE_NAMES for card in CARDS),
    *(f"take {name} {marker} on {card}" for name in SITE_NAMES for marker in range(1, 9) for card in CARDS),
    *(f"take {name}" for name in SITE_NAMES),
    *(f"take {name} {marker}" for name in SITE_NAMES for marker in range(1, 9)),
    *(f"take {name} on {card}" for name in SITE_NAMES for card in CARDS),
)


@pytest.mark.parametrize("seed", range(size("games with every spelling")))
def test_check_and_list_agree_on_every_spelling(seed: int) -> None:
    random = Random(seed)
    config = GAME.configure(GAME.seats[: 2 + seed % 4], {})
    state = GAME.setup(config, deal_piles(GAME, config, random.randrange), 1).state
    for number in range(400):
        questions = GAME.questions(GAME.view(state, None))
        if number % 8 == 0 or not questions or questions[0].kind == "marker":
            place = LawContext(GAME, config, state, random.randrange, EVERY)
            assert listed_is_allowed(place) is None
            assert completed(place) is None
        if not questions:
            return
        state = _after_any_order(state, random)


def _after_any_order(state: Any, random: Random) -> Any:
    seat = GAME.questions(GAME.view(state, None))[0].seat
    return GAME.apply(state, seat, random.choice(GAME.legal(GAME.view(state, seat))), 2).state


@pytest.mark.parametrize("players", [2, 3, 4, 5], ids=lambda n: f"{GAMES}-games-of-{n}")
def test_games_end(players: int) -> None:
    for seed in range(GAMES):
        random = Random(f"{players}/{seed}")
        config = GAME.configure(GAME.seats[:players], {})
        state = GAME.setup(config, deal_piles(GAME, config, random.randrange), 1).state
        for _ in range(400):
            if not GAME.questions(GAME.view(state, None)):
                break
            state = _after_any_order(state, random)
        assert conserved(state) is None
        outcome = GAME.outcome(GAME.view(state, None))
        assert outcome is not None
        best = max(points for _, points in outcome.scores)
        assert set(outcome.winners) == {seat for seat, n in outcome.scores if n == best}


def test_default_plays_a_whole_game() -> None:
    """R-2 alone can finish a game, too."""
    for players in (2, 3, 4, 5):
        config = GAME.configure(GAME.seats[:players], {})
        state = GAME.setup(config, deal_piles(GAME, config, Random(players).randrange), 1).state
        while questions := GAME.questions(GAME.view(state, None)):
            seat = questions[0].seat
            state = GAME.apply(state, seat, GAME.default(GAME.view(state, seat)), 2).state
        assert GAME.outcome(GAME.view(state, None)) is not None
