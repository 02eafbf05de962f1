"""A player's own absence, by email: what is noted of it, and what they are told.

What must never be here: a deadline that moves by it (moderator/deadlines/due.py).
Law: it is told to all by what it moves; nobody is away for longer than ``MOST`` days in a game.
Source: docs/CLOCK.md.
"""

from datetime import date

from pbem.engine.row import Row
from pbem.files.orders.absence import ABSENT, Away, days_of
from pbem.services.session.session import Session
from pbem.services.session.timing import AWAY, away, with_days

MOST = 30  #: days of one player in a game, without the referee


def absence(session: Session, seat: str, ask: str) -> tuple[Row, Away | None]:
    """What the receipt says, the macro ``reply_KIND``, and the days; None: they are not noted."""
    today = date.fromisoformat(session.time[:10])
    days = days_of(ask, today)
    if not session.link.clock.on:
        return Row("absent_never"), None
    if days is None or days.last < today:
        return Row("absent_unclear"), None
    told = {"first": f"{days.first}", "last": f"{days.last}", "most": MOST}
    there = away(session).get(seat, ())
    before = {
        day for one in there for day in range(one.first.toordinal(), one.last.toordinal() + 1)
    }
    mine = {*range(days.first.toordinal(), days.last.toordinal() + 1)}
    if len(before | mine) > MOST:
        return Row("absent_long", told), None
    return Row("absent", told), days


def absences(session: Session, seat: str, asks: tuple[str, ...]) -> tuple[Away, ...]:
    """The days that are to be noted."""
    found = (absence(session, seat, ask)[1] for ask in asks if ask.startswith(f"{ABSENT} "))
    return tuple(days for days in found if days)


def note_away(session: Session, seat: str, days: tuple[Away, ...]) -> None:
    """Durably. The same days twice are noted once."""
    if days:
        session.folder.put_desk_file(AWAY, with_days(session, seat, days))
