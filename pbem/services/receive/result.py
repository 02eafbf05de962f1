"""What became of one file that was received: the verdict, as a document and for the screen.

What must never be here: how it was judged.
"""

from typing import Any, NamedTuple

from pbem.errors import PbemError

#: what is said of a message that is some player's
OF_A_SEAT = ("dir", "game", "seat")
#: by kind of verdict, what its document holds besides file and verdict
KEYS = {
    **dict.fromkeys(
        ("kept", "answered", "refused", "stale", "ended"),
        (*OF_A_SEAT, "lines", "asks", "receipt", "notes"),
    ),
    "not known": (*OF_A_SEAT, "why", "receipt"),
    "repeated": OF_A_SEAT,
    "bounced": (*OF_A_SEAT, "why"),
    "not read": (*OF_A_SEAT, "code", "why", "hint", "receipt"),
    **dict.fromkeys(("unknown", "unreadable", "unfinished"), ("code", "why", "hint")),
}
#: kinds that are called otherwise in the document: a mail that was not read, but answered
CALLED = {"not read": "unreadable"}


class Received(NamedTuple):
    """What became of one file."""

    file: str
    kind: str  #: one of KEYS
    said: str  #: for the referee's screen, after the file and the player
    exit_code: int
    facts: dict[str, Any]  #: what its document holds, by KEYS
    more: tuple[str, ...] = ()  #: further lines for the screen
    who: str = ""  #: game, player and seat, in words

    def document(self) -> dict[str, Any]:
        """As ``--json`` has it."""
        facts = {key: self.facts[key] for key in KEYS[self.kind]}
        return {"file": self.file, "verdict": CALLED.get(self.kind, self.kind), **facts}


def of_nobody(file: str, kind: str, error: PbemError, what: str = "not taken: ") -> Received:
    """A message that is no player's, or cannot be read; or one that is taken without a receipt.
    ``what`` became of it, before why.
    """
    what = "" if kind == "unfinished" else what
    return Received(file, kind, f"{what}{error.line()}", error.exit_code, error.document())
