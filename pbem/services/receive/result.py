"""The validation of a received email with its effects, and the result for the command `receive`.

Not allowed here: how an email is validated; carrying out an effect (storage.py).
Source: docs/DESIGN.md "The way of an email".
"""

from typing import Any, NamedTuple

from pbem.errors import PbemError
from pbem.notation.absence import Absence
from pbem.play.pending_orders import PendingOrders
from pbem.play.validation import LineVerdict
from pbem.services.receipts import StoredReceipt

REPEATED = "came before; its receipt still counts, and nothing changed"
COPIED = "an email with its Message-ID came before and counts; this one changed nothing"


class StoreMessage(NamedTuple):
    """Store the player's message to the referee."""

    lines: tuple[str, ...]


class StoreAbsences(NamedTuple):
    """Replace all the absences that are noted for the player."""

    absences: tuple[Absence, ...]


class StoreVote(NamedTuple):
    """Store the player's answer to an undo."""

    answers: tuple[str, ...]  #: `yes` or `no`
    signature: str  #: of the answer, where the seat has a key; else ""


class ResendReceipt(NamedTuple):
    """Send an old receipt once more, for signed orders that came before."""

    receipt_number: int


class RememberWords(NamedTuple):
    """Remember this fingerprint, to recognise the same words in another email."""

    fingerprint: str


#: what an email causes, apart from pending orders and a receipt; storage.py does it
Effect = StoreMessage | StoreAbsences | StoreVote | ResendReceipt | RememberWords


class Validation(NamedTuple):
    """The result of validating an email. Nothing is stored yet."""

    pending: PendingOrders  #: the seat's pending orders from now on
    kind: str  #: of the verdict: a key of ``KEYS_BY_KIND``
    summary: str  #: the verdict, for the referee's screen
    receipt: StoredReceipt | None = None  #: None if nobody is answered and no pending order is stored
    exit_code: int = 0
    verdicts: tuple[LineVerdict, ...] = ()
    requests: tuple[str, ...] = ()  #: the commands in the email, such as `rules CC-13`
    extra_lines: tuple[str, ...] = ()  #: further lines for the referee's screen
    reason: str = ""  #: why the email was ignored; only the referee reads it
    recognized_lines: tuple[str, ...] = ()  #: for the stored email: what it says apart from orders
    is_proven: bool = False  #: its player wrote it, so an email with the same Message-ID is a copy
    effects: tuple[Effect, ...] = ()

    @property
    def has_vote(self) -> bool:
        return any(isinstance(effect, StoreVote) for effect in self.effects)


_SEAT_KEYS = ("dir", "game", "seat")
_ORDER_KEYS = (*_SEAT_KEYS, "lines", "asks", "receipt", "notes")
#: keys in the document of a result, apart from file and verdict, by the kind of verdict
KEYS_BY_KIND = {
    **dict.fromkeys(("kept", "answered", "refused", "stale", "ended"), _ORDER_KEYS),
    "not known": (*_SEAT_KEYS, "why", "receipt"),
    "repeated": _SEAT_KEYS,
    "bounced": (*_SEAT_KEYS, "why"),
    "not read": (*_SEAT_KEYS, "code", "why", "hint", "receipt"),
    **dict.fromkeys(("unknown", "unreadable", "unfinished"), ("code", "why", "hint")),
}
VERDICT_NAMES = {"not read": "unreadable"}  #: kinds that have another name in the document


class ReceiveResult(NamedTuple):
    """The verdict on one received file."""

    file: str
    kind: str  #: a key of ``KEYS_BY_KIND``
    summary: str  #: for the referee's screen, after the file and the player
    exit_code: int
    facts: dict[str, Any]  #: at least what its document holds
    extra_lines: tuple[str, ...] = ()  #: further lines for the referee's screen
    player_label: str = ""  #: game, player and seat, in words

    def document(self) -> dict[str, Any]:
        """Return the result as ``--json`` prints it."""
        facts = {key: self.facts[key] for key in KEYS_BY_KIND[self.kind]}
        return {"file": self.file, "verdict": VERDICT_NAMES.get(self.kind, self.kind), **facts}


def result_without_seat(file: str, kind: str, error: PbemError, outcome: str = "not imported: ") -> ReceiveResult:
    """Return the result for an email that belongs to no player, cannot be read, or has no receipt yet.

    ``outcome`` precedes the reason on the screen.
    """
    outcome = "" if kind == "unfinished" else outcome
    return ReceiveResult(file, kind, f"{outcome}{error.as_line()}", error.exit_code, error.as_document())
