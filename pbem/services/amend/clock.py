"""Rulings on a game's time: another clock, more time, a pause and its end.

What must never be here: when something falls due (play/deadlines/); what is asked on a screen.
Laws: no deadline moves back but by `resume`; whoever would delay a game by more than a month in two
needs the consent of all, and nothing here asks for it.
Source: docs/SPECIFICATION.md section 9 (rulings); docs/CLOCK.md.
"""

from collections.abc import Mapping

from pbem.chain.clock import BOT, HOUR, OPTIONS, Clock, seconds, written
from pbem.chain.clock_words import away_in_prose, in_prose, span_in_words
from pbem.chain.ruling_row import Ruling, reason_of
from pbem.chain.rulings.clock import (
    CLOCK,
    EXTEND,
    MOST_DELAY,
    PAUSE,
    RESUME,
    WITHIN,
    delay_left,
)
from pbem.chain.rulings.kind import NOTE, Basis
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.state_record import DEAL, StateRecord
from pbem.errors import BadInput, Refused
from pbem.notation.absence import Away
from pbem.play.deadlines.calendar import hours_to_later
from pbem.play.deadlines.options import read_clock
from pbem.services.amend.ruling import Amended, Planned, ruled, standing_ruling
from pbem.services.lost_orders import kept
from pbem.services.session.history import link_at
from pbem.services.session.newest import not_dealt
from pbem.services.session.session import Session
from pbem.services.session.timing import AWAY, away, clocked, refuse_bots, with_days


def another_clock(
    session: Session, given: Mapping[str, str], reason: str, dry_run: bool
) -> Amended:
    """What is ``given`` of the clock in place of what there was. BadInput ``clock/…``."""

    def plan(session: Session) -> Planned:
        before = _dealt(session).clock
        clock = read_clock(given, before)
        what = ",".join(key for key in OPTIONS if getattr(clock, key) != getattr(before, key))
        if not what:
            raise BadInput("clock/same", "the clock is like that already", "pbem show DIR")
        if not clock.on:
            clock = clock._replace(paused="")
        if clock.missed == BOT:
            refuse_bots(session, (player.seat for player in session.link.people))
        return _planned(session, clock, CLOCK.ruling(reason, ("what", what)))

    def same(ruling: Ruling) -> bool:
        clock = session.link.clock
        return ruling.name == CLOCK.name and read_clock(given, clock) == clock

    return ruled(session, plan, dry_run, same)


def more_time(session: Session, seat: str, hours: int, reason: str, dry_run: bool) -> Amended:
    """Every deadline, or that of ``seat`` alone, so many hours later, by ``hours_to_later``."""
    operands = [("seat", seat)] if seat else []

    def ruling(record: StateRecord, most: int, moved: int = 0) -> Ruling:
        """As it is made of deadlines that have ``moved`` by so many hours."""
        dues = (row.due for row in record.clock.seats if row.due and seat in ("", row.seat))
        zone, before = record.clock.zone, (seconds(due) - moved * HOUR for due in dues)
        span = max((hours_to_later(due, hours, zone) for due in before), default=hours)
        return EXTEND.ruling(reason, *operands, ("hours", str(min(span, most))))

    def plan(session: Session) -> Planned:
        return plan_extension(session, ruling(session.link, max(hours, longest(session))))

    def same(made: Ruling) -> bool:
        moved = int(made.operand("hours")) if made.name == EXTEND.name else 0
        return made == ruling(session.reread().link, max(moved, hours), moved)

    return ruled(session, plan, dry_run, same)


def plan_extension(session: Session, ruling: Ruling) -> Planned:
    """The ruling `extend`, as it would be made."""
    seat, record = ruling.operand("seat"), _dealt(session)
    if not any(row.due for row in record.clock.seats if seat in ("", row.seat)):
        who = record.player(seat).shown if seat else "nobody"
        raise Refused("clock/no-deadline", f"{who} has {'no' if seat else 'a'} deadline now", "")
    return _planned(session, _dealt(session).clock, ruling)


