"""Deal with pending orders that are lost or out of date, and make pending orders void.

Pending orders are in the desk, the private folder. They were sent by players and are not played yet.

Not allowed here: the lock (lock.py); a ruling that the referee asked for (amend/).
Law: no signed order is played twice, since an audit would call it a forgery.
Source: docs/DESIGN.md P8; decision 0011; docs/SPECIFICATION.md section 9 "Hands".
"""

from collections.abc import Mapping
from itertools import count
from typing import NamedTuple

from pbem.chain.rulings.kind import VOID, build_void_basis
from pbem.chain.rulings.kinds import build_ruling_state
from pbem.chain.sources import source_of
from pbem.chain.state_record import CLOSED, DEAL
from pbem.crypto.encoding import unpae
from pbem.disk.folder import LOST_ORDERS_FILE
from pbem.engine.row import say
from pbem.play.pending_file import committed_values, encode_committed_values
from pbem.play.pending_orders import NOT_STOPPED, PendingOrders, after_new_state, format_signed_line, group_name_of
from pbem.services.receipts import StoredReceipt, receipt_name
from pbem.services.reports import write_reports
from pbem.services.sentences import ORDERS_VOID as VOID_NOTE
from pbem.services.session.desk import read_pending_before
from pbem.services.session.history import record_at
from pbem.services.session.session import Session
from pbem.services.session.timing import next_clock

#: what players read about lost orders
LOST_REASON = "The desk of the referee was lost. Please send again the orders that you want to wait."


def rule_on_lost_orders(session: Session) -> Session:
    """Save a ruling that says so if pending orders were lost, before anything else. Return the game then."""
    lost_note = session.folder.read_desk_file(LOST_ORDERS_FILE)
    if not lost_note or session.record.phase == CLOSED:
        return session
    from_state, _, reason = lost_note.decode().partition(" ")
    basis = build_void_basis(session.position, VOID.make_ruling(reason or LOST_REASON, ("from", from_state)))
    pending_values = committed_values(session.pending_by_seat)
    keys = (session.secret, session.key)
    signed_state = build_ruling_state(session.position, basis, *keys, session.time, pending_values, next_clock(session))
    seats = frozenset(session.record.setup.seats)
    for state_number in range(int(from_state) + 1, session.record.n + 1):  # so that the loss is not noticed again
        if read_pending_before(session.folder, state_number) is None:
            session.folder.store_orders_before(state_number, encode_committed_values({}))
    session = session.save(signed_state, void_orders(session, seats), {LOST_ORDERS_FILE: b""})
    session.notes.append(f"pending orders were lost; a ruling in state {signed_state.record.n} says so")
    write_reports(session)
    return session


def note_lost_orders(session: Session) -> None:
    """Note on the drive if orders were lost, and since which state, for ``rule_on_lost_orders``."""
    folder, record = session.folder, session.record
    if not record.is_dealt or folder.read_desk_file(LOST_ORDERS_FILE):
        return
    has_all_seats = folder.read_pending(record.n).keys() >= {*record.setup.seats}
    numbers = range(DEAL + 1, record.n + 1)
    has_all_states = folder.states_with_orders_before() >= {*numbers}
    if has_all_seats and has_all_states and (not numbers or read_pending_before(folder, record.n) is not None):
        return
    lost_numbers = (n for n in numbers if read_pending_before(folder, n) is None)
    first_lost = next(lost_numbers, record.n + 1)  # if none is missing, only the newest orders are lost
    folder.put_desk_file(LOST_ORDERS_FILE, str(first_lost - 1).encode())


def clear_notes(pending_by_seat: Mapping[str, PendingOrders]) -> dict[str, PendingOrders]:
    """Return the pending orders without their notes, which the last reports have told the players."""
    return {seat: pending._replace(notes=()) for seat, pending in pending_by_seat.items()}


