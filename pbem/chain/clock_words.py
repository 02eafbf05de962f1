"""A clock and its moments in words: for people, and as a referee types them.

What must never be here: how what is typed is read (deadlines/options.py); when something is due.
Source: docs/CLOCK.md.
"""

from datetime import UTC, date, datetime, tzinfo
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.chain.clock import LISTS, OPTIONS, Clock, seconds
from pbem.engine.row import all_of
from pbem.errors import BadInput
from pbem.mail.compose import mail_date

if TYPE_CHECKING:
    from pbem.notation.absence import Away

SPANS = ("turn", "choice", "bank", "grace")
OFF = Clock()  #: of a game without deadlines


@cache
def zone_of(name: str) -> tzinfo:
    """A time zone by its name, "" for UTC, which no machine lacks; BadInput ``clock/zone`` where
    there is none here.
    """
    if name in ("", "UTC"):
        return UTC
    from zoneinfo import ZoneInfo, available_timezones  # where there are deadlines

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        city = f"/{name.strip().replace(' ', '_')}".lower()
        near = [zone for zone in sorted(available_timezones()) if zone.lower().endswith(city)]
        hint = f"for example zone={(near or ['Europe/Rome'])[0]}; if that fails, pip install tzdata"
        wrong = BadInput("clock/zone", f"there is no time zone {name[:60]!r} here", hint)
        raise wrong from None


def in_prose(time: str, zone: str = "", told: str = "") -> str:
    """A moment of a state for people, on the clocks of a zone: ``Sat 21 Nov 09:45 UTC``; with its
    year, ``Sat 21 Nov 2026, 09:45 UTC``, where that is another than when it is ``told``.
    """
    try:
        local = datetime.fromtimestamp(seconds(time), zone_of(zone))
    except OverflowError:  # it is in the year 10000 there
        return in_prose(time, told=told)
    weekday, day, month, year, clock, _ = mail_date(f"{local:%Y-%m-%dT%H:%M:%S}Z").split(" ")
    far = f" {year}," if told[:4] != year else ""
    return f"{weekday[:3]} {day} {month}{far} {clock[:5]} {zone or 'UTC'}"


def day_in_prose(day: date, told: str) -> str:
    """``Sun 20 Dec``; with its year, too, where that is another than when it is ``told``."""
    weekday, number, month, year, *_ = mail_date(f"{day}T00:00:00Z").split(" ")
    return f"{weekday[:3]} {number} {month}{f' {year}' if told[:4] != year else ''}"


def away_in_prose(days: "Away", told: str) -> str:
    """``from Sun 20 Dec to Sun 3 Jan 2027``, ``on Sun 20 Dec``."""
    first, last = (day_in_prose(day, told) for day in days)
    return f"on {first}" if first == last else f"from {first} to {last}"


def in_words(hours: int) -> str:
    """``3 days``, ``36 hours``, ``2 days and 6 hours``."""
    days, rest = divmod(hours, 24) if hours % 24 == 0 or hours > 48 else (0, hours)
    parts = ((days, "day"), (rest, "hour"))
    return all_of([f"{n} {what}{'s' * (n != 1)}" for n, what in parts if n]) or "0 hours"


def span_in_words(hours: int) -> str:
    """``3d``, ``36h``: as it is typed."""
    days, rest = divmod(hours, 24)
    return f"{days}d{f'{rest}h' * bool(rest)}" if days > 1 or not rest else f"{hours}h"


def written(clock: Clock) -> dict[str, str]:
    """What is not as in a game without a clock, as a referee types it."""
    found = {}
    for name in OPTIONS:
        value = getattr(clock, name)
        if value != getattr(OFF, name):
            found[name] = _written(name, value)
    return found


def _written(name: str, value: Any) -> str:
    if name in SPANS:
        return span_in_words(value)
    if name == "remind":
        return ", ".join(span_in_words(int(one)) for one in value)
    if name == "off":
        return ", ".join("..".join(dict.fromkeys(row.split(" "))) for row in value)
    if name == "regret":
        return f"{value}m"
    return (", " if name == "slots" else " ").join(value) if name in LISTS else str(value)


def shown(name: str, value: Any) -> str:
    """The value of an option, for people; "" for one that is not chosen."""
    if not value:
        return ""
    if name in SPANS:
        return in_words(value)
    if name == "remind":
        return all_of([in_words(int(one)) for one in value])
    return f"{value} minutes" if name == "regret" else _written(name, value)
