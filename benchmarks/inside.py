"""Rates inside one process: orders a second in random play, and a further game resolved.

What lives here: loops over public functions of pbem. What must never be here: a goal that fails.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from pbem import catalog

SECONDS = 1.5
ORDERS_GOAL = 50_000
FURTHER_GOAL = 25  # ms


def lines(folder: Path) -> Iterator[str]:
    """One printed line per measurement."""
    yield from further_games(folder)
    for kind in catalog.BUILT_IN:
        try:
            listed, applied = random_play(kind)
        except (ImportError, AttributeError) as error:
            yield f"{kind:28}  not run: {error}"
            continue
        yield _line(f"{kind}: orders applied /s", applied, ORDERS_GOAL)
        yield _line(f"{kind}: listed and applied /s", listed, 0)


def _line(name: str, value: float, goal: float) -> str:
    late = "  under" if value < goal else ""
    return f"{name:40}{value:>12,.0f}{goal or '':>12}{late}"


def random_play(kind: str) -> tuple[float, float]:
    """Orders a second with legal orders listed each time, and of applying them alone."""
    game = catalog.load(kind)
    chance = Random(1)  # noqa: S311 (not a secret: a benchmark repeats itself)
    config = game.configure(game.seats[: game.players[1]], {})
    orders, in_apply, begin = 0, 0.0, time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        deal = {
            pile.name: tuple(chance.sample(pile.items, len(pile.items)))
            for pile in game.piles(config)
        }
        state = game.setup(config, deal, 2).state
        while questions := game.questions(game.view(state, None)):
            seat = questions[0].seat
            line = chance.choice(game.legal(game.view(state, seat)))
            before = time.perf_counter()
            state = game.apply(state, seat, line, 3 + orders).state
            in_apply += time.perf_counter() - before
            orders += 1
    return orders / (time.perf_counter() - begin), orders / in_apply


def further_games(folder: Path) -> Iterator[str]:
    """Milliseconds for games resolved after the first in one process: four reports, all files."""
    import os
    import shutil
    import statistics

    from pbem.commands.newest import the_home
    from pbem.commands.resolve import resolve_now
    from pbem.commands.session import open_session

    kept = folder / "kept-middle"
    if not kept.is_dir():
        yield f"{'a further game resolved':28}  not run: the game could not be made"
        return
    times = []
    for number in range(9):
        place = folder / f"further-{number}"
        shutil.copytree(kept, place)
        os.environ["PBEM_HOME"] = str(place / "home")
        begin = time.perf_counter()
        session = open_session(place / "game", the_home())
        with session.writing():
            resolve_now(session)
        times.append((time.perf_counter() - begin) * 1000)
    value = statistics.median(times[1:])
    late = "  over" if value > FURTHER_GOAL else ""
    yield f"{'a further game resolved, ms':40}{value:>12,.1f}{FURTHER_GOAL:>12}{late}"
