"""Building, sealing and signing the state that follows another.

Not allowed here: files, pending orders, reports.
Laws: pbem reads back what it wrote and compares before it hands out a state. It never writes a
state that does not decode to what was played.
Source: docs/DESIGN.md "One turn"; docs/SPECIFICATION.md sections 5 and 7 to 9.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock import Clock
from pbem.chain.loaded_game import LoadedGame, check_decodes
from pbem.chain.ruling_row import Ruling
from pbem.chain.seals import Seals, pending_commitment, slot_state_number
from pbem.chain.signed_state import read_verified_record, sign_state, state_hash_of
from pbem.chain.state_record import Opening, OrderEntry, SealedValue, StateRecord, write_record
from pbem.crypto.encoding import b64, pae, unb64
from pbem.engine.decision import Event
from pbem.errors import OurFault
from pbem.formats import state_file

if TYPE_CHECKING:
    from pbem.crypto.keys import RefereeKey
    from pbem.engine.game import Game


class ExecutedOrder(NamedTuple):
    """An order that was played, and where it came from."""

    seat: str
    source: str
    line: str
    public_words: str  #: the part of the order that everybody may read
    orders_number: int = 0
    line_number: int = 0
    quoted_hash: str = ""  #: b64 hash of the state it was written for; "" if pbem answered
    signature: bytes = b""  #: of the player; b"" if they did not sign it
    signed_line: str = ""  #: the line as the player signed it; "" if they did not
    line_count: int = 0  #: how many lines the player signed together with it


class NextRecordInputs(NamedTuple):
    """The facts that the next record is built from, apart from what was played."""

    number: int
    game_id: str
    previous_hash: bytes
    phase: str
    time: str
    previous: StateRecord  #: what the next record does not change, it copies from here
    old_values: Mapping[str, str]  #: the hidden values before, by slot
    pending_by_seat: Mapping[str, str] = MappingProxyType({})  #: the pending orders before

    @classmethod
    def after(
        cls,
        position: LoadedGame,
        time: str,
        previous: StateRecord,
        old_values: Mapping[str, str],
        pending_by_seat: Mapping[str, str],
    ) -> "NextRecordInputs":
        """Return the inputs for the state after the newest one of a dealt game. ``previous`` is the
        record of ``position``, perhaps as a ruling changed it.
        """
        return cls(
            number=position.record.n + 1,
            game_id=position.game_id,
            previous_hash=position.state_hash,
            phase="play",
            time=time,
            previous=previous,
            old_values=old_values,
            pending_by_seat=pending_by_seat,
        )


def build_next_record(
    inputs: NextRecordInputs,
    game: "Game",
    state: Any,
    played: Sequence[ExecutedOrder],
    events: Sequence[Event],
    seals: Seals,
    rulings: Sequence[Ruling] = (),
) -> StateRecord:
    """Return the record after ``inputs.previous``, with ``state`` encoded and its values sealed.
    Fields that are not named here (setup, referees, people and so on) stay as they were.
    """
    encoded, slot_of = game.encode(state), inputs.previous.current_slot
    hidden = {slot_of(slot): hidden_value.for_sealing() for slot, hidden_value in encoded.hidden.items()}
    inputs = inputs._replace(old_values={slot_of(slot): value for slot, value in inputs.old_values.items()})
    state_hashes = dict(inputs.previous.state_hashes) | {inputs.number: inputs.previous_hash}
    disclosures = [(recipient, slot_of(slot)) for event in events for recipient, slot in event.opens]
    new_values = _collect_new_values(hidden, inputs, disclosures)
    new_commitments = {slot: seals.commit(slot, value, inputs.previous_hash)[1] for slot, value in new_values.items()}
    commitments = {sealed.slot: sealed.commitment for sealed in inputs.previous.sealed_values} | new_commitments
    openings = _list_openings(hidden, inputs, new_values, state_hashes, seals)
    _check_disclosures(openings, disclosures)
    return inputs.previous._replace(
        n=inputs.number,
        game=inputs.game_id,
        previous_hash=b64(inputs.previous_hash),
        restored_hash=inputs.previous.latest_restored_hash(inputs.previous_hash),
        phase=inputs.phase,
        time=max(inputs.time, inputs.previous.time),  # time never goes back, even if the machine's clock does
        roster=(),
        opened_contributions=(),
        secret=b"",
        consents=(),
        answer_counts=_count_answers(inputs.previous, played),
        pending_commitments=_commit_to_pending(inputs, seals),
        state_hashes=tuple((n, state_hashes[n]) for n in sorted({slot_state_number(slot) for slot in hidden})),
        sealed_values=tuple(
            SealedValue(slot, commitments[slot], seals.seal(slot, value)) for slot, value in sorted(hidden.items())
        ),
        new_commitments=tuple(sorted(new_commitments.items())),
        openings=openings,
        entries=tuple(_entry(inputs, number, order, seals) for number, order in enumerate(played, 1)),
        rulings=tuple(rulings),
        events=tuple(events),
        position=encoded.public,
    )


def _commit_to_pending(inputs: NextRecordInputs, seals: Seals) -> tuple[tuple[str, bytes], ...]:
    number, previous_hash = inputs.number, inputs.previous_hash
    return tuple(
        (seat, pending_commitment(seals, number, seat, inputs.pending_by_seat.get(seat, ""), previous_hash))
        for seat in inputs.previous.setup.seats
    )


def _collect_new_values(
    hidden: Mapping[str, str], inputs: NextRecordInputs, disclosures: Iterable[tuple[str, str]]
) -> dict[str, str]:
    """Return the values of the slots created in this state, even if it opens them again."""
    slots = [slot for slot in (*hidden, *(slot for _, slot in disclosures)) if slot_state_number(slot) == inputs.number]
    return {slot: hidden[slot] if slot in hidden else inputs.old_values[slot] for slot in slots}


def _list_openings(
    hidden: Mapping[str, str],
    inputs: NextRecordInputs,
    new_values: Mapping[str, str],
    state_hashes: Mapping[int, bytes],
    seals: Seals,
) -> tuple[Opening, ...]:
    """Return the openings of all values that were hidden, or are new, and are not hidden now."""
    values = {**inputs.old_values, **new_values}
    return tuple(
        Opening(slot, value, *seals.commit(slot, value, state_hashes[slot_state_number(slot)]))
        for slot, value in sorted(values.items())
        if slot not in hidden
    )


def _check_disclosures(openings: Sequence[Opening], disclosures: Iterable[tuple[str, str]]) -> None:
    """Raise OurFault unless the slots that the game opened are those its events name."""
    public_slots = {slot for recipient, slot in disclosures if recipient == "all"}
    if differing_slots := public_slots ^ {opening.slot for opening in openings}:
        message = f"what the game opened and what its events say differ: {', '.join(sorted(differing_slots))}"
        raise OurFault("game/openings", message, "report this")


def _count_answers(previous: StateRecord, played: Iterable[ExecutedOrder]) -> tuple[tuple[str, int], ...]:
    counts = dict(previous.answer_counts) or dict.fromkeys(previous.setup.seats, 0)
    for order in played:
        counts[order.seat] += 1
    return tuple(counts.items())


def _entry(inputs: NextRecordInputs, number: int, order: ExecutedOrder, seals: Seals) -> OrderEntry:
    """Return the entry of an order: its public words, and the order committed and sealed."""
    slot = f"{inputs.number}/order/{number}"
    quoted_hash = unb64(order.quoted_hash, 32) if order.quoted_hash else b""
    value = pae(
        order.orders_number,
        order.line_number,
        order.line_count,
        quoted_hash,
        order.signature,
        order.signed_line or order.line,
    )
    _, commitment = seals.commit(slot, value, inputs.previous_hash)
    token = seals.seal_order(slot, value)
    if seals.open_order(slot, token) != value:
        message = f"the token of {slot} does not give back the order"
        raise OurFault("state/order", message, "report this")
    return OrderEntry(order.seat, order.source, commitment, token, order.public_words)


def sign_record(record: StateRecord, key: "RefereeKey") -> bytes:
    """Return the signed file of a record, after reading it back; OurFault if that differs."""
    try:
        body = state_file.encode_canonical(write_record(record))
    except ValueError as error:
        raise OurFault("state/spelling", f"a state cannot hold {error}", "report this") from error
    raw = sign_state(body, key.signing, key.public)
    if read_verified_record(raw, key.public) != record:
        message = "the new state does not read back as it was meant"
        raise OurFault("state/read-back", message, "report this")
    return raw


class NewState(NamedTuple):
    """A new signed state: its file, its record, and the game at it."""

    raw: bytes
    record: StateRecord
    position: LoadedGame


#: from the new record, which still has the old clock, and the new State, to the new clock
NextClock = Callable[[StateRecord, Any], Clock]


def keep_clock(record: StateRecord, _: Any) -> Clock:
    """Return the old clock: for a game without deadlines."""
    return record.clock


def build_state(
    position: LoadedGame,
    record: StateRecord,
    state: Any,
    seals: Seals,
    key: "RefereeKey",
    next_clock: NextClock = keep_clock,
) -> NewState:
    """Sign ``record`` as the state after ``position``, once it decodes and reads back."""
    record = record._replace(clock=next_clock(record, state))
    check_decodes(record, state, seals, position.game)
    raw = sign_record(record, key)
    return NewState(raw, record, position._replace(record=record, state_hash=state_hash_of(raw), state=state))
