"""How the sensible bot does against random ones: ``python benchmarks/bot_games.py [GAMES]``.

In each game one seat, in turn each of them, is sensible and all others are random. With seats all
alike it would win one game in as many as there are seats (ties count for each winner).
"""

import sys
from random import Random

from pbem import catalog
from pbem.bots.player import choose_at_random, choose_sensibly
from pbem.engine.game import Game
from pbem.engine.random_play import deal_piles


def winners(game: Game, players: int, sensible: int, seed: int) -> tuple[str, ...]:
    """The seats that won one game."""
    random = Random(seed)
    below = random.randrange
    config = game.configure(game.seats[:players], {})
    state = game.setup(config, deal_piles(game, config, below), 2).state
    link = 2
    while questions := game.questions(game.view(state, None)):
        seat = questions[0].seat
        choose = choose_sensibly if seat == game.seats[sensible] else choose_at_random
        link += 1
        state = game.apply(state, seat, choose(game, seat, game.view(state, seat), below), link).state
    found = game.outcome(game.view(state, None))
    return found.winners if found else ()


def main() -> None:
    """Print a row for each game and number of players."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    kinds = sys.argv[2:] or list(catalog.BUILT_IN)
    print(f"{'game':<14}{'players':>8}{'games':>7}{'won':>7}{'by chance':>11}")
    for kind in kinds:
        game = catalog.load(kind)
        for players in range(game.players[0], game.players[1] + 1):
            won = sum(
                game.seats[seed % players] in winners(game, players, seed % players, seed) for seed in range(number)
            )
            print(f"{kind:<14}{players:>8}{number:>7}{won / number:>7.0%}{1 / players:>11.0%}", flush=True)


if __name__ == "__main__":
    main()
