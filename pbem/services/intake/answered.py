"""What became of one file, for the referee: as a document, in words, as an exit code.

What lives here: Answer, of orders; Answered, of a file; the answers that all kinds of mails share.
What must never be here: taking a mail, what its player is told. Source: docs/JSON.md "receive".
"""

from typing import Any, NamedTuple

from pbem.files.orders.sheet import Sheet
from pbem.moderator.ruling.consent import Asking
from pbem.moderator.turn.intake import Taken
from pbem.services.session.session import Session

Answered = tuple[dict[str, Any], str, int]


class Answer(NamedTuple):
    """What became of a mail. ``why``: it was not shown to be the player's; for the referee."""

    taken: Taken
    sheet: Sheet
    stale: bool = False
    receipt: str = ""  #: its name
    why: str = ""
    nr: int = 0  #: that the player gave his orders, where he signed them
    ruled: bool = False  #: stale by a ruling
    asking: Asking | None = None  #: it answers the mail that asks whether orders may be undone
    unclear: bool = False  #: and says neither `yes` nor `no`
    proven: bool = True  #: shown to be the player's; else it is told nothing but the rules


def told_not_known(session: Session, seat: str, name: str, answer: Answer) -> Answered:
    """P6: nothing in it shows that it is the player's. Why, is for the referee alone."""
    text = f"{name}: {who(session, seat)}: not kept: {answer.why}"
    data = {
        "file": name,
        "verdict": "not known",
        "dir": str(session.folder.root),
        "game": session.link.game,
        "seat": seat,
        "why": answer.why,
        "receipt": answer.receipt,
    }
    return data, text, 1


def again(session: Session, seat: str, name: str) -> Answered:
    """The same bytes again: nothing changes, and the answer is the same receipt."""
    text = f"{name}: {who(session, seat)}: came before; the receipt stands, nothing changed"
    data = {
        "file": name,
        "verdict": "repeated",
        "dir": str(session.folder.root),
        "game": session.link.game,
        "seat": seat,
    }
    return data, text, 0


def who(session: Session, seat: str) -> str:
    name = session.link.player(seat).name
    return f"{session.label}, {name} ({seat})"
