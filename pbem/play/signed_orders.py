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
from pbem.notation.lines import OrderLine, ParsedOrders
from pbem.notation.move_file import OrderSignatures
from pbem.play import sentences
from pbem.play.pending_orders import format_standing_order, place_of

MAX_SIGNED_BYTES = 64  #: bytes of a signed line: an entry has no room for more
MAX_TRIED_PLACES = 400  #: a line held against other numbers than its own, to say which one is amiss


class SigningContext(NamedTuple):
    """What an order's signature says, besides its number and line."""

    game: str
    seat: str
    email_number: int
    state_hash: str  #: b64
    rules_version: str

    def signed_parts(self, number: int, count: int, line: str) -> tuple[str | int | bytes, ...]:
        """The parts of ``Sig("pbem/1/order", …)`` for line ``number`` (from 1) of so many."""
        hash_bytes = unb64(self.state_hash, 32)
        return (self.game, self.seat, self.email_number, number, count, hash_bytes, self.rules_version, line)


def sign_orders(context: SigningContext, lines: Sequence[str], key: PrivateKey) -> OrderSignatures:
    """The signatures of these lines. Public: they go into a mail."""
    signatures = tuple(
        (number, b64(sign(key, "order", *context.signed_parts(number, len(lines), line))))
        for number, line in enumerate(lines, 1)
    )
    return OrderSignatures(context.game, context.seat, context.email_number, context.state_hash, signatures)


def is_genuine_order(key: bytes, context: SigningContext, place: tuple[int, int], line: str, signature: bytes) -> bool:
    """Whether the owner of ``key`` signed this line in this place: its number, of so many lines."""
    return verify(key, "order", signature, *context.signed_parts(*place, line))


def list_signed_lines(parsed_orders: ParsedOrders) -> tuple[tuple[int, str], ...]:
    """Every order of a mail as (number of its line of text, the line that is signed).

    In the order in which they are numbered: those for now, what waits, what a card does then, and
    last what is asked of the moderator (``withdraw``), whose line has the number 0.
    """
    parsed_orders = number_orders(parsed_orders)
    now = [(line.number, line.order) for line in parsed_orders.now]
    later = [(line.number, format_standing_order(line.order, line.when or "")) for line in parsed_orders.later]
    return (*now, *later, *((0, command) for command in parsed_orders.commands if not is_unclear(command)))


def number_orders(parsed_orders: ParsedOrders) -> ParsedOrders:
    """The sheet with each order on its own, under the number that its signature has or would."""
    now = [line for line in parsed_orders.now if not line.when]
    waiting_orders = [*(line for line in parsed_orders.now if line.when), *parsed_orders.later]
    following_orders = [
        OrderLine(line.number, line.text, line.then, place_of(line.order))
        for line in (*now, *waiting_orders)
        if line.then
    ]
    numbered_orders = enumerate((*now, *waiting_orders, *following_orders), 1)
    all_orders = tuple(
        order._replace(then=None, signature_number=order.signature_number or number)
        for number, order in numbered_orders
    )
    return parsed_orders._replace(now=all_orders[: len(now)], later=all_orders[len(now) :])


class SignatureCheck(NamedTuple):
    """What a mail's signatures prove. ``known``: it is the player's; ``fault``: yet not whole."""

    is_authentic: bool
    fault: Sentence | None = None
    signatures: tuple[tuple[int, str, str], ...] = ()  #: (number, signature, line), all genuine


