"""What an audit checks in states that it could not play again: seals, signatures, the deal, piles.

A *slot* names a hidden value: ``41/card/1`` is one that state 41 hid. Its *token* is the encrypted
value, and its *commitment* fixes the value without revealing it.

Not allowed here: what an order does (replay.py).
Laws: missing rules, or another version of them, excuse none of these faults. Every state is checked,
even after a fault in an earlier one.
Source: docs/SPECIFICATION.md sections 6 to 9 and 12.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from pbem.chain.loaded_game import LoadedGame, open_record
from pbem.chain.rows import is_row_part
from pbem.chain.rulings.correct import find_pile_fault
from pbem.chain.rulings.fields import describe_slot
from pbem.chain.seals import Seals, slot_state_number
from pbem.chain.state_record import DEAL, OrderEntry, StateRecord, config_of
from pbem.errors import BadInput, PbemError
from pbem.play.joining.opening import deal_piles, list_contributions
from pbem.proof.audit.findings import Fault, Findings, SignedState, UsedNumbers
from pbem.proof.audit.orders import find_source_fault, read_order

if TYPE_CHECKING:
    from pbem.engine.game import Game


class UnreplayedGame(NamedTuple):
    """The states of a game, its secret, and the game itself, or None if no version of it is installed."""

    states: Mapping[int, SignedState]
    secret: bytes
    game: "Game | None"

    def seals(self, n: int) -> Seals:
        return Seals(self.secret, self.states[n].record.game, n, self.states[n - 1].state_hash)


def check_unreplayed(
    unreplayed: UnreplayedGame, first_number: int, used_numbers: UsedNumbers, results: Findings
) -> None:
    """Check every state from ``first_number`` on, and add its faults to ``results``.

    ``used_numbers`` are the signed orders used before that state; later ones are added.
    """
    for n in range(max(first_number, 1), len(unreplayed.states)):
        record, previous = unreplayed.states[n].record, unreplayed.states[n - 1].record
        for player, old_player in zip(record.people, previous.people, strict=False):
            if player.key != old_player.key:  # orders signed by a new key are numbered from 1
                used_numbers.pop(player.seat, None)
        if not record.is_dealt or record.n != n:  # `verify` reports a wrong number
            continue
        for find_faults in (_find_token_faults, _find_deal_faults, _find_pile_faults):
            try:
                faults = list(find_faults(unreplayed, record))
            except (PbemError, LookupError, ValueError, TypeError):
                continue  # `verify` or the rules report rows that are not a position
            for fault in faults:
                results.contradict(fault.item, n, fault.text)
        for number, entry in enumerate(record.entries, 1):
            for fault in _find_entry_faults(unreplayed, record, number, entry, used_numbers):
                results.contradict(fault.item, n, f"order {number} of {entry.seat}: {fault.text}")


def _find_token_faults(unreplayed: UnreplayedGame, record: StateRecord) -> Iterator[Fault]:
    """Yield a fault unless each token opens, and each commitment is to the value in its token."""
    seals = unreplayed.seals(record.n)
    for row in record.sealed_values:
        slot_text = describe_slot(unreplayed.game, record.position, row.slot)
        try:
            value = seals.open(row.slot, row.token)
            _, commitment = seals.commit(row.slot, value, _hash_before(unreplayed, row.slot))
        except (BadInput, ValueError, LookupError):
            yield Fault("sealed", f"what is hidden: {slot_text}: what is sealed there does not open")
            continue
        if not is_row_part(value):
            yield Fault("sealed", f"what is hidden: {slot_text}: no report could open it")
        if commitment != row.commitment:
            yield Fault("sealed", f"what is hidden: {slot_text}: its commitment is not of what is sealed")
    for opening in record.openings:  # an opened value may never have been sealed
        expected = seals.commit(opening.slot, opening.value, _hash_before(unreplayed, opening.slot))
        if (opening.key, opening.commitment) != expected:
            slot_text = describe_slot(unreplayed.game, record.position, opening.slot)
            yield Fault("sealed", f"{slot_text} has a key of its own")


def _hash_before(unreplayed: UnreplayedGame, slot: str) -> bytes:
    return unreplayed.states[slot_state_number(slot) - 1].state_hash


def _find_entry_faults(
    unreplayed: UnreplayedGame, record: StateRecord, number: int, entry: OrderEntry, used_numbers: UsedNumbers
) -> Iterator[Fault]:
    """Yield a fault unless a sealed order can be read, fits its commitment, and came as its source says."""
    seals, slot = unreplayed.seals(record.n), f"{record.n}/order/{number}"
    no_order = "what is sealed there is not an order"
    try:
        value = seals.open_order(slot, entry.token)
    except (BadInput, ValueError):
        yield Fault("sealed", no_order)
        return
    try:
        order = read_order(value)
    except (BadInput, ValueError):
        yield Fault("signed", no_order)
        return
    previous = unreplayed.states[record.n - 1]
    _, commitment = seals.commit(slot, value, previous.state_hash)
    if commitment != entry.commitment:
        yield Fault("sealed", "its commitment is not of what is sealed")
    numbers_by_hash = {state.state_hash: n for n, state in unreplayed.states.items() if n < record.n}
    if text := find_source_fault(order, entry.seat, entry.source, previous.record, numbers_by_hash, used_numbers):
        yield Fault("signed", text)


def _find_deal_faults(unreplayed: UnreplayedGame, record: StateRecord) -> Iterator[Fault]:
    """Yield a fault unless every pile follows from the secret and the additions to the shuffle."""
    if record.n != DEAL or unreplayed.game is None:
        return
    roster_state = unreplayed.states[1]
    contribution_by_seat = {
        seat: contribution
        for seat, contribution, _ in list_contributions(roster_state.record, record.opened_contributions)
    }
    piles = deal_piles(
        config_of(record), unreplayed.game, unreplayed.secret, roster_state.state_hash, contribution_by_seat
    )
    expected_values = {f"2/{name}/{i:02d}": value for name, pile in piles.items() for i, value in enumerate(pile)}
    seals = unreplayed.seals(2)
    actual_values = {row.slot: row.value for row in record.openings}
    committed_slots = [slot for slot, _ in record.new_commitments]
    for row in record.sealed_values:
        try:
            actual_values[row.slot] = seals.open(row.slot, row.token)
        except (BadInput, UnicodeDecodeError):
            continue  # _find_token_faults reports it
    pile_names = {_pile_of(slot) for slot in (*committed_slots, *actual_values)}
    expected_slots = {slot for slot in expected_values if _pile_of(slot) in pile_names}
    for slot in sorted(expected_slots | actual_values.keys()):
        if slot in actual_values and actual_values[slot] != expected_values.get(slot):
            slot_text = describe_slot(unreplayed.game, record.position, slot)
            yield Fault("deal", f"{slot_text} does not follow from the secret and the additions to the shuffle")
            return
    if missing_slots := expected_slots - {*committed_slots, *actual_values}:
        yield Fault("deal", f"{describe_slot(unreplayed.game, record.position, min(missing_slots))} is missing")


def _pile_of(slot: str) -> str:
    """Return the name of a slot's pile: ``deck/red`` for ``2/deck/red/13``."""
    return slot.partition("/")[2].rpartition("/")[0]


def _find_pile_faults(unreplayed: UnreplayedGame, record: StateRecord) -> Iterator[Fault]:
    """Yield a fault unless a correction leaves the pieces of each pile, and uses only pieces of the game."""
    if not record.rulings or unreplayed.game is None or not unreplayed.states[record.n - 1].record.is_dealt:
        return
    old_position, new_position = (_position_at(unreplayed, unreplayed.game, n) for n in (record.n - 1, record.n))
    if text := find_pile_fault(old_position, new_position.state, record.rulings):
        yield Fault("rulings", text)


def _position_at(unreplayed: UnreplayedGame, game: "Game", n: int) -> LoadedGame:
    state = unreplayed.states[n]
    return open_record(state.record, state.state_hash, unreplayed.seals(n), game)
