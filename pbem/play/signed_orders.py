"""Orders that carry their player's signature: what is signed, making it, and holding it against
the lines of a mail.

What lives here: the canonical lines of a sheet, signing them, Proof and its faults. What must never
be here: files; whether an order is legal; whether its number or its head is in time.
Laws: a signature covers the line as it is to be used (now, later, when), so that nobody can use
it otherwise; the same function lists the lines for the player's tool and for the moderator.
Source: docs/SPECIFICATION.md section 9; docs/DESIGN.md P6.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.engine.row import Sentence, say
from pbem.errors import BadInput
from pbem.notation.absence import is_unclear
from pbem.notation.lines import OrderLine, Sheet
from pbem.notation.move_file import OrderSignatures
from pbem.play import sentences as said
from pbem.play.pending_orders import place_of, standing_line

LONGEST = 64  #: bytes of a signed line: an entry has no room for more
MOST_TRIED = 400  #: a line held against other numbers than its own, to say which one is amiss


class Order(NamedTuple):
    """What an order's signature says, besides its number and line."""

    game: str
    seat: str
    nr: int
    head: str  #: b64
    rulings: str

    def parts(self, number: int, of: int, line: str) -> tuple[str | int | bytes, ...]:
        """The parts of ``Sig("pbem/1/order", …)`` for line ``number`` (from 1) of so many."""
        head = unb64(self.head, 32)
        return self.game, self.seat, self.nr, number, of, head, self.rulings, line


def sign_orders(order: Order, lines: Sequence[str], key: PrivateKey) -> OrderSignatures:
    """The signatures of these lines. Public: they go into a mail."""
    signs = tuple(
        (number, b64(sign(key, "order", *order.parts(number, len(lines), line))))
        for number, line in enumerate(lines, 1)
    )
    return OrderSignatures(order.game, order.seat, order.nr, order.head, signs)


def genuine_order(key: bytes, order: Order, place: tuple[int, int], line: str, sig: bytes) -> bool:
    """Whether the owner of ``key`` signed this line in this place: its number, of so many lines."""
    return verify(key, "order", sig, *order.parts(*place, line))


def signed_form(sheet: Sheet) -> tuple[tuple[int, str], ...]:
    """Every order of a mail as (number of its line of text, the line that is signed).

    In the order in which they are numbered: those for now, what waits, what a card does then, and
    last what is asked of the moderator (``withdraw``), whose line has the number 0.
    """
    sheet = numbered(sheet)
    now = [(line.number, line.order) for line in sheet.first]
    later = [(line.number, standing_line(line.order, line.when or "")) for line in sheet.later]
    return (*now, *later, *((0, ask) for ask in sheet.asks if not is_unclear(ask)))


def numbered(sheet: Sheet) -> Sheet:
    """The sheet with each order on its own, under the number that its signature has or would."""
    now = [line for line in sheet.first if not line.when]
    waits = [*(line for line in sheet.first if line.when), *sheet.later]
    then = [
        OrderLine(line.number, line.text, line.then, place_of(line.order))
        for line in (*now, *waits)
        if line.then
    ]
    found = enumerate((*now, *waits, *then), 1)
    every = tuple(x._replace(then=None, signed_as=x.signed_as or i) for i, x in found)
    return sheet._replace(first=every[: len(now)], later=every[len(now) :])


class Proof(NamedTuple):
    """What a mail's signatures prove. ``known``: it is the player's; ``fault``: yet not whole."""

    known: bool
    fault: Sentence | None = None
    signs: tuple[tuple[int, str, str], ...] = ()  #: (number, signature, line), all genuine


def prove(
    found: Sequence[OrderSignatures],
    game: str,
    seat: str,
    rulings: str,
    key: bytes,
    lines: Sequence[str],
) -> Proof:
    """Hold the signatures of a mail against its lines, by the key of the seat.

    What is not ``known`` was not shown to be the player's: its fault is for the referee alone.
    """
    if not found:
        return Proof(False, say(said.NO_SIGNATURE))
    given = found[0]
    if given.game != game:
        return Proof(False, say(said.FOREIGN_GAME))
    if given.seat != seat:
        return Proof(False, say(said.FOREIGN_SEAT))
    order = Order(game, seat, given.nr, given.head, rulings)
    try:
        order.parts(1, 1, "")
    except BadInput:
        return Proof(False, say(said.FOREIGN_KEY))
    return _proven(_Held(order, key, given, tuple(lines)), two=len(set(found)) > 1)


class _Held(NamedTuple):
    """Signatures held against lines."""

    order: Order
    key: bytes
    given: OrderSignatures
    lines: tuple[str, ...]

    def fits(self, number: int, sig: str, line: str) -> bool:
        """Of as many lines as there are, or as were signed: one may have been lost on the way."""
        counts = {len(self.lines), *sorted(number for number, _ in self.given.signs)[-1:]}
        try:
            found = unb64(sig, 64)
        except BadInput:  # damaged: no signature at all
            return False
        return any(genuine_order(self.key, self.order, (number, n), line, found) for n in counts)


def _proven(held: _Held, two: bool) -> Proof:
    signs, lines = held.given.signs, held.lines
    here = {
        number: sig
        for number, sig in signs
        if number <= len(lines) and held.fits(number, sig, lines[number - 1])
    }
    apart = _apart(held, here)
    if not here and not apart:
        return Proof(False, say(said.FOREIGN_KEY))
    numbers = [number for number, _ in signs]
    if two:
        return Proof(True, say(said.TWO_LISTS))
    if len(set(numbers)) != len(numbers):
        twice = next(n for n in numbers if numbers.count(n) > 1)
        return Proof(True, say(said.SAME_NUMBER, number=twice))
    fault = _fault(held, here, apart)
    whole = tuple((number, sig, lines[number - 1]) for number, sig in here.items())
    return Proof(True, fault, () if fault else whole)


def _apart(held: _Held, here: dict[int, str]) -> dict[int, int]:
    """Lines that are signed, but under another number than where they stand: place to number."""
    left = [place for place in range(1, len(held.lines) + 1) if place not in here]
    signs = [(number, sig) for number, sig in held.given.signs if number not in here]
    if len(left) * len(signs) > MOST_TRIED:
        return {}
    return {
        place: number
        for place in left
        for number, sig in signs
        if held.fits(number, sig, held.lines[place - 1])
    }


def _fault(held: _Held, here: dict[int, str], apart: dict[int, int]) -> Sentence | None:
    """What is amiss between the lines and the signatures; None if each has its own."""
    for place, line in enumerate(held.lines, 1):
        if place not in here and place not in apart:
            return say(said.UNSIGNED_LINE, line=line)
    for number, _ in held.given.signs:
        if number not in here and number not in apart.values():
            return say(said.LINE_MISSING, number=number)
    if apart or len(here) != len(held.lines):
        return say(said.WRONG_ORDER)
    return None
