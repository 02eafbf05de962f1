"""The clock of a game's next state, from what the desk and the older states say.

What lives here: ``clocked``, handed to whatever makes a state; the days on which players are away.
What must never be here: when something is due (play/deadlines/).
Law: the email that an answer is from counts when it came, and not when it is played.
Source: docs/CLOCK.md; docs/SPECIFICATION.md section 5 (clock).
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any

from pbem.chain.clock import BOT, Clock, instant, seconds
from pbem.chain.loaded_game import Clocked, Played
from pbem.chain.rulings.undo import undone_to
from pbem.chain.signed_state import self_signed_link
from pbem.chain.sources import source_of
from pbem.chain.state_record import DEAL, StateRecord
from pbem.errors import Missing, Refused
from pbem.formats.desk_rows import read_rows, write_rows
from pbem.notation.absence import Away
from pbem.play.deadlines.next_clock import clock_after, facts_of
from pbem.services.session.history import link_at, older
from pbem.services.session.session import Session

AWAY = "away"  #: file of a desk: a line ``SEAT FIRST LAST`` for each absence


def clocked(session: Session, played: Sequence[Played] = ()) -> Clocked:
    """What gives the state after the newest one its clock; ``played``: with what it is made."""
    before = session.link

    def promised(seat: str) -> StateRecord | None:
        """Where an older state is lost, as far as can be told."""
        for n in range(before.n, DEAL - 1, -1):
            record = link_at(session, n)
            if record is None or record.clock.of(seat).due:
                return record
            if any(entry.seat == seat for entry in record.entries):
                break
        return None

    def find(record: StateRecord, state: Any) -> Clock:
        if not record.clock.on:
            return clock_after(before, record, facts_of(session.game, state))
        facts = facts_of(session.game, state, session.position.state)
        facts = facts._replace(came=_came(session, played), away=away(session))
        undone = partial(_undone, session, undone_to(record))
        return clock_after(before, record, facts._replace(promised=promised, undone=undone))

    return find


def _undone(session: Session, to: int | None, seat: str) -> int:
    """The latest deadline, in seconds, that the seat had in state ``to`` or since, before it
    answered; 0 for none. Where a state is lost, as far as can be told.
    """
    found, before = 0, session.link
    with suppress(Missing):
        target = older(session, to) if to is not None else before
        for n in range(target.n, before.n):
            record = older(session, n)
            if dict(record.answered).get(seat) == dict(target.answered).get(seat):
                due = record.clock.of(seat).due
                found = max(found, seconds(due) if due else 0)
    return found


def _came(session: Session, played: Sequence[Played]) -> dict[str, int]:
    """By seat when the email came whose order answered its question first, in seconds."""
    found = dict[str, int]()
    for one in played:
        if one.seat in found or source_of(one.source).given or not one.nr:
            continue
        hand = session.hands[one.seat]
        names = {part.name for part in hand.parts if part.nr == one.nr}
        rows = (row.split(" ", 2) for row in hand.came)
        # what waited before the newest state was there by then
        moments = [seconds(session.link.time)] if one.nr <= hand.settled else []
        with suppress(ValueError):
            moments += [seconds(instant(row[0])) for row in rows if row[-1] in names]
        if moments:
            found[one.seat] = min(moments)
    return found


def away(session: Session) -> Mapping[str, Sequence[Away]]:
    """By seat the days on which its player is away. For all to read."""
    found = dict[str, list[Away]]()
    for seat, first, last in read_rows(session.folder.desk_file(AWAY), 3):
        with suppress(ValueError):
            dates = Away(date.fromisoformat(first), date.fromisoformat(last))
            found.setdefault(seat, []).append(dates)
    return found


def with_days(session: Session, seat: str, days: Sequence[Away]) -> bytes:
    """The file ``AWAY`` with these days of the seat, each once, in place of those before."""
    others = (row for row in read_rows(session.folder.desk_file(AWAY), 3) if row[0] != seat)
    return write_rows([*others, *dict.fromkeys((seat, *one) for one in days)])


def zone_for(session: Session, seat: str) -> str:
    """By whose clocks the player at a seat reads times: their own, else those of the game."""
    return session.players.seats[seat].zone or session.link.clock.zone


def refuse_bots(session: Session, seats: Iterable[str]) -> None:
    """Refused ``clock/bot`` where no bot may play for one of these: its player has a key, and the
    game did not begin with bots, as that player agreed to.
    """
    keyed = [player.shown for player in map(session.link.player, seats) if player.key]
    first = session.folder.state(0) if keyed else None
    if first and self_signed_link(first, "states/0000.toml").clock.missed != BOT:
        why = f"{keyed[0]} plays with a key, and this game did not begin with missed=bot"
        raise Refused("clock/bot", why, "pbem amend DIR clock missed=default --reason …")
