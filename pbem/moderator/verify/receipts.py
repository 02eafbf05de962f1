"""Does a receipt belong to this chain? Its signed block against the states.

What lives here: ``check_receipt``. What must never be here: the secret, the rules of a game, files.
Law: what could not be checked is said.
Source: docs/SPECIFICATION.md sections 9 and 12; P6, P7.
"""

from collections.abc import Mapping

from pbem.errors import Refused
from pbem.moderator.report.receipt_block import ReceiptBlock
from pbem.moderator.verify import signers
from pbem.moderator.verify.together import lost
from pbem.moderator.verify.verify import Chain


def check_receipt(found: ReceiptBlock, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What a receipt says, checked; Refused where it is forged or of another history."""
    said = found.receipt
    name = f"the receipt of {said.seat} for orders number {said.nr}, {said.time}"
    signers.check_signature(name, "verify/receipt", found, key)
    known = chains.get(said.game)
    if known is None:
        return signers.not_compared(name, found)
    return _against(name, found, known)


def _against(name: str, found: ReceiptBlock, known: Chain) -> str:
    n = next((n for n, head in known.heads.items() if head == found.receipt.head), None)
    signers.check_in_force(name, found, known, n)
    if n is not None:
        return f"{name} belongs to this chain, at state {n}"
    if known.from_genesis:
        if (gone := lost(name, None, known.links)) is not None:
            raise gone
        raise Refused(
            "verify/rewritten",
            f"{name} was written for a state that is not in this chain",
            "the chain was cut or rewritten, or it is an older copy: keep both",
        )
    return f"{name} is signed by the game's key; its state is not here to compare it with"
