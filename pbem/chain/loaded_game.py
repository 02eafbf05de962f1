"""A game at one link: verified, opened, decoded; and the making of the next link.

What lives here: Position, load, next_link; Seals, the moderator's only way to tokens and
commitments, so that a test can put random strings in their place (P2). What must never be here:
files, orders in hand, reports.
Laws: bytes are verified before they are parsed; what was written is read back and compared before
anybody gets it; a state that does not decode to what was meant is never written. A token is bound
to its slot, game and link; a commitment stays with its slot for ever.
Source: docs/DESIGN.md "One turn"; docs/SPECIFICATION.md sections 5 and 7 to 9.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock import Clock
from pbem.chain.plausible import decode_state
from pbem.chain.ruling_row import Ruling
from pbem.chain.signed_state import read_verified_record, sign_state, state_hash_of
from pbem.chain.state_record import Opening, OrderEntry, SealedValue, StateRecord, config_of, write_record
from pbem.crypto.encoding import b64, pae, unb64
from pbem.crypto.tokens import ORDER_SIZE, VALUE_SIZE, Sealer, commit, opening_key, state_key
from pbem.engine.decision import Event
from pbem.engine.settings import Config
from pbem.errors import BadInput, OurFault
from pbem.formats import state_file

if TYPE_CHECKING:
    from pbem.crypto.keys import RefereeKey
    from pbem.engine.game import Game


class Seals:
    """The Seals of one link of one game, from the game's secret."""

    def __init__(self, secret: bytes, game_id: str, number: int, previous_hash: bytes) -> None:
        self._secret, self._game = secret, game_id
        self._sealer = Sealer(state_key(secret, game_id, number, previous_hash), game_id, number)

    def seal(self, slot: str, value: str) -> str:
        """The token of a hidden value; public."""
        return self._sealer.seal(slot, value.encode(), VALUE_SIZE)

    def open(self, slot: str, token: str) -> str:
        """The value of a token of this link; the moderator's alone."""
        return self._sealer.open(slot, token, VALUE_SIZE).decode()

    def seal_order(self, slot: str, value: bytes) -> str:
        """The token of an order; public."""
        return self._sealer.seal(slot, value, ORDER_SIZE)

    def open_order(self, slot: str, token: str) -> bytes:
        """The order of a token of this link; the moderator's alone."""
        return self._sealer.open(slot, token, ORDER_SIZE)

    def commit(self, slot: str, value: str | bytes, previous_hash: bytes) -> tuple[bytes, bytes]:
        """(k, C): the opening key, for whoever may know the value, and the public commitment."""
        key = opening_key(self._secret, self._game, slot, previous_hash, value)
        return key, commit(self._game, slot, key, value)


def pending_slot(number: int, seat: str) -> str:
    """The slot of what a seat had waiting before state ``number``."""
    return f"{number}/hand/{seat}"


def pending_commitment(seals: Seals, number: int, seat: str, value: str, previous_hash: bytes) -> bytes:
    """What state ``number``, after the one with this head, commits to if that is what waited."""
    return seals.commit(pending_slot(number, seat), value, previous_hash)[1]


def commits_to_pending(secret: bytes, record: StateRecord, previous_hash: bytes, seat: str, value: str) -> bool:
    """Whether a state, after the one with this head, commits to that as what a seat had waiting."""
    seals = Seals(secret, record.game, record.n, previous_hash)
    return pending_commitment(seals, record.n, seat, value, previous_hash) == dict(record.pending_commitments).get(seat)


def hidden_values(game: "Game", state: Any) -> dict[str, str]:
    """Every hidden value of a State, by slot; the moderator's alone."""
    return {slot: hidden_value.for_sealing() for slot, hidden_value in game.encode(state).hidden.items()}


