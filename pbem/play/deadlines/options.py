"""What a referee chooses of a game's clock: from ``turn=3d`` to the values of a state, and back.

What must never be here: a game's own options; when something falls due (calendar.py).
Law: what is written of a clock reads back as the same clock.
Source: docs/CLOCK.md; docs/SPECIFICATION.md section 5 (clock).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from pbem.chain.clock import (
    BOT,
    DAYS,
    DEFAULT,
    MOST,
    WAIT,
    Clock,
    fits,
)
from pbem.chain.clock_words import OFF, shown, written, zone_of
from pbem.errors import BadInput
from pbem.notation.absence import Away
from pbem.play.deadlines.option_names import CLOCK, NAMES, PLAYED

_SPAN = re.compile(r"(?:([0-9]{1,3})d)?(?:([0-9]{1,4})h)?")
_MINUTES = re.compile(r"([1-9][0-9]{0,3})m")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}")
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_OFF = re.compile(rf"({_DAY})(?:\.\.({_DAY}))?")
LOCAL = ("slots", "at", "days", "off")  #: what is told by a clock on the wall


def apart(given: Mapping[str, str], known: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """What a game settles of what was chosen, and what is of its clock. ``known``: what it settles;
    BadInput ``option/unknown`` for what is nearly a name of either.
    """
    names = (*known, *NAMES)
    for name in given:
        if name not in names and (near := meant(name, names)):
            raise BadInput("option/unknown", f"there is no option {name[:60]!r}", near)
    mine = {name: value for name, value in given.items() if name in NAMES}
    return {name: value for name, value in given.items() if name not in NAMES}, mine


def meant(name: str, known: Sequence[str]) -> str:
    """``did you mean turn?`` of a name that is nearly one of these; "" of any other."""
    from difflib import get_close_matches  # where something is amiss

    near = get_close_matches(name.lower()[:60], known, 1, 0.7)
    return f"did you mean {near[0]}?" if near else ""


def span(name: str, text: str) -> int:
    """A span that is typed, in hours; BadInput ``clock/value``."""
    return _span(name, " ".join(text.split()))


def read_clock(given: Mapping[str, str], before: Clock = OFF) -> Clock:
    """What is chosen, over what was ``before``; an empty value takes away what there was.

    BadInput ``clock/value`` for what cannot be read, ``clock/together`` for what does not go
    together.
    """
    found: dict[str, Any] = {}
    if unknown := [name for name in given if name not in NAMES]:
        why = f"a clock has no {unknown[0][:60]!r}"
        raise BadInput("clock/name", why, meant(unknown[0], NAMES) or f"it has: {', '.join(NAMES)}")
    for name, value in given.items():
        text = " ".join(value.split())
        found[name] = getattr(OFF, name) if not text else _READ.get(name, _span)(name, text)
    clock = before._replace(**found)
    if not clock.on:
        return _stopped(clock, found, before)
    local = any(getattr(clock, name) for name in LOCAL)
    if clock.zone in ("", "UTC"):  # times are told by it too
        clock = clock._replace(zone="UTC" if local else "")
    _check_together(clock)
    return clock


def _stopped(clock: Clock, found: Mapping[str, Any], before: Clock) -> Clock:
    """A clock that does not run says what becomes of a missed turn, and nothing else."""
    bare = Clock(missed=clock.missed, regret=clock.regret, seats=clock.seats)
    if before.on:  # what is stopped misses no turn
        bare = bare._replace(missed=found.get("missed", WAIT))
    more = [name for name in found if getattr(clock, name) != getattr(bare, name)]
    if more:
        way = "deadlines come with turn or slots: add turn=3d or slots='mon thu 19:00'"
        raise _together(f"{more[0]} alone gives no deadline", way)
    if clock.missed == BOT:
        raise _together("missed=bot needs a clock", "add turn=3d or slots='mon thu 19:00'")
    return bare


def _check_together(clock: Clock) -> None:
    if clock.slots and (clock.turn or clock.choice or clock.at or clock.days):
        way = "leave out turn, choice, at and days where you give slots"
        raise _together("slots stand in place of spans, days and an hour", way)
    if clock.strikes and clock.missed == WAIT:
        raise _together("strikes need missed turns", "add missed=default or missed=bot")
    if not fits(clock):
        raise _together("these do not go together", "see docs/CLOCK.md")


def _together(why: str, way: str) -> BadInput:
    return BadInput("clock/together", why, way)


def _wrong(name: str, text: str, what: str, example: str) -> BadInput:
    why = f"{name}={text[:60]!r} is not {what}"
    return BadInput("clock/value", why, f"for example {example}")


def _span(name: str, text: str) -> int:
    """``1d12h`` in hours."""
    match = _SPAN.fullmatch(text.replace(" ", ""))
    hours = int(match[1] or 0) * 24 + int(match[2] or 0) if match else 0
    if not 0 < hours <= MOST:
        what = f"days and hours, from 1h to {MOST}h"
        raise _wrong(name, text, what, f"{name}=3d, {name}=36h or {name}=1d12h")
    return hours


def _slots(name: str, text: str) -> tuple[str, ...]:
    """``mon thu 19:00, sat 12:00``: each day before the times that are meant for it."""
    found = set[tuple[int, str]]()
    for group in text.lower().split(","):
        words = group.split()
        days = [word for word in words if word in DAYS]
        times = [_hour(name, word) for word in words if word not in DAYS]
        if not days or not times:
            raise _wrong(name, text, "days with a time of day", "slots='mon thu 19:00'")
        found |= {(DAYS.index(day), time) for day in days for time in times}
    return tuple(f"{DAYS[day]} {time}" for day, time in sorted(found))


def _hour(name: str, text: str) -> str:
    hours, colon, minutes = text.partition(":")
    if not (_TIME.fullmatch(text) and colon and int(hours) < 24 and int(minutes) < 60):
        example = "slots='mon thu 19:00'" if name == "slots" else f"{name}=20:00"
        raise _wrong(name, text, "a time of day, from 00:00 to 23:59", example)
    return f"{int(hours):02d}:{minutes}"


def _zone(_: str, text: str) -> str:
    zone_of(text)
    return text


def _days(name: str, text: str) -> tuple[str, ...]:
    found = set[int]()
    for word in text.lower().replace(",", " ").split():
        first, dash, last = word.partition("-")
        if first not in DAYS or (dash and last not in DAYS):
            what = f"made of {', '.join(DAYS)}"
            raise _wrong(name, text, what, "days=mon-fri or days='mon wed fri'")
        low, high = DAYS.index(first), DAYS.index(last or first)
        found |= {day % 7 for day in range(low, high + 1 + 7 * (high < low))}
    return tuple(DAYS[day] for day in sorted(found)) if len(found) < len(DAYS) else ()


def away(text: str) -> Away:
    """Days that are typed, ``2026-12-24..2027-01-03``; BadInput ``clock/value``."""
    rows = _off("--absent", text)
    if len(rows) != 1:
        raise _wrong("--absent", text, "one span of days", "--absent=2026-12-24..2027-01-03")
    first, last = map(date.fromisoformat, rows[0].split(" "))
    return Away(first, last)


def _off(name: str, text: str) -> tuple[str, ...]:
    found = []
    for part in text.split(","):
        match = _OFF.fullmatch(part.strip())
        try:
            if match is None:
                raise ValueError
            first, last = (date.fromisoformat(one or match[1]) for one in match.groups())
        except ValueError:
            what = "days with year, month and day"
            raise _wrong(name, text, what, f"{name}=2026-12-24..2027-01-01") from None
        if last < first:
            what = "possible: it ends before it begins"
            raise _wrong(name, part.strip(), what, f"{name}={last}..{first}")
        found.append(f"{first} {last}")
    return tuple(sorted(found))


def _regret(name: str, text: str) -> int:
    match = _MINUTES.fullmatch(text)
    if not match:
        raise _wrong(name, text, f"a number of minutes, from 1m to {MOST}m", "regret=10m")
    return int(match[1])


def _remind(name: str, text: str) -> tuple[str, ...]:
    hours = {_span(name, part) for part in text.split(",")}
    return tuple(str(one) for one in sorted(hours, reverse=True))


def _missed(name: str, text: str) -> str:
    allowed = next(one.allowed for one in CLOCK if one.name == name).split(", ")
    if text.lower() not in allowed:
        why = f"{name}={text[:60]!r} is not possible"
        raise BadInput("option/value", why, f"allowed: {', '.join(allowed)}")
    return text.lower()


def _strikes(name: str, text: str) -> int:
    if not re.fullmatch("[1-9][0-9]?", text):
        raise _wrong(name, text, "a number from 1 to 99", "strikes=2")
    return int(text)


_READ = {
    "slots": _slots,
    "at": _hour,
    "zone": _zone,
    "days": _days,
    "off": _off,
    "regret": _regret,
    "remind": _remind,
    "missed": _missed,
    "strikes": _strikes,
}


def in_sentences(clock: Clock) -> list[str]:
    """What was chosen of a clock, in sentences for players."""
    chosen = {name: shown(name, getattr(clock, name)) for name in ("missed", *written(clock))}
    if clock.on and clock.missed == DEFAULT:
        chosen["missed"] = PLAYED
    return [one.sentence(chosen[one.name]) for one in CLOCK if one.name in chosen]
