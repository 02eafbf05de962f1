"""Read the options of a game's clock, such as ``turn=3d``, and write a clock for people.

Not allowed here: a game's own options; when something is due (calendar.py).
Source: docs/REFEREE.md "Deadlines"; docs/SPECIFICATION.md section 5 (clock).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from pbem.chain.clock import BOT, DEFAULT, MAX_VALUE, WAIT, WEEKDAYS, Clock, is_valid_clock
from pbem.chain.clock_words import NO_DEADLINES, option_in_prose, typed_options, zone_of
from pbem.engine.settings import ARCHIVE
from pbem.errors import BadInput
from pbem.notation.absence import Absence
from pbem.play.deadlines.option_names import CLOCK_OPTION_NAMES, CLOCK_OPTIONS, DEFAULT_WITH_CLOCK

_SPAN = re.compile(r"(?:([0-9]{1,3})d)?(?:([0-9]{1,4})h)?")
_MINUTES = re.compile(r"([1-9][0-9]{0,3})m")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}")
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_OFF = re.compile(rf"({_DAY})(?:\.\.({_DAY}))?")
LOCAL_TIME_OPTIONS = ("slots", "at", "days", "off")  #: these need a time zone


def split_options(options: Mapping[str, str], game_names: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Split the chosen options into those of the game and those of its clock.

    ``game_names``: the options of the game. The option `archive` is left out of both. Raises BadInput
    ``option/unknown`` for a likely misspelling of an option. Any other unknown name is returned as an
    option of the game.
    """
    names = (*game_names, *CLOCK_OPTION_NAMES, ARCHIVE.name)
    for name in options:
        suggestion = "" if name in names else suggest_name(name, names)
        if suggestion:
            raise BadInput("option/unknown", f"there is no option {name[:60]!r}", suggestion)
    game_options = {name: value for name, value in options.items() if name not in (*CLOCK_OPTION_NAMES, ARCHIVE.name)}
    clock_options = {name: value for name, value in options.items() if name in CLOCK_OPTION_NAMES}
    return game_options, clock_options


def suggest_name(name: str, names: Sequence[str]) -> str:
    """Return ``did you mean turn?`` for a name similar to one of these; otherwise ""."""
    from difflib import get_close_matches  # only for misspelt names

    close_names = get_close_matches(name.lower()[:60], names, 1, 0.7)
    return f"did you mean {close_names[0]}?" if close_names else ""


def parse_span(name: str, text: str) -> int:
    """Read a typed span, and return it in hours. Raises BadInput ``clock/value``."""
    return _parse_span(name, " ".join(text.split()))


def read_clock(options: Mapping[str, str], before: Clock = NO_DEADLINES) -> Clock:
    """Return the clock ``before`` with these options changed. An empty value removes an option.

    Raises BadInput ``clock/name`` for an unknown option, ``clock/value`` for an invalid value, and
    ``clock/together`` for options that exclude each other.
    """
    for name in options:
        if name not in CLOCK_OPTION_NAMES:
            hint = suggest_name(name, CLOCK_OPTION_NAMES) or f"it has: {', '.join(CLOCK_OPTION_NAMES)}"
            raise BadInput("clock/name", f"a clock has no {name[:60]!r}", hint)
    values: dict[str, Any] = {}
    for name, value in options.items():
        text = " ".join(value.split())
        parse = _PARSERS.get(name, _parse_span)
        values[name] = parse(name, text) if text else NO_DEADLINES.option(name)
    clock = before.with_options(values)
    if not clock.has_deadlines:
        return _make_stopped_clock(clock, values, before)
    uses_local_time = any(clock.option(name) for name in LOCAL_TIME_OPTIONS)
    if clock.zone in ("", "UTC"):  # a clock with spans alone names no zone
        clock = clock._replace(zone="UTC" if uses_local_time else "")
    _check_together(clock)
    return clock


def _make_stopped_clock(clock: Clock, values: Mapping[str, Any], before: Clock) -> Clock:
    """Return a clock without deadlines, which has only the options ``missed`` and ``regret``. Raises BadInput
    ``clock/together`` if ``values`` sets an option that needs deadlines.
    """
    stopped_clock = Clock(missed=clock.missed, regret=clock.regret, seats=clock.seats)
    if before.has_deadlines:  # no turn is missed while a clock is stopped
        stopped_clock = stopped_clock._replace(missed=values.get("missed", WAIT))
    extra_names = [name for name in values if clock.option(name) != stopped_clock.option(name)]
    if extra_names:
        hint = "deadlines come with turn or slots: add turn=3d or slots='mon thu 19:00'"
        raise _together_error(f"{extra_names[0]} alone gives no deadline", hint)
    if clock.missed == BOT:
        raise _together_error("missed=bot needs a clock", "add turn=3d or slots='mon thu 19:00'")
    return stopped_clock


def _check_together(clock: Clock) -> None:
    """Raise BadInput ``clock/together`` if options of this clock exclude each other."""
    if clock.slots and (clock.turn or clock.choice or clock.at or clock.days):
        hint = "leave out turn, choice, at and days where you give slots"
        raise _together_error("slots takes the place of turn, choice, at and days", hint)
    if clock.missed_turn_limit and clock.missed == WAIT:
        raise _together_error("strikes need missed turns", "add missed=default or missed=bot")
    if not is_valid_clock(clock):
        raise _together_error("these do not go together", "see docs/REFEREE.md")


def _together_error(why: str, hint: str) -> BadInput:
    return BadInput("clock/together", why, hint)


def _value_error(name: str, text: str, expected: str, example: str) -> BadInput:
    why = f"{name}={text[:60]!r} is not {expected}"
    return BadInput("clock/value", why, f"for example {example}")


