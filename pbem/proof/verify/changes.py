"""What a state may change in the state before it: by orders, by a ruling, and among hidden values.

A *slot* is the name of a hidden value, like ``41/card/1`` for one that state 41 hid. A
*commitment* fixes the value without revealing it; an *opening* reveals it. Each ``find_..._fault``
returns the end of a sentence that begins with "state N", or "" if nothing is wrong.

Not allowed here: the secret, the rules of a game, files.
Laws: a commitment stays with its slot. No hidden value disappears unopened, except by an undo or a
correction. A ruling has a state to itself, and changes only what its kind allows. Nothing else
changes without an order.
Source: docs/SPECIFICATION.md sections 7, 9 and 12; chain/rulings/kinds.py; P5.
"""

import functools
import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from pbem.chain.rulings.correct import is_hidden_correction
from pbem.chain.rulings.kind import CLOSE, RulingKind, commitments_by_slot, is_unchanged
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.rulings.undo import undo_target
from pbem.chain.sources import BY_BOT, DEFAULT, RULED, source_of
from pbem.chain.state_record import CLOSED, DEAL, PHASES, StateRecord
from pbem.crypto.encoding import unb64
from pbem.crypto.signing import verify
from pbem.crypto.tokens import commit_secret, opens_commitment
from pbem.notation.asks import YES


class EarlierStates(NamedTuple):
    """The data that a state is compared with, in addition to the state before it."""

    state_hashes: Mapping[int, bytes]
    game: str
    records: Mapping[int, StateRecord]


def find_ruling_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """Return a fault in the rulings of a state, or in what it changes without a ruling."""
    fault = _find_closing_fault(record) or _find_dealing_fault(record)
    if fault or previous is None or not previous.is_dealt or not record.is_dealt:
        return fault
    if record.setup != previous.setup:  # with other seats nothing can be compared
        return "changes what was settled in the genesis"
    if record.rulings:
        return _find_fault_with_ruling(record, previous, earlier_states.records)
    return _find_fault_without_ruling(record, previous, earlier_states.records.get(0))


def _find_closing_fault(record: StateRecord) -> str:
    """Return a fault unless the state that closes the game opens the secret and has one ruling, which closes it."""
    closing_names = [ruling.name for ruling in record.rulings if kind_of(ruling).closes_game]
    if record.phase != CLOSED:
        return f"has the ruling `{closing_names[0]}` and does not close the game" if closing_names else ""
    if commit_secret(record.secret) != record.setup.commit:
        return "opens another secret than the genesis committed to"
    if not closing_names or len(closing_names) != len(record.rulings):
        return "closes the game without the ruling that does"
    if not record.is_dealt and closing_names[0] != CLOSE.name:
        return "ends a game that was not dealt"
    return "closes the game twice" if record.rulings[1:] else ""


def _find_dealing_fault(record: StateRecord) -> str:
    """Return a fault if the state of the deal already has orders or rulings."""
    if record.phase != PHASES[DEAL]:
        return ""
    if record.entries or record.rulings or record.replaced_slots or record.consents:
        return "has orders or rulings in the deal"
    no_answers = tuple((seat, 0) for seat in record.setup.seats)
    return "" if record.answer_counts == no_answers else "counts answers before the first order"


def _find_fault_with_ruling(record: StateRecord, previous: StateRecord, records: Mapping[int, StateRecord]) -> str:
    """Return a fault unless a state with a ruling changes only what this kind of ruling allows."""
    kind = kind_of(record.rulings[0])
    if any(ruling.name != kind.name or not kind.is_repeatable for ruling in record.rulings[1:]):
        return "has two different rulings"
    if record.entries or record.events or record.openings:
        return "has a ruling together with orders"
    if (record.referees != previous.referees) != kind.changes_referee:
        return f"has the ruling `{kind.name}`, which does not fit its keys"
    voided_seats = _voided_seats(record, kind)
    fault = _find_player_fault(record, previous, kind, voided_seats) or kind.find_fault(record, previous, records)
    if fault:
        return fault
    if record.answer_counts != tuple((seat, n + (seat in voided_seats)) for seat, n in previous.answer_counts):
        return "counts other answers than it has orders"
    if fault := _find_consent_fault(record, previous, kind.required_consents(record, previous, records)):
        return fault
    is_allowed = kind.changes_position or is_unchanged(record, previous)
    return "" if is_allowed else f"changes the game under the ruling `{kind.name}`"


