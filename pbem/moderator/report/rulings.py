"""A ruling as the report of the state that it made has it: who plays now, what stands again.

What lives here: ``ruling_in_report``. What must never be here: the full form, which needs the
states before (pbem/moderator/ruling/in_words.py).
Source: docs/DESIGN.md "A report".
"""

from pbem.moderator.chain.link import Link
from pbem.moderator.chain.ruling import KNOWN_BY, Ruling, ruling_words


def ruling_in_report(ruling: Ruling, link: Link, then: str = "") -> str:
    """The ruling as all players read it in that report.

    ``then``: the time of the state that an undo goes back to, where that is at hand.
    """
    if ruling.name == "undo":  # the number of a state is the one of its report
        then = f" of {then}" if then else ""
        back = f"the game goes back, and stands as it did in report {ruling.operand('to')}{then}"
        return f"{back}. Reason: {ruling.reason}"
    if ruling.name != "player":
        return ruling_words(ruling)
    player = link.player(ruling.operand("seat"))
    what = ruling.operand("what").split(",")
    if "name" in what:
        said = f"{player.name} plays {player.seat} from now on, {KNOWN_BY[player.known]}"
    else:
        new = [f"another {name}" for name in what if name != "known"]
        changed = [f"has {' and '.join(new)}"] if new else []
        known = [f"is {KNOWN_BY[player.known]}"] if "known" in what else []
        said = f"{player.name} ({player.seat}) {' and '.join((*changed, *known))} from now on"
    return f"{said}. Reason: {ruling.reason}"
