"""The clock, asked once per command and handed on as text.

What must never be here: anything else. No other module asks the time, and only a command's front
asks this one.
"""

import os
import time


def now() -> str:
    """The present in UTC, to the second: ``2026-11-21T09:45:00Z``.

    SOURCE_DATE_EPOCH, the usual way to make runs repeatable, stands in for it if set.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    fixed = given.isascii() and given.isdecimal() and len(given) < 12
    return written(int(given) if fixed else time.time())


def written(seconds: float) -> str:
    """A moment, in seconds since 1970, as a state has it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
