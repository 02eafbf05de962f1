"""A game played again from its secret and its orders: what each state must be.

Not allowed here: files, keys that sign, a rule of one game, the verdict (audit.py).
Law: parts from outside (times, wrapped secrets, what players signed) are copied from the state. The same
functions that first made the rest make it again, and the two are compared byte for byte.
Source: docs/SPECIFICATION.md section 12; P9.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame, hidden_values
from pbem.chain.next_record import NextRecordInputs, build_next_record
from pbem.chain.rulings.fields import MAX_WORDS_LENGTH, describe_slot
from pbem.chain.rulings.kinds import build_ruling_record, describe_ruling, rebuild_basis
from pbem.chain.seals import Seals
from pbem.chain.state_record import CLOSED, DEAL, StateRecord, config_of, write_record
from pbem.crypto.encoding import game_id
from pbem.engine.decision import Event
from pbem.errors import BadInput, PbemError
from pbem.formats import state_file
from pbem.play.joining import opening
from pbem.proof.audit.findings import (
    Contradiction,
    Fault,
    PlayedOrder,
    RemainingBySeat,
    Replay,
    ReplayedState,
    SignedState,
)
from pbem.proof.audit.orders import find_bot_fault, find_cut_short_seat, find_order_fault, open_order
from pbem.proof.audit.pending_orders import replay_pending_orders


class Table(NamedTuple):
    """A table of a state document, and where a difference in it is shown."""

    label: str  #: its name for people
    item: str  #: the item of an audit to which a difference in it belongs


#: by key in the document
TABLES = {
    "phase": Table("what kind of state it is", "chain"),
    "time": Table("its time", "orders"),
    "prev": Table("the state it follows", "chain"),
    "restored": Table("the newest ruling that states were lost", "chain"),
    "game": Table("the game's id", "chain"),
    "n": Table("its number", "orders"),
    "referees": Table("the referees' keys", "referees"),
    "wraps": Table("the wrapped secret", "referees"),
    "people": Table("the players", "rulings"),
    "roster": Table("what was answered to the invitation", "contributions"),
    "opened": Table("the additions to the shuffle", "contributions"),
    "contributions": Table("what each seat added to the shuffle", "contributions"),
    "answered": Table("the count of answers", "orders"),
    "hands": Table("the commitments to pending orders", "hands"),
    "heads": Table("the state hashes it names", "sealed"),
    "replaced": Table("what replaces what was corrected", "rulings"),
    "sealed": Table("what is hidden", "sealed"),
    "commits": Table("what was newly hidden", "sealed"),
    "openings": Table("what was turned up", "openings"),
    "entries": Table("the orders", "orders"),
    "rulings": Table("the referee's rulings", "rulings"),
    "events": Table("what happened", "orders"),
    "position": Table("the board", "orders"),
    "consents": Table("what players agreed to", "rulings"),
    "setup": Table("what was settled at the start", "chain"),
    "clock": Table("the clock", "chain"),
    "secret": Table("the secret", "secret"),
}
#: the tables whose rows begin with a slot, the name of a hidden value
SLOTS = ("sealed", "commits", "openings")
NOTHING = "nothing"  #: in place of a value that is missing

#: returns the words for a slot
DescribeSlot = Callable[[str], str]
#: returns the value that a slot's token (an encrypted value) holds; "" if it does not open
OpenToken = Callable[[str, str], str]


class Difference(NamedTuple):
    """The first table in which two state documents differ ("" if only their spelling does), and how."""

    table: str
    text: str


def find_difference(
    expected: Mapping[str, Any], actual: Mapping[str, Any], describe_slot: DescribeSlot, open_token: OpenToken
) -> Difference:
    """Return the first difference between two state documents, narrowed down to the smallest part."""
    for key in {**expected, **actual}:
        expected_value, actual_value = expected.get(key), actual.get(key)
        if expected_value != actual_value:
            label = TABLES[key].label if key in TABLES else key
            text = _describe_difference(key, expected_value, actual_value, describe_slot, open_token)
            return Difference(key, f"{label}: {text}")
    return Difference("", "it is not spelt as pbem writes it")


def _describe_difference(
    key: str, expected: Any, actual: Any, describe_slot: DescribeSlot, open_token: OpenToken
) -> str:
    """Describe the first difference of two values: in a table by its key, and in a list by its row."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for inner_key in {**expected, **actual}:
            inner_expected, inner_actual = expected.get(inner_key), actual.get(inner_key)
            if inner_expected != inner_actual:
                text = _describe_difference(inner_key, inner_expected, inner_actual, describe_slot, open_token)
                return f"{inner_key}: {text}"
    if isinstance(expected, list) and isinstance(actual, list):
        for number, (expected_row, actual_row) in enumerate(zip_longest(expected, actual), 1):
            if expected_row != actual_row:
                return _describe_row(key, number, expected_row, actual_row, describe_slot, open_token)
    return f"{_shorten(actual)} where the game gives {_shorten(expected)}"


