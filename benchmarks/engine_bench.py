"""Rates of the rules engine in random play: orders a second, Views a second, by number of players.

What lives here: loops over the protocol of a game. Not allowed here: a goal that fails.
Measured in CPU time (``process_time``), for other work on the machine must not count. One order is:
the questions from a spectator's View, the asked seat's View, its list, a choice, and applying it.
The garbage collector is off, as pbem runs (front.py).

    python benchmarks/engine_bench.py [GAMES]
"""

import gc
import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from pbem import catalog
from pbem.engine.game import Game
from pbem.engine.random_play import deal_piles

ORDERS_GOAL, VIEWS_GOAL = 50_000, 100_000
GAMES = 600


class Rate(NamedTuple):
    """What one number of players came to."""

    kind: str
    players: int
    orders: float  #: a second
    views: float  #: a second


def rates(kind: str, games: int = GAMES) -> Iterator[Rate]:
    """One Rate for each number of players; boards and counters are drawn for every game."""
    game = catalog.load(kind)
    fewest, most = game.players
    for players in range(fewest, most + 1):
        _played(game, players, games // 3, 1)  # warm: lists of orders that all games share
        orders, seconds = _played(game, players, games, 2)
        positions: list[tuple[Any, tuple[str, ...]]] = []
        _played(game, players, 10, 3, positions)
        yield Rate(kind, players, orders / seconds, _viewed(game, positions))


def _played(
    game: Game, players: int, games: int, seed: int, keep: list[tuple[Any, tuple[str, ...]]] | None = None
) -> tuple[int, float]:
    """Orders given, and the CPU seconds they took; ``keep`` gets every position that came up."""
    random = Random(seed)
    config = game.configure(game.seats[:players], {})
    orders, seconds = 0, 0.0
    for _ in range(games):
        deal = deal_piles(game, config, random.randrange)
        start = time.process_time()
        state = game.setup(config, deal, 1).state
        while questions := game.questions(game.view(state, None)):
            seat = questions[0].seat
            lines = game.legal(game.view(state, seat))
            state = game.apply(state, seat, lines[int(random.random() * len(lines))], 2).state
            orders += 1
            if keep is not None:
                keep.append((state, config.seats))
        seconds += time.process_time() - start
    return orders, seconds


def _viewed(game: Game, positions: list[tuple[Any, tuple[str, ...]]]) -> float:
    """Views a second, of positions from all over the games, for every seat."""
    start = time.process_time()
    number = 0
    for _ in range(5):
        for state, seats in positions:
            for seat in seats:
                game.view(state, seat)
                number += 1
    return number / (time.process_time() - start)


def lines(games: int = GAMES) -> Iterator[str]:
    """The table, a line at a time."""
    gc.disable()
    yield f"{'game':16}{'players':>8}{'orders/s':>12}{'views/s':>12}"
    for kind in catalog.BUILT_IN:
        for rate in rates(kind, games):
            late = "  under" if rate.orders < ORDERS_GOAL or rate.views < VIEWS_GOAL else ""
            yield f"{kind:16}{rate.players:8}{rate.orders:12,.0f}{rate.views:12,.0f}{late}"
    yield f"{'goal':16}{'':8}{ORDERS_GOAL:12,}{VIEWS_GOAL:12,}"


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES):
        print(line)
