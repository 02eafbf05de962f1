"""A player's own absence, by email: which days are noted, and what the receipt says.

What must never be here: the deadline that it moves (play/deadlines/due.py).
Law: without the referee, nobody is away for more than ``MOST_AWAY_DAYS`` days in a game.
Source: docs/CLOCK.md.
"""

from datetime import date, timedelta
from typing import NamedTuple

from pbem.chain.clock import epoch_seconds
from pbem.chain.clock_words import absence_in_prose, day_in_prose
from pbem.engine.row import Row
from pbem.notation.absence import ABSENT, PRESENT, UNCLEAR, Absence, resolve_absence, resolve_absence_begin
from pbem.play.deadlines.calendar import local_day
from pbem.report.receipt import MOST_COMMANDS, absences_in
from pbem.services.session.session import Session
from pbem.services.session.timing import AWAY_FILE, absences_by_seat, with_absences

MOST_AWAY_DAYS = 30  #: of one player in a game, without the referee


class AbsenceChanges(NamedTuple):
    """What becomes of the lines in which a player announces an absence."""

    receipt_rows: list[Row]  #: what the receipt says of each line, the macro ``reply_KIND``
    noted_lines: list[str]  #: each line with its dates in full; "" where nothing is noted
    absences: tuple[Absence, ...] | None  #: all the player's absences from now on; None if they do not change


def read_absences(session: Session, seat: str, requests: tuple[str, ...]) -> AbsenceChanges:
    """Read the first ``MOST_COMMANDS`` lines about an absence among these commands."""
    lines = absences_in(requests)[:MOST_COMMANDS]
    if not lines:
        return AbsenceChanges([], [], None)
    today = local_day(epoch_seconds(session.time), session.record.clock.zone)
    old_absences = [*absences_by_seat(session).get(seat, ())]
    receipt_rows, noted_lines, absences = list[Row](), list[str](), [*old_absences]
    for line in lines:
        if line == PRESENT and session.record.clock.has_deadlines:
            absences = _end_absences(today, absences)
            receipt_rows.append(Row("present"))
            noted_lines.append(PRESENT)
            continue
        row, absence = _read_absence(session, line, today, absences)
        receipt_rows.append(row)
        absences += [absence] if absence else []
        noted_lines.append(f"{ABSENT} {absence.first} .. {absence.last}" if absence else "")
    return AbsenceChanges(receipt_rows, noted_lines, tuple(absences) if absences != old_absences else None)


def _read_absence(session: Session, line: str, today: date, old_absences: list[Absence]) -> tuple[Row, Absence | None]:
    """What the receipt says of one line, and the absence to note."""
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
    absence = absence._replace(first=max(absence.first, today))  # a past deadline does not move
    values = {"days": absence_in_prose(absence, time), "most": MOST_AWAY_DAYS}
    if (absence.last - absence.first).days >= MOST_AWAY_DAYS:  # before all days until 9999 are listed
        return Row("absent_long", values), None
    days = {day for noted_absence in (*old_absences, absence) for day in _day_numbers(noted_absence)}
    return (Row("absent_long", values), None) if len(days) > MOST_AWAY_DAYS else (Row("absent", values), absence)


def with_dates(session: Session, line: str) -> str:
    """An absence with its days, as a player writes it: `absent 20 Dec to 3 Jan`; "" if it is over."""
    today = local_day(epoch_seconds(session.time), session.record.clock.zone)
    absence = resolve_absence(line, today)
    if absence is None or absence.last < today:
        return ""
    first, last = (day_in_prose(day, f"{today}")[4:] for day in absence)
    return f"{ABSENT} {first} to {last}"


def _end_absences(today: date, absences: list[Absence]) -> list[Absence]:
    """The part of each absence that is before today."""
    shortened = (absence._replace(last=min(absence.last, today - timedelta(days=1))) for absence in absences)
    return [absence for absence in shortened if absence.first <= absence.last]


def _day_numbers(absence: Absence) -> set[int]:
    return {*range(absence.first.toordinal(), absence.last.toordinal() + 1)}


def store_absences(session: Session, seat: str, absences: tuple[Absence, ...]) -> None:
    """Replace the absences that are noted for a seat, durably."""
    session.folder.put_desk_file(AWAY_FILE, with_absences(session, seat, absences))
