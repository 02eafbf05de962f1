"""The orders in a state, taken out of their seals, and whether each may stand there.

What must never be here: carrying it out (replay.py); what else was waiting (pending_orders.py).
Laws: a seat with a key is played by signed orders alone; an order given for a seat is the one that
the rules give (R-1, R-2), or nobody could tell it from one put into its player's mouth.
Source: docs/SPECIFICATION.md section 9; P6.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.loaded_game import Played, Seals
from pbem.chain.rows import number, words
from pbem.chain.sources import BY_BOT, DEFAULT, FORCED, SIGNED, source_of
from pbem.chain.state_record import Entry, StateRecord
from pbem.crypto.encoding import b64, unb64, unpae
from pbem.errors import BadInput
from pbem.play.bot_draws import draws
from pbem.play.pending_orders import MOST, WHEN, order_of, part_of
from pbem.play.signed_orders import LONGEST, Order, genuine_order
from pbem.play.validate_email import MOST_ORDERS
from pbem.proof.audit.findings import Replay, UsedNumbers

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: a finding: the item of the audit, and what is wrong
Wrong = tuple[str, str]


class SealedOrder(NamedTuple):
    """What is sealed as an order."""

    nr: int
    i: int
    of: int  #: so many lines signed together
    head: bytes  #: of the state it was written for, b"" where there is none
    sig: bytes  #: of its player, b"" where there is none
    line: str


def read_order(value: bytes) -> SealedOrder:
    """The parts of an order; ValueError where anything of it is not as it is written."""
    nr, i, of, head, sig, line = unpae(value)
    if len(head) not in (0, HEAD) or len(sig) not in (0, SIG) or not 0 < len(line) <= LONGEST:
        raise ValueError("an order")
    numbers = number(nr.decode()), number(i.decode()), number(of.decode())
    if numbers[0] > MOST or max(numbers[1:]) > MOST_ORDERS:
        raise ValueError("its numbers")
    return SealedOrder(*numbers, head, sig, words(line.decode()))


HEAD, SIG = 32, 64  #: bytes


def order_in(slot: str, entry: Entry, seals: Seals, game: "Game", state: Any) -> Played:
    """An order of a link, opened, as it is carried out; one that does not open has no line."""
    try:
        nr, i, of, head, sig, order = read_order(seals.open_order(slot, entry.token))
        signed = ""
        if entry.source == SIGNED.name:  # as it was signed: with what it waits for, uncompleted
            order, signed = game.complete(game.view(state, entry.seat), order_of(order)), order
        proof = nr, i, b64(head) if head else "", sig, signed, of
        return Played(entry.seat, entry.source, order, game.public_words(order), *proof)
    except (BadInput, ValueError, LookupError):
        return Played(entry.seat, entry.source, "", "an order")


def checked(run: Replay, state: Any, before: StateRecord, order: Played) -> Wrong | None:
    """What is wrong with an order where it stands; None if nothing can be held against it."""
    if not order.line:
        return "signed", "what is sealed there is no order"
    if order.seat not in before.setup.seats:
        return "orders", "there is no such seat"
    head = unb64(order.quoted, 32) if order.quoted else b""
    line = order.signed or order.line
    sealed = SealedOrder(order.nr, order.number, order.of, head, order.sig, line)
    heads = {standing.head: n for n, standing in run.past.items()}
    if wrong := wrong_source(sealed, order.seat, order.source, before, heads, run.used):
        return "signed", wrong
    if not source_of(order.source).own:
        first = run.past[before.n].state
        return _given(run.game, state, order) or _missed(run.game, first, state, order)
    if order.source != SIGNED.name:
        return None
    return _waited(run.game, state, order)


def chosen(run: Replay, state: Any, game: str, answered: int, order: Played) -> Wrong | None:
    """What is wrong with an order that a bot chose; None where it is none, or the bot not here.
    ``answered``: by its seat before.
    """
    choose = run.bots(order.source) if source_of(order.source) is BY_BOT else None
    if choose is None:
        return None
    below = draws(run.secret, game, order.seat, answered)
    line = choose(run.game, order.seat, run.game.view(state, order.seat), below)
    return None if line == order.line else ("orders", f"the bot chooses `{line}` there")


def wrong_source(
    order: SealedOrder,
    seat: str,
    source: str,
    before: StateRecord,
    heads: Mapping[bytes, int],
    used: UsedNumbers,
) -> str:
    """What shows that an order is not its player's own; "" if nothing. It needs no rules.

    ``heads``: of the states before it. ``used`` grows by its number.
    """
    if not source_of(source).own:
        plain = (order.nr, order.i, order.of, order.head, order.sig) == (0, 0, 0, b"", b"")
        said = "it was given for its player, and has the number or signature of orders"
        return "" if plain else said
    if source != SIGNED.name:
        fault = "it has a signature that nobody can have made"
        return fault if order.sig or order.of else ""
    return _signed(order, seat, before, heads, used)


def _given(game: "Game", state: Any, order: Played) -> Wrong | None:
    """R-1, R-2: what was answered for a player is what the rules answer for him, and no more."""
    view = game.view(state, order.seat)
    asked = [question for question in game.questions(view) if question.seat == order.seat]
    if not asked:
        return "orders", "its player was not asked"
    if order.source == FORCED.name and (not asked[0].forced or game.legal(view)[0] != order.line):
        return "orders", "it is said to be the only order there was, and is not"
    if order.source == DEFAULT.name and game.default(view) != order.line:
        return "orders", "it is said to be what a missed turn gives, and is not"
    return None


def cut_short(run: Replay, state: Any, before: StateRecord, orders: Iterable[Played]) -> str:
    """The first seat whose missed turn was not played to its end in this state: the rest would be
    another miss. "" if none. Where a seat is open, or has no key, a bot needs no miss.
    """
    game, view = run.game, run.game.view(state, None)
    if game.turn(view) != game.turn(game.view(run.past[before.n].state, None)):
        return ""
    asked = {question.seat for question in game.questions(view)}
    for order in (order for order in orders if order.seat in asked):
        free = not before.player(order.seat).key or before.clock.opened(before.clock.of(order.seat))
        source = source_of(order.source)
        if source is DEFAULT or (source is BY_BOT and not free):
            return order.seat
    return ""


def _missed(game: "Game", first: Any, state: Any, order: Played) -> Wrong | None:
    """R-2: one miss gives what is asked to the end of that turn, and nothing of the next; also
    where a bot answers.
    """
    view = game.view(first, None)
    asked = any(question.seat == order.seat for question in game.questions(view))
    same = asked and game.turn(view) == game.turn(game.view(state, None))
    if same or source_of(order.source) is FORCED:
        return None
    how = "by default" if source_of(order.source) is DEFAULT else "by a bot"
    return "orders", f"it was given {how} in a turn that was not missed"


def _signed(
    order: SealedOrder,
    seat: str,
    before: StateRecord,
    heads: Mapping[bytes, int],
    used: UsedNumbers,
) -> str:
    """The signature, a number not used before, a head of this chain that is still in time."""
    if not (order.nr > 0 and 0 < order.i <= order.of):
        return "its numbers are none that orders have"
    quoted = heads.get(order.head)
    if quoted is None:
        return "it was written for a state that is not in this chain"
    player = before.player(seat)
    if quoted < player.since:
        return "it was written before its player, their key or the game changed"
    said = Order(before.game, seat, order.nr, b64(order.head), before.setup.rulings)
    if not genuine_order(player.key, said, (order.i, order.of), order.line, order.sig):
        return "its player did not sign it"
    numbers, part = used.get(seat, {}), part_of(order.line)
    nr, lines = numbers.get(part, (0, frozenset[int]()))
    twice = any(order.nr == of and order.i in there for of, there in numbers.values())
    if twice or order.nr < nr:
        return "it was used before, or replaced by newer orders"
    lines = lines if order.nr == nr else frozenset()
    used[seat] = {**numbers, part: (order.nr, lines | {order.i})}
    return ""


def _waited(game: "Game", state: Any, order: Played) -> Wrong | None:
    """A standing order is used for what its player wrote it for, and for nothing else."""
    if not part_of(order.signed).startswith(WHEN):
        return None
    name = part_of(order.signed).removeprefix(WHEN)
    met = game.concerns(game.view(state, order.seat), name)
    return None if met else ("signed", f"it was to wait for {name}")
