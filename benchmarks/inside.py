"""Rates inside one process: orders a second in random play, and a further game resolved.

What lives here: loops over public functions of pbem. What must never be here: a goal that fails.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import engine_bench
import long_game

from pbem.services.writing import writing

FURTHER_GOAL = 25  # ms
VERIFY_GOAL = 80
AUDIT_GOAL = 1000


def lines(folder: Path) -> Iterator[str]:
    """One printed line per measurement."""
    yield from further_games(folder)
    yield from whole_chain(folder)
    yield from long_game.lines(folder)
    yield ""
    yield from engine_bench.lines()


def further_games(folder: Path) -> Iterator[str]:
    """Milliseconds for games resolved after the first in one process: four reports, all files."""
    import os
    import shutil
    import statistics

    from pbem.clock import now
    from pbem.services.resolve.playing import resolve_now
    from pbem.services.session.keys import the_home
    from pbem.services.session.session import open_session

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
        session = open_session(place / "game", now(), the_home())
        with writing(session) as session:
            session = resolve_now(session).session
        times.append((time.perf_counter() - begin) * 1000)
    yield _row("a further game resolved, ms", statistics.median(times[1:]), FURTHER_GOAL)


def whole_chain(folder: Path) -> Iterator[str]:
    """Milliseconds to verify and to audit a game of some 190 orders, in one process."""
    import statistics

    from pbem.commands import audit, verify

    kept = folder / "kept-long"
    if not kept.is_dir():
        yield f"{'190 orders verified':28}  not run: the game could not be made"
        return
    for what, run, goal in (
        ("verified", verify.run, VERIFY_GOAL),
        ("audited", audit.run, AUDIT_GOAL),
    ):
        times = []
        for _ in range(9):
            begin = time.perf_counter()
            run([kept / "game"])
            times.append((time.perf_counter() - begin) * 1000)
        yield _row(f"190 orders {what}, ms", statistics.median(times[1:]), goal)


def _row(name: str, value: float, goal: int) -> str:
    return f"{name:40}{value:>12,.1f}{goal:>12}{'  over' if value > goal else ''}"
