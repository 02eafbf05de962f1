"""The ruling `undo`: how far the game goes back, what seats saw since then, and who must agree.

Not allowed here: files, votes, a hidden value.
Laws: if anybody saw something hidden, all others must agree, whoever gave the order. Everybody
reads which things were seen, nobody reads their values. Who must agree follows from the public
record alone (P2).
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pbem.chain.clock_words import instant_in_prose
from pbem.chain.loaded_game import LoadedGame
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.correct import describe_corrections
from pbem.chain.rulings.fields import describe_slot
from pbem.chain.rulings.kind import (
    STATE_NUMBER,
    GameAt,
    RulingBasis,
    RulingKind,
    StateLookup,
    is_unchanged,
    void_written_orders,
)
from pbem.chain.seals import Seals, slot_state_number
from pbem.chain.state_record import DEAL, StateRecord, Vote
from pbem.engine.decision import ALL
from pbem.engine.optional_parts import remember
from pbem.errors import BadInput, Refused

if TYPE_CHECKING:
    from pbem.engine.game import Game

MAX_ORDERS_LISTED = 40  #: the most undone orders that a text lists
SEEN_KEY = "looked"  #: the key of the rows that say who has seen which hidden values

StateOf = Callable[[int], StateRecord]


class Undo(NamedTuple):
    """The plan of an undo: the state it goes back to, and the states it cancels, oldest first. If
    an earlier undo had cancelled the target, ``restored_records`` are the states that count again.
    """

    target_number: int
    undone_records: tuple[StateRecord, ...]
    restored_records: tuple[StateRecord, ...] = ()

    @property
    def orders(self) -> list[tuple[str, str]]:
        """The (seat, public words) of every undone order."""
        return [(entry.seat, entry.public_words) for record in self.undone_records for entry in record.entries]


def plan_undo_to(newest_record: StateRecord, target_number: int, state_of: StateOf) -> Undo:
    """Plan the undo back to state ``target_number``; BadInput ``undo/…``, Refused ``undo/nothing``."""
    if not DEAL <= target_number < newest_record.n:
        last_number = newest_record.n - 1
        if target_number == DEAL:
            raise Refused("undo/nothing", "nothing was played yet", "there is nothing to undo")
        range_text = f"from {DEAL} to {last_number}" if last_number > DEAL else f"only to {DEAL}"
        hint = f"you can go back {range_text}" if last_number >= DEAL else "nothing was played yet"
        raise BadInput("undo/state", f"there is no state {target_number} to go back to", hint)
    return plan_undo_between(newest_record, state_of(target_number), state_of)


def plan_undo_between(newest_record: StateRecord, target: StateRecord, state_of: StateOf) -> Undo:
    """Find the states that are cancelled and those that count again between two states."""
    undone, restored = list[StateRecord](), list[StateRecord]()
    record, other_record = newest_record, target
    while record.n != other_record.n:
        if record.n > other_record.n:
            undone.append(record)
            record = _predecessor(record, state_of)
        else:
            restored.append(other_record)
            other_record = _predecessor(other_record, state_of)
    return Undo(target.n, _oldest_first(undone), _oldest_first(restored))


def read_undo(record: StateRecord, state_of: StateOf) -> Undo:
    """Return the plan of the undo in a state; BadInput ``undo/state`` if it does not go back."""
    target_number = undo_target(record)
    if target_number is None or not DEAL <= target_number < record.n - 1:
        raise BadInput("undo/state", f"state {record.n} undoes to what there is not yet")
    return plan_undo_between(state_of(record.n - 1), state_of(target_number), state_of)


def _oldest_first(records: list[StateRecord]) -> tuple[StateRecord, ...]:
    """Return the records without the undos among them, oldest first."""
    return tuple(record for record in reversed(records) if undo_target(record) is None)


def plan_undo_of_orders(newest_record: StateRecord, orders: int, state_of: StateOf) -> Undo:
    """Plan the undo of so many orders, and of those played in the same states."""
    if orders < 1:
        raise BadInput("undo/orders", "at least one order is undone", "--orders 1")
    order_count = 0
    records = list[StateRecord]()
    record = newest_record
    while record.n > DEAL:
        records.append(record)
        order_count += len(record.entries)
        record = _predecessor(record, state_of)
        if order_count >= orders:
            return Undo(record.n, _oldest_first(records))
    orders_text = {0: "no orders were", 1: "only 1 order was"}.get(order_count, f"only {order_count} orders were")
    hint = "see the reports for what was played"
    raise Refused("undo/nothing", f"{orders_text} played since the deal", hint)


def _predecessor(record: StateRecord, state_of: StateOf) -> StateRecord:
    """Return the state from which this one was played on; after an undo, that is its target."""
    target_number = undo_target(record)
    number = record.n - 1 if target_number is None else target_number
    if number >= record.n:  # `verify` reports an undo that does not go back
        raise BadInput("undo/state", f"state {record.n} undoes to what there is not yet")
    return state_of(number)


def undo_target(record: StateRecord) -> int | None:
    """Return the number of the state that a record's undo goes back to; None without an undo."""
    targets = [ruling.operand("to") for ruling in record.rulings if ruling.name == UNDO.name]
    if targets and not STATE_NUMBER.fullmatch(targets[0]):
        raise BadInput("undo/state", f"state {record.n} undoes to what there is not yet")
    return int(targets[0]) if targets else None


