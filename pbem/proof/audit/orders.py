"""The sealed orders of a state: how they are opened, and whether each may be there.

A sealed order is encrypted with the game's secret. A *source* says how an order came: signed by its
player, in a reply, or given for the player by default, by a bot, or because it was the only one.

Not allowed here: carrying orders out (replay.py); pending orders (pending_orders.py).
Laws: if a player has a key, only orders signed with it count as theirs. An order given for a player must
be the one that the rules give (R-1, R-2): otherwise anyone could invent orders for them.
Source: docs/SPECIFICATION.md section 9; P6.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.next_record import ExecutedOrder
from pbem.chain.rows import check_words, parse_number
from pbem.chain.seals import Seals
from pbem.chain.sources import BY_BOT, DEFAULT, FORCED, SIGNED, source_of
from pbem.chain.state_record import OrderEntry, StateRecord
from pbem.crypto.encoding import b64, unb64, unpae
from pbem.errors import BadInput
from pbem.play.pending_orders import MAX_COUNTER, WHEN, group_name_of, order_of
from pbem.play.resolution import make_bot_draws
from pbem.play.signed_orders import MAX_SIGNED_BYTES, SigningContext, is_genuine_order
from pbem.play.validate_email import MAX_ORDERS
from pbem.proof.audit.findings import Fault, Replay, UsedNumber, UsedNumbers

if TYPE_CHECKING:
    from pbem.engine.game import Game

HASH_SIZE, SIGNATURE_SIZE = 32, 64  #: bytes


class SealedOrder(NamedTuple):
    """An order as it is sealed in a state. If it was given for its player, it has nothing but a line."""

    nr: int  #: the orders number
    line_number: int
    line_count: int  #: how many lines were signed together
    state_hash: bytes  #: of the state it was written for; b"" if none
    sig: bytes  #: its player's signature; b"" if none
    line: str


def read_order(value: bytes) -> SealedOrder:
    """Parse a sealed order. Raise ValueError if pbem would not write it like this."""
    nr, line_number, line_count, state_hash, sig, line = unpae(value)
    if len(state_hash) not in (0, HASH_SIZE) or len(sig) not in (0, SIGNATURE_SIZE):
        raise ValueError("the hash or signature of an order")
    if not 0 < len(line) <= MAX_SIGNED_BYTES:
        raise ValueError("an order")
    order = SealedOrder(
        nr=parse_number(nr.decode()),
        line_number=parse_number(line_number.decode()),
        line_count=parse_number(line_count.decode()),
        state_hash=state_hash,
        sig=sig,
        line=check_words(line.decode()),
    )
    if order.nr > MAX_COUNTER or max(order.line_number, order.line_count) > MAX_ORDERS:
        raise ValueError("the numbers of an order")
    return order


def open_order(slot: str, entry: OrderEntry, seals: Seals, game: "Game", state: Any) -> ExecutedOrder:
    """Open an order of a state, and complete it by the rules. Its line is "" if it does not open."""
    try:
        order = read_order(seals.open_order(slot, entry.token))
        line = order.line
        signed_line = ""
        if entry.source == SIGNED.name:  # it is sealed as it was signed: with its condition, not completed
            signed_line = order.line
            line = game.complete(game.view(state, entry.seat), order_of(signed_line))
        return ExecutedOrder(
            entry.seat,
            entry.source,
            line,
            game.public_words(line),
            orders_number=order.nr,
            line_number=order.line_number,
            quoted_hash=b64(order.state_hash) if order.state_hash else "",
            signature=order.sig,
            signed_line=signed_line,
            line_count=order.line_count,
        )
    except (BadInput, ValueError, LookupError):
        return ExecutedOrder(entry.seat, entry.source, "", "an order")


def find_order_fault(replay: Replay, state: Any, previous: StateRecord, order: ExecutedOrder) -> Fault | None:
    """Return what is wrong with an order that was given in ``state``; None if nothing."""
    if not order.line:
        return Fault("signed", "what is sealed there is not an order")
    if order.seat not in previous.setup.seats:
        return Fault("orders", "there is no such seat")
    state_hash = unb64(order.quoted_hash, 32) if order.quoted_hash else b""
    line = order.signed_line or order.line
    sealed_order = SealedOrder(
        order.orders_number, order.line_number, order.line_count, state_hash, order.signature, line
    )
    numbers_by_hash = {replayed.state_hash: n for n, replayed in replay.past_states.items()}
    if text := find_source_fault(
        sealed_order, order.seat, order.source, previous, numbers_by_hash, replay.used_numbers
    ):
        return Fault("signed", text)
    if not source_of(order.source).is_players_own:
        first_state = replay.past_states[previous.n].state
        fault = _find_rule_answer_fault(replay.game, state, order)
        return fault or _find_missed_turn_fault(replay.game, first_state, state, order)
    if order.source != SIGNED.name:
        return None
    return _find_condition_fault(replay.game, state, order)


def find_bot_fault(replay: Replay, state: Any, game: str, answer_count: int, order: ExecutedOrder) -> Fault | None:
    """Return a fault if a bot gave an order that it would not choose; None if the bot is not installed.

    ``answer_count`` is how often its seat has answered before.
    """
    choose = replay.find_bot(order.source) if source_of(order.source) is BY_BOT else None
    if choose is None:
        return None
    draw = make_bot_draws(replay.secret, game, order.seat, answer_count)
    line = choose(replay.game, order.seat, replay.game.view(state, order.seat), draw)
    return None if line == order.line else Fault("orders", f"the bot chooses `{line}` there")


def find_source_fault(
    order: SealedOrder,
    seat: str,
    source: str,
    previous: StateRecord,
    numbers_by_hash: Mapping[bytes, int],
    used_numbers: UsedNumbers,
) -> str:
    """Return what shows that an order did not come as its source says; "" if nothing. This needs no rules.

    ``numbers_by_hash`` has the numbers of the earlier states. Adds a signed order to ``used_numbers``.
    """
    if not source_of(source).is_players_own:
        is_plain = order == SealedOrder(0, 0, 0, b"", b"", order.line)
        return "" if is_plain else "it was played automatically, and has a number or a signature"
    if source != SIGNED.name:
        is_signed = order.sig or order.line_count
        return "it has a signature that nobody can have made" if is_signed else ""
    return _find_signature_fault(order, seat, previous, numbers_by_hash, used_numbers)


def _find_rule_answer_fault(game: "Game", state: Any, order: ExecutedOrder) -> Fault | None:
    """Return a fault unless an answer given for a player is the one that the rules give (R-1, R-2)."""
    view = game.view(state, order.seat)
    own_questions = (question for question in game.questions(view) if question.seat == order.seat)
    question = next(own_questions, None)
    if question is None:
        return Fault("orders", "its player was not asked")
    if order.source == FORCED.name and (not question.forced or game.legal(view)[0] != order.line):
        return Fault("orders", "it is said to be the only order there was, and is not")
    if order.source == DEFAULT.name and game.default(view) != order.line:
        return Fault("orders", "it is said to be what is played when a turn is missed, and is not")
    return None


def find_cut_short_seat(replay: Replay, state: Any, previous: StateRecord, orders: Iterable[ExecutedOrder]) -> str:
    """Return the first seat whose missed turn was not played to its end in this state; "" if there is none.

    A missed turn that is cut short would count as two. A bot that plays for a vacant seat, or for a player
    without a key, needs no missed turn.
    """
    game, view = replay.game, replay.game.view(state, None)
    if game.turn(view) != game.turn(game.view(replay.past_states[previous.n].state, None)):
        return ""
    asked_seats = {question.seat for question in game.questions(view)}
    for order in (order for order in orders if order.seat in asked_seats):
        has_key = bool(previous.player(order.seat).key)
        may_use_bot = not has_key or previous.clock.is_seat_open(previous.clock.for_seat(order.seat))
        source = source_of(order.source)
        if source is DEFAULT or (source is BY_BOT and not may_use_bot):
            return order.seat
    return ""


def _find_missed_turn_fault(game: "Game", first_state: Any, state: Any, order: ExecutedOrder) -> Fault | None:
    """Return a fault if a default or a bot answered in a later turn than the one that was missed (R-2)."""
    view = game.view(first_state, None)
    is_asked = any(question.seat == order.seat for question in game.questions(view))
    is_same_turn = is_asked and game.turn(view) == game.turn(game.view(state, None))
    if is_same_turn or source_of(order.source) is FORCED:
        return None
    if source_of(order.source) is DEFAULT:
        return Fault("orders", "it was played automatically in a turn that was not missed")
    return Fault("orders", "it was played by a bot in a turn that was not missed")


def _find_signature_fault(
    order: SealedOrder,
    seat: str,
    previous: StateRecord,
    numbers_by_hash: Mapping[bytes, int],
    used_numbers: UsedNumbers,
) -> str:
    """Return a fault unless an order is signed, quotes a state of this chain since which its player's orders
    count, and has a number that was not used before. Add it to ``used_numbers``.
    """
    if not (order.nr > 0 and 0 < order.line_number <= order.line_count):
        return "orders cannot have its numbers"
    quoted_number = numbers_by_hash.get(order.state_hash)
    if quoted_number is None:
        return "it was written for a state that is not in this log"
    player = previous.player(seat)
    if quoted_number < player.orders_since:
        return "it was written before its player, their key or the game changed"
    signed_order = SigningContext(previous.game, seat, order.nr, b64(order.state_hash), previous.setup.rules_version)
    if not is_genuine_order(player.key, signed_order, (order.line_number, order.line_count), order.line, order.sig):
        return "its player did not sign it"
    used_by_group, group = used_numbers.get(seat, {}), group_name_of(order.line)
    was_used = any(order.nr == used.number and order.line_number in used.lines for used in used_by_group.values())
    newest = used_by_group.get(group, UsedNumber(0, frozenset()))
    if was_used or order.nr < newest.number:
        return "it was used before, or replaced by newer orders"
    lines = newest.lines if order.nr == newest.number else frozenset()
    used_numbers[seat] = {**used_by_group, group: UsedNumber(order.nr, lines | {order.line_number})}
    return ""


def _find_condition_fault(game: "Game", state: Any, order: ExecutedOrder) -> Fault | None:
    """Return a fault if an order was used although its condition was not met."""
    if not group_name_of(order.signed_line).startswith(WHEN):
        return None
    name = group_name_of(order.signed_line).removeprefix(WHEN)
    is_met = game.concerns(game.view(state, order.seat), name)
    return None if is_met else Fault("signed", f"its condition was not met: {name}")
