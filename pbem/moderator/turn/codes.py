"""Reply codes: what ties an answer to a game, a seat and the question now open to it.

What lives here: the code of a question, and finding whose a code is. What must never be here: mail.
Laws: a code is a function of the game, the seat and how many of its questions have been answered,
under a secret that is no part of the game's (it must stay secret when the game is over); another
player's order or a note changes no code. A code stays good over answers that were forced (R-1).
Source: decision 0002; docs/SPECIFICATION.md section 4 (nothing that stays secret hangs on S).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.crypto.encoding import b64, prf, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.engine.decision import Question
from pbem.engine.optional_parts import question_words
from pbem.errors import BadInput
from pbem.files.orders.lines import OrderLine, Sheet
from pbem.files.orders.move_file import OrderSignatures
from pbem.files.reply_code import ALPHABET
from pbem.moderator.turn.hand import place_of

if TYPE_CHECKING:
    from pbem.engine.game import Game


class Standing(NamedTuple):
    """What the standing says of one seat."""

    seat: str
    text: str  #: the points, or what is shown in their place
    points: int | None  #: None where the points are not shown


def standings(game: "Game", view: Any) -> tuple[Standing, ...]:
    """A row for each seat, in turn order. Whoever may have the View may see it."""
    instead = game.describe(view).get("standing", {})
    return tuple(
        Standing(seat, instead[seat], None)
        if seat in instead
        else Standing(seat, str(points), points)
        for seat, points in game.scores(view)
    )


def question_in_words(game: object, question: Question) -> str:
    """``marker in S1``; "the game waits for …, for the" stands before it. For all to read."""
    words = question_words(game)
    if question.kind in words:
        return words[question.kind].format(about=question.about)
    return f"{question.kind} in {question.about}" if question.about else question.kind


LONGEST = 64  #: bytes of a signed line: an entry has no room for more
MOST_TRIED = 400  #: a line held against other numbers than its own, to say which one is amiss
LATER, WHEN = "later: ", "when "


class Order(NamedTuple):
    """What an order's signature says, besides its number and line."""

    game: str
    seat: str
    nr: int
    head: str  #: b64
    rulings: str

    def parts(self, number: int, line: str) -> tuple[str | int | bytes, ...]:
        """The parts of ``Sig("pbem/1/order", …)`` for line ``number`` (from 1)."""
        return (
            self.game, self.seat, self.nr, number, unb64(self.head, 32), self.rulings, line,
        )  # fmt: skip


def sign_orders(order: Order, lines: Sequence[str], key: PrivateKey) -> OrderSignatures:
    """The signatures of these lines. Public: they go into a mail."""
    signs = tuple(
        (number, b64(sign(key, "order", *order.parts(number, line))))
        for number, line in enumerate(lines, 1)
    )
    return OrderSignatures(order.game, order.seat, order.nr, order.head, signs)


def genuine_order(key: bytes, order: Order, number: int, line: str, sig: bytes) -> bool:
    """Whether the owner of ``key`` signed this line under this number."""
    return verify(key, "order", sig, *order.parts(number, line))


def order_of(line: str) -> str:
    """The order itself in a line as it was signed: without what it waits for."""
    if line.startswith(WHEN) and ": " in line:
        return line.split(": ", 1)[1]
    return line.removeprefix(LATER)


def standing_line(order: str, when: str) -> str:
    """A standing order as it is signed and shown."""
    return f"{WHEN}{when}: {order}" if when else f"{LATER}{order}"


def signed_form(sheet: Sheet) -> tuple[tuple[int, str], ...]:
    """Every order of a mail as (number of its line of text, the line that is signed).

    In the order in which they are numbered: those for now, what waits, what a card does then, and
    last what is asked of the moderator (``withdraw``), whose line has the number 0.
    """
    sheet = numbered(sheet)
    now = [(line.number, line.order) for line in sheet.first]
    later = [(line.number, standing_line(line.order, line.when or "")) for line in sheet.later]
    return (*now, *later, *((0, ask) for ask in sheet.asks))


def numbered(sheet: Sheet) -> Sheet:
    """The sheet with each order on its own, under the number that its signature has."""
    now = [line for line in sheet.first if not line.when]
    waits = [*(line for line in sheet.first if line.when), *sheet.later]
    then = [
        OrderLine(line.number, line.text, line.then, place_of(line.order))
        for line in (*now, *waits)
        if line.then
    ]
    every = [
        line._replace(then=None, signed_as=i) for i, line in enumerate((*now, *waits, *then), 1)
    ]
    return sheet._replace(first=tuple(every[: len(now)]), later=tuple(every[len(now) :]))


class Proof(NamedTuple):
    """What a mail's signatures prove. ``known``: it is the player's; ``fault``: yet not whole."""

    known: bool
    fault: str = ""
    signs: tuple[tuple[int, str, str], ...] = ()  #: (number, signature, line), all genuine