def _parse_span(name: str, text: str) -> int:
    """Return a span in hours: 36 for ``1d12h``."""
    match = _SPAN.fullmatch(text.replace(" ", ""))
    hours = int(match[1] or 0) * 24 + int(match[2] or 0) if match else 0
    if not 0 < hours <= MAX_VALUE:
        expected = f"days and hours, from 1h to {MAX_VALUE}h"
        raise _value_error(name, text, expected, f"{name}=3d, {name}=36h or {name}=1d12h")
    return hours


def _parse_slots(name: str, text: str) -> tuple[str, ...]:
    """Return the slots, sorted: `mon thu 19:00, sat 12:00` is ``mon 19:00``, ``thu 19:00``, ``sat 12:00``."""
    slots = set[tuple[int, str]]()
    for group in text.lower().split(","):
        words = group.split()
        days = [word for word in words if word in WEEKDAYS]
        times = [_parse_hour(name, word) for word in words if word not in WEEKDAYS]
        if not days or not times:
            raise _value_error(name, text, "days with a time of day", "slots='mon thu 19:00'")
        slots |= {(WEEKDAYS.index(day), time) for day in days for time in times}
    return tuple(f"{WEEKDAYS[day]} {time}" for day, time in sorted(slots))


def _parse_hour(name: str, text: str) -> str:
    hours, colon, minutes = text.partition(":")
    if not (_TIME.fullmatch(text) and colon and int(hours) < 24 and int(minutes) < 60):
        example = "slots='mon thu 19:00'" if name == "slots" else f"{name}=20:00"
        raise _value_error(name, text, "a time of day, from 00:00 to 23:59", example)
    return f"{int(hours):02d}:{minutes}"


def _parse_zone(_: str, text: str) -> str:
    zone_of(text)
    return text


def _parse_days(name: str, text: str) -> tuple[str, ...]:
    """Return the weekdays, sorted; () for all seven. `mon-wed sat` is four days, and `fri-mon` too."""
    days: set[int] = set()
    for word in text.lower().replace(",", " ").split():
        first, dash, last = word.partition("-")
        if first not in WEEKDAYS or (dash and last not in WEEKDAYS):
            expected = f"made of {', '.join(WEEKDAYS)}"
            raise _value_error(name, text, expected, "days=mon-fri or days='mon wed fri'")
        low, high = WEEKDAYS.index(first), WEEKDAYS.index(last or first)
        if high < low:  # over the end of the week
            high += 7
        days |= {day % 7 for day in range(low, high + 1)}
    return () if len(days) == len(WEEKDAYS) else tuple(WEEKDAYS[day] for day in sorted(days))


def parse_absence(text: str) -> Absence:
    """Read a typed absence, such as ``2026-12-24..2027-01-03``. Raises BadInput ``clock/value``."""
    rows = _parse_days_off("--absent", text)
    if len(rows) != 1:
        raise _value_error("--absent", text, "one span of days", "--absent=2026-12-24..2027-01-03")
    first, last = map(date.fromisoformat, rows[0].split(" "))
    return Absence(first, last)


def _parse_days_off(name: str, text: str) -> tuple[str, ...]:
    """Return a row for each day or span of days in a list: ``2026-12-24 2027-01-01``, the first and last day."""
    rows = []
    for part in text.split(","):
        match = _OFF.fullmatch(part.strip())
        try:
            if match is None:
                raise ValueError
            first, last = (date.fromisoformat(date_text or match[1]) for date_text in match.groups())
        except ValueError:
            expected = "days with year, month and day"
            raise _value_error(name, text, expected, f"{name}=2026-12-24..2027-01-01") from None
        if last < first:
            expected = "possible: it ends before it begins"
            raise _value_error(name, part.strip(), expected, f"{name}={last}..{first}")
        rows.append(f"{first} {last}")
    return tuple(sorted(rows))


def _parse_regret(name: str, text: str) -> int:
    match = _MINUTES.fullmatch(text)
    if not match:
        raise _value_error(name, text, f"a number of minutes, from 1m to {MAX_VALUE}m", "regret=10m")
    return int(match[1])


def _parse_remind(name: str, text: str) -> tuple[str, ...]:
    hours = {_parse_span(name, part) for part in text.split(",")}
    return tuple(str(span_hours) for span_hours in sorted(hours, reverse=True))


def _parse_missed(name: str, text: str) -> str:
    allowed_values = next(option.allowed for option in CLOCK_OPTIONS if option.name == name).split(", ")
    if text.lower() not in allowed_values:
        why = f"{name}={text[:60]!r} is not possible"
        raise BadInput("option/value", why, f"allowed: {', '.join(allowed_values)}")
    return text.lower()


def _parse_strikes(name: str, text: str) -> int:
    if not re.fullmatch("[1-9][0-9]?", text):
        raise _value_error(name, text, "a number from 1 to 99", "strikes=2")
    return int(text)


_PARSERS = {
    "slots": _parse_slots,
    "at": _parse_hour,
    "zone": _parse_zone,
    "days": _parse_days,
    "off": _parse_days_off,
    "regret": _parse_regret,
    "remind": _parse_remind,
    "missed": _parse_missed,
    "strikes": _parse_strikes,
}


def describe_clock(clock: Clock) -> list[str]:
    """Return a sentence for players about each chosen option of a clock."""
    chosen = {name: option_in_prose(name, clock.option(name)) for name in ("missed", *typed_options(clock))}
    if clock.has_deadlines and clock.missed == DEFAULT:
        chosen["missed"] = DEFAULT_WITH_CLOCK
    return [option.sentence(chosen[option.name]) for option in CLOCK_OPTIONS if option.name in chosen]
