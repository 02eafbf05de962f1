"""A player's own absence, by email: what is noted of it, and what they are told.

What must never be here: a deadline that moves by it (moderator/deadlines/due.py).
Law: it is told to all by what it moves; nobody is away for longer than ``MOST`` days in a game.
Source: docs/CLOCK.md.
"""

from datetime import date, timedelta

from pbem.engine.row import Row
from pbem.files.orders.absence import PRESENT, Away, days_of
from pbem.moderator.report.receipt import MOST_ASKS, absences_in
from pbem.services.session.session import Session
from pbem.services.session.timing import AWAY, away, with_days

MOST = 30  #: days of one player in a game, without the referee


def absences(
    session: Session, seat: str, asks: tuple[str, ...]
) -> tuple[list[Row], tuple[Away, ...] | None]:
    """What the receipt says, the macro ``reply_KIND``, of the first ``MOST_ASKS`` lines that say
    when the player is away; and all days that are to be noted then, None where none changes.
    """
    lines = absences_in(asks)[:MOST_ASKS]
    today, before = date.fromisoformat(session.time[:10]), list[Away]()
    before = [*away(session).get(seat, ())] if lines else before
    rows, found = list[Row](), [*before]
    for line in lines:
        there = {day for one in found for day in _days(one)}
        days = days_of(line, today) if line != PRESENT else None
        if not session.link.clock.on:
            rows.append(Row("absent_never"))
        elif line == PRESENT:
            found = _until(today, found)
            rows.append(Row("present"))
        elif days is None or days.last < today:
            rows.append(Row("absent_unclear"))
        else:
            days = days._replace(first=max(days.first, today))  # a deadline that is over is over
            told = {"first": f"{days.first}", "last": f"{days.last}", "most": MOST}
            # the span first: a set of all days until the year 9999 takes its time
            if (days.last - days.first).days >= MOST or len(there | _days(days)) > MOST:
                rows.append(Row("absent_long", told))
                continue
            rows.append(Row("absent", told))
            found.append(days)
    return rows, tuple(found) if found != before else None


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
