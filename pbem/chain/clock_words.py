"""Clocks, times and counts in words: for people to read, and as a referee types them.

Not allowed here: reading what a referee types (deadlines/options.py); computing deadlines.
Source: docs/REFEREE.md "Deadlines".
"""

from datetime import UTC, date, datetime, tzinfo
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.chain.clock import LIST_OPTIONS, OPTIONS, Clock, epoch_seconds
from pbem.engine.row import N_, join_with_and
from pbem.errors import BadInput
from pbem.mail.compose import format_mail_date

if TYPE_CHECKING:
    from pbem.notation.absence import Absence

SPANS = ("turn", "choice", "bank", "grace")
NO_DEADLINES = Clock()  #: the clock of a game without deadlines
#: by noun: the text for one, and for any other number
COUNTS = {
    "account": (N_("{number} account"), N_("{number} accounts")),
    "day": (N_("{number} day"), N_("{number} days")),
    "email": (N_("{number} email"), N_("{number} emails")),
    "game": (N_("{number} game"), N_("{number} games")),
    "hour": (N_("{number} hour"), N_("{number} hours")),
    "minute": (N_("{number} minute"), N_("{number} minutes")),
    "more problem": (N_("{number} more problem"), N_("{number} more problems")),
    "opening": (N_("{number} opening"), N_("{number} openings")),
    "order": (N_("{number} order"), N_("{number} orders")),
    "ruling": (N_("{number} ruling"), N_("{number} rulings")),
    "thing": (N_("{number} thing"), N_("{number} things")),
    "state": (N_("{number} state"), N_("{number} states")),
}


def count_text(number: int, noun: str) -> str:
    """Return ``1 order`` or ``2 orders``."""
    singular, plural = COUNTS[noun]
    return (singular if number == 1 else plural).format(number=number)


@cache
def zone_of(name: str) -> tzinfo:
    """Return a time zone by name, "" for UTC; BadInput ``clock/zone`` if this machine lacks it."""
    if name in ("", "UTC"):
        return UTC
    from zoneinfo import ZoneInfo, available_timezones  # loads slowly; only games with deadlines need it

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        suffix = f"/{name.strip().replace(' ', '_')}".lower()
        similar_zones = [zone for zone in sorted(available_timezones()) if zone.lower().endswith(suffix)]
        hint = f"for example zone={(similar_zones or ['Europe/Rome'])[0]}; if that fails, pip install tzdata"
        error = BadInput("clock/zone", f"there is no time zone {name[:60]!r} here", hint)
        raise error from None


def instant_in_prose(time: str, zone: str = "", now: str = "") -> str:
    """Return a time for people in a zone: ``Sat 21 Nov 09:45 UTC``. It includes the year, ``Sat 21
    Nov 2026, 09:45 UTC``, unless that is the year of ``now``.
    """
    try:
        local_time = datetime.fromtimestamp(epoch_seconds(time), zone_of(zone))
    except OverflowError:  # the year 10000 in that zone
        return instant_in_prose(time, now=now)
    weekday, day, month, year, time_of_day, _ = format_mail_date(f"{local_time:%Y-%m-%dT%H:%M:%S}Z").split(" ")
    year_part = f" {year}," if now[:4] != year else ""
    return f"{weekday[:3]} {day} {month}{year_part} {time_of_day[:5]} {zone or 'UTC'}"


def day_in_prose(day: date, now: str) -> str:
    """Return ``Sun 20 Dec``, with the year unless that is the year of ``now``."""
    weekday, number, month, year, *_ = format_mail_date(f"{day}T00:00:00Z").split(" ")
    return f"{weekday[:3]} {number} {month}{f' {year}' if now[:4] != year else ''}"


def absence_in_prose(absence: "Absence", now: str) -> str:
    """Return ``from Sun 20 Dec to Sun 3 Jan 2027`` or ``on Sun 20 Dec``."""
    first, last = (day_in_prose(day, now) for day in absence)
    return f"on {first}" if first == last else f"from {first} to {last}"


def hours_in_words(hours: int) -> str:
    """Return ``3 days``, ``36 hours`` or ``2 days and 6 hours``."""
    days, remaining_hours = divmod(hours, 24) if hours % 24 == 0 or hours > 48 else (0, hours)
    amounts = ((days, "day"), (remaining_hours, "hour"))
    return join_with_and([count_text(n, unit) for n, unit in amounts if n]) or "0 hours"


def hours_as_typed(hours: int) -> str:
    """Return ``3d`` or ``36h``, as a referee types it."""
    days, remaining_hours = divmod(hours, 24)
    return f"{days}d{f'{remaining_hours}h' * bool(remaining_hours)}" if days > 1 or not remaining_hours else f"{hours}h"


def typed_options(clock: Clock) -> dict[str, str]:
    """Return the options that differ from a game without deadlines, as a referee types them."""
    options = {}
    for name in OPTIONS:
        value = clock.option(name)
        if value != NO_DEADLINES.option(name):
            options[name] = _typed_value(name, value)
    return options


def _typed_value(name: str, value: Any) -> str:
    if name in SPANS:
        return hours_as_typed(value)
    if name == "remind":
        return ", ".join(hours_as_typed(int(hours)) for hours in value)
    if name == "off":
        return ", ".join("..".join(dict.fromkeys(row.split(" "))) for row in value)
    if name == "regret":
        return f"{value}m"
    return (", " if name == "slots" else " ").join(value) if name in LIST_OPTIONS else str(value)


def option_in_prose(name: str, value: Any) -> str:
    """Return the value of an option for people; "" if it is not chosen."""
    if not value:
        return ""
    if name in SPANS:
        return hours_in_words(value)
    if name == "remind":
        return join_with_and([hours_in_words(int(hours)) for hours in value])
    return count_text(value, "minute") if name == "regret" else _typed_value(name, value)
