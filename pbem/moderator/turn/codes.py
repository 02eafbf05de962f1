"""Reply codes: what ties an answer to a game, a seat and the question now open to it.

What lives here: the code of a question, and finding whose a code is. What must never be here: mail.
Laws: a code is a function of the game, the seat and how many of its questions have been answered,
under a secret that is no part of the game's (it must stay secret when the game is over); another
player's order or a note changes no code. A code stays good over answers that were forced (R-1).
Source: decision 0002; docs/SPECIFICATION.md section 4 (nothing that stays secret hangs on S).
"""

from typing import NamedTuple

from pbem.crypto.encoding import prf
from pbem.files.identity import ALPHABET


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
    # an invitation or a roster is older than any question of the game
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