def check_signatures(
    signature_lists: Sequence[OrderSignatures],
    game: str,
    seat: str,
    rules_version: str,
    key: bytes,
    lines: Sequence[str],
) -> SignatureCheck:
    """Hold the signatures of a mail against its lines, by the key of the seat.

    What is not ``known`` was not shown to be the player's: its fault is for the referee alone.
    """
    if not signature_lists:
        return SignatureCheck(False, say(sentences.NO_SIGNATURE))
    signatures = signature_lists[0]
    if signatures.game != game:
        return SignatureCheck(False, say(sentences.FOREIGN_GAME))
    if signatures.seat != seat:
        return SignatureCheck(False, say(sentences.FOREIGN_SEAT))
    context = SigningContext(game, seat, signatures.email_number, signatures.state_hash, rules_version)
    try:
        context.signed_parts(1, 1, "")
    except BadInput:
        return SignatureCheck(False, say(sentences.FOREIGN_KEY))
    return _check_each_line(
        _SignatureComparison(context, key, signatures, tuple(lines)), has_two_lists=len(set(signature_lists)) > 1
    )


class _SignatureComparison(NamedTuple):
    """Signatures held against lines."""

    context: SigningContext
    key: bytes
    signatures: OrderSignatures
    lines: tuple[str, ...]

    def is_signed(self, number: int, signature: str, line: str) -> bool:
        """Of as many lines as there are, or as were signed: one may have been lost on the way."""
        possible_counts = {len(self.lines), *sorted(number for number, _ in self.signatures.signatures)[-1:]}
        try:
            signature_bytes = unb64(signature, 64)
        except BadInput:  # damaged: no signature at all
            return False
        return any(
            is_genuine_order(self.key, self.context, (number, n), line, signature_bytes) for n in possible_counts
        )


def _check_each_line(comparison: _SignatureComparison, has_two_lists: bool) -> SignatureCheck:
    signatures, lines = comparison.signatures.signatures, comparison.lines
    signatures_in_place = {
        number: signature
        for number, signature in signatures
        if number <= len(lines) and comparison.is_signed(number, signature, lines[number - 1])
    }
    misplaced_numbers = _find_misplaced(comparison, signatures_in_place)
    if not signatures_in_place and not misplaced_numbers:
        return SignatureCheck(False, say(sentences.FOREIGN_KEY))
    numbers = [number for number, _ in signatures]
    if has_two_lists:
        return SignatureCheck(True, say(sentences.TWO_LISTS))
    if len(set(numbers)) != len(numbers):
        repeated_number = next(n for n in numbers if numbers.count(n) > 1)
        return SignatureCheck(True, say(sentences.SAME_NUMBER, number=repeated_number))
    fault = _find_fault(comparison, signatures_in_place, misplaced_numbers)
    signed_lines = tuple((number, signature, lines[number - 1]) for number, signature in signatures_in_place.items())
    return SignatureCheck(True, fault, () if fault else signed_lines)


def _find_misplaced(comparison: _SignatureComparison, signatures_in_place: dict[int, str]) -> dict[int, int]:
    """Lines that are signed, but under another number than where they stand: place to number."""
    unsigned_places = [place for place in range(1, len(comparison.lines) + 1) if place not in signatures_in_place]
    unused_signatures = [
        (number, signature)
        for number, signature in comparison.signatures.signatures
        if number not in signatures_in_place
    ]
    if len(unsigned_places) * len(unused_signatures) > MAX_TRIED_PLACES:
        return {}
    return {
        place: number
        for place in unsigned_places
        for number, signature in unused_signatures
        if comparison.is_signed(number, signature, comparison.lines[place - 1])
    }


def _find_fault(
    comparison: _SignatureComparison, signatures_in_place: dict[int, str], misplaced_numbers: dict[int, int]
) -> Sentence | None:
    """What is amiss between the lines and the signatures; None if each has its own."""
    for place, line in enumerate(comparison.lines, 1):
        if place not in signatures_in_place and place not in misplaced_numbers:
            return say(sentences.UNSIGNED_LINE, line=line)
    for number, _ in comparison.signatures.signatures:
        if number not in signatures_in_place and number not in misplaced_numbers.values():
            return say(sentences.LINE_MISSING, number=number)
    if misplaced_numbers or len(signatures_in_place) != len(comparison.lines):
        return say(sentences.WRONG_ORDER)
    return None
