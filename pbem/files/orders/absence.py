"""Days on which a player is away, as they write them: ``absent 20 Dec to 3 Jan``, ``present``.

What must never be here: what is done about it; today, which comes in as a value.
Law: total and linear; a line that is not certain is none of these.
Source: docs/NOTATION.md; docs/CLOCK.md.
"""

import re
from datetime import date, timedelta
from typing import NamedTuple

ABSENT, PRESENT = "absent", "present"
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?:{'|'.join(MONTHS)})[a-z]{{0,6}}\.?"
_DAY = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}\.? {_MONTH}(?: \d{{4}})?"
    rf"|{_MONTH} \d{{1,2}}(?:,? \d{{4}})?)"
)
_LINE = re.compile(
    rf"{ABSENT}(?: from)? ({_DAY})(?: ?(?:to|till|until|-|\N{{EN DASH}}|\.\.) ?({_DAY}))?"
)
_AHEAD = timedelta(days=180)  #: a day without a year is this far ahead at most, or just over


class Away(NamedTuple):
    """Days on which a player is away, the first and the last."""

    first: date
    last: date


def absent_in(line: str) -> str | None:
    """``absent 20 dec .. 3 jan``, or ``present``, of a plain line (small letters, single blanks);
    None if none.
    """
    if line == PRESENT:
        return PRESENT
    match = _LINE.fullmatch(line)
    return f"{ABSENT} {match[1]} .. {match[2] or match[1]}" if match else None


def is_absence(ask: str) -> bool:
    """Whether it is what ``absent_in`` gives."""
    return ask.partition(" ")[0] in (ABSENT, PRESENT)


def days_of(ask: str, today: date) -> Away | None:
    """The days that are meant by what ``absent_in`` gave, on ``today``; None where there are none
    of these, or in another order.
    """
    first, _, last = ask.removeprefix(f"{ABSENT} ").partition(" .. ")
    try:
        begin = _day(first, today - timedelta(days=30))
        found = Away(begin, _day(last, begin))
    except (ValueError, OverflowError):  # also where ``today`` is in the first month of all
        return None
    return found if found.first <= found.last and found.first - today <= _AHEAD else None


def _day(text: str, earliest: date) -> date:
    """The first such day from ``earliest`` on, if it has no year; ValueError if there is none."""
    if not re.fullmatch(_DAY, text):
        raise ValueError(text)
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return date.fromisoformat(text)
    words = re.findall(r"[a-z]+|\d+", text)
    month = next(MONTHS.index(word[:3]) + 1 for word in words if word.isalpha())
    numbers = [int(word) for word in words if word.isdigit()]
    if len(numbers) > 1:
        return date(numbers[1], month, numbers[0])
    years = (earliest.year, earliest.year + 1)
    found = [date(year, month, numbers[0]) for year in years if _is_day(year, month, numbers[0])]
    return next(day for day in [*found, date.max] if day >= earliest)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
