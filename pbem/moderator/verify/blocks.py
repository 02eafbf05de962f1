"""Does a report, or a receipt, belong to this chain? Its signed block against the states.

What lives here: ``check_block``, ``check_receipt``; who signed one, and what is said where no chain
is here. What must never be here: the secret, the rules of a game, files.
Law: what could not be checked is said.
Source: docs/SPECIFICATION.md sections 10 and 12; P5, P7.
"""

from collections.abc import Mapping
from typing import Protocol

from pbem.crypto.signing import key_id
from pbem.crypto.tokens import check_opening
from pbem.errors import Refused
from pbem.moderator.chain import people
from pbem.moderator.report.block import Block
from pbem.moderator.report.receipt_block import ReceiptBlock
from pbem.moderator.verify.slots import maker_or_none
from pbem.moderator.verify.together import lost
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
        may = {people.in_force(known.referees, m).acting for m in (n, n + 1)}
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


def check_receipt(found: ReceiptBlock, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What a receipt says, checked; Refused where it is forged or of another history."""
    said = found.receipt
    name = f"the receipt of {said.seat} for orders number {said.nr}, {said.time}"
    check_signature(name, "verify/receipt", found, key)
    known = chains.get(said.game)
    if known is None:
        return not_compared(name, found)
    return _against(name, found, known)


def _against(name: str, found: ReceiptBlock, known: Chain) -> str:
    n = next((n for n, head in known.heads.items() if head == found.receipt.head), None)
    check_in_force(name, found, known, n)
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


def check_block(found: Block, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What one report's block says, checked; Refused where it is forged or of another history."""
    name = f"the report of state {found.n} for {found.seat}"
    check_signature(name, "verify/report", found, key)
    known = chains.get(found.game)
    if known is None:
        return not_compared(name, found)
    check_in_force(name, found, known, found.n)
    here = _place(name, found, known)
    _check_commits(name, found, known)
    return f"{name} {here}{_check_openings(name, found, known)}"


def _place(name: str, found: Block, known: Chain) -> str:
    """Where in the chain it belongs, in words; Refused where it does not."""
    head = known.heads.get(found.n)
    elsewhere = head != found.head and (head is not None or found.n >= known.first)
    gone = lost(name, found.n, known.links) if elsewhere else None
    if gone is not None:
        raise gone
    if head is None and found.n >= known.first:
        raise Refused(
            "verify/not-there",
            f"{name}: the chain here has no state {found.n}",
            "the chain was cut, or it is an older copy",
        )
    if head is None:
        return f"is signed by the game's key; state {found.n} is not here to compare it with"
    if head != found.head:
        raise Refused(
            "verify/rewritten",
            f"{name} belongs to another history than these states, so they were rewritten",
            "keep both; together they prove it",
        )
    return "belongs to this chain"


def _check_commits(name: str, found: Block, known: Chain) -> None:
    """The ``commit`` lines are the commitments made in this link: each, once, and no other."""
    if found.n in known.heads:
        made = {slot: c for slot, (n, c) in known.made.items() if n == found.n}
    else:  # the state is missing: what later ones still have of it is compared
        made = {slot: known.made.get(slot, (0, c))[1] for slot, c in found.commits}
    told = dict(found.commits)
    wrong = [slot for slot in {**made, **told} if made.get(slot) != told.get(slot)]
    if wrong or len(told) != len(found.commits):
        raise Refused(
            "verify/commitments",
            f"{name} has other new commitments than state {found.n}"
            + (f": {min(wrong)}" if wrong else ""),
            "keep both: together they prove that one of them lies",
        )


def _check_openings(name: str, found: Block, known: Chain) -> str:
    """P5: every opening against what was committed when it was dealt; how many could be checked."""
    checked = 0
    for slot, value, k in found.openings:
        n, commitment = known.made.get(slot, (maker_or_none(slot), None))
        if commitment is None and n is not None and n < known.first:
            continue  # its commitment was in a state that is missing, and is open since
        if commitment is None or n is None or n > found.n:
            raise Refused(
                "verify/opening",
                f"{name} opens {slot}, which no state up to it commits to",
                "keep both: together they prove that one of them lies",
            )
        if not check_opening(commitment, found.game, slot, k, value):
            raise Refused(
                "verify/opening",
                f"{name} opens {slot} with a value that was not committed",
                "keep it and the states: together they prove that the referee told a lie",
            )
        checked += 1
    left = len(found.openings) - checked
    said = f", {_counted(checked)} checked" if checked else ""
    if left:
        said += f"; {_counted(left)} not checked: the states that committed to them are missing"
    return said


def _counted(number: int) -> str:
    return f"{number} opening" if number == 1 else f"{number} openings"
