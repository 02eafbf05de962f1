"""A player's own absence, by email: what is noted of it, and what they are told.

What must never be here: a deadline that moves by it (play/deadlines/due.py).
Law: it is told to all by what it moves; nobody is away for longer than ``MOST`` days in a game.
Source: docs/CLOCK.md.
"""

from datetime import date, timedelta
from typing import NamedTuple

from pbem.chain.clock import epoch_seconds
from pbem.chain.clock_words import absence_in_prose, day_in_prose
from pbem.engine.row import Row
from pbem.notation.absence import ABSENT, PRESENT, UNCLEAR, Absence, resolve_absence, resolve_absence_begin
from pbem.play.deadlines.calendar import local_day
from pbem.report.receipt import MAX_COMMANDS, absences_in
from pbem.services.session.session import Session
from pbem.services.session.timing import AWAY_FILE, absences_by_seat, with_absences

MOST_AWAY_DAYS = 30  #: days of one player in a game, without the referee


class AbsenceChanges(NamedTuple):
    """What becomes of the lines that say when a player is away."""

    receipt_rows: list[Row]  #: what the receipt says of each, the macro ``reply_KIND``
    noted_lines: list[str]  #: what is noted of each, with its dates in full; "" for nothing
    absences: tuple[Absence, ...] | None  #: all that are to be noted then; None where none changes


def read_absences(session: Session, seat: str, requests: tuple[str, ...]) -> AbsenceChanges:
    """Of the first ``MOST_ASKS`` of such lines; ``requests``: all that the player asks for."""
    lines = absences_in(requests)[:MAX_COMMANDS]
    if not lines:
        return AbsenceChanges([], [], None)
    today = local_day(epoch_seconds(session.time), session.record.clock.zone)
    old_absences = [*absences_by_seat(session).get(seat, ())]
    receipt_rows, noted_lines, absences = list[Row](), list[str](), [*old_absences]
    for line in lines:
        if line == PRESENT and session.record.clock.has_deadlines:
            absences, absence = _end_absences(today, absences), None
            receipt_rows.append(Row("present"))
        else:
            row, absence = _read_absence(session, line, today, absences)
            receipt_rows.append(row)
            absences += [absence] if absence else []
        noted_line = f"{ABSENT} {absence.first} .. {absence.last}" if absence else ""
        noted_lines.append(PRESENT if receipt_rows[-1].kind == "present" else noted_line)
    return AbsenceChanges(receipt_rows, noted_lines, tuple(absences) if absences != old_absences else None)


def _read_absence(session: Session, line: str, today: date, old_absences: list[Absence]) -> tuple[Row, Absence | None]:
    """Of one line what the receipt says, and the days that are noted."""
    absence, time = resolve_absence(line, today), f"{today}"
    if not session.record.clock.has_deadlines:
        return Row("absent_never"), None
    if begin := resolve_absence_begin(line, today):
        first, last = (day_in_prose(day, time)[4:] for day in (begin, begin + timedelta(days=7)))
        return Row("absent_open", {"first": first, "last": last}), None
    if absence is None or absence.last < today:
        suggestion = resolve_absence(line.replace(f"{UNCLEAR} ", f"{ABSENT} "), today)
        if suggestion is None or suggestion.last < today:
            suggestion = Absence(today + timedelta(days=7), today + timedelta(days=13))
        first, last = (day_in_prose(day, time)[4:] for day in suggestion)
        return Row("absent_unclear", {"first": first, "last": last}), None
    absence = absence._replace(first=max(absence.first, today))  # a deadline that is over is over
    values = {"days": absence_in_prose(absence, time), "most": MOST_AWAY_DAYS}
    # the span first: a set of all days until the year 9999 takes its time
    noted_days = {day for other in old_absences for day in _day_numbers(other)}
    if (absence.last - absence.first).days >= MOST_AWAY_DAYS or len(
        noted_days | _day_numbers(absence)
    ) > MOST_AWAY_DAYS:
        return Row("absent_long", values), None
    return Row("absent", values), absence


def with_dates(session: Session, line: str) -> str:
    """Such a line with its days, as a player writes them: `absent 20 Dec to 3 Jan`; "" if none of
    them is to come.
    """
    today = local_day(epoch_seconds(session.time), session.record.clock.zone)
    absence = resolve_absence(line, today)
    if absence is None or absence.last < today:
        return ""
    first, last = (day_in_prose(day, f"{today}")[4:] for day in absence)
    return f"{ABSENT} {first} to {last}"


def _end_absences(today: date, absences: list[Absence]) -> list[Absence]:
    """What of these days is over."""
    shortened = (absence._replace(last=min(absence.last, today - timedelta(days=1))) for absence in absences)
    return [absence for absence in shortened if absence.first <= absence.last]


def _day_numbers(absence: Absence) -> set[int]:
    return {*range(absence.first.toordinal(), absence.last.toordinal() + 1)}


def store_absences(session: Session, seat: str, absences: tuple[Absence, ...] | None) -> None:
    """Durably. The same days twice are noted once."""
    if absences is not None:
        session.folder.put_desk_file(AWAY_FILE, with_absences(session, seat, absences))