def _find_consent_fault(record: StateRecord, previous: StateRecord, seats_to_agree: tuple[str, ...] | None) -> str:
    """Return a fault unless consents are signed by exactly those seats with a key that must agree.

    ``seats_to_agree`` is None if states are missing, so that nobody can tell who must agree.
    """
    consenting_seats = tuple(vote.seat for vote in record.consents)
    keys = {player.seat: player.key for player in previous.people if player.key}
    required_seats = consenting_seats if seats_to_agree is None else seats_to_agree
    if consenting_seats != tuple(seat for seat in keys if seat in required_seats):
        return "has not the signed consents of those seats with a key that must agree"
    state_hash, act = unb64(record.previous_hash, 32), record.rulings[0].act
    for seat, answer, signature in record.consents:
        parts = (record.game, state_hash, seat, act, answer)
        if answer != YES or not verify(keys[seat], "consent", signature, *parts):
            return f"has no consent to its ruling that {seat} signed"
    return ""


def _find_fault_without_ruling(record: StateRecord, previous: StateRecord, genesis: StateRecord | None) -> str:
    """Return a fault unless a state without a ruling has orders, and changes only what orders can change."""
    if not record.entries:
        return "has neither an order nor a ruling"
    if record.referees != previous.referees or record.people != previous.people:
        return "changes who plays or who may sign, without a ruling"
    if record.replaced_slots != previous.replaced_slots:
        return "replaces a hidden value without a ruling"
    if record.consents:
        return "has consents, and no ruling"
    if fault := _find_source_fault(record, previous, genesis):
        return fault
    answer_counts = dict(previous.answer_counts)
    for entry in record.entries:
        answer_counts[entry.seat] = answer_counts.get(entry.seat, 0) + 1
    counts_match = record.answer_counts == tuple(answer_counts.items())
    return "" if counts_match else "counts other answers than it has orders"


def _find_source_fault(record: StateRecord, previous: StateRecord, genesis: StateRecord | None) -> str:
    """Return a fault unless each order came in a way that its player's authentication and the clock allow."""
    bots_are_agreed = previous.clock.missed == BY_BOT.name
    if genesis is not None and genesis.clock.missed != BY_BOT.name:
        bots_are_agreed = False
    if previous.clock.missed != DEFAULT.name and any(entry.source == DEFAULT.name for entry in record.entries):
        return "gives an order by default, in a game that waits for a missed turn (R-2)"
    for entry in record.entries:
        source, player = source_of(entry.source), previous.player(entry.seat)
        if source is BY_BOT and player.key and not bots_are_agreed:
            return f"has an order by a bot for {entry.seat}, who plays with a key"
        if source is RULED or (source.is_players_own and source.name not in player.method.sources):
            method = player.method.label
            return f"has an order of {entry.seat}, identified by {method}, that came as {source.name}"
    return ""


def _voided_seats(record: StateRecord, kind: RulingKind) -> frozenset[str]:
    """Return the seats whose older orders a ruling makes void, so that their questions are asked again."""
    seat = record.rulings[0].operand("seat") if kind.changes_player else ""
    return frozenset(
        player.seat
        for player in record.people
        if kind.voids_orders or (player.seat == seat and player.orders_since == record.n)
    )


def _find_player_fault(
    record: StateRecord, previous: StateRecord, kind: RulingKind, voided_seats: frozenset[str]
) -> str:
    """Return a fault unless a ruling changes only the player of the seat that it names.

    For every other seat only ``orders_since`` may change, and only if the ruling makes its orders void.
    """
    reseated_seat = record.rulings[0].operand("seat") if kind.changes_player else ""
    for player, old_player in zip(record.people, previous.people, strict=True):
        expected_player = old_player._replace(orders_since=record.n) if player.seat in voided_seats else old_player
        if player != expected_player and not (
            player.seat == reseated_seat and player.orders_since == expected_player.orders_since
        ):
            return f"does not change the player of {player.seat} as it rules"
    return ""


class SlotCommitment(NamedTuple):
    """The commitment to a hidden value, and the number of the state that made it."""

    n: int
    commitment: bytes


CommitmentsBySlot = dict[str, SlotCommitment]


@functools.lru_cache(4096)  # many states have the same slots
def state_number_of_slot(slot: str) -> int | None:
    """Return the number of the state that made a slot: 12 for ``12/order/1``. None if the name has no number."""
    number_text = slot.partition("/")[0]
    return int(number_text) if re.fullmatch("[1-9][0-9]{0,5}", number_text) else None


def remember_commitments(commitments: CommitmentsBySlot, record: StateRecord, previous: StateRecord | None) -> None:
    """Add the commitments of a checked state. If the state before is missing, also add those of missing states."""
    if previous is None:
        for slot, commitment in commitments_by_slot(record).items():
            commitments[slot] = SlotCommitment(state_number_of_slot(slot) or 0, commitment)
        for row in record.openings:
            commitments[row.slot] = SlotCommitment(state_number_of_slot(row.slot) or 0, row.commitment)
    for slot, commitment in record.new_commitments:
        commitments[slot] = SlotCommitment(record.n, commitment)


