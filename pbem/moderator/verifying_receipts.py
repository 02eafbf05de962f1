"""Does a receipt belong to this chain? Its signed block against the states.

What lives here: ``check_receipt``. What must never be here: the secret, the rules of a game, files.
Law: what could not be checked is said.
Source: construction.md "Intake", "verify"; P6, P7.
"""

from collections.abc import Mapping

from pbem.crypto.signing import key_id
from pbem.errors import Refused
from pbem.moderator import referees
from pbem.moderator.receipt_block import Block
from pbem.moderator.verifying import Chain


def check_receipt(found: Block, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What a receipt says, checked; Refused where it is forged or of another history."""
    said = found.receipt
    name = f"the receipt of {said.seat} for orders number {said.nr}, {said.time}"
    if not found.genuine():
        raise Refused(
            "verify/receipt",
            f"{name} was changed after it was signed",
            "take it again from the mail",
        )
    if key is not None and found.key != key:
        raise Refused(
            "verify/other-key",
            f"{name} is signed by key {key_id(found.key)}, not by {key_id(key)}",
            "is it this referee's game?",
        )
    known = chains.get(said.game)
    if known is None:
        return (
            f"{name} is signed by key {key_id(found.key)}; not compared with a chain "
            "(give the game's folder too)"
        )
    return _against(name, found, known)


def _against(name: str, found: Block, known: Chain) -> str:
    n = next((n for n, head in known.heads.items() if head == found.receipt.head), None)
    if found.key not in _signers(known, n):
        raise Refused(
            "verify/other-key",
            f"{name} is signed by another key than the game",
            "somebody else wrote it",
        )
    if n is not None:
        return f"{name} belongs to this chain, at state {n}"
    if known.from_genesis:
        raise Refused(
            "verify/rewritten",
            f"{name} was written for a state that is not in this chain",
            "the chain was cut or rewritten, or it is an older copy: keep both",
        )
    return f"{name} is signed by the game's key; its state is not here to compare it with"


def _signers(known: Chain, n: int | None) -> set[bytes]:
    """Who may have signed it: whoever acted then, or was about to."""
    if n is None:
        return {row.acting for row in known.referees}
    return {referees.in_force(known.referees, m).acting for m in (n, n + 1)}
