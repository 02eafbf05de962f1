"""The clock, asked once per command and handed on as text.

What must never be here: anything else. No other module asks the time, and only a command's front
asks this one. Law: a year has four digits.
"""

import os
import time

from pbem.errors import BadInput

LATEST_SECOND = 253_402_300_799  #: the last second of 9999


def now() -> str:
    """The present in UTC, to the second: ``2026-11-21T09:45:00Z``.

    SOURCE_DATE_EPOCH, the usual way to make runs repeatable, stands in for it if set.
    """
    epoch_text = os.environ.get("SOURCE_DATE_EPOCH", "")
    is_fixed = epoch_text.isascii() and epoch_text.isdecimal() and len(epoch_text) < 12
    seconds = int(epoch_text) if is_fixed else time.time()
    if not 0 <= seconds <= LATEST_SECOND:
        hint = "set the clock of this machine right"
        raise BadInput("clock/year", "the clock is not in a year from 1970 to 9999", hint)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