class LoadedGame(NamedTuple):
    """A game at its newest link. Holds everything; never leaves the moderator."""

    game: "Game"
    record: StateRecord
    state_hash: bytes
    config: Config
    state: Any

    @property
    def game_id(self) -> str:
        return self.record.game

    def next_seals(self, secret: bytes) -> Seals:
        """Those of the link after this one."""
        return Seals(secret, self.game_id, self.record.n + 1, self.state_hash)

    def next_record_inputs(
        self, time: str, previous: StateRecord, values: Mapping[str, str], pending_by_seat: Mapping[str, str]
    ) -> "NextRecordInputs":
        """What the next link of a game that was dealt is made of."""
        return NextRecordInputs(
            self.record.n + 1, self.game_id, self.state_hash, "play", time, previous, values, pending_by_seat
        )

    def player_name(self, seat: str) -> str:
        return self.record.player(seat).name

    @property
    def player_names(self) -> dict[str, str]:
        """Who plays, by seat."""
        return {seat: self.player_name(seat) for seat in self.config.seats}

    def answered_count(self, seat: str) -> int:
        """How many questions of the seat have been answered, by itself or for it."""
        return dict(self.record.answer_counts).get(seat, 0)


class ExecutedOrder(NamedTuple):
    """One order carried out: by whom, from what, and what of it all may read.

    ``quoted`` is the head it was written for (b64, "" for an answer given for the player).
    """

    seat: str
    source: str
    line: str
    public_words: str
    orders_number: int = 0
    line_number: int = 0
    quoted_hash: str = ""
    signature: bytes = b""  #: of its player, b"" where he did not sign it
    signed_line: str = ""  #: the line as he signed it, "" where he did not
    line_count: int = 0  #: how many lines he signed with it


def load_game(raw: bytes, public_key: bytes, secret: bytes, game: "Game") -> LoadedGame:
    """Verify, parse, open and decode a state from the deal on.

    Raises what ``genuine_link`` raises; BadInput ``token/…``, ``position/…`` where the secret is
    another game's or the state does not hold together.
    """
    record = read_verified_record(raw, public_key)
    if not record.is_dealt:
        message = f"state {record.n} is from before the deal"
        raise BadInput("state/not-dealt", message, "a game begins with state 2")
    seals = Seals(secret, record.game, record.n, unb64(record.previous_hash, 32))
    return open_record(record, state_hash_of(raw), seals, game)


def open_record(
    record: StateRecord, state_hash: bytes, seals: Seals, game: "Game", events_only: bool = False
) -> LoadedGame:
    """Open the tokens of a link and decode its State; ``events_only``: an older one (plausible.py)."""
    values = {sealed.slot: seals.open(sealed.slot, sealed.token) for sealed in record.sealed_values}
    # the game knows its own names of slots alone: what stands in for one is put in its place
    values |= {slot: values[replacement] for slot, replacement in record.replaced_slots if replacement in values}
    return LoadedGame(game, record, state_hash, config_of(record), decode_state(game, record, values, events_only))


class NextRecordInputs(NamedTuple):
    """What the next link is made of."""

    number: int
    game_id: str
    previous_hash: bytes
    phase: str
    time: str
    previous: StateRecord  #: for setup, contributions, answered; for what was sealed
    old_values: Mapping[str, str]  #: hidden values before: slot to value
    pending_by_seat: Mapping[str, str] = MappingProxyType({})  #: by seat its waiting orders before; "" else


