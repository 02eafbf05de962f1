"""A player's own absence, by email: what is noted of it, and what they are told.

What must never be here: a deadline that moves by it (moderator/deadlines/due.py).
Law: it is told to all by what it moves; nobody is away for longer than ``MOST`` days in a game.
Source: docs/CLOCK.md.
"""

from datetime import date

from pbem.engine.row import Row
from pbem.files.orders.absence import Away, days_of
from pbem.moderator.report.receipt import MOST_ASKS, absences_in
from pbem.services.session.session import Session
from pbem.services.session.timing import AWAY, away, with_days

MOST = 30  #: days of one player in a game, without the referee


def absences(
    session: Session, seat: str, asks: tuple[str, ...]
) -> tuple[list[Row], tuple[Away, ...]]:
    """What the receipt says, the macro ``reply_KIND``, of the first ``MOST_ASKS`` lines that say
    when the player is away; and the days that are to be noted.
    """
    lines = absences_in(asks)[:MOST_ASKS]
    today = date.fromisoformat(session.time[:10])
    there = {day for one in away(session).get(seat, ()) for day in _days(one)} if lines else set()
    rows, found = list[Row](), list[Away]()
    for line in lines:
        days = days_of(line, today)
        if not session.link.clock.on:
            rows.append(Row("absent_never"))
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
            there |= _days(days)
            found.append(days)
    return rows, tuple(found)


def _days(one: Away) -> set[int]:
    return {*range(one.first.toordinal(), one.last.toordinal() + 1)}


def note_away(session: Session, seat: str, days: tuple[Away, ...]) -> None:
    """Durably. The same days twice are noted once."""
    if days:
        session.folder.put_desk_file(AWAY, with_days(session, seat, days))
