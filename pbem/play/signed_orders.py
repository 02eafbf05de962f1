"""Sign orders, and verify the signatures of an email against its lines.

Not allowed here: files; whether an order is legal; whether its number or state is in time.
Laws: a signature covers how a line is to be used (now, later, when), so nobody can use it in another
way; one function lists the lines to sign, for the player's tool and for the moderator.
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
from pbem.play.pending_orders import SignedLine, format_standing_order, place_of

MAX_SIGNED_BYTES = 64  #: of a signed line: an entry of a state has no room for more
MAX_TRIED_PAIRS = 400  #: how many pairs of a line and a signature are compared to explain a fault


class SigningContext(NamedTuple):
    """What the signature of an order covers besides its number and line."""

    game: str
    seat: str
    email_number: int
    state_hash: str  #: b64
    rules_version: str

    def signed_parts(self, number: int, count: int, line: str) -> tuple[str | int | bytes, ...]:
        """Return the parts of ``Sig("pbem/1/order", …)`` for line ``number`` of ``count``, counted from 1."""
        hash_bytes = unb64(self.state_hash, 32)
        return (self.game, self.seat, self.email_number, number, count, hash_bytes, self.rules_version, line)


def sign_orders(context: SigningContext, lines: Sequence[str], key: PrivateKey) -> OrderSignatures:
    """Sign these lines. The signatures are public: they go into an email."""
    signatures = tuple(
        (number, b64(sign(key, "order", *context.signed_parts(number, len(lines), line))))
        for number, line in enumerate(lines, 1)
    )
    return OrderSignatures(context.game, context.seat, context.email_number, context.state_hash, signatures)


def is_genuine_order(key: bytes, context: SigningContext, place: tuple[int, int], line: str, signature: bytes) -> bool:
    """Return whether the owner of ``key`` signed this line. ``place``: the line's number, and how many lines."""
    return verify(key, "order", signature, *context.signed_parts(*place, line))


def list_signed_lines(parsed_orders: ParsedOrders) -> tuple[tuple[int, str], ...]:
    """List the lines that the player of an email signs, each with the number of the line of text it is from.

    They are in the order in which they are signed: orders for now, standing orders, the orders
    behind a ``then``, and last the commands, for which the number is 0.
    """
    parsed_orders = number_orders(parsed_orders)
    now = [(line.number, line.order) for line in parsed_orders.now]
    later = [(line.number, format_standing_order(line.order, line.when or "")) for line in parsed_orders.later]
    return (*now, *later, *((0, command) for command in parsed_orders.commands if not is_unclear(command)))


def number_orders(parsed_orders: ParsedOrders) -> ParsedOrders:
    """Give each order the number under which it is signed. An order behind a ``then`` becomes a standing order."""
    now = [line for line in parsed_orders.now if not line.when]
    main_orders = [*now, *(line for line in parsed_orders.now if line.when), *parsed_orders.later]
    following_orders = [
        OrderLine(line.number, line.text, line.then, when=place_of(line.order)) for line in main_orders if line.then
    ]
    all_orders = tuple(
        order._replace(then=None, signature_number=order.signature_number or number)
        for number, order in enumerate((*main_orders, *following_orders), 1)
    )
    return parsed_orders._replace(now=all_orders[: len(now)], later=all_orders[len(now) :])


class SignatureCheck(NamedTuple):
    """What the signatures of an email prove."""

    is_authentic: bool  #: the player signed at least one line of it
    fault: Sentence | None = None  #: why the email does not count as it is
    signed_lines: tuple[SignedLine, ...] = ()  #: all lines, if there is no fault


def check_signatures(
    signature_lists: Sequence[OrderSignatures],
    game: str,
    seat: str,
    rules_version: str,
    key: bytes,
    lines: Sequence[str],
) -> SignatureCheck:
    """Compare the signatures of an email with its lines, by the key of its seat. If the result is not authentic, its
    fault is for the referee alone.
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
    except BadInput:  # the state hash is damaged, so no signature can be genuine
        return SignatureCheck(False, say(sentences.FOREIGN_KEY))
    comparison = _SignatureComparison(context, key, signatures, tuple(lines))
    return _compare_lines(comparison, has_two_lists=len(set(signature_lists)) > 1)


class _SignatureComparison(NamedTuple):
    """The signatures and lines to be compared."""

    context: SigningContext
    key: bytes
    signatures: OrderSignatures
    lines: tuple[str, ...]

    def is_signed(self, number: int, signature: str, line: str) -> bool:
        """Return whether a line has this signature, which also covers how many lines were signed."""
        # if lines were lost on the way, the highest number of a signature is that count
        highest_number = max((number for number, _ in self.signatures.signatures), default=0)
        possible_counts = {len(self.lines), highest_number}
        try:
            signature_bytes = unb64(signature, 64)
        except BadInput:
            return False
        return any(
            is_genuine_order(self.key, self.context, (number, n), line, signature_bytes) for n in possible_counts
        )


def _compare_lines(comparison: _SignatureComparison, has_two_lists: bool) -> SignatureCheck:
    """Compare each line with the signature of its number, then explain the differences."""
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
    if fault:
        return SignatureCheck(True, fault)
    signed_lines = (
        SignedLine(number, signature, lines[number - 1], len(lines))
        for number, signature in signatures_in_place.items()
    )
    return SignatureCheck(True, None, tuple(signed_lines))


def _find_misplaced(comparison: _SignatureComparison, signatures_in_place: dict[int, str]) -> dict[int, int]:
    """Return the lines that are signed under the number of another line: that number, by the place of the line."""
    unsigned_places = [place for place in range(1, len(comparison.lines) + 1) if place not in signatures_in_place]
    unused_signatures = [
        (number, signature)
        for number, signature in comparison.signatures.signatures
        if number not in signatures_in_place
    ]
    if len(unsigned_places) * len(unused_signatures) > MAX_TRIED_PAIRS:
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
    """Return the first difference between lines and signatures; None if each line has its own signature."""
    for place, line in enumerate(comparison.lines, 1):
        if place not in signatures_in_place and place not in misplaced_numbers:
            return say(sentences.UNSIGNED_LINE, line=line)
    for number, _ in comparison.signatures.signatures:
        if number not in signatures_in_place and number not in misplaced_numbers.values():
            return say(sentences.LINE_MISSING, number=number)
    if misplaced_numbers or len(signatures_in_place) != len(comparison.lines):
        return say(sentences.WRONG_ORDER)
    return None
