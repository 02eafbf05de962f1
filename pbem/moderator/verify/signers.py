"""Who signed a block, of a report or of a receipt, and what is said where no chain is here.

What lives here: what both kinds of block have in common. What must never be here: what is in one.
Source: docs/SPECIFICATION.md section 12; P7.
"""

from typing import Protocol

from pbem.crypto.signing import key_id
from pbem.errors import Refused
from pbem.moderator.chain import referees
from pbem.moderator.verify.verify import Chain


class SignedBlock(Protocol):
    """A block as read."""

    @property
    def key(self) -> bytes:
        """The key it names."""

    def genuine(self) -> bool:
        """Whether that key signed it."""


def check_signature(name: str, code: str, found: SignedBlock, key: bytes | None) -> None:
    """Refused ``code`` where it was changed, ``verify/other-key`` where ``key`` did not sign it."""
    if not found.genuine():
        raise Refused(
            code, f"{name} was changed after it was signed", "take it again from the mail"
        )
    if key is not None and found.key != key:
        raise Refused(
            "verify/other-key",
            f"{name} is signed by key {key_id(found.key)}, not by {key_id(key)}",
            "is it this referee's game?",
        )


def check_in_force(name: str, found: SignedBlock, known: Chain, n: int | None) -> None:
    """Refused ``verify/other-key`` unless who acted at state ``n`` signed it, or who took over then
    and wrote its reports again; None: it cannot be told when.
    """
    if n is None:
        may = {row.acting for row in known.referees}
    else:
        may = {referees.in_force(known.referees, m).acting for m in (n, n + 1)}
    if found.key not in may:
        raise Refused(
            "verify/other-key",
            f"{name} is signed by another key than the game",
            "somebody else wrote it",
        )


def not_compared(name: str, found: SignedBlock) -> str:
    """What is said of it where its chain is not here."""
    return (
        f"{name} is signed by key {key_id(found.key)}; not compared with a chain "
        "(give the game's folder too)"
    )
