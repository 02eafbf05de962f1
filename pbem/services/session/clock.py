"""The clock, asked once per command and handed on as text.

What lives here: ``now``. What must never be here: anything else; no other module asks the time.
"""

import os
import time


def now() -> str:
    """The present in UTC, to the second: ``2026-11-21T09:45:00Z``.

    SOURCE_DATE_EPOCH, the usual way to make runs repeatable, stands in for it if set.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = (
        int(given) if given.isascii() and given.isdecimal() and len(given) < 12 else time.time()
    )
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
