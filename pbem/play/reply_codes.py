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


class CodeOwner(NamedTuple):
    """Whose a code is, and how many of the seat's questions were answered since (0: it is open)."""

    seat: str
    age: int


#: what a seat is asked before the deal, by the phase of the state that asks
PHASES_BEFORE_DEAL = ("genesis", "roster")
MAX_LOST_QUESTIONS = 64  #: questions of a seat in states that are lost, whose codes are still known
VOID_AGE = len(PHASES_BEFORE_DEAL) + 1  #: so much older than all that it answered is a code that was made void


def code_of(desk_secret: bytes, game: str, seat: str, question: int | str) -> str:
    """The code of a seat's question number ``question`` (from 0), such as ``K7Q2-9F3A``.

    Before the deal the question is the phase of the state that asks: ``genesis`` or ``roster``.
    """
    number = int.from_bytes(prf(desk_secret, "pbem/1/code", game, seat, question)[:5], "big")
    letters = "".join(ALPHABET[number >> shift & 31] for shift in range(35, -1, -5))
    return f"{letters[:4]}-{letters[4:]}"


OwnedCodes = Iterator[tuple[str, CodeOwner]]  #: codes, each with its owner


def codes_of(desk_secret: bytes, game: str, answered: dict[str, int]) -> OwnedCodes:
    """The codes that are or were of a question of this game; the newest first, for mostly the first
    are meant.
    """
    for age in range(max(answered.values(), default=0) + 1):
        for seat, number in answered.items():
            if age <= number:
                yield code_of(desk_secret, game, seat, number - age), CodeOwner(seat, age)
    # an invitation or a roster is older than any question of the game
    for extra_age, phase in enumerate(reversed(PHASES_BEFORE_DEAL), 1):
        for seat, number in answered.items():
            yield code_of(desk_secret, game, seat, phase), CodeOwner(seat, number + extra_age)


def void_codes(secrets: tuple[bytes, ...], game: str, answered: dict[str, int]) -> OwnedCodes:
    """The same under secrets that are void, also of questions of states that are lost.

    They are older than anything that can be answered: they count for nothing at all.
    """
    for secret in reversed(secrets):
        for seat, number in answered.items():
            for question in (*range(number + MAX_LOST_QUESTIONS), *PHASES_BEFORE_DEAL):
                yield code_of(secret, game, seat, question), CodeOwner(seat, number + VOID_AGE)


def codes_before_deal(desk_secret: bytes, game: str, seats: tuple[str, ...], phase: str) -> OwnedCodes:
    """The same in a game not dealt yet; age 0: of what the seat is asked now."""
    for seat in seats:
        for asked_phase in PHASES_BEFORE_DEAL:
            yield (code_of(desk_secret, game, seat, asked_phase), CodeOwner(seat, int(asked_phase != phase)))


def match_codes(owned_codes: OwnedCodes, codes: Iterable[str]) -> dict[str, CodeOwner]:
    """Those of the codes that are among them; no more are made when all are found."""
    remaining_codes, owners = {*codes}, dict[str, CodeOwner]()
    while remaining_codes and (code_and_owner := next(owned_codes, None)):
        if code_and_owner[0] in remaining_codes:
            remaining_codes.remove(code_and_owner[0])
            owners[code_and_owner[0]] = code_and_owner[1]
    return owners
