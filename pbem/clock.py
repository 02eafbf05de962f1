"""The present time, which each command reads once and passes on as text.

Not allowed here: anything else. No other module reads the clock, and only commands call
this one.
"""

import os
import time

from pbem.errors import BadInput

LATEST_SECOND = 253_402_300_799  #: the last second of 9999


def now() -> str:
    """Return the present time in UTC, to the second, as in ``2026-11-21T09:45:00Z``.

    The environment variable SOURCE_DATE_EPOCH replaces it, so that runs can be repeated. Raises BadInput
    ``clock/year`` if the year does not have four digits or is before 1970.
    """
    epoch_text = os.environ.get("SOURCE_DATE_EPOCH", "")
    is_fixed = epoch_text.isascii() and epoch_text.isdecimal() and len(epoch_text) < 12
    seconds = int(epoch_text) if is_fixed else time.time()
    if not 0 <= seconds <= LATEST_SECOND:
        hint = "set the clock of this machine"
        raise BadInput("clock/year", "the clock is not in a year from 1970 to 9999", hint)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
