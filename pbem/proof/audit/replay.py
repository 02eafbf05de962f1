"""A game played again from its secret and the orders in it: what each state must be.

What lives here: ``play_again``: the roster, the deal and every later link made again, with the
very functions that made them; ``difference``: where a state is another, in words that a player
understands. What must never be here: files, keys that sign, a rule of one game, the verdict in
words (audit.py).
Law: what comes from outside (times, wraps, what players signed) is taken from the state; all the
rest follows, and the whole body is compared byte for byte.
Source: docs/SPECIFICATION.md section 12; P9.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

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
from pbem.play.pending_orders import PendingOrders
from pbem.proof.audit.findings import PlayedOrder, Replay, ReplayedState, SignedState
from pbem.proof.audit.orders import check_bot_choice, check_order, find_cut_short_seat, open_order
from pbem.proof.audit.pending_orders import RuleFault, find_pending_faults

#: table of a state: the words for it, and the item of an audit to which a difference in it belongs
TABLES = {
    "phase": ("what kind of state it is", "chain"),
    "time": ("its time", "orders"),
    "prev": ("the state it follows", "chain"),
    "restored": ("the newest ruling that states were lost", "chain"),
    "game": ("the game's id", "chain"),
    "n": ("its number", "orders"),
    "referees": ("the referees' keys", "referees"),
    "wraps": ("the wrapped secret", "referees"),
    "people": ("the players", "rulings"),
    "roster": ("what was answered to the invitation", "contributions"),
    "opened": ("the contributions to the deal", "contributions"),
    "contributions": ("what each seat gave to the deal", "contributions"),
    "answered": ("the count of answers", "orders"),
    "hands": ("the commitments to pending orders", "hands"),
    "heads": ("the heads it names", "sealed"),
    "replaced": ("what stands in for what was corrected", "rulings"),
    "sealed": ("what is hidden", "sealed"),
    "commits": ("what was newly hidden", "sealed"),
    "openings": ("what was turned up", "openings"),
    "entries": ("the orders", "orders"),
    "rulings": ("the referee's rulings", "rulings"),
    "events": ("what happened", "orders"),
    "position": ("the board", "orders"),
    "consents": ("what players agreed to", "rulings"),
    "setup": ("what was settled at the start", "chain"),
    "clock": ("the clock", "chain"),
    "secret": ("the secret", "secret"),
}
SLOTS = ("sealed", "commits", "openings")

#: the words for a slot, and the value of a token found in one ("" where it does not open)
DescribeSlot = Callable[[str], str]
OpenToken = Callable[[str, str], str]


def find_difference(
    expected: Mapping[str, Any], actual: Mapping[str, Any], describe_slot: DescribeSlot, open_token: OpenToken
) -> tuple[str, str]:
    """The table with the first difference, in the order of the document, and what it is, in the
    smallest part; both are read as TOML gives them.
    """
    for key in {**expected, **actual}:
        expected_value, actual_value = expected.get(key), actual.get(key)
        if expected_value != actual_value:
            name, _ = TABLES.get(key, (key, ""))
            return (
                key,
                f"{name}: {_describe_difference(key, expected_value, actual_value, describe_slot, open_token)}",
            )
    return "", "it is spelt otherwise than pbem writes it"


def _describe_difference(
    key: str, expected: Any, actual: Any, describe_slot: DescribeSlot, open_token: OpenToken
) -> str:
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for inner_key in {**expected, **actual}:
            inner_expected, inner_actual = expected.get(inner_key), actual.get(inner_key)
            if inner_expected != inner_actual:
                return f"{inner_key}: {_describe_difference(inner_key, inner_expected, inner_actual, describe_slot, open_token)}"
    if isinstance(expected, list) and isinstance(actual, list):
        for number, (expected_row, actual_row) in enumerate(zip_longest(expected, actual), 1):
            if expected_row != actual_row:
                return _describe_row(key, number, expected_row, actual_row, describe_slot, open_token)
    return f"{_shorten(actual)} where the game gives {_shorten(expected)}"


def _describe_row(
    key: str, number: int, expected: Any, actual: Any, describe_slot: DescribeSlot, open_token: OpenToken
) -> str:
    if key in SLOTS:
        return _describe_slot_row(key, str(expected or ""), str(actual or ""), describe_slot, open_token)
    if key == "entries":
        return f"order {number}: {_describe_entry(expected, actual)}"
    text = f"{_shorten(actual)} where the game gives {_shorten(expected)}"
    return f"fact {number}: {text}" if key == "events" else text


def _describe_slot_row(
    table: str, expected: str, actual: str, describe_slot: DescribeSlot, open_token: OpenToken
) -> str:
    """A hidden thing: is it there, is it committed as it should be, is it the same thing."""
    expected_parts, actual_parts = expected.split(" "), actual.split(" ")
    if expected_parts[0] != actual_parts[0]:
        if not actual or (expected and expected_parts[0] < actual_parts[0]):
            return f"{describe_slot(expected_parts[0])} is missing"
        return f"{describe_slot(actual_parts[0])} is there, and should not be"
    slot_text = describe_slot(expected_parts[0])
    commitment_index = 3 if table == "openings" else 1
    if len(expected_parts) != len(actual_parts):
        return f"{slot_text}: its row is of another shape"
    if expected_parts[commitment_index] != actual_parts[commitment_index]:
        return f"{slot_text}: its commitment is not of what the game gives"
    if table == "openings":
        return f"{slot_text}: {_shorten(actual_parts[1])} where the game gives {_shorten(expected_parts[1])}"
    actual_value, expected_value = (
        open_token(expected_parts[0], actual_parts[-1]),
        open_token(expected_parts[0], expected_parts[-1]),
    )
    if not actual_value:
        return f"{slot_text}: what is sealed there does not open"
    return f"{slot_text} is sealed as {_shorten(actual_value)}, and is {_shorten(expected_value)}"


def _describe_entry(expected: Any, actual: Any) -> str:
    if expected is None or actual is None:
        return "there is one more than was played" if expected is None else "it is missing"
    expected_parts, actual_parts = str(expected).split(" ", 4), str(actual).split(" ", 4)
    names = ("whose it is", "where it came from", "its commitment", "what is sealed", "its words")
    for name, a, b in zip(names, expected_parts, actual_parts, strict=False):
        if a != b:
            is_secret = name in names[2:4]
            return f"{name} is another" if is_secret else f"{_shorten(b)} where the game gives {a}"
    return "its row is of another shape"


def _shorten(value: Any) -> str:
    """A part of a row, short and on one line; nothing at all is ``nothing``."""
    if value is None:
        return "nothing"
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return f"`{text if len(text) <= MAX_WORDS_LENGTH else text[: MAX_WORDS_LENGTH - 1] + '…'}`"


class Contradiction(Exception):
    """What a state says does not follow. ``item`` is the line of the audit it belongs to."""

    def __init__(self, item: str, n: int, message: str, kind: str = "") -> None:
        super().__init__(message)
        self.item, self.n, self.message = item, n, message
        self.kind = "rules" if isinstance(message, RuleFault) else kind


def replay_state(replay: Replay, signed_state: SignedState) -> ReplayedState:
    """The next link made again and compared; Contradicted where the state says otherwise."""
    record, n = signed_state.record, signed_state.record.n
    state, orders, remaining_by_seat = (None, tuple[PlayedOrder, ...](), dict[str, tuple[PendingOrders, int] | None]())
    if n:
        if record.phase == CLOSED and not record.is_dealt:
            expected = _cancelled_record(replay, record)
        elif n == 1:
            expected = opening.make_roster_record(
                replay.past_states[0].record, replay.genesis, record.roster, record.time
            )
        elif n == DEAL:
            expected, state = _dealt_record(replay, record)
        elif record.rulings:
            expected, state = _ruled_record(replay, record)
        else:
            expected, state, orders = _play_orders(replay, record)
        # what the referee's clock said, and what players signed, comes from outside
        expected = expected._replace(clock=record.clock, consents=record.consents)
        if n > DEAL and record.is_dealt:  # no state tells what waits: that is held against the hands
            expected = expected._replace(pending_commitments=record.pending_commitments)
        _check_same(replay, expected, signed_state)
        if state is not None and record.clock.has_deadlines and record.phase != CLOSED:
            _check_deadlines(replay, record, state)
        if replay.pending_values is not None and n > DEAL and record.is_dealt:
            for message in find_pending_faults(replay, _position_at(replay, n - 1), record, orders, remaining_by_seat):
                raise Contradiction("hands", n, message)
    replay.past_states[n] = ReplayedState(record, signed_state.state_hash, state, orders, remaining_by_seat)
    return replay.past_states[n]


def _check_deadlines(replay: Replay, record: StateRecord, state: Any) -> None:
    """Whoever is asked has a deadline, and nobody else: one set before would be over too soon."""
    asked_seats = {question.seat for question in replay.game.questions(replay.game.view(state, None))}
    due_seats = {row.seat for row in record.clock.seats if row.deadline}
    if wrong_seats := sorted(asked_seats ^ due_seats):
        deadline_text = f"{wrong_seats[0]} {'has no' if wrong_seats[0] in asked_seats else 'has a'} deadline"
        raise Contradiction(
            "orders", record.n, f"the clock: {deadline_text}, and is {_asked_text(wrong_seats[0], asked_seats)}"
        )


def _asked_text(seat: str, asked_seats: set[str]) -> str:
    return "asked" if seat in asked_seats else "not asked"


def _cancelled_record(replay: Replay, record: StateRecord) -> StateRecord:
    """A round that was closed before its deal: the same state, with the secret."""
    previous = replay.past_states[record.n - 1]
    reason = record.rulings[0].reason if record.rulings else ""
    game = game_id(replay.genesis)
    return opening.make_closed_record(previous.record, game, previous.state_hash, replay.secret, reason, record.time)


def _dealt_record(replay: Replay, record: StateRecord) -> tuple[StateRecord, Any]:
    previous = replay.past_states[1]
    seals = Seals(replay.secret, record.game, 2, previous.state_hash)
    deal_inputs = replay.game, replay.secret, record.time
    try:
        return opening.make_deal_record(
            previous.record, previous.state_hash, record.opened_contributions, *deal_inputs, seals
        )
    except (KeyError, PbemError):
        message = "a contribution is missing: nobody can deal like this"
        raise Contradiction("contributions", 2, message) from None


def _ruled_record(replay: Replay, record: StateRecord) -> tuple[StateRecord, Any]:
    """A link of rulings: the game as they leave it."""
    n, previous = record.n, _position_at(replay, record.n - 1)
    seals = Seals(replay.secret, record.game, n, previous.state_hash)
    reason = "; ".join(describe_ruling(ruling) for ruling in record.rulings)
    try:
        basis = rebuild_basis(previous, record, lambda number: _position_at(replay, number), seals)
    except PbemError as error:  # what a correction makes of the game cannot be
        basis, reason = None, error.message
    if basis is None:
        raise Contradiction("rulings", n, f"it cannot come of its ruling: {reason}")
    for player, old_player in zip(record.people, previous.record.people, strict=True):
        if player.key != old_player.key:  # another key begins to count anew
            replay.used_numbers.pop(player.seat, None)
    return build_ruling_record(previous, basis, replay.secret, record.time, seals, {}), basis.state


def _position_at(replay: Replay, n: int) -> LoadedGame:
    record, state_hash, state, *_ = replay.past_states[n]
    return LoadedGame(replay.game, record, state_hash, config_of(record), state)


def _play_orders(replay: Replay, record: StateRecord) -> tuple[StateRecord, Any, tuple[PlayedOrder, ...]]:
    """A link of the running game: its orders, one after the other."""
    n, previous = record.n, replay.past_states[record.n - 1]
    seals = Seals(replay.secret, record.game, n, previous.state_hash)
    state, played_orders, events = previous.state, list[PlayedOrder](), list[Event]()
    values, answer_counts = (hidden_values(replay.game, state), Counter(dict(previous.record.answer_counts)))
    for number, entry in enumerate(record.entries, 1):
        order = open_order(f"{n}/order/{number}", entry, seals, replay.game, state)
        fault = check_order(replay, state, previous.record, order)
        fault = fault or check_bot_choice(replay, state, record.game, answer_counts[order.seat], order)
        if fault:
            item, message = fault
            raise Contradiction(item, n, f"order {number}, {order.public_words} of {order.seat}: {message}")
        try:
            step = replay.game.apply(state, order.seat, order.line, n)
        except BadInput as error:
            message = f"order {number} of {order.seat} was not allowed: {error.message}"
            raise Contradiction("orders", n, message) from None
        played_orders.append(PlayedOrder(order, tuple(step.events), state))
        state = step.state
        answer_counts[order.seat] += 1
        values |= hidden_values(replay.game, state)
        events += step.events
    next_parts = NextRecordInputs(n, record.game, previous.state_hash, "play", record.time, previous.record, values)
    orders = [played_order.played for played_order in played_orders]
    if seat := find_cut_short_seat(replay, state, previous.record, orders):
        raise Contradiction("orders", n, f"the missed turn of {seat} was not played to its end")
    return (build_next_record(next_parts, replay.game, state, orders, events, seals), state, tuple(played_orders))


#: tables of a state that the deal makes
DEALT = ("sealed", "commits", "position", "events", "openings")


def _check_same(replay: Replay, expected: StateRecord, signed_state: SignedState) -> None:
    """Contradicted unless the state is, byte for byte, the one that must follow."""
    expected_document = write_record(expected)
    if state_file.encode_canonical(expected_document) == signed_state.body:
        return
    actual_document, n = state_file.parse(signed_state.body), expected.n
    seals = Seals(replay.secret, expected.game, n, replay.past_states[n - 1].state_hash)

    def opens(slot: str, token: str) -> str:
        try:
            return seals.open(slot, token)
        except (BadInput, UnicodeDecodeError):
            return ""

    def slots(slot: str) -> str:
        return describe_slot(replay.game, expected.position, slot)

    table, text = find_difference(expected_document, actual_document, slots, opens)
    _, item = TABLES.get(table, ("", "orders"))
    item = "deal" if n == DEAL and table in DEALT else item
    is_deal_value = item == "deal" and table not in SLOTS
    raise Contradiction(item, n, text, "rules" if is_deal_value else "")