def _disclosures(record: StateRecord) -> list[tuple[str, str]]:
    """Return (seat or ALL, slot) of everything that a state showed to somebody. It leaves out what
    a seat hid there itself, such as a card that it played face down.
    """
    moving_seats = {entry.seat for entry in record.entries}
    disclosures = (pair for event in record.events for pair in event.opens)
    return [
        (recipient, slot)
        for recipient, slot in disclosures
        if recipient not in moving_seats or slot_state_number(slot) < record.n
    ]


def required_consents(undo: Undo) -> tuple[str, ...]:
    """Return all seats if a state showed something hidden, except the seat that alone played there.
    This includes states whose orders count again: the players had agreed to forget those.
    """
    seats, records = set[str](), (*undo.undone_records, *undo.restored_records)
    for record in filter(_disclosures, records):
        moving_seats = {entry.seat for entry in record.entries}
        seats |= {*record.setup.seats} - (moving_seats if len(moving_seats) == 1 else set())
    return tuple(seat for seat in records[-1].setup.seats if seat in seats) if seats else ()


def describe_disclosures(undo: Undo, game: "Game | None", with_slots: bool) -> tuple[str, ...]:
    """Describe who saw which hidden value: where it lies, never the value. The log has its slot too."""
    lines = [
        f"{'all players' if recipient == ALL else record.player(recipient).label}: "
        f"{describe_slot(game, record.position, slot)}{f' ({slot})' if with_slots else ''}"
        for record in (*undo.undone_records, *undo.restored_records)
        for recipient, slot in _disclosures(record)
    ]
    return tuple(dict.fromkeys(lines))


def events_shown_to(undo: Undo, seat: str) -> list[tuple[StateRecord, int]]:
    """Return (record, index of the event) of everything that the undone states showed to this seat.
    It leaves out what the seat hid there itself.
    """
    disclosures = [pair for record in undo.undone_records for event in record.events for pair in event.opens]
    own_slots = {
        slot for recipient, slot in disclosures if recipient == seat and slot_state_number(slot) > undo.target_number
    }
    return [
        (record, event_index)
        for record in undo.undone_records
        for event_index, event in enumerate(record.events)
        if any(recipient in (seat, ALL) and slot not in own_slots for recipient, slot in event.opens)
    ]


def build_undo_basis(
    position: LoadedGame, target: LoadedGame, ruling: Ruling, consents: tuple[Vote, ...] = ()
) -> RulingBasis:
    """Return the basis with the State of an older state. Players and referees stay as they are, and
    players still know the hidden values they have seen.
    """
    record, target_record = void_written_orders(position.record), target.record
    state = remember(position.game, target.state, position.state)
    updated_record = record._replace(
        state_hashes=tuple(sorted((dict(record.state_hashes) | dict(target_record.state_hashes)).items())),
        replaced_slots=target_record.replaced_slots,
        sealed_values=target_record.sealed_values,
        position=position.game.encode(state).public,
    )
    return RulingBasis(updated_record, state, (ruling,), consents)


