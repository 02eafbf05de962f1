"""Times in which nobody looked: the machine was off, or email could not be fetched.

What must never be here: the time of day; what is done about it (due.py).
Source: docs/CLOCK.md.
"""

from contextlib import suppress

from pbem.chain.clock import HOUR, check_instant, epoch_seconds
from pbem.play.deadlines.due import Outage

MIN_OUTAGE = 2 * HOUR  #: seconds: a shorter one costs nobody a turn
USUAL_GAP_FACTOR = 3  #: times the usual time between two runs
RUNS_REMEMBERED = 9  #: of how many runs is the usual time


def find_outage(last_run: str, gaps: str, time: str) -> Outage | None:
    """The silence before this run, if it was one. ``last_run``: the run before, ``gaps``: the seconds
    between those before it.
    """
    with suppress(ValueError):
        begin, end = epoch_seconds(check_instant(last_run)), epoch_seconds(check_instant(time))
        sorted_gaps = sorted(int(gap) for gap in gaps.split()) or [0]
        usual_gap = sorted_gaps[len(sorted_gaps) // 2]
        if end - begin > max(MIN_OUTAGE, USUAL_GAP_FACTOR * usual_gap):
            return Outage(begin, end)
    return None


def record_run(last_run: str, gaps: str, time: str) -> tuple[str, str]:
    """This run and the seconds between the newest ones, for the next; the order of these arguments
    is that of ``find_outage``.
    """
    recent_gaps = [gap for gap in gaps.split() if gap.isdecimal()][-RUNS_REMEMBERED + 1 :]
    with suppress(ValueError):
        seconds_passed = epoch_seconds(check_instant(time)) - epoch_seconds(check_instant(last_run))
        recent_gaps += [str(seconds_passed)] if seconds_passed > 0 else []
    return time, " ".join(recent_gaps)
