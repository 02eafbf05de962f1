"""Times in which nobody looked: the machine was off, or email could not be fetched.

What must never be here: the time of day; what is done about it (due.py).
Source: docs/CLOCK.md.
"""

from contextlib import suppress

from pbem.chain.clock import HOUR, instant, seconds
from pbem.play.deadlines.due import Silence

LEAST = 2 * HOUR  #: seconds: a shorter one costs nobody a turn
USUAL = 3  #: times the usual time between two runs
KEPT = 9  #: of how many runs is the usual time


def silence_since(last: str, gaps: str, time: str) -> Silence | None:
    """The silence before this run, if it was one. ``last``: the run before, ``gaps``: the seconds
    between those before it.
    """
    with suppress(ValueError):
        begin, end = seconds(instant(last)), seconds(instant(time))
        known = sorted(int(gap) for gap in gaps.split()) or [0]
        usual = known[len(known) // 2]
        if end - begin > max(LEAST, USUAL * usual):
            return Silence(begin, end)
    return None


def noted(last: str, gaps: str, time: str) -> tuple[str, str]:
    """This run and the seconds between the newest ones, for the next; the order of these arguments
    is that of ``silence_since``.
    """
    found = [gap for gap in gaps.split() if gap.isdecimal()][-KEPT + 1 :]
    with suppress(ValueError):
        passed = seconds(instant(time)) - seconds(instant(last))
        found += [str(passed)] if passed > 0 else []
    return time, " ".join(found)
