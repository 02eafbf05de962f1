"""What became of one file, for the referee: one document, in words, as an exit code.

What lives here: Verdict. What must never be here: taking a mail, what its player is told.
Source: docs/JSON.md "receive".
"""

from typing import Any, NamedTuple

from pbem.errors import PbemError
from pbem.services.session.session import Session

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
    "not read": (*OF_A_SEAT, "code", "why", "hint", "receipt"),
    **dict.fromkeys(("unknown", "unreadable", "unfinished"), ("code", "why", "hint")),
}
#: kinds that are called otherwise in the document: a mail that was not read, but answered
CALLED = {"not read": "unreadable"}


class Verdict(NamedTuple):
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
        named = {key: self.facts[key] for key in KEYS[self.kind]}
        return {"file": self.file, "verdict": CALLED.get(self.kind, self.kind), **named}

    def text(self) -> str:
        """As the referee reads it."""
        begin = (
            [self.file or repr(self.file), self.who] if self.who else [self.file or repr(self.file)]
        )
        return "\n".join([": ".join([*begin, self.said]), *self.more])


def of_nobody(file: str, kind: str, error: PbemError) -> Verdict:
    """A message that is no player's, or cannot be read; or one that is taken without a receipt."""
    facts = {"code": error.code, "why": error.message, "hint": error.hint}
    what = "" if kind == "unfinished" else "not taken: "
    return Verdict(file, kind, f"{what}{error.line()}", error.exit_code, facts)


def of_seat(session: Session, seat: str, verdict: Verdict) -> Verdict:
    """The same with what is known of every message that is some player's; it takes the notes."""
    base = {"dir": str(session.folder.root), "game": session.link.game, "seat": seat}
    who = f"{session.label}, {session.link.player(seat).name} ({seat})"
    facts = {**base, **verdict.facts}
    if "notes" in KEYS[verdict.kind]:
        facts["notes"] = list(session.notes)
        verdict = verdict._replace(
            more=(*verdict.more, *(f"  note: {note}" for note in session.notes))
        )
        session.notes.clear()
    return verdict._replace(facts=facts, who=who)
