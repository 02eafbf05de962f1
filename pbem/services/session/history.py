"""Look back from the newest state: at older states of an open game, and at what an undo took back.

Not allowed here: a change of the game.
Law: an older state counts only if the newest state names no other hash for it.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from functools import partial
from typing import NamedTuple

from pbem.chain.loaded_game import LoadedGame, open_record
from pbem.chain.referees import keys_in_force
from pbem.chain.rulings.correct import describe_corrections
from pbem.chain.rulings.kind import StateLookup
from pbem.chain.rulings.kinds import describe_rulings
from pbem.chain.rulings.people import has_new_player
from pbem.chain.rulings.undo import Undo, describe_disclosures, describe_undo, read_undo, undo_target
from pbem.chain.seals import Seals
from pbem.chain.signed_state import read_verified_record, state_hash_of
from pbem.chain.sources import source_of
from pbem.chain.state_record import DEAL, OrderEntry, StateRecord
from pbem.crypto.encoding import unb64, unpae
from pbem.errors import Missing, Refused, naming_file
from pbem.play.pending_orders import order_of
from pbem.services.session.session import Session


def read_older_record(session: Session, n: int) -> StateRecord:
    """Read and verify an older state. Missing if its file is lost; Refused if it is not of this game."""
    name = f"states/{n:04d}.toml"
    raw = session.folder.read_state(n)
    if raw is None:
        hint = "put it back from a backup or a copy of the folder"
        raise Missing("game/state-missing", f"{name} is not here", hint)
    with naming_file(name):
        referee_key = keys_in_force(session.record.referees, n).acting  # the referee may have changed since
        record = read_verified_record(raw, referee_key, f"state {n}")
    if (record.n, record.game) != (n, session.record.game) or not _is_on_chain(session, record, raw):
        raise Refused("state/number", f"{name} is not the state {n} of this game", "pbem verify DIR")
    return record


def record_at(session: Session, n: int) -> StateRecord | None:
    """Return state ``n``, which may be the newest one; None if its file is lost."""
    try:
        return session.record if n == session.record.n else read_older_record(session, n)
    except Missing:
        return None


def _is_on_chain(session: Session, record: StateRecord, raw: bytes) -> bool:
    """Return False if the newest state names another hash for this state. It names only some older hashes."""
    hash_by_number = {slot_number - 1: state_hash for slot_number, state_hash in session.record.state_hashes}
    hash_by_number[session.record.n - 1] = unb64(session.record.previous_hash, 32)
    return hash_by_number.get(record.n) in (None, state_hash_of(raw))


def game_at(session: Session, record: StateRecord) -> LoadedGame:
    """Return the game at an older state."""
    return open_record(record, b"", session.seals_of(record), session.game, events_only=True)


def list_counting_records(session: Session) -> tuple[StateRecord, ...]:
    """List the states since the deal in order, without those that an undo took back; () if one is lost."""
    records = [session.record]
    while records[-1].n > DEAL:
        target_number = undo_target(records[-1])
        record = record_at(session, records[-1].n - 1 if target_number is None else target_number)
        if record is None:
            return ()
        records.append(record)
    return tuple(reversed(records))


def previous_player_name(session: Session, seat: str) -> str:
    """Return the name of the player whom the newest state replaced at a seat; "" if it replaced nobody."""
    if not has_new_player(session.record, seat):
        return ""
    older_record = record_at(session, session.record.n - 1)
    return older_record.player(seat).name if older_record else "the player before"


def rulings_in_words(session: Session, record: StateRecord) -> tuple[str, ...]:
    """Return each ruling of a state as text for everybody."""
    return describe_rulings(record, StateLookup(session.game, partial(record_at, session), in_local_time=True))


class UndoEffects(NamedTuple):
    """The effects of an undo on orders: a line for each order, in the order of play."""

    back: tuple[str, ...] = ()  #: orders that are undone
    again: tuple[str, ...] = ()  #: orders that an earlier undo took back, and that count again
    seen: tuple[str, ...] = ()  #: who has seen hidden things in the undone orders


#: used in place of a seat: text that everybody may read
FOR_EVERYBODY = ""


def undo_effects_for(session: Session, undo: Undo, seat: str) -> UndoEffects:
    """Return the effects of an undo as one seat may read them, or as everybody may (``FOR_EVERYBODY``).

    A seat sees its own orders in full.
    """
    who_saw_what = describe_disclosures(undo, session.game, with_slots=False)
    return UndoEffects(
        _order_lines(session, undo.undone_records, seat),
        _order_lines(session, undo.restored_records, seat),
        who_saw_what,
    )


def undo_effects_in_report(session: Session) -> tuple[tuple[str, ...], dict[str, UndoEffects]]:
    """Return the rulings of the newest state in words and, by reader, what they undid.

    Both are empty if it is not an undo, or if states are lost. They depend only on the states, so that
    a report can be written again.
    """
    target_number = undo_target(session.record)
    if target_number is None:
        return (), {}
    try:
        target = read_older_record(session, target_number)
        undo = read_undo(session.record, partial(read_older_record, session))
    except Missing:
        return (), {}
    ruling_lines = tuple(describe_undo(target, ruling) for ruling in session.record.rulings)
    return ruling_lines, {
        seat: undo_effects_for(session, undo, seat) for seat in (*session.record.setup.seats, FOR_EVERYBODY)
    }


def read_full_order(record: StateRecord, number: int, entry: OrderEntry, seals: Seals) -> str:
    """Return an order as its player gave it. For that player and the referee."""
    value = unpae(seals.open_order(f"{record.n}/order/{number}", entry.token))
    return order_of(value[-1].decode())


def _order_lines(session: Session, records: tuple[StateRecord, ...], seat: str) -> tuple[str, ...]:
    """Return a line for each order and correction in these states, as the reader at ``seat`` may read it."""
    lines = []
    for record in records:
        seals = session.seals_of(record)
        for number, entry in enumerate(record.entries, 1):
            is_own = entry.seat == seat  # other readers get its public words only
            order = read_full_order(record, number, entry, seals) if is_own else entry.public_words
            source = source_of(entry.source)
            source_note = f" ({source.screen_label})" if source.answered_for_player else ""
            player = record.player(entry.seat).label
            lines.append(f"{player}: {order}{source_note}")
        lines += [f"the ruling: {text}" for text in describe_corrections(record)]
    return tuple(lines)
