"""A clock and its moments in words: for people, and as a referee types them.

What must never be here: how what is typed is read (deadlines/options.py); when something is due.
Source: docs/CLOCK.md.
"""

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.engine.row import all_of
from pbem.errors import BadInput
from pbem.files.mail.compose import mail_date
from pbem.moderator.chain.clock import LISTS, OPTIONS, Clock, seconds

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

SPANS = ("turn", "choice", "bank", "grace")
OFF = Clock()  #: of a game without deadlines


@cache
def zone_of(name: str) -> "ZoneInfo":
    """A time zone by its name, "" for UTC; BadInput ``clock/zone`` where there is none here."""
    from zoneinfo import ZoneInfo, available_timezones  # where there are deadlines

    try:
        return ZoneInfo(name or "UTC")
    except (LookupError, ValueError, OSError):
        city = f"/{name.strip().replace(' ', '_')}".lower()
        near = [zone for zone in sorted(available_timezones()) if zone.lower().endswith(city)]
        hint = f"for example zone={(near or ['Europe/Rome'])[0]}; if that fails, pip install tzdata"
        wrong = BadInput("clock/zone", f"there is no time zone {name[:60]!r} here", hint)
        raise wrong from None


def in_prose(time: str, zone: str = "") -> str:
    """A moment of a state for people, on the clocks of a zone: ``Sat 21 Nov 09:45 UTC``."""
    try:
        local = datetime.fromtimestamp(seconds(time), zone_of(zone))
    except OverflowError:  # it is in the year 10000 there
        return in_prose(time)
    weekday, day, month, _, clock, _ = mail_date(f"{local:%Y-%m-%dT%H:%M:%S}Z").split(" ")
    return f"{weekday[:3]} {day} {month} {clock[:5]} {zone or 'UTC'}"


def in_words(hours: int) -> str:
    """``3 days``, ``36 hours``."""
    number, what = (hours // 24, "day") if hours % 24 == 0 else (hours, "hour")
    return f"{number} {what}{'s' * (number != 1)}"


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
