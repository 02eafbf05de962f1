"""Does a report belong to this chain? Its signed block against the states.

What lives here: ``check_block``. What must never be here: the secret, the rules of a game, files.
Law: what could not be checked is said.
Source: docs/SPECIFICATION.md sections 10 and 12; P5, P7.
"""

from collections.abc import Mapping

from pbem.crypto.commitments import check_opening
from pbem.errors import Refused
from pbem.moderator.report.block import Block
from pbem.moderator.verify import signers
from pbem.moderator.verify.slots import maker_or_none
from pbem.moderator.verify.together import lost
from pbem.moderator.verify.verify import Chain


def check_block(found: Block, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What one report's block says, checked; Refused where it is forged or of another history."""
    name = f"the report of state {found.n} for {found.seat}"
    signers.check_signature(name, "verify/report", found, key)
    known = chains.get(found.game)
    if known is None:
        return signers.not_compared(name, found)
    signers.check_in_force(name, found, known, found.n)
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
            f"{name} belongs to another history than these states: they were rewritten",
            "keep both: together they prove it",
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
