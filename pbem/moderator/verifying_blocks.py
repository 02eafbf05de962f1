"""Does a report belong to this chain? Its signed block against the states.

What lives here: ``check_block``. What must never be here: the secret, the rules of a game, files.
Law: what could not be checked is said.
Source: construction.md "Report", "verify"; P5, P7.
"""

from collections.abc import Mapping

from pbem.crypto.commitments import check_opening
from pbem.crypto.signing import key_id
from pbem.errors import Refused
from pbem.moderator import referees
from pbem.moderator.block import Block
from pbem.moderator.verifying import Chain
from pbem.moderator.verifying_slots import maker_or_none


def check_block(found: Block, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What one report's block says, checked; Refused where it is forged or of another history."""
    name = f"the report of state {found.n} for {found.seat}"
    if not found.genuine():
        raise Refused(
            "verify/report",
            f"{name} was changed after it was signed",
            "take it again from the mail",
        )
    if key is not None and found.key != key:
        raise Refused(
            "verify/other-key",
            f"{name} is signed by key {key_id(found.key)}, not by {key_id(key)}",
            "is it this referee's game?",
        )
    known = chains.get(found.game)
    if known is None:
        return (
            f"{name} is signed by key {key_id(found.key)}; not compared with a chain "
            "(give the game's folder too)"
        )
    # who takes a game over may write the newest report again
    may = {referees.in_force(known.referees, n).acting for n in (found.n, found.n + 1)}
    if found.key not in may:
        raise Refused(
            "verify/other-key",
            f"{name} is signed by another key than the game",
            "somebody else wrote it",
        )
    head = known.heads.get(found.n)
    if head is None and found.n >= known.first:
        raise Refused(
            "verify/not-there",
            f"{name}: the chain here has no state {found.n}",
            "the chain was cut, or it is an older copy",
        )
    if head is not None and head != found.head:
        raise Refused(
            "verify/rewritten",
            f"{name} belongs to another history than these states: they were rewritten",
            "keep both: together they prove it",
        )
    _check_commits(name, found, known)
    said = _check_openings(name, found, known)
    if head is None:
        here = f"is signed by the game's key; state {found.n} is not here to compare it with"
        return f"{name} {here}{said}"
    return f"{name} belongs to this chain{said}"


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