def _describe_row(
    key: str, number: int, expected: Any, actual: Any, describe_slot: DescribeSlot, open_token: OpenToken
) -> str:
    """Describe the difference between rows with the same number; None is a row that is missing."""
    if key in SLOTS:
        return _describe_slot_row(key, str(expected or ""), str(actual or ""), describe_slot, open_token)
    if key == "entries":
        return f"order {number}: {_describe_entry(expected, actual)}"
    text = f"{_shorten(actual)} where the game gives {_shorten(expected)}"
    return f"fact {number}: {text}" if key == "events" else text


def _describe_slot_row(
    table: str, expected: str, actual: str, describe_slot: DescribeSlot, open_token: OpenToken
) -> str:
    """Describe a different row of a hidden value: it is missing, has another commitment, or another value."""
    expected_slot, *expected_parts = expected.split(" ")
    actual_slot, *actual_parts = actual.split(" ")
    if expected_slot != actual_slot:
        if not actual or (expected and expected_slot < actual_slot):
            return f"{describe_slot(expected_slot)} is missing"
        return f"{describe_slot(actual_slot)} is there, and should not be"
    slot_text = describe_slot(expected_slot)
    if len(expected_parts) != len(actual_parts):
        return f"{slot_text}: its row is of another shape"
    if table == "openings":
        expected_value, _, expected_commitment = expected_parts
        actual_value, _, actual_commitment = actual_parts
    else:
        expected_commitment, *expected_tokens = expected_parts
        actual_commitment, *actual_tokens = actual_parts
    if expected_commitment != actual_commitment:
        return f"{slot_text}: its commitment is not of what the game gives"
    if table == "openings":
        return f"{slot_text}: {_shorten(actual_value)} where the game gives {_shorten(expected_value)}"
    actual_value = open_token(expected_slot, "".join(actual_tokens))
    expected_value = open_token(expected_slot, "".join(expected_tokens))
    if not actual_value:
        return f"{slot_text}: what is sealed there does not open"
    return f"{slot_text} is sealed as {_shorten(actual_value)}, and is {_shorten(expected_value)}"


def _describe_entry(expected: Any, actual: Any) -> str:
    """Describe the first part in which two rows of orders differ; encrypted parts without their values."""
    if expected is None or actual is None:
        return "no such order was played" if expected is None else "it is missing"
    expected_parts, actual_parts = str(expected).split(" ", 4), str(actual).split(" ", 4)
    names = ("whose it is", "where it came from", "its commitment", "what is sealed", "its words")
    for name, expected_part, actual_part in zip(names, expected_parts, actual_parts, strict=False):
        if expected_part != actual_part:
            is_secret = name in names[2:4]
            difference = f"{_shorten(actual_part)} where the game gives {expected_part}"
            return f"{name} is another" if is_secret else difference
    return "its row is of another shape"


def _shorten(value: Any) -> str:
    """Return a part of a row in backticks, on one line and not too long; ``nothing`` for None."""
    if value is None:
        return NOTHING
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    if len(text) > MAX_WORDS_LENGTH:
        text = text[: MAX_WORDS_LENGTH - 1] + "…"
    return f"`{text}`"