def void_orders(session: Session, seats: frozenset[str]) -> dict[str, PendingOrders]:
    """Return the pending orders, with those of these seats void. A note tells each player what they lost."""
    pending_by_seat = clear_notes(session.pending_by_seat)
    answer_counts = dict(session.record.answer_counts)
    for seat in seats:
        void_lines = (
            format_signed_line(group, order)
            for group in pending_by_seat[seat].groups
            for order in group.playable_orders
        )
        lines = ", ".join(f"`{line}`" for line in void_lines)
        notes = (str(say(VOID_NOTE, lines=lines)),) if lines else ()
        without_orders = pending_by_seat[seat]._replace(
            groups=(), stopped_at=NOT_STOPPED, forced_orders=(), notes=notes
        )
        pending_by_seat[seat] = without_orders._replace(first_valid_question=answer_counts[seat] + 1)
    return pending_by_seat


def repair_pending_orders(session: Session) -> Session:
    """Make sure that pending orders exist and are up to date. Return the game with them.

    Its time is moved past that of their receipts, since another command may have written those.
    """
    folder = session.folder
    note_lost_orders(session)
    if not folder.has_pending(session.record.n):
        session.notes.append("pending orders were lost, if there were any; ask the players to send theirs again")
        for seat in session.record.setup.seats:
            # the number of the last receipt in the folder, so that no number is used twice
            last_receipt = next(n for n in count() if folder.read_receipt(receipt_name(seat, n + 1)) is None)
            used_orders = _used_orders(session, seat) if session.record.is_dealt else ()
            last_used = max((order.email_number for order in used_orders), default=0)
            new_pending = PendingOrders(receipt_count=last_receipt, newest_email_number=last_used)
            session = session.store_pending(seat, bring_up_to_date(session, seat, new_pending))
    time = session.time
    for seat, pending in [*session.pending_by_seat.items()]:
        repaired_pending = bring_up_to_date(session, seat, pending)
        if repaired_pending is not pending:
            session = session.store_pending(seat, repaired_pending)
        if repaired_pending.newest_receipt:
            time = max(time, StoredReceipt.decode(repaired_pending.newest_receipt, seat).time)
    return session.replace(time=time)


USED_ORDERS_REMOVED = (
    "the pending orders of {0} were lost or are older; pbem removed those that were played; "
    "ask for newer orders, if there were any"
)


def bring_up_to_date(session: Session, seat: str, pending: PendingOrders) -> PendingOrders:
    """Return a seat's pending orders without those that states show as played already.

    They change only if the player has a key, and the desk is lost or older than the game. Unsigned
    orders have no number by which a state could tell.
    """
    record = session.record
    if not record.is_dealt or not record.player(seat).method.key:
        return pending
    if pending.answered_count == dict(record.answer_counts)[seat]:
        return pending
    pending = after_new_state(pending)._replace(newest_receipt=pending.newest_receipt)
    played_orders = _used_orders(session, seat)
    if played_orders:
        session.notes.append(USED_ORDERS_REMOVED.format(record.player(seat).label))
    newest_numbers: dict[str, int] = {}
    for played in played_orders:
        newest_numbers[played.group] = max(played.email_number, newest_numbers.get(played.group, 0))
    for group in pending.groups:
        is_older_group = group.email_number < newest_numbers.get(group.name, 0)
        used_orders = (
            order
            for order in group.orders
            if is_older_group or UsedOrder(group.name, group.email_number, order.number) in played_orders
        )
        pending = pending.without_orders(group, *used_orders)
    last_used = max(newest_numbers.values(), default=0)
    last_accepted = max(pending.newest_email_number, last_used)
    return pending._replace(
        newest_signed_number=max(pending.newest_signed_number, last_used),
        newest_email_number=last_accepted,
        settled_email_number=last_accepted,
    )


class UsedOrder(NamedTuple):
    """A signed order that was played."""

    group: str
    email_number: int
    number: int  #: in its email


def _used_orders(session: Session, seat: str) -> set[UsedOrder]:
    """Return the seat's own orders in the states since its player has had this key."""
    used_orders = set[UsedOrder]()
    for state_number in range(session.record.n, DEAL, -1):
        record = record_at(session, state_number)
        if record is None:
            continue
        if record.player(seat).key != session.record.player(seat).key:
            break
        seals = session.seals_of(record)
        for number, entry in enumerate(record.entries, 1):
            if entry.seat == seat and not source_of(entry.source).answered_for_player:
                fields = unpae(seals.open_order(f"{record.n}/order/{number}", entry.token))
                email_number, order_number, *_, line = fields
                used_orders.add(UsedOrder(group_name_of(line.decode()), int(email_number), int(order_number)))
    return used_orders
