"""The orders in a state, taken out of their seals, and whether each may stand there.

What must never be here: carrying it out (replay.py); what else was waiting (hands.py).
Laws: a seat with a key is played by signed orders alone; an order given for a seat is the one that
the rules give (R-1, R-2), or nobody could tell it from one put into its player's mouth.
Source: docs/SPECIFICATION.md section 9; P6.
"""

from typing import TYPE_CHECKING, Any

from pbem.crypto.encoding import b64, unb64, unpae
from pbem.errors import BadInput
from pbem.moderator.audit.findings import Replay
from pbem.moderator.chain.link import Entry, Link
from pbem.moderator.chain.people import SOURCES
from pbem.moderator.chain.position import Played, Seals
from pbem.moderator.turn.hand import WHEN, order_of, part_of
from pbem.moderator.turn.signatures import Order, genuine_order

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: a finding: the item of the audit, and what is wrong
Wrong = tuple[str, str]


def order_in(slot: str, entry: Entry, seals: Seals, game: "Game", state: Any) -> Played:
    """An order of a link, opened, as it is carried out; one that does not open has no line."""
    try:
        nr, i, head, sig, line = unpae(seals.open_order(slot, entry.token))
        order, signed = line.decode(), ""
        if entry.source == "signed":  # as it was signed: with what it waits for, uncompleted
            order, signed = game.complete(game.view(state, entry.seat), order_of(order)), order
        proof = int(nr), int(i), b64(head), sig, signed
        return Played(entry.seat, entry.source, order, game.public_words(order), *proof)
    except (BadInput, ValueError, LookupError):
        return Played(entry.seat, entry.source, "", "an order")


def checked(run: Replay, state: Any, before: Link, order: Played) -> Wrong | None:
    """What is wrong with an order where it stands; None if nothing can be held against it."""
    if not order.line:
        return "sealed", "what is sealed there is no order"
    if order.seat not in before.setup.seats:
        return "orders", "there is no such seat"
    if SOURCES[order.source].given:
        return _given(run.game, state, order)
    way = before.player(order.seat).way
    if order.source not in way.sources:
        return "signed", f"its player is identified by {way.by}, and it came as {order.source}"
    if order.source != "signed":
        return ("signed", "it has a signature that nobody can have made") if order.sig else None
    return _signed(run, before, order) or _waited(run.game, state, order)


def _given(game: "Game", state: Any, order: Played) -> Wrong | None:
    """R-1, R-2: what was answered for a player is what the rules answer for him, and no more."""
    if (order.nr, order.number, order.quoted, order.sig) != (0, 0, "", b""):
        return "signed", "it was given for its player, and has the number or signature of orders"
    view = game.view(state, order.seat)
    asked = [question for question in game.questions(view) if question.seat == order.seat]
    if not asked:
        return "orders", "its player was not asked"
    if order.source == "forced" and (not asked[0].forced or game.legal(view)[0] != order.line):
        return "orders", "it is said to be the only order there was, and is not"
    if order.source == "default" and game.default(view) != order.line:
        return "orders", "it is said to be what a missed turn gives, and is not"
    if order.source == "ruling":
        return "rulings", "it is said to come from a ruling, and there is none"
    return None


def _signed(run: Replay, before: Link, order: Played) -> Wrong | None:
    """The signature, a number not used before, a head of this chain that is still in time."""
    quoted = _quoted(run, order)
    if quoted is None:
        return "signed", "it was written for a state that is not in this chain"
    player = before.player(order.seat)
    if quoted < player.since:
        return "signed", "it was written before its player, their key or the game changed"
    said = Order(before.game, order.seat, order.nr, order.quoted, before.setup.rulings)
    if not genuine_order(player.key, said, order.number, order.signed, order.sig):
        return "signed", "its player did not sign it"
    used, part = run.used.setdefault(order.seat, set()), part_of(order.signed)
    twice = any((nr, i) == (order.nr, order.number) for _, nr, i in used)
    if twice or any(nr > order.nr for name, nr, _ in used if name == part):
        return "signed", "it was used before, or replaced by newer orders"
    used.add((part, order.nr, order.number))
    return None


def _waited(game: "Game", state: Any, order: Played) -> Wrong | None:
    """A standing order is used for what its player wrote it for, and for nothing else."""
    if not part_of(order.signed).startswith(WHEN):
        return None
    name = part_of(order.signed).removeprefix(WHEN)
    met = game.concerns(game.view(state, order.seat), name)
    return None if met else ("signed", f"it was to wait for {name}")


def _quoted(run: Replay, order: Played) -> int | None:
    """The number of the state that an order was written for; None where it is not here."""
    head = unb64(order.quoted, 32) if order.quoted else b""
    return next((n for n, standing in run.past.items() if standing.head == head), None)
