"""Rates inside one process: orders a second in random play, and a further game resolved.

What lives here: loops over public functions of pbem. Not allowed here: a goal that fails.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import engine_bench
import long_game

from pbem.services.lock import open_for_writing

FURTHER_GOAL = 25  # ms
VERIFY_GOAL = 7  # bare starts
AUDIT_GOAL = 80
FEW, MANY, MAIL_GOAL = 6, 60, 1.2
#: of one game in `tick`, in bare starts of 9 ms: 3 ms where nothing is to be done, and once a day
#: 6; 25 with a turn
IDLE_GOAL, DAILY_GOAL, TURN_GOAL = 0.33, 0.67, 2.8
CLOCK = {"turn": "3d", "remind": "1d", "bank": "1d", "missed": "default"}


def lines(folder: Path) -> Iterator[str]:
    """One printed line per measurement."""
    yield from further_games(folder)
    yield from whole_chain(folder)
    yield from many_games(folder)
    yield from deadlines(folder)
    yield from long_game.lines(folder)
    yield ""
    yield from engine_bench.lines()


def further_games(folder: Path) -> Iterator[str]:
    """Milliseconds for games resolved after the first in one process: four reports, all files."""
    import os
    import shutil
    import statistics

    from pbem.clock import now
    from pbem.services.resolve.resolve import resolve_now
    from pbem.services.session.keys import open_home
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
        session = open_session(place / "game", now(), open_home())
        with open_for_writing(session) as session:
            session = resolve_now(session).session
        times.append((time.perf_counter() - begin) * 1000)
    yield _row("a further game resolved, ms", statistics.median(times[1:]), FURTHER_GOAL)


def whole_chain(folder: Path) -> Iterator[str]:
    """A game of some 190 orders verified and audited in one process, in bare starts; both in turn,
    counted in the processor's time.
    """
    import statistics

    from pbem.commands import audit, verify

    kept = folder / "kept-long"
    if not kept.is_dir():
        yield f"{'190 orders verified':28}  not run: the game could not be made"
        return
    for what, run, goal in (("verified", verify.run, VERIFY_GOAL), ("audited", audit.run, AUDIT_GOAL)):
        ratios = []
        for _ in range(9):
            bare = bare_start()
            begin = time.process_time()
            run([kept / "game"])
            ratios.append((time.process_time() - begin) / bare)
        yield _row(f"190 orders {what}, bare starts", statistics.median(ratios[1:]), goal)


def bare_start() -> float:
    """Seconds of the processor that a bare interpreter takes."""
    import resource
    import subprocess
    import sys

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(after[:2]) - sum(before[:2])


def many_games(folder: Path) -> Iterator[str]:
    """An email among many games over one among few: an email for each game, in one process."""
    import os

    from pbem.clock import now
    from pbem.commands import receive
    from pbem.disk.home import Home
    from pbem.services.open.new_game import Secrets, create_game
    from pbem.services.session.keys import write_new_keys
    from pbem.services.session.session import open_session

    os.environ["PBEM_HOME"] = str(folder / "many-home")
    home = Home(folder / "many-home")
    write_new_keys(home, {"acting": bytes(range(32)), "recovery": bytes(range(32, 64))})
    wanted = {"game": "chang-cheng", "options": {}, "referee": "Rita,rita@example.org"}
    wanted["players"] = {"red": "Ann,ann@example.org", "green": "Ben,ben@example.org"}
    times = list[float]()
    for number in (FEW, FEW, MANY):  # the first of all brings the imports
        place, files = folder / f"many-{number}-{len(times)}", list[str]()
        for i in range(number):
            root = place / f"g{i}"
            place.mkdir(exist_ok=True)
            create_game(root, wanted, home, Secrets(*map(os.urandom, (32, 32, 32))), now())
            session = open_session(root, now(), home)
            view = session.game.view(session.position.state, None)
            code = session.code(session.game.questions(view)[0].seat)
            (folder / f"{code}.eml").write_text(f"Subject: [pbem {code}]\n\nhelp\n")
            files.append(str(folder / f"{code}.eml"))
        begin = time.process_time()
        receive.run(place, files)
        times.append((time.process_time() - begin) / number)
    yield _row(f"an email, {MANY} games over {FEW}, ratio", times[2] / times[1], MAIL_GOAL)


def deadlines(folder: Path) -> Iterator[str]:
    """What one game with deadlines adds to a run of `tick`, in bare starts of the processor: an
    idle one, when it is looked at first in a day and when the run before noted that it is; and one
    with a turn to be played, and four reports.
    """
    import os
    import shutil
    import statistics

    import many_games

    from pbem.clock import now
    from pbem.commands import tick
    from pbem.services.amend.clock import change_clock
    from pbem.services.resolve.deadlines import MailKnowledge, act_on_deadlines
    from pbem.services.session.keys import open_home
    from pbem.services.session.session import open_session

    os.environ["PBEM_HOME"] = str(folder / "timed" / "home")
    many_games.make(folder / "timed", MANY, clock=CLOCK)
    time.sleep(4)  # what is younger is looked at again (disk/idle.py)
    bare, took = min(bare_start() for _ in range(9)), list[float]()
    for _ in range(5):  # the first makes the backup
        begin = time.process_time()
        tick.run([folder / "timed" / "games"])
        took.append((time.process_time() - begin) / MANY / bare)
    yield _row("an idle game of a tick, once a day", took[1], DAILY_GOAL)
    yield _row("an idle game of a tick", statistics.median(took[2:]), IDLE_GOAL)
    if not (folder / "kept-middle").is_dir():
        return
    took = []
    for number in range(9):
        place = folder / f"timed-{number}"
        shutil.copytree(folder / "kept-middle", place)
        os.environ["PBEM_HOME"] = str(place / "home")
        change_clock(open_session(place / "game", now(), open_home()), CLOCK, "as measured", dry_run=False)
        begin = time.process_time()
        act_on_deadlines(open_session(place / "game", now(), open_home()), 0, MailKnowledge(), dry_run=False)
        took.append((time.process_time() - begin) / bare)
    yield _row("a turn with deadlines, four reports", statistics.median(took[1:]), TURN_GOAL)


def _row(name: str, value: float, goal: float) -> str:
    return f"{name:40}{value:>12,.2f}{goal:>12}{'  over' if value > goal else ''}"
