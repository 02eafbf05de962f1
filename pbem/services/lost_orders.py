"""Waiting orders that are lost, of another time, or void.

What lives here: the ruling that says so, made before anything else is done; the hands of this
moment, whatever file was put back. What must never be here: the lock (lock.py); a ruling that a
referee asked for (ruling/).
Law: no (nr, i) of signed orders is used twice: the audit would call it a forgery.
Source: docs/DESIGN.md P8; decision 0011; docs/SPECIFICATION.md section 9 "Hands".
"""

from collections.abc import Mapping
from itertools import count

from pbem.chain.rulings.kind import VOID, voided
from pbem.chain.rulings.kinds import amended
from pbem.chain.sources import source_of
from pbem.chain.state_record import CLOSED, DEAL
from pbem.crypto.encoding import unpae
from pbem.disk.folder import LOST
from pbem.engine.row import say
from pbem.play.pending_file import encode_values, hand_values
from pbem.play.pending_orders import NOT_STOPPED, Hand, after_link, as_signed, part_of
from pbem.services.receipts import KeptReceipt, receipt_name
from pbem.services.reports import write_reports
from pbem.services.sentences import VOID as VOID_NOTE
from pbem.services.session.history import link_at
from pbem.services.session.session import Session, values_kept
from pbem.services.session.timing import clocked

#: what the players read of it
LOST_REASON = (
    "The desk of the referee was lost. Please send again the orders that you want to wait."
)


def rule_on_lost(session: Session) -> Session:
    """Where waiting orders were lost, a state of its own says so, before anything else is done."""
    data = session.folder.desk_file(LOST)
    if not data or session.link.phase == CLOSED:
        return session
    first, _, reason = data.decode().partition(" ")
    basis = voided(session.position, VOID.ruling(reason or LOST_REASON, ("from", first)))
    values, keys = hand_values(session.hands), (session.secret, session.key)
    found = amended(session.position, basis, *keys, session.time, values, clocked(session))
    seats = frozenset(session.link.setup.seats)
    for n in range(int(first) + 1, session.link.n + 1):  # so that it is not noticed once more
        if values_kept(session.folder, n) is None:
            session.folder.keep_hands(n, encode_values({}))
    session = session.saved(found, void(session, seats), {LOST: b""})
    session.notes.append(f"waiting orders were lost; a ruling in state {found.link.n} says so")
    write_reports(session)
    return session


def note_lost(session: Session) -> None:
    """Keeps in mind, durably, that orders were lost, and since when: for ``rule_on_lost``."""
    folder, record = session.folder, session.link
    if not record.dealt or folder.desk_file(LOST):
        return
    whole = folder.hand(record.n).keys() >= {*record.setup.seats}
    numbers = range(DEAL + 1, record.n + 1)
    kept_all = folder.kept_numbers() >= {*numbers}
    if whole and kept_all and (not numbers or values_kept(folder, record.n) is not None):
        return
    gone = (n for n in numbers if values_kept(folder, n) is None)
    folder.put_desk_file(LOST, str(next(gone, record.n + 1) - 1).encode())


def kept(hands: Mapping[str, Hand]) -> dict[str, Hand]:
    """The orders in hand as they are; what the last link's reports said is said."""
    return {seat: one._replace(notes=()) for seat, one in hands.items()}


def void(session: Session, seats: frozenset[str]) -> dict[str, Hand]:
    """Without the waiting orders of these seats; each is told of its own."""
    found, answered = kept(session.hands), dict(session.link.answered)
    for seat in seats:
        waited = (as_signed(part, kept) for part in found[seat].parts for kept in part.lines)
        lines = ", ".join(f"`{line}`" for line in waited)
        notes = (str(say(VOID_NOTE, lines=lines)),) if lines else ()
        empty = found[seat]._replace(parts=(), stopped=NOT_STOPPED, done=(), notes=notes)
        found[seat] = empty._replace(ruled=answered[seat] + 1)
    return found


def hands_in_order(session: Session) -> Session:
    """Orders in hand are there, and of this moment; what follows is not older than their receipts,
    whatever the clock says: another command may have answered while this one waited.
    """
    folder = session.folder
    note_lost(session)
    if not folder.has_hand(session.link.n):
        session.notes.append(
            "waiting orders were lost, if there were any; ask the players to send theirs again"
        )
        for seat in session.link.setup.seats:
            # so that no number comes twice
            last = next(n for n in count() if folder.receipt(receipt_name(seat, n + 1)) is None)
            used = _used(session, seat) if session.link.dealt else ()
            lost = Hand(receipts=last, nr=max((nr for _, nr, _ in used), default=0))
            session = session.with_hand(seat, of_this_moment(session, seat, lost))
    time = session.time
    for seat, hand in [*session.hands.items()]:
        mended = of_this_moment(session, seat, hand)
        if mended is not hand:
            session = session.with_hand(seat, mended)
        if mended.receipt:
            time = max(time, KeptReceipt.decode(mended.receipt, seat).time)
    return session.replace(time=time)


TAKEN_OUT = (
    "the waiting orders of {0} were lost or are older; pbem took out what was used; "
    "ask for newer orders, if there were any"
)


def of_this_moment(session: Session, seat: str, hand: Hand) -> Hand:
    """The hand, put right where its seat has a key and it was not written since its last answer.

    What was used stands in the chain, and every state is looked at for it: only where the desk's
    memory is lost or of another time. Of orders that nobody signed no chain can tell.
    """
    record = session.link
    if not record.dealt or not record.player(seat).way.key:
        return hand
    if hand.answered == dict(record.answered)[seat]:
        return hand
    hand, used = after_link(hand)._replace(receipt=hand.receipt), _used(session, seat)
    if used:
        session.notes.append(TAKEN_OUT.format(record.player(seat).shown))
    newest: dict[str, int] = {}
    for name, nr, _ in used:
        newest[name] = max(nr, newest.get(name, 0))
    for part in hand.parts:
        older_part = part.nr < newest.get(part.name, 0)
        gone = (x for x in part.rows if older_part or (part.name, part.nr, x.number) in used)
        hand = hand.without(part, *gone)
    last = max(newest.values(), default=0)
    last_taken = max(hand.nr, last)
    return hand._replace(seen=max(hand.seen, last), nr=last_taken, settled=last_taken)


def _used(session: Session, seat: str) -> set[tuple[str, int, int]]:
    """The seat's own lines in the chain: the part of each, the number of its orders and its own.

    Another key begins to count anew, an undo does not. A state that is lost says nothing.
    """
    found = set[tuple[str, int, int]]()
    for n in range(session.link.n, DEAL, -1):
        record = link_at(session, n)
        if record is None:
            continue
        if record.player(seat).key != session.link.player(seat).key:
            break
        seals = session.seals_of(record)
        for number, entry in enumerate(record.entries, 1):
            if entry.seat == seat and not source_of(entry.source).given:
                value = unpae(seals.open_order(f"{record.n}/order/{number}", entry.token))
                found.add((part_of(value[-1].decode()), int(value[0]), int(value[1])))
    return found