def describe_undo(target: StateRecord, ruling: Ruling) -> str:
    """Describe an undo for a report, which lists the orders itself."""
    moment = instant_in_prose(target.time, target.clock.zone)
    description = f"the game goes back to where it was on {moment} (report {target.n})"
    return UNDO.full_text(ruling, description)


def _describe_undo_in_full(ruling: Ruling, previous: StateRecord, _: StateRecord, lookup: StateLookup) -> str:
    def state_of(number: int) -> StateRecord:
        record = lookup.earlier_record(number)
        if record is None:
            raise LookupError(number)
        return record

    undo = plan_undo_to(previous, int(ruling.operand("to")), state_of)
    undone_orders = _join_lines(_describe_orders(undo.undone_records, lookup))
    restored_orders = _join_lines(_describe_orders(undo.restored_records, lookup))
    disclosures = _join_lines(describe_disclosures(undo, lookup.game, with_slots=True))
    sentences = [UNDO.describe(ruling)]
    if undone_orders or not restored_orders:
        sentences.append(f"Undone: {undone_orders or 'no order'}")
    if restored_orders:
        sentences.append(f"Counts again: {restored_orders}")
    if disclosures:
        sentences.append(f"Seen in it: {disclosures}")
    return ". ".join(sentences)


def _join_lines(lines: Sequence[str]) -> str:
    hidden_count = len(lines) - MAX_ORDERS_LISTED
    return "; ".join(lines[:MAX_ORDERS_LISTED]) + (f"; and {hidden_count} more" if hidden_count > 0 else "")


def _describe_orders(records: Iterable[StateRecord], lookup: StateLookup) -> list[str]:
    """List the orders in these states with those who gave them, and the corrections."""
    lines = list[str]()
    for record in records:
        for number, entry in enumerate(record.entries, 1):
            order = lookup.hidden_order(record.n, number) or entry.public_words
            lines.append(f"{record.player(entry.seat).label}: {order}")
        lines += describe_corrections(record)
    return lines


def _rebuild_basis(position: LoadedGame, record: StateRecord, game_at: GameAt, _: Seals) -> RulingBasis | None:
    target_number = undo_target(record)
    if target_number is None or not DEAL <= target_number < record.n:
        return None
    target = game_at(target_number)
    if record.position == target.record.position:  # older versions of pbem wrote it like this
        position = position._replace(state=target.state)
    return build_undo_basis(position, target, record.rulings[0])


def _find_fault(record: StateRecord, previous: StateRecord, records: Mapping[int, StateRecord]) -> str:
    target_number = undo_target(record)
    if target_number is None or not DEAL <= target_number < previous.n:
        return "undoes to a state that is none"
    target = records.get(target_number)
    if target is None:
        return ""  # the missing state is reported elsewhere
    if record.position.get(SEEN_KEY):
        target = target._replace(position=target.position | {SEEN_KEY: record.position[SEEN_KEY]})
    return "" if is_unchanged(record, target) else f"is not what its undo says: the state {target_number} again"


def _list_required_consents(
    record: StateRecord, previous: StateRecord, records: Mapping[int, StateRecord]
) -> tuple[str, ...] | None:
    """Return who must agree; None if missing states prevent an answer."""
    try:
        return required_consents(plan_undo_to(previous, undo_target(record) or 0, records.__getitem__))
    except KeyError:
        return None


UNDO = RulingKind(
    "undo",
    describe=lambda ruling: f"the game goes back to state {ruling.operand('to')}",
    rebuild_basis=_rebuild_basis,
    operand_forms=("to",),
    are_operands_valid=lambda ruling: bool(STATE_NUMBER.fullmatch(ruling.operand("to"))),
    describe_in_full=_describe_undo_in_full,
    find_fault=_find_fault,
    required_consents=_list_required_consents,
    voids_orders=True,
    changes_position=True,
    rewrites_history=True,
)
