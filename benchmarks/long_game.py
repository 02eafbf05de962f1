"""What a turn costs late in a long game: the same ten orders at its start and past state 1,000.

What lives here: games that play ten orders, take them back and play them again, so that nothing but
their length differs, in turn. Counted is the processor's time: how long a drive makes one wait for
the same bytes differs more from minute to minute than all that is looked for here.
Not allowed here: a goal that fails. Source: docs/DESIGN.md "Speed".
"""

import os
import shutil
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from midgame import send

from pbem.services.lock import open_for_writing

TURNS, ORDERS = 1000, 10
ROUNDS = 9  #: of ten orders each, compared
GOAL = 1.1


def lines(folder: Path) -> Iterator[str]:
    """One printed line: a turn late in a game over one at its start, each opening the folder."""
    kept = folder / "kept-start"
    if not kept.is_dir():
        from midgame import make

        make(kept, 0)
    long, short = folder / "long-game", folder / "short-game"
    shutil.copytree(kept, long)
    shutil.copytree(kept, short)
    for _ in range(TURNS // (ORDERS + 1)):
        round_of(long)
    ratios = []
    for _ in range(ROUNDS):
        ratios.append(round_of(long) / round_of(short))
    ratio = statistics.median(ratios)
    late = "  over" if ratio > GOAL else ""
    yield f"{f'turn {TURNS:,} over turn 10, ratio':40}{ratio:>12,.2f}{GOAL:>12}{late}"


def round_of(place: Path) -> float:
    """Ten orders played and taken back: the median of a turn's milliseconds."""
    os.environ["PBEM_HOME"] = str(place / "home")
    times = played(place / "game", Random(5))
    taken_back(place / "game")
    return statistics.median(times)


def played(game: Path, chance: Random) -> list[float]:
    """Milliseconds of each of ten turns: a mail received, the order resolved, all mails written."""
    from pbem.clock import now
    from pbem.services.resolve.resolve import resolve_now
    from pbem.services.session.keys import open_home
    from pbem.services.session.session import open_session

    times = []
    for _ in range(ORDERS):
        begin = time.process_time()
        session = open_session(game, now(), open_home())
        send(session, chance)
        with open_for_writing(session) as session:
            session = resolve_now(session).session
        times.append((time.process_time() - begin) * 1000)
    return times


def taken_back(game: Path) -> None:
    """Undo what was played, without asking anybody: the players of a benchmark do not mind."""
    from pbem.clock import now
    from pbem.services.amend.ruling import RulingPlan, carry_out
    from pbem.services.amend.undo import pending_after_undo, plan_undo, undo_basis
    from pbem.services.session.keys import open_home
    from pbem.services.session.session import open_session

    session = open_session(game, now(), open_home())
    wanted = plan_undo(session, None, ORDERS)
    with open_for_writing(session) as session:
        carry_out(RulingPlan(session, undo_basis(session, wanted, "again"), pending_after_undo(session, wanted)))