class NextState(NamedTuple):
    """The state that must follow the states so far."""

    record: StateRecord
    state: Any = None  #: None before the deal
    orders: tuple[PlayedOrder, ...] = ()


def replay_state(replay: Replay, signed_state: SignedState) -> ReplayedState:
    """Make a state again, compare it with ``signed_state``, and add it to ``replay``. Contradiction if they differ."""
    record, n = signed_state.record, signed_state.record.n
    expected = _make_next(replay, record) if n else NextState(record)
    remaining_by_seat: RemainingBySeat = {}
    if n:
        is_in_play = n > DEAL and record.is_dealt
        _check_same(replay, _with_outside_parts(expected.record, record, is_in_play), signed_state)
        if expected.state is not None and record.clock.has_deadlines and record.phase != CLOSED:
            _check_deadlines(replay, record, expected.state)
        if replay.pending_values is not None and is_in_play:
            executed_orders = [order.played for order in expected.orders]
            remaining_by_seat = replay_pending_orders(replay, _position_at(replay, n - 1), record, executed_orders)
    replay.past_states[n] = ReplayedState(
        record, signed_state.state_hash, expected.state, expected.orders, remaining_by_seat
    )
    return replay.past_states[n]


def _make_next(replay: Replay, record: StateRecord) -> NextState:
    """Return the state that must follow, made from the orders or rulings in ``record``."""
    if record.phase == CLOSED and not record.is_dealt:
        return NextState(_cancelled_record(replay, record))
    if record.n == 1:
        genesis = replay.past_states[0].record
        return NextState(opening.make_roster_record(genesis, replay.genesis, record.roster, record.time))
    if record.n == DEAL:
        return _dealt_state(replay, record)
    return _ruled_state(replay, record) if record.rulings else _play_orders(replay, record)


def _with_outside_parts(expected: StateRecord, record: StateRecord, is_in_play: bool) -> StateRecord:
    """Copy the parts that come from outside into ``expected``: the clock, consents, and pending orders in play."""
    expected = expected._replace(clock=record.clock, consents=record.consents)
    return expected._replace(pending_commitments=record.pending_commitments) if is_in_play else expected


def _check_deadlines(replay: Replay, record: StateRecord, state: Any) -> None:
    """Raise Contradiction unless exactly the seats that are asked have a deadline."""
    asked_seats = {question.seat for question in replay.game.questions(replay.game.view(state, None))}
    due_seats = {row.seat for row in record.clock.seats if row.deadline}
    for seat in sorted(asked_seats ^ due_seats):
        text = f"the clock: {seat} has a deadline, and is not asked"
        if seat in asked_seats:
            text = f"the clock: {seat} has no deadline, and is asked"
        raise Contradiction(Fault("orders", text), record.n)


def _cancelled_record(replay: Replay, record: StateRecord) -> StateRecord:
    """Return the state that closes a game before its deal: the previous one, with the secret."""
    previous = replay.past_states[record.n - 1]
    reason = record.rulings[0].reason if record.rulings else ""
    game = game_id(replay.genesis)
    return opening.make_closed_record(previous.record, game, previous.state_hash, replay.secret, reason, record.time)


def _dealt_state(replay: Replay, record: StateRecord) -> NextState:
    """Deal again. Raise Contradiction if a contribution is missing."""
    previous = replay.past_states[1]
    seals = Seals(replay.secret, record.game, 2, previous.state_hash)
    opened = record.opened_contributions
    try:
        dealt_record, state = opening.make_deal_record(
            previous.record, previous.state_hash, opened, replay.game, replay.secret, record.time, seals
        )
    except (KeyError, PbemError):
        text = "an addition to the shuffle is missing, so nobody can deal"
        raise Contradiction(Fault("contributions", text), 2) from None
    return NextState(dealt_record, state)


