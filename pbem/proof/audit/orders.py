"""The orders in a state, taken out of their seals, and whether each may stand there.

What must never be here: carrying it out (replay.py); what else was waiting (pending_orders.py).
Laws: a seat with a key is played by signed orders alone; an order given for a seat is the one that
the rules give (R-1, R-2), or nobody could tell it from one put into its player's mouth.
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
from pbem.play.bot_draws import make_bot_draws
from pbem.play.pending_orders import MAX_COUNTER, WHEN, group_name_of, order_of
from pbem.play.signed_orders import MAX_SIGNED_BYTES, SigningContext, is_genuine_order
from pbem.play.validate_email import MAX_ORDERS
from pbem.proof.audit.findings import Replay, UsedNumbers

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: a finding: the item of the audit, and what is wrong
Fault = tuple[str, str]


class SealedOrder(NamedTuple):
    """What is sealed as an order."""

    nr: int
    line_number: int
    line_count: int  #: so many lines signed together
    state_hash: bytes  #: of the state it was written for, b"" where there is none
    sig: bytes  #: of its player, b"" where there is none
    line: str


def read_order(value: bytes) -> SealedOrder:
    """The parts of an order; ValueError where anything of it is not as it is written."""
    nr, line_number, line_count, state_hash, sig, line = unpae(value)
    if len(state_hash) not in (0, HEAD) or len(sig) not in (0, SIG) or not 0 < len(line) <= MAX_SIGNED_BYTES:
        raise ValueError("an order")
    numbers = (parse_number(nr.decode()), parse_number(line_number.decode()), parse_number(line_count.decode()))
    if numbers[0] > MAX_COUNTER or max(numbers[1:]) > MAX_ORDERS:
        raise ValueError("its numbers")
    return SealedOrder(*numbers, state_hash, sig, check_words(line.decode()))


HEAD, SIG = 32, 64  #: bytes


def open_order(slot: str, entry: OrderEntry, seals: Seals, game: "Game", state: Any) -> ExecutedOrder:
    """An order of a link, opened, as it is carried out; one that does not open has no line."""
    try:
        nr, line_number, line_count, state_hash, sig, line = read_order(seals.open_order(slot, entry.token))
        signed_line = ""
        if entry.source == SIGNED.name:  # as it was signed: with what it waits for, uncompleted
            line, signed_line = game.complete(game.view(state, entry.seat), order_of(line)), line
        proof = nr, line_number, b64(state_hash) if state_hash else "", sig, signed_line, line_count
        return ExecutedOrder(entry.seat, entry.source, line, game.public_words(line), *proof)
    except (BadInput, ValueError, LookupError):
        return ExecutedOrder(entry.seat, entry.source, "", "an order")


def check_order(replay: Replay, state: Any, previous: StateRecord, order: ExecutedOrder) -> Fault | None:
    """What is wrong with an order where it stands; None if nothing can be held against it."""
    if not order.line:
        return "signed", "what is sealed there is no order"
    if order.seat not in previous.setup.seats:
        return "orders", "there is no such seat"
    state_hash = unb64(order.quoted_hash, 32) if order.quoted_hash else b""
    line = order.signed_line or order.line
    sealed_order = SealedOrder(
        order.orders_number, order.line_number, order.line_count, state_hash, order.signature, line
    )
    numbers_by_hash = {replayed.state_hash: n for n, replayed in replay.past_states.items()}
    if fault := find_source_fault(
        sealed_order, order.seat, order.source, previous, numbers_by_hash, replay.used_numbers
    ):
        return "signed", fault
    if not source_of(order.source).is_players_own:
        first_state = replay.past_states[previous.n].state
        return _check_rule_answer(replay.game, state, order) or _check_missed_turn(
            replay.game, first_state, state, order
        )
    if order.source != SIGNED.name:
        return None
    return _check_condition(replay.game, state, order)


def check_bot_choice(replay: Replay, state: Any, game: str, answer_count: int, order: ExecutedOrder) -> Fault | None:
    """What is wrong with an order that a bot chose; None where it is none, or the bot not here.
    ``answer_count``: by its seat before.
    """
    choose = replay.find_bot(order.source) if source_of(order.source) is BY_BOT else None
    if choose is None:
        return None
    draw = make_bot_draws(replay.secret, game, order.seat, answer_count)
    line = choose(replay.game, order.seat, replay.game.view(state, order.seat), draw)
    return None if line == order.line else ("orders", f"the bot chooses `{line}` there")


def find_source_fault(
    order: SealedOrder,
    seat: str,
    source: str,
    previous: StateRecord,
    numbers_by_hash: Mapping[bytes, int],
    used_numbers: UsedNumbers,
) -> str:
    """What shows that an order is not its player's own; "" if nothing. It needs no rules.

    ``numbers_by_hash``: of the states before it. ``used_numbers`` grows by its number.
    """
    if not source_of(source).is_players_own:
        is_plain = (order.nr, order.line_number, order.line_count, order.state_hash, order.sig) == (0, 0, 0, b"", b"")
        message = "it was given for its player, and has the number or signature of orders"
        return "" if is_plain else message
    if source != SIGNED.name:
        fault = "it has a signature that nobody can have made"
        return fault if order.sig or order.line_count else ""
    return _find_signature_fault(order, seat, previous, numbers_by_hash, used_numbers)


def _check_rule_answer(game: "Game", state: Any, order: ExecutedOrder) -> Fault | None:
    """R-1, R-2: what was answered for a player is what the rules answer for him, and no more."""
    view = game.view(state, order.seat)
    questions = [question for question in game.questions(view) if question.seat == order.seat]
    if not questions:
        return "orders", "its player was not asked"
    if order.source == FORCED.name and (not questions[0].forced or game.legal(view)[0] != order.line):
        return "orders", "it is said to be the only order there was, and is not"
    if order.source == DEFAULT.name and game.default(view) != order.line:
        return "orders", "it is said to be what a missed turn gives, and is not"
    return None


def find_cut_short_seat(replay: Replay, state: Any, previous: StateRecord, orders: Iterable[ExecutedOrder]) -> str:
    """The first seat whose missed turn was not played to its end in this state: the rest would be
    another miss. "" if none. Where a seat is open, or has no key, a bot needs no miss.
    """
    game, view = replay.game, replay.game.view(state, None)
    if game.turn(view) != game.turn(game.view(replay.past_states[previous.n].state, None)):
        return ""
    asked_seats = {question.seat for question in game.questions(view)}
    for order in (order for order in orders if order.seat in asked_seats):
        may_use_bot = not previous.player(order.seat).key or previous.clock.is_seat_open(
            previous.clock.for_seat(order.seat)
        )
        source = source_of(order.source)
        if source is DEFAULT or (source is BY_BOT and not may_use_bot):
            return order.seat
    return ""


def _check_missed_turn(game: "Game", first_state: Any, state: Any, order: ExecutedOrder) -> Fault | None:
    """R-2: one miss gives what is asked to the end of that turn, and nothing of the next; also
    where a bot answers.
    """
    view = game.view(first_state, None)
    is_asked = any(question.seat == order.seat for question in game.questions(view))
    is_same_turn = is_asked and game.turn(view) == game.turn(game.view(state, None))
    if is_same_turn or source_of(order.source) is FORCED:
        return None
    manner = "by default" if source_of(order.source) is DEFAULT else "by a bot"
    return "orders", f"it was given {manner} in a turn that was not missed"


def _find_signature_fault(
    order: SealedOrder,
    seat: str,
    previous: StateRecord,
    numbers_by_hash: Mapping[bytes, int],
    used_numbers: UsedNumbers,
) -> str:
    """The signature, a number not used before, a head of this chain that is still in time."""
    if not (order.nr > 0 and 0 < order.line_number <= order.line_count):
        return "its numbers are none that orders have"
    quoted_number = numbers_by_hash.get(order.state_hash)
    if quoted_number is None:
        return "it was written for a state that is not in this chain"
    player = previous.player(seat)
    if quoted_number < player.orders_since:
        return "it was written before its player, their key or the game changed"
    signed_order = SigningContext(previous.game, seat, order.nr, b64(order.state_hash), previous.setup.rules_version)
    if not is_genuine_order(player.key, signed_order, (order.line_number, order.line_count), order.line, order.sig):
        return "its player did not sign it"
    numbers, group = used_numbers.get(seat, {}), group_name_of(order.line)
    nr, lines = numbers.get(group, (0, frozenset[int]()))
    was_used = any(order.nr == used_nr and order.line_number in used_lines for used_nr, used_lines in numbers.values())
    if was_used or order.nr < nr:
        return "it was used before, or replaced by newer orders"
    lines = lines if order.nr == nr else frozenset()
    used_numbers[seat] = {**numbers, group: (order.nr, lines | {order.line_number})}
    return ""


def _check_condition(game: "Game", state: Any, order: ExecutedOrder) -> Fault | None:
    """A standing order is used for what its player wrote it for, and for nothing else."""
    if not group_name_of(order.signed_line).startswith(WHEN):
        return None
    name = group_name_of(order.signed_line).removeprefix(WHEN)
    is_met = game.concerns(game.view(state, order.seat), name)
    return None if is_met else ("signed", f"it was to wait for {name}")