def leave(session: Session, seat: str, days: Away, reason: str, dry_run: bool) -> Amended:
    """The player at a seat is away on these days: a note that all read, and deadlines that fall
    into them move when they come.
    """
    _refuse_stopped(_dealt(session))
    if not max(days.first.isoformat(), session.time[:10]) <= days.last.isoformat():
        why = f"{days.first} to {days.last} is over"
        raise BadInput("clock/days", why, "for example --absent 2026-12-24..2027-01-03")
    who, told = session.link.player(seat).shown, away_in_prose(days, session.time)
    ruling = NOTE.ruling(reason_of(f"{who} is away {told}. {reason}"))

    def desk(session: Session) -> dict[str, bytes]:
        return {AWAY: with_days(session, seat, (*away(session).get(seat, ()), days))}

    return standing_ruling(session, ruling, dry_run, desk)


def pause(session: Session, until: str, reason: str, dry_run: bool) -> Amended:
    """Nothing falls due before ``until``, and each deadline moves by as much."""
    ruling = PAUSE.ruling(reason, ("until", until))

    def plan(session: Session) -> Planned:
        _refuse_stopped(_dealt(session))
        clock = session.link.clock
        if clock.paused and seconds(session.time) < seconds(until) <= seconds(clock.paused):
            until_then = in_prose(clock.paused, clock.zone, session.time)
            now = f"the clock stands still until {until_then} already"
            raise Refused("clock/paused", now, "take a longer time, or type `resume` first")
        return _planned(session, clock._replace(paused=until), ruling)

    return ruled(session, plan, dry_run, ruling.__eq__)


def resume(session: Session, reason: str, dry_run: bool) -> Amended:
    """The end of a pause before its time: deadlines move back by what is left of it."""
    ruling = RESUME.ruling(reason)

    def plan(session: Session) -> Planned:
        clock = _dealt(session).clock
        if not clock.paused or seconds(clock.paused) <= seconds(session.time):
            raise Refused("clock/runs", "the clock of this game is not paused", "pbem status")
        return _planned(session, clock._replace(paused=""), ruling)

    # made a second time, it is refused by the plan, whose words say what is so
    return ruled(session, plan, dry_run, lambda _: False)


def _dealt(session: Session) -> StateRecord:
    if not session.link.dealt:
        raise not_dealt(session.link)
    return session.link


def _refuse_stopped(record: StateRecord) -> None:
    if not record.clock.on:
        why = "this game has no deadlines"
        raise Refused("clock/stopped", why, "pbem amend DIR clock turn=3d --reason …")


def _planned(session: Session, clock: Clock, ruling: Ruling) -> Planned:
    """The ruling, if the state that it makes is one that `verify` lets pass."""
    before = session.link
    if ruling.name != CLOCK.name:
        _refuse_stopped(before)
    basis = Basis(before._replace(clock=clock), session.position.state, (ruling,))
    record = basis.before._replace(n=before.n + 1, time=session.time, rulings=(ruling,), entries=())
    record = record._replace(clock=clocked(session)(record, session.position.state))
    kind, past = kind_of(ruling), _older(session)
    if wrong := kind.wrong(record, before, past):
        raise Refused("clock/ruling", f"this ruling {wrong}", "see docs/CLOCK.md")
    if kind.agreed(record, before, past) != ():
        days = MOST_DELAY // 24
        why = f"this would move deadlines by more than {days} days within {WITHIN // 24 // HOUR}"
        left = delay_left(before, past, session.time)
        way = f"{span_in_words(left)} can be given now" if left else "wait for some days"
        raise Refused("clock/too-far", why, way)
    return session, basis, kept(session.hands)


def _older(session: Session) -> dict[int, StateRecord]:
    """The states of the time within which delays are counted, and the one before them."""
    found, n = {session.link.n: session.link}, session.link.n
    while n > DEAL and seconds(session.time) - seconds(found[n].time) <= WITHIN:
        record = link_at(session, n - 1)
        if record is None:
            break
        found[n := n - 1] = record
    return found


def longest(session: Session) -> int:
    """By how many hours deadlines can still be moved without anybody's consent."""
    return delay_left(session.link, _older(session), session.time)


def until(session: Session, hours: int) -> str:
    """The moment so many hours from now, as a state has it: whole days by the first deadline."""
    clock = session.link.clock
    first = min((seconds(row.due) for row in clock.seats if row.due), default=seconds(session.time))
    return written(seconds(session.time) + hours_to_later(first, hours, clock.zone) * HOUR)