def _ruled_state(replay: Replay, record: StateRecord) -> NextState:
    """Return the game as the rulings of a state leave it. Raise Contradiction if they cannot be carried out."""
    n, previous = record.n, _position_at(replay, record.n - 1)
    seals = Seals(replay.secret, record.game, n, previous.state_hash)
    reason = "; ".join(describe_ruling(ruling) for ruling in record.rulings)
    try:
        basis = rebuild_basis(previous, record, lambda number: _position_at(replay, number), seals)
    except PbemError as error:  # a correction that makes no possible game
        basis, reason = None, error.message
    if basis is None:
        raise Contradiction(Fault("rulings", f"it cannot come of its ruling: {reason}"), n)
    for player, old_player in zip(record.people, previous.record.people, strict=True):
        if player.key != old_player.key:  # orders signed by a new key are numbered from 1
            replay.used_numbers.pop(player.seat, None)
    return NextState(build_ruling_record(previous, basis, replay.secret, record.time, seals, {}), basis.state)


def _position_at(replay: Replay, n: int) -> LoadedGame:
    past = replay.past_states[n]
    return LoadedGame(replay.game, past.record, past.state_hash, config_of(past.record), past.state)


def _play_orders(replay: Replay, record: StateRecord) -> NextState:
    """Carry out the orders of a state. Raise Contradiction for the first order that may not be there."""
    n, previous = record.n, replay.past_states[record.n - 1]
    seals = Seals(replay.secret, record.game, n, previous.state_hash)
    state = previous.state
    played_orders = list[PlayedOrder]()
    events = list[Event]()
    values = hidden_values(replay.game, state)
    answer_counts = Counter(dict(previous.record.answer_counts))
    for number, entry in enumerate(record.entries, 1):
        order = open_order(f"{n}/order/{number}", entry, seals, replay.game, state)
        fault = find_order_fault(replay, state, previous.record, order)
        fault = fault or find_bot_fault(replay, state, record.game, answer_counts[order.seat], order)
        if fault:
            text = f"order {number}, {order.public_words} of {order.seat}: {fault.text}"
            raise Contradiction(Fault(fault.item, text), n)
        try:
            step = replay.game.apply(state, order.seat, order.line, n)
        except BadInput as error:
            text = f"order {number} of {order.seat} was not allowed: {error.message}"
            raise Contradiction(Fault("orders", text), n) from None
        played_orders.append(PlayedOrder(order, tuple(step.events), state))
        state = step.state
        answer_counts[order.seat] += 1
        values |= hidden_values(replay.game, state)
        events += step.events
    next_parts = NextRecordInputs(n, record.game, previous.state_hash, "play", record.time, previous.record, values)
    orders = [played_order.played for played_order in played_orders]
    if seat := find_cut_short_seat(replay, state, previous.record, orders):
        raise Contradiction(Fault("orders", f"the missed turn of {seat} was not played to its end"), n)
    next_record = build_next_record(next_parts, replay.game, state, orders, events, seals)
    return NextState(next_record, state, tuple(played_orders))


#: the tables of a state document that the deal fills
DEALT = ("sealed", "commits", "position", "events", "openings")


def _check_same(replay: Replay, expected: StateRecord, signed_state: SignedState) -> None:
    """Raise Contradiction unless the state is, byte for byte, the one that must follow."""
    expected_document = write_record(expected)
    if state_file.encode_canonical(expected_document) == signed_state.body:
        return
    actual_document, n = state_file.parse(signed_state.body), expected.n
    seals = Seals(replay.secret, expected.game, n, replay.past_states[n - 1].state_hash)

    def open_token(slot: str, token: str) -> str:
        try:
            return seals.open(slot, token)
        except (BadInput, UnicodeDecodeError):
            return ""

    def slot_words(slot: str) -> str:
        return describe_slot(replay.game, expected.position, slot)

    difference = find_difference(expected_document, actual_document, slot_words, open_token)
    item = TABLES[difference.table].item if difference.table in TABLES else "orders"
    kind = ""
    if n == DEAL and difference.table in DEALT:
        item = "deal"
        kind = "" if difference.table in SLOTS else "rules"
    raise Contradiction(Fault(item, difference.text), n, kind)