def build_next_record(
    inputs: NextRecordInputs,
    game: "Game",
    state: Any,
    played: Sequence[ExecutedOrder],
    events: Sequence[Event],
    seals: Seals,
    rulings: Sequence[Ruling] = (),
) -> StateRecord:
    """The link that follows ``made.before``: State encoded, hidden values sealed anew, openings.

    What is not named here (setup, referees, people, …) is carried on as it was.
    """
    encoded, slot_of = game.encode(state), inputs.previous.current_slot
    hidden = {slot_of(slot): thing.for_sealing() for slot, thing in encoded.hidden.items()}
    inputs = inputs._replace(old_values={slot_of(s): v for s, v in inputs.old_values.items()})
    state_hashes = dict(inputs.previous.state_hashes) | {inputs.number: inputs.previous_hash}
    commitments = {sealed.slot: sealed.commitment for sealed in inputs.previous.sealed_values}
    disclosures = [(recipient, slot_of(slot)) for event in events for recipient, slot in event.opens]
    new_values = _collect_new_values(hidden, inputs, disclosures)
    new_commitments = {slot: seals.commit(slot, value, inputs.previous_hash)[1] for slot, value in new_values.items()}
    commitments |= new_commitments
    openings = _list_openings(hidden, inputs, new_values, state_hashes, seals)
    _check_disclosures(openings, disclosures)
    return inputs.previous._replace(
        n=inputs.number,
        game=inputs.game_id,
        previous_hash=b64(inputs.previous_hash),
        restored_hash=inputs.previous.latest_restored_hash(inputs.previous_hash),
        phase=inputs.phase,
        time=max(inputs.time, inputs.previous.time),  # a clock that went back makes none older
        roster=(),
        opened_contributions=(),
        secret=b"",
        consents=(),
        answer_counts=_count_answers(inputs.previous, played),
        pending_commitments=tuple(
            (
                seat,
                pending_commitment(
                    seals, inputs.number, seat, inputs.pending_by_seat.get(seat, ""), inputs.previous_hash
                ),
            )
            for seat in inputs.previous.setup.seats
        ),
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


def slot_state_number(slot: str) -> int:
    """The number of the state that made a slot."""
    return int(slot.partition("/")[0])


def _collect_new_values(
    hidden: Mapping[str, str], inputs: NextRecordInputs, disclosures: Iterable[tuple[str, str]]
) -> dict[str, str]:
    """Slots made in this link, also those opened again in it (their value is in ``old_values``)."""
    slots = [slot for slot in (*hidden, *(slot for _, slot in disclosures)) if slot_state_number(slot) == inputs.number]
    return {slot: hidden[slot] if slot in hidden else inputs.old_values[slot] for slot in slots}


def _list_openings(
    hidden: Mapping[str, str],
    inputs: NextRecordInputs,
    new_values: Mapping[str, str],
    state_hashes: Mapping[int, bytes],
    seals: Seals,
) -> tuple[Opening, ...]:
    """What was hidden, or made, and is hidden no more: open to all."""
    opened_values = [pair for pair in {**inputs.old_values, **new_values}.items() if pair[0] not in hidden]
    return tuple(
        Opening(s, v, *seals.commit(s, v, state_hashes[slot_state_number(s)])) for s, v in sorted(opened_values)
    )


def _check_disclosures(openings: Sequence[Opening], disclosures: Iterable[tuple[str, str]]) -> None:
    """A game that opens a slot must say so by an event, and may not say it of a hidden one."""
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
    """One order: public words for all, the order itself committed and sealed, all of one size."""
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
    """The signed file of a link, read back and compared before it is given out."""
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
    """The next state: its bytes, its link as read back, and the game at it."""

    raw: bytes
    record: StateRecord
    position: LoadedGame


#: the clock of a link that is made, from its State; the link has that of the one before
NextClock = Callable[[StateRecord, Any], Clock]


def keep_clock(record: StateRecord, _: Any) -> Clock:
    """Of a game without deadlines the clock stays."""
    return record.clock


def build_state(
    position: LoadedGame,
    record: StateRecord,
    state: Any,
    seals: Seals,
    key: "RefereeKey",
    next_clock: NextClock = keep_clock,
) -> NewState:
    """The state with this ``record``, after ``position``: decoded, signed and read back."""
    record = record._replace(clock=next_clock(record, state))
    check_decodes(record, state, seals, position.game)
    raw = sign_record(record, key)
    return NewState(raw, record, position._replace(record=record, state_hash=state_hash_of(raw), state=state))


def check_decodes(record: StateRecord, state: Any, seals: Seals, game: "Game") -> None:
    """OurFault unless the link's tokens and position give back the very State that was meant."""
    if open_record(record, b"", seals, game).state != state:
        message = "the new state does not decode to what was played"
        raise OurFault("state/decode", message, "report this")
