"""What an audit checks of a game whose rules are not here, or come out otherwise here.

What lives here: of each state that was not played again: its tokens and commitments, what is sealed
as an order and whose signature it has; the deal; the piles and the box after a correction. What
must never be here: what an order does (replay.py).
Laws: no version that a genesis names, and no rule that is missing, excuses any of this; each place
is looked at, whatever was found before it.
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
from pbem.proof.audit.findings import Findings, SignedState, UsedNumbers
from pbem.proof.audit.orders import find_source_fault, read_order

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: a finding: the item of the audit, and what is wrong
Fault = tuple[str, str]


class UnreplayedGame(NamedTuple):
    """The states of a game, its secret, and its pieces if they are known here."""

    states: Mapping[int, SignedState]
    secret: bytes
    game: "Game | None"

    def seals(self, n: int) -> Seals:
        return Seals(self.secret, self.states[n].record.game, n, self.states[n - 1].state_hash)


def check_unreplayed(
    unreplayed: UnreplayedGame, first_number: int, used_numbers: UsedNumbers, results: Findings
) -> None:
    """Every state from ``first_number`` on; ``used_numbers``: the numbers of signed orders used before it."""
    for n in range(max(first_number, 1), len(unreplayed.states)):
        record, previous = unreplayed.states[n].record, unreplayed.states[n - 1].record
        for player, old_player in zip(record.people, previous.people, strict=False):
            if player.key != old_player.key:  # another key begins to count anew
                used_numbers.pop(player.seat, None)
        if not record.is_dealt or record.n != n:  # of another number than its place: that is said
            continue
        for find_faults in (_find_token_faults, _find_deal_faults, _find_box_faults):
            try:
                faults = list(find_faults(unreplayed, record))
            except (PbemError, LookupError, ValueError, TypeError):
                continue  # rows that make no position: `verify` and the rules say so
            for item, message in faults:
                results.contradict(item, n, message)
        for number, entry in enumerate(record.entries, 1):
            for item, message in _find_entry_faults(unreplayed, record, number, entry, used_numbers):
                results.contradict(item, n, f"order {number} of {entry.seat}: {message}")


def _find_token_faults(unreplayed: UnreplayedGame, record: StateRecord) -> Iterator[Fault]:
    """Each token opens, and each commitment is of what is in it."""
    seals = unreplayed.seals(record.n)
    for row in record.sealed_values:
        slot_text = describe_slot(unreplayed.game, record.position, row.slot)
        try:
            value = seals.open(row.slot, row.token)
            _, commitment = seals.commit(row.slot, value, _hash_before(unreplayed, row.slot))
        except (BadInput, ValueError, LookupError):
            yield "sealed", f"what is hidden: {slot_text}: what is sealed there does not open"
            continue
        if not is_row_part(value):
            yield "sealed", f"what is hidden: {slot_text}: no report could open it"
        if commitment != row.commitment:
            yield "sealed", f"what is hidden: {slot_text}: its commitment is not of what is sealed"
    for opening in record.openings:  # what was never sealed has no token that would say so
        slot, value, *proof = opening
        if (*proof,) != seals.commit(slot, value, _hash_before(unreplayed, slot)):
            yield ("sealed", f"{describe_slot(unreplayed.game, record.position, slot)} has a key of its own")


def _hash_before(unreplayed: UnreplayedGame, slot: str) -> bytes:
    return unreplayed.states[slot_state_number(slot) - 1].state_hash


def _find_entry_faults(
    unreplayed: UnreplayedGame, record: StateRecord, number: int, entry: OrderEntry, used_numbers: UsedNumbers
) -> Iterator[Fault]:
    """What is sealed is an order, as it was committed to, and its player's own."""
    seals, slot = unreplayed.seals(record.n), f"{record.n}/order/{number}"
    item = "sealed"
    try:
        value = seals.open_order(slot, entry.token)
        item = "signed"
        order = read_order(value)
    except (BadInput, ValueError):
        yield item, "what is sealed there is no order"
        return
    if seals.commit(slot, value, unreplayed.states[record.n - 1].state_hash)[1] != entry.commitment:
        yield "sealed", "its commitment is not of what is sealed"
    previous = unreplayed.states[record.n - 1].record
    numbers_by_hash = {state.state_hash: n for n, state in unreplayed.states.items() if n < record.n}
    if fault := find_source_fault(order, entry.seat, entry.source, previous, numbers_by_hash, used_numbers):
        yield "signed", fault


def _find_deal_faults(unreplayed: UnreplayedGame, record: StateRecord) -> Iterator[Fault]:
    """Every pile is as the secret and the contributions give it, whoever's rules play with it."""
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
    actual_values, committed_slots = (
        {row.slot: row.value for row in record.openings},
        [slot for slot, _ in record.new_commitments],
    )
    for row in record.sealed_values:
        try:
            actual_values[row.slot] = seals.open(row.slot, row.token)
        except (BadInput, UnicodeDecodeError):
            continue  # it is of `sealed`
    pile_names = {_pile_of(slot) for slot in (*committed_slots, *actual_values)}
    expected_slots = {slot for slot in expected_values if _pile_of(slot) in pile_names}
    for slot in sorted(expected_slots | actual_values.keys()):
        if slot in actual_values and actual_values[slot] != expected_values.get(slot):
            slot_text = describe_slot(unreplayed.game, record.position, slot)
            yield "deal", f"{slot_text} is not what the secret and the contributions give"
            return
    if missing := expected_slots - {*committed_slots, *actual_values}:
        yield "deal", f"{describe_slot(unreplayed.game, record.position, min(missing))} is missing"


def _pile_of(slot: str) -> str:
    return slot.partition("/")[2].rpartition("/")[0]


def _find_box_faults(unreplayed: UnreplayedGame, record: StateRecord) -> Iterator[Fault]:
    """What is corrected leaves each pile made of the same things, and the table out of the box."""
    if not record.rulings or unreplayed.game is None or not unreplayed.states[record.n - 1].record.is_dealt:
        return
    old_position, new_position = (_position_at(unreplayed, unreplayed.game, n) for n in (record.n - 1, record.n))
    if fault := find_pile_fault(old_position, new_position.state, record.rulings):
        yield "rulings", fault


def _position_at(unreplayed: UnreplayedGame, game: "Game", n: int) -> LoadedGame:
    state = unreplayed.states[n]
    return open_record(state.record, state.state_hash, unreplayed.seals(n), game)
