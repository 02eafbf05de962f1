"""A player's own absence, by email: what is noted of it, and what they are told.

What must never be here: a deadline that moves by it (play/deadlines/due.py).
Law: it is told to all by what it moves; nobody is away for longer than ``MOST`` days in a game.
Source: docs/CLOCK.md.
"""

from datetime import date, timedelta
from typing import NamedTuple

from pbem.chain.clock import seconds
from pbem.chain.clock_words import away_in_prose, day_in_prose
from pbem.engine.row import Row
from pbem.notation.absence import ABSENT, PRESENT, UNCLEAR, Away, begin_of, days_of
from pbem.play.deadlines.calendar import local_day
from pbem.report.receipt import MOST_ASKS, absences_in
from pbem.services.session.session import Session
from pbem.services.session.timing import AWAY, away, with_days

MOST = 30  #: days of one player in a game, without the referee


class Absences(NamedTuple):
    """What becomes of the lines that say when a player is away."""

    rows: list[Row]  #: what the receipt says of each, the macro ``reply_KIND``
    lines: list[str]  #: what is noted of each, with its dates in full; "" for nothing
    days: tuple[Away, ...] | None  #: all that are to be noted then; None where none changes


def absences(session: Session, seat: str, asks: tuple[str, ...]) -> Absences:
    """Of the first ``MOST_ASKS`` of such lines; ``asks``: all that the player asks for."""
    lines = absences_in(asks)[:MOST_ASKS]
    if not lines:
        return Absences([], [], None)
    today = local_day(seconds(session.time), session.link.clock.zone)
    before = [*away(session).get(seat, ())]
    rows, kept, found = list[Row](), list[str](), [*before]
    for line in lines:
        if line == PRESENT and session.link.clock.on:
            found, days = _until(today, found), None
            rows.append(Row("present"))
        else:
            row, days = _of_days(session, line, today, found)
            rows.append(row)
            found += [days] if days else []
        noted = f"{ABSENT} {days.first} .. {days.last}" if days else ""
        kept.append(PRESENT if rows[-1].kind == "present" else noted)
    return Absences(rows, kept, tuple(found) if found != before else None)


def _of_days(
    session: Session, line: str, today: date, before: list[Away]
) -> tuple[Row, Away | None]:
    """Of one line what the receipt says, and the days that are noted."""
    days, time = days_of(line, today), f"{today}"
    if not session.link.clock.on:
        return Row("absent_never"), None
    if begin := begin_of(line, today):
        first, last = (day_in_prose(day, time)[4:] for day in (begin, begin + timedelta(days=7)))
        return Row("absent_open", {"first": first, "last": last}), None
    if days is None or days.last < today:
        named = days_of(line.replace(f"{UNCLEAR} ", f"{ABSENT} "), today)
        if named is None or named.last < today:
            named = Away(today + timedelta(days=7), today + timedelta(days=13))
        first, last = (day_in_prose(day, time)[4:] for day in named)
        return Row("absent_unclear", {"first": first, "last": last}), None
    days = days._replace(first=max(days.first, today))  # a deadline that is over is over
    told = {"days": away_in_prose(days, time), "most": MOST}
    # the span first: a set of all days until the year 9999 takes its time
    there = {day for one in before for day in _days(one)}
    if (days.last - days.first).days >= MOST or len(there | _days(days)) > MOST:
        return Row("absent_long", told), None
    return Row("absent", told), days


def dated(session: Session, line: str) -> str:
    """Such a line with its days, as a player writes them: `absent 20 Dec to 3 Jan`; "" if none of
    them is to come.
    """
    today = local_day(seconds(session.time), session.link.clock.zone)
    days = days_of(line, today)
    if days is None or days.last < today:
        return ""
    first, last = (day_in_prose(day, f"{today}")[4:] for day in days)
    return f"{ABSENT} {first} to {last}"


def _until(today: date, days: list[Away]) -> list[Away]:
    """What of these days is over."""
    ended = (one._replace(last=min(one.last, today - timedelta(days=1))) for one in days)
    return [one for one in ended if one.first <= one.last]


def _days(one: Away) -> set[int]:
    return {*range(one.first.toordinal(), one.last.toordinal() + 1)}


def note_away(session: Session, seat: str, days: tuple[Away, ...] | None) -> None:
    """Durably. The same days twice are noted once."""
    if days is not None:
        session.folder.put_desk_file(AWAY, with_days(session, seat, days))
