"""What became of one file that was received: the verdict, as a document and for the screen.

What must never be here: how it was judged.
"""

from typing import Any, NamedTuple

from pbem.errors import PbemError

#: what is said of a message that is some player's
SEAT_KEYS = ("dir", "game", "seat")
#: by kind of verdict, what its document holds besides file and verdict
KEYS_BY_KIND = {
    **dict.fromkeys(
        ("kept", "answered", "refused", "stale", "ended"), (*SEAT_KEYS, "lines", "asks", "receipt", "notes")
    ),
    "not known": (*SEAT_KEYS, "why", "receipt"),
    "repeated": SEAT_KEYS,
    "bounced": (*SEAT_KEYS, "why"),
    "not read": (*SEAT_KEYS, "code", "why", "hint", "receipt"),
    **dict.fromkeys(("unknown", "unreadable", "unfinished"), ("code", "why", "hint")),
}
#: kinds that are called otherwise in the document: a mail that was not read, but answered
VERDICT_NAMES = {"not read": "unreadable"}


class ReceiveResult(NamedTuple):
    """What became of one file."""

    file: str
    kind: str  #: one of KEYS
    summary: str  #: for the referee's screen, after the file and the player
    exit_code: int
    facts: dict[str, Any]  #: what its document holds, by KEYS
    extra_lines: tuple[str, ...] = ()  #: further lines for the screen
    player_label: str = ""  #: game, player and seat, in words

    def document(self) -> dict[str, Any]:
        """As ``--json`` has it."""
        facts = {key: self.facts[key] for key in KEYS_BY_KIND[self.kind]}
        return {"file": self.file, "verdict": VERDICT_NAMES.get(self.kind, self.kind), **facts}


def result_without_seat(file: str, kind: str, error: PbemError, outcome: str = "not imported: ") -> ReceiveResult:
    """A message that is no player's, or cannot be read; or one that is taken without a receipt.
    ``outcome`` became of it, before why.
    """
    outcome = "" if kind == "unfinished" else outcome
    return ReceiveResult(file, kind, f"{outcome}{error.as_line()}", error.exit_code, error.as_document())
