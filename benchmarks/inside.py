"""Rates inside one process: orders a second in random play, and a further game resolved.

What lives here: loops over public functions of pbem. What must never be here: a goal that fails.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import engine_bench

FURTHER_GOAL = 25  # ms


def lines(folder: Path) -> Iterator[str]:
    """One printed line per measurement."""
    yield from further_games(folder)
    yield ""
    yield from engine_bench.lines()


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
