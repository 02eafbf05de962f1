"""Read from an email on which days its player is away, note them, and answer in the receipt.

Not allowed here: the deadlines that an absence moves (play/deadlines/due.py).
Law: without the referee, no player can be away for more than ``MOST_AWAY_DAYS`` days in a game.
Source: docs/REFEREE.md "Deadlines".
"""

from datetime import date, timedelta
from typing import NamedTuple

from pbem.chain.clock import epoch_seconds
from pbem.chain.clock_words import absence_in_prose, day_in_prose
from pbem.engine.row import Row
from pbem.notation.absence import ABSENT, PRESENT, UNCLEAR, Absence, resolve_absence, resolve_absence_begin
from pbem.play.deadlines.calendar import local_day
from pbem.report.receipt import MAX_COMMANDS, absences_in
from pbem.services.session.desk import AWAY_FILE, encode_absences, read_noted_absences
from pbem.services.session.session import Session

MOST_AWAY_DAYS = 30  #: how long one player can be away in a game without asking the referee


class AbsenceChanges(NamedTuple):
    """The result of reading the lines in which a player announces an absence."""

    receipt_rows: list[Row]  #: the answer to each line in the receipt, for the macro ``reply_KIND``
    noted_lines: list[str]  #: each line with its dates in full; "" where nothing is noted
    absences: tuple[Absence, ...] | None  #: all the player's absences from now on; None if they do not change


def read_absences(session: Session, seat: str, requests: tuple[str, ...]) -> AbsenceChanges:
    """Read the first ``MAX_COMMANDS`` of these commands that are about an absence. Nothing is stored yet."""
    lines = absences_in(requests)[:MAX_COMMANDS]
    if not lines:
        return AbsenceChanges([], [], None)
    today = local_day(epoch_seconds(session.time), session.record.clock.zone)
    old_absences = [*read_noted_absences(session.folder).get(seat, ())]
    receipt_rows, noted_lines = list[Row](), list[str]()
    absences = [*old_absences]
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
    """Return the receipt's answer to one line, and the absence to note; None where nothing is noted."""
    if not session.record.clock.has_deadlines:
        return Row("absent_never"), None
    begin = resolve_absence_begin(line, today)
    if begin:  # the line has no last day
        example = Absence(begin, begin + timedelta(days=7))
        return Row("absent_open", _format_days(example, today)), None
    absence = resolve_absence(line, today)
    if absence is None or absence.last < today:
        suggestion = resolve_absence(line.replace(f"{UNCLEAR} ", f"{ABSENT} "), today)
        if suggestion is None or suggestion.last < today:
            suggestion = Absence(today + timedelta(days=7), today + timedelta(days=13))
        return Row("absent_unclear", _format_days(suggestion, today)), None
    absence = absence._replace(first=max(absence.first, today))  # a past deadline does not move
    values = {"days": absence_in_prose(absence, f"{today}"), "most": MOST_AWAY_DAYS}
    if (absence.last - absence.first).days >= MOST_AWAY_DAYS:  # so that no days up to the year 9999 are listed below
        return Row("absent_long", values), None
    days = {day for noted_absence in (*old_absences, absence) for day in _day_numbers(noted_absence)}
    if len(days) > MOST_AWAY_DAYS:
        return Row("absent_long", values), None
    return Row("absent", values), absence


def spell_out_absence(session: Session, line: str) -> str:
    """Return an absence as a player would write it: `absent 20 Dec to 3 Jan`; "" if it is over or unclear."""
    today = local_day(epoch_seconds(session.time), session.record.clock.zone)
    absence = resolve_absence(line, today)
    if absence is None or absence.last < today:
        return ""
    days = _format_days(absence, today)
    return f"{ABSENT} {days['first']} to {days['last']}"


def _format_days(absence: Absence, today: date) -> dict[str, str]:
    """Return the first and last day of an absence, such as `20 Dec`, without the day of the week."""
    first, last = (day_in_prose(day, f"{today}").partition(" ")[2] for day in absence)
    return {"first": first, "last": last}


def _end_absences(today: date, absences: list[Absence]) -> list[Absence]:
    """Return the part of each absence that is before today."""
    shortened = (absence._replace(last=min(absence.last, today - timedelta(days=1))) for absence in absences)
    return [absence for absence in shortened if absence.first <= absence.last]


def _day_numbers(absence: Absence) -> set[int]:
    return {*range(absence.first.toordinal(), absence.last.toordinal() + 1)}


def store_absences(session: Session, seat: str, absences: tuple[Absence, ...]) -> None:
    """Replace the absences that are noted for a seat. They are on the drive when this returns."""
    session.folder.put_desk_file(AWAY_FILE, encode_absences(session.folder, seat, absences))
