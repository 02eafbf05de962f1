"""Compute the clock of a game's next state.

Not allowed here: when a deadline is reached (play/deadlines/).
Law: an answer counts from the arrival of its email, not from when it is played.
Source: docs/REFEREE.md "Deadlines"; docs/SPECIFICATION.md section 5 (clock).
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from pbem.chain.clock import BOT, Clock, check_instant, epoch_seconds
from pbem.chain.next_record import ExecutedOrder, NextClock
from pbem.chain.rulings.undo import undo_target
from pbem.chain.signed_state import read_self_signed_record
from pbem.chain.sources import source_of
from pbem.chain.state_record import DEAL, StateRecord
from pbem.errors import Missing, Refused
from pbem.play.deadlines.next_clock import clock_inputs_of, make_next_clock
from pbem.services.session.desk import read_noted_absences
from pbem.services.session.history import read_older_record, record_at
from pbem.services.session.session import Session


def next_clock(session: Session, played_orders: Sequence[ExecutedOrder] = ()) -> NextClock:
    """Return the function that computes the clock of the state after the newest one.

    ``played_orders``: the orders that are played in that next state.
    """
    newest_record = session.record

    def find_promised(seat: str) -> StateRecord | None:
        """Return the newest state since the seat's last order in which it had a deadline; None if there
        is no such state, or if a state is lost.
        """
        for n in range(newest_record.n, DEAL - 1, -1):
            record = record_at(session, n)
            if record is None or record.clock.for_seat(seat).deadline:
                return record
            if any(entry.seat == seat for entry in record.entries):
                break
        return None

    def compute_clock(record: StateRecord, state: Any) -> Clock:
        """Return the clock of the next state, which is ``record`` without its clock."""
        if not record.clock.has_deadlines:
            return make_next_clock(newest_record, record, clock_inputs_of(session.game, state))
        facts = clock_inputs_of(session.game, state, session.position.state)
        arrivals, absences = _arrival_seconds(session, played_orders), read_noted_absences(session.folder)
        facts = facts._replace(arrivals=arrivals, absences=absences)
        find_undone = partial(_latest_undone_deadline, session, undo_target(record))
        return make_next_clock(
            newest_record, record, facts._replace(find_promised_record=find_promised, find_undone_deadline=find_undone)
        )

    return compute_clock


def _latest_undone_deadline(session: Session, target_number: int | None, seat: str) -> int:
    """Return the latest deadline, in seconds, that a seat had for its present question since state
    ``target_number``; 0 for none. Lost states do not count.
    """
    latest = 0
    newest_record = session.record
    with suppress(Missing):
        target = read_older_record(session, target_number) if target_number is not None else newest_record
        for n in range(target.n, newest_record.n):
            record = read_older_record(session, n)
            if dict(record.answer_counts).get(seat) == dict(target.answer_counts).get(seat):
                deadline = record.clock.for_seat(seat).deadline
                latest = max(latest, epoch_seconds(deadline) if deadline else 0)
    return latest


def _arrival_seconds(session: Session, played_orders: Sequence[ExecutedOrder]) -> dict[str, int]:
    """Return by seat when the email arrived that first answered its question, in seconds since 1970."""
    arrivals = dict[str, int]()
    for order in played_orders:
        if order.seat in arrivals or source_of(order.source).answered_for_player or not order.orders_number:
            continue
        pending = session.pending_by_seat[order.seat]
        group_names = {group.name for group in pending.groups if group.email_number == order.orders_number}
        moments = list[int]()
        if order.orders_number <= pending.settled_email_number:  # it was pending before the newest state
            moments.append(epoch_seconds(session.record.time))
        with suppress(ValueError):  # a row that somebody edited ends the list
            for row in pending.arrivals:
                time, *_, group_name = row.split(" ", 2)
                if group_name in group_names:
                    moments.append(epoch_seconds(check_instant(time)))
        if moments:
            arrivals[order.seat] = min(moments)
    return arrivals


def zone_for(session: Session, seat: str) -> str:
    """Return the time zone in which the player at a seat reads times."""
    return session.players.seats[seat].zone or session.record.clock.zone


def refuse_bots(session: Session, seats: Iterable[str]) -> None:
    """Refuse a bot (``clock/bot``) at a seat whose player has a key, unless the game began with bots, so
    that the player agreed to it.
    """
    keyed_players = [player.label for player in map(session.record.player, seats) if player.key]
    genesis_data = session.folder.read_state(0) if keyed_players else None
    if genesis_data and read_self_signed_record(genesis_data, "states/0000.toml").clock.missed != BOT:
        why = f"{keyed_players[0]} plays with a key, and this game did not begin with missed=bot"
        raise Refused("clock/bot", why, "pbem amend DIR clock missed=default --reason …")