def find_hash_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """Return a fault unless the state hashes that a state names for its slots are those of the known chain."""
    numbers = [number for number, _ in record.state_hashes]
    if fault := _find_duplicate([f"the state hash before {number}" for number in numbers]):
        return fault
    if out_of_range := [number for number in numbers if not 0 < number <= record.n]:
        return f"names a state hash before state {min(out_of_range)}"
    previous_hashes = dict(previous.state_hashes) if previous else {}
    for number, state_hash in record.state_hashes:
        own_hash = unb64(record.previous_hash, 32) if number == record.n else None
        expected_hash = own_hash or earlier_states.state_hashes.get(number - 1) or previous_hashes.get(number)
        if state_hash != expected_hash and (expected_hash or previous):
            return f"names another state hash before state {number} than this log has"
    return ""


def _slots_of(record: StateRecord) -> list[str]:
    """Return the slots that a state hides or opens."""
    return [row.slot for row in record.sealed_values] + [row.slot for row in record.openings]


def _find_origin_fault(record: StateRecord) -> str:
    """Return a fault if the name of a slot has no state number, or that of a later state."""
    for slot in _slots_of(record):
        number = state_number_of_slot(slot)
        if number is None or number > record.n:
            return f"has {slot[:60]}, which no state up to it can have made"
    return ""


def _find_duplicate(names: list[str]) -> str:
    """Return a fault if a name occurs twice."""
    if len({*names}) == len(names):
        return ""
    return f"has {min(name for name, times in Counter(names).items() if times > 1)} twice"


def find_slot_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """Return a fault unless commitments stay with their slots, and new slots have the state's number (P5)."""
    base = _base_state(record, previous, earlier_states.records)
    fault = (
        _find_duplicate([slot for slot, _ in record.new_commitments])
        or _find_duplicate(_slots_of(record))
        or _find_origin_fault(record)
    )
    foreign_slots = [slot for slot, _ in record.new_commitments if slot.partition("/")[0] != str(record.n)]
    if fault or foreign_slots:
        return fault or f"commits to {foreign_slots[0]}, which is not of this state"
    expected = (commitments_by_slot(base) if base else {}) | dict(record.new_commitments)
    has_base = base is not None
    return _find_commitment_fault(record, expected, has_base) or _find_hash_list_fault(record)


def _find_hash_list_fault(record: StateRecord) -> str:
    """Return a fault unless a state names exactly the hashes before the states that made its hidden values."""
    numbers = sorted({state_number_of_slot(sealed.slot) or 0 for sealed in record.sealed_values})
    hashes_match = [number for number, _ in record.state_hashes] == numbers
    return "" if hashes_match else "does not name the state hash before each state that made what it hides"


def _base_state(
    record: StateRecord, previous: StateRecord | None, records: Mapping[int, StateRecord]
) -> StateRecord | None:
    """Return the state whose slots this one continues: the state before, or the target of an undo.

    The values that a correction replaces are left out. Returns None if that state is missing.
    """
    undone_number = undo_target(record)
    if undone_number is not None:
        return records.get(undone_number)
    replaced_slots = {ruling.operand("old") for ruling in record.rulings if is_hidden_correction(ruling)}
    if previous is None or not replaced_slots:
        return previous
    remaining = tuple(sealed for sealed in previous.sealed_values if sealed.slot not in replaced_slots)
    return previous._replace(sealed_values=remaining)


def _find_commitment_fault(record: StateRecord, expected: Mapping[str, bytes], has_base: bool) -> str:
    """Return a fault unless every value has its ``expected`` commitment, and no value is dropped.

    If ``has_base`` is false, the state before is missing, and only the slots of this state are checked.
    """
    own_prefix = f"{record.n}/"
    for sealed in record.sealed_values:
        if (has_base or sealed.slot.startswith(own_prefix)) and expected.get(sealed.slot) != sealed.commitment:
            return f"has another commitment for {sealed.slot} than before"
    for opened in record.openings:
        must_match = has_base or opened.slot.startswith(own_prefix)
        if must_match and expected.get(opened.slot) != opened.commitment:
            return f"opens {opened.slot} against another commitment than was made"
    dropped_slots = {*expected} - {*_slots_of(record)}
    return f"drops {min(dropped_slots)} without opening it" if has_base and dropped_slots else ""


def find_opening_fault(record: StateRecord, _: StateRecord | None, __: EarlierStates) -> str:
    """Return a fault unless every opened value fits its commitment (P5)."""
    for opening in record.openings:
        if not opens_commitment(opening.commitment, record.game, opening.slot, opening.key, opening.value):
            return f"opens {opening.slot} with a value that was not committed"
    return ""
