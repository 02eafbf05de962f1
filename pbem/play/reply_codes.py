"""Make and recognise reply codes, which tie an email to a game, a seat and one of its questions.

A code depends on the game, the seat and how many questions the seat has answered, so orders of other players do not
change it. It stays valid if pbem plays a forced answer for the player (R-1). It is made from the secret of the
referee's private folder (desk), not from that of the game, which is published at the end.

Not allowed here: emails.
Source: decision 0002; docs/SPECIFICATION.md section 4.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pbem.crypto.encoding import prf
from pbem.mail.identity import ALPHABET


class CodeOwner(NamedTuple):
    """The seat of a code, and how many questions it has answered since (0: the question is open)."""

    seat: str
    age: int


#: the phases whose states ask a seat something before the deal
PHASES_BEFORE_DEAL = ("genesis", "roster")
MAX_LOST_QUESTIONS = 64  #: questions in lost states whose codes pbem still recognises
VOID_AGE = len(PHASES_BEFORE_DEAL) + 1  #: added to the age of a void code, so that it is older than any answer


def code_of(desk_secret: bytes, game: str, seat: str, question: int | str) -> str:
    """Return the code of a seat's ``question`` (numbered from 0), such as ``K7Q2-9F3A``. Before the deal, ``question``
    is the phase that asks: ``genesis`` or ``roster``.
    """
    number = int.from_bytes(prf(desk_secret, "pbem/1/code", game, seat, question)[:5], "big")
    letters = "".join(ALPHABET[number >> shift & 31] for shift in range(35, -1, -5))  # eight times 5 bits
    return f"{letters[:4]}-{letters[4:]}"


OwnedCodes = Iterator[tuple[str, CodeOwner]]  #: codes, each with its owner


def codes_of(desk_secret: bytes, game: str, answered: dict[str, int]) -> OwnedCodes:
    """Yield all codes of a game so far, the newest first, because an email most likely has one of these."""
    for age in range(max(answered.values(), default=0) + 1):
        for seat, number in answered.items():
            if age <= number:
                yield code_of(desk_secret, game, seat, number - age), CodeOwner(seat, age)
    # an invitation or a roster is older than any question of the game
    for extra_age, phase in enumerate(reversed(PHASES_BEFORE_DEAL), 1):
        for seat, number in answered.items():
            yield code_of(desk_secret, game, seat, phase), CodeOwner(seat, number + extra_age)


def void_codes(secrets: tuple[bytes, ...], game: str, answered: dict[str, int]) -> OwnedCodes:
    """Yield the codes under void secrets, also of lost states. Their age is so high that they never count."""
    for secret in reversed(secrets):
        for seat, number in answered.items():
            for question in (*range(number + MAX_LOST_QUESTIONS), *PHASES_BEFORE_DEAL):
                yield code_of(secret, game, seat, question), CodeOwner(seat, number + VOID_AGE)


def codes_before_deal(desk_secret: bytes, game: str, seats: tuple[str, ...], phase: str) -> OwnedCodes:
    """Yield the codes of a game that is not dealt yet. Those of this phase have age 0, the others 1."""
    for seat in seats:
        for asked_phase in PHASES_BEFORE_DEAL:
            yield (code_of(desk_secret, game, seat, asked_phase), CodeOwner(seat, int(asked_phase != phase)))


def match_codes(owned_codes: OwnedCodes, codes: Iterable[str]) -> dict[str, CodeOwner]:
    """Return the owner of each of these codes that belongs to the game. Stop when all are matched."""
    remaining_codes = {*codes}
    owners: dict[str, CodeOwner] = {}
    if not remaining_codes:
        return owners
    for code, owner in owned_codes:
        if code in remaining_codes:
            remaining_codes.remove(code)
            owners[code] = owner
            if not remaining_codes:
                break
    return owners
