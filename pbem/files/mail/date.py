"""The date of a mail.

What lives here: a time as RFC 5322 has it. What must never be here: a clock, a zone but UTC.
Source: RFC 5322 section 3.3.
"""

from datetime import datetime

from pbem.errors import BadInput

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def mail_date(time: str) -> str:
    """``2026-11-21T09:45:00Z`` as RFC 5322 has it, in English whatever the locale."""
    try:
        when = datetime.fromisoformat(time.removesuffix("Z"))  # strptime costs a ms to import
    except ValueError:
        raise BadInput(
            "time/shape", f"{time[:40]!r} is not a time", "such as 2026-11-21T09:45:00Z"
        ) from None
    clock = f"{when.hour:02d}:{when.minute:02d}:{when.second:02d}"
    return f"{DAYS[when.weekday()]}, {when.day} {MONTHS[when.month - 1]} {when.year} {clock} +0000"