NONE = "no signature was found in it"
FOREIGN_GAME = "its signatures are for another game"
FOREIGN_SEAT = "its signatures are for another seat"
FOREIGN_KEY = "no line of it is signed with the key of this seat"
TWO = "it holds the signatures of two lists of orders: send one list in one mail"
AGAIN = "send the whole text again as `pbem orders sign` gave it"


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
        return Proof(False, NONE)
    given = found[0]
    if given.game != game:
        return Proof(False, FOREIGN_GAME)
    if given.seat != seat:
        return Proof(False, FOREIGN_SEAT)
    order = Order(game, seat, given.nr, given.head, rulings)
    try:
        order.parts(1, "")
    except BadInput:
        return Proof(False, FOREIGN_KEY)
    return _proven(_Held(order, key, given, tuple(lines)), two=len(set(found)) > 1)


class _Held(NamedTuple):
    """Signatures held against lines."""

    order: Order
    key: bytes
    given: OrderSignatures
    lines: tuple[str, ...]

    def fits(self, number: int, sig: str, line: str) -> bool:
        return genuine_order(self.key, self.order, number, line, _raw(sig))


def _proven(held: _Held, two: bool) -> Proof:
    signs, lines = held.given.signs, held.lines
    here = {
        number: sig
        for number, sig in signs
        if number <= len(lines) and held.fits(number, sig, lines[number - 1])
    }
    apart = _apart(held, here)
    if not here and not apart:
        return Proof(False, FOREIGN_KEY)
    numbers = [number for number, _ in signs]
    if two:
        return Proof(True, TWO)
    if len(set(numbers)) != len(numbers):
        twice = next(n for n in numbers if numbers.count(n) > 1)
        return Proof(True, f"two signatures have the number {twice}: {AGAIN}")
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


def _fault(held: _Held, here: dict[int, str], apart: dict[int, int]) -> str:
    """What is amiss between the lines and the signatures; "" if each has its own."""
    for place, line in enumerate(held.lines, 1):
        if place not in here and place not in apart:
            return f"`{line}` has no signature that fits: {AGAIN}"
    for number, _ in held.given.signs:
        if number not in here and number not in apart.values():
            return f"the line that signature {number} belongs to is not here: {AGAIN}"
    if apart or len(here) != len(held.lines):
        return f"the lines are not in the order in which they were signed: {AGAIN}"
    return ""


def _raw(sig: str) -> bytes:
    try:
        return unb64(sig, 64)
    except BadInput:
        return b""  # damaged: no signature at all


class Owner(NamedTuple):
    """Whose a code is, and how many of the seat's questions were answered since (0: it is open)."""

    seat: str
    age: int


#: what a seat is asked before the deal, by the phase of the state that asks
BEFORE = ("genesis", "roster")
MOST_LOST = 64  #: questions of a seat in states that are lost, whose codes are still known
VOID = len(BEFORE) + 1  #: so much older than all that it answered is a code that was made void


def code_of(desk_secret: bytes, game: str, seat: str, question: int | str) -> str:
    """The code of a seat's question number ``question`` (from 0), such as ``K7Q2-9F3A``.

    Before the deal the question is the phase of the state that asks: ``genesis`` or ``roster``.
    """
    number = int.from_bytes(prf(desk_secret, "pbem/1/code", game, seat, question)[:5], "big")
    letters = "".join(ALPHABET[number >> shift & 31] for shift in range(35, -1, -5))
    return f"{letters[:4]}-{letters[4:]}"


def owner_of(code: str, desk_secret: bytes, game: str, answered: dict[str, int]) -> Owner | None:
    """The seat whose question this code is or was; None for a code of another game, or of none."""
    for age in range(max(answered.values(), default=0) + 1):  # newest first: mostly the first hits
        for seat, number in answered.items():
            if age <= number and code == code_of(desk_secret, game, seat, number - age):
                return Owner(seat, age)
    return _before_the_deal(code, desk_secret, game, answered)


def _before_the_deal(
    code: str, desk_secret: bytes, game: str, answered: dict[str, int]
) -> Owner | None:
    """Whose invitation or roster has this code: older than any question of the game."""
    for late, phase in enumerate(reversed(BEFORE), 1):
        for seat, number in answered.items():
            if code == code_of(desk_secret, game, seat, phase):
                return Owner(seat, number + late)
    return None


def owner_of_void_code(
    code: str, secrets: tuple[bytes, ...], game: str, answered: dict[str, int]
) -> Owner | None:
    """Whose code this was under a secret that is void, also of a question of a state that is lost.

    It is older than anything that can be answered: it counts for nothing at all.
    """
    for secret in reversed(secrets):
        for seat, number in answered.items():
            asked = (*range(number + MOST_LOST), *BEFORE)
            if any(code == code_of(secret, game, seat, question) for question in asked):
                return Owner(seat, number + VOID)
    return None


def owner_before_deal(
    code: str, desk_secret: bytes, game: str, seats: tuple[str, ...], phase: str
) -> Owner | None:
    """Whose code this is in a game not dealt yet; age 0: of what the seat is asked now."""
    for seat in seats:
        for asked in BEFORE:
            if code == code_of(desk_secret, game, seat, asked):
                return Owner(seat, int(asked != phase))
    return None
