"""Reply codes: what ties an answer to a game, a seat and the question now open to it.

What lives here: the code of a question, all codes of a game, whose each is. What must never be
here: mail.
Laws: a code is a function of the game, the seat and how many of its questions have been answered,
under a secret that is no part of the game's (it must stay secret when the game is over); another
player's order or a note changes no code. A code stays good over answers that were forced (R-1).
Source: decision 0002; docs/SPECIFICATION.md section 4 (nothing that stays secret hangs on S).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pbem.crypto.encoding import prf
from pbem.mail.identity import ALPHABET


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


Coded = Iterator[tuple[str, Owner]]  #: codes, each with its owner


def codes_of(desk_secret: bytes, game: str, answered: dict[str, int]) -> Coded:
    """The codes that are or were of a question of this game; the newest first, for mostly the first
    are meant.
    """
    for age in range(max(answered.values(), default=0) + 1):
        for seat, number in answered.items():
            if age <= number:
                yield code_of(desk_secret, game, seat, number - age), Owner(seat, age)
    # an invitation or a roster is older than any question of the game
    for late, phase in enumerate(reversed(BEFORE), 1):
        for seat, number in answered.items():
            yield code_of(desk_secret, game, seat, phase), Owner(seat, number + late)


def void_codes(secrets: tuple[bytes, ...], game: str, answered: dict[str, int]) -> Coded:
    """The same under secrets that are void, also of questions of states that are lost.

    They are older than anything that can be answered: they count for nothing at all.
    """
    for secret in reversed(secrets):
        for seat, number in answered.items():
            for question in (*range(number + MOST_LOST), *BEFORE):
                yield code_of(secret, game, seat, question), Owner(seat, number + VOID)


def codes_before_deal(desk_secret: bytes, game: str, seats: tuple[str, ...], phase: str) -> Coded:
    """The same in a game not dealt yet; age 0: of what the seat is asked now."""
    for seat in seats:
        for one in BEFORE:
            yield code_of(desk_secret, game, seat, one), Owner(seat, int(one != phase))


def found_in(coded: Coded, codes: Iterable[str]) -> dict[str, Owner]:
    """Those of the codes that are among them; no more are made when all are found."""
    left, found = {*codes}, dict[str, Owner]()
    while left and (one := next(coded, None)):
        if one[0] in left:
            left.remove(one[0])
            found[one[0]] = one[1]
    return found
