"""One message under the lock of its game: the gate it passes, and what it is found to be worth.

What lives here: Case, what all phases know of a message; Judged, what each phase gives; the checks
and the one fixed answer that are the same in every phase. What must never be here: how a phase
judges; keeping anything.
Laws: a mail is one of its kind: fed again it changes nothing; before a message is shown to be the
player's the answer is fixed (P6). Source: docs/DESIGN.md "Email", P6; P8.
"""

from functools import cached_property
from typing import Any, NamedTuple

from pbem.errors import BadInput, PbemError
from pbem.files.orders.lines import Sheet
from pbem.moderator.ruling.consent import Asking
from pbem.moderator.turn import intake
from pbem.moderator.turn.hand import MOST_HANDLED, Hand
from pbem.render import render
from pbem.services.intake.consent import with_consent
from pbem.services.intake.known import Known, owner
from pbem.services.intake.message import Message, sheet_of
from pbem.services.post.reports import KeptReceipt
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


REPEATED = "came before; the receipt stands, nothing changed"


class Judged(NamedTuple):
    """What a message is worth, before anything of it is kept."""

    hand: Hand  #: what the seat's hand becomes
    kind: str  #: of the verdict
    said: str  #: the verdict, for the referee's screen
    receipt: KeptReceipt | None = None  #: None where nothing is kept and nobody answered
    exit_code: int = 0
    lines: tuple[intake.Verdict, ...] = ()
    asks: tuple[str, ...] = ()
    more: tuple[str, ...] = ()  #: further lines for the screen
    why: str = ""  #: for the referee alone
    mark: str = ""  #: by what else than its bytes the message is known when it comes again
    votes: tuple[str, ...] = ()  #: `yes` or `no` to an undo, to be kept
    again: int = 0  #: the number of the receipt that goes out once more


class Case:
    """A message and the game it is for. Holds secrets of the game: never printed."""

    def __init__(
        self,
        session: Session,
        seat: str,
        message: Message,
        data: bytes,
        typed: bool = False,
        secret: bool = False,
        error: PbemError | None = None,
    ) -> None:
        """``data``: the bytes that may be kept. ``typed``: by the referee. ``secret``: the verdict
        may name hidden orders. ``error``: why the message could not be read.
        """
        self.session, self.seat, self.message, self.data = session, seat, message, data
        self.typed, self.secret, self.error = typed, secret, error

    def within(self, session: Session, message: Message) -> "Case":
        """The same message in the game as it is now."""
        return Case(session, self.seat, message, self.data, self.typed, self.secret, self.error)

    @property
    def hand(self) -> Hand:
        """The seat's hand before this message."""
        return self.session.hands[self.seat]

    @cached_property
    def age(self) -> int:
        """How many questions of the seat were answered since the one that this message answers."""
        if self.typed:
            return 0
        mine = owner([self.session], self.message)
        return mine.age if mine else len(self.hand.done) + 1

    @property
    def stale(self) -> bool:
        """Its question is settled; what was forced (R-1) leaves an earlier code good."""
        return self.age > len(self.hand.done)

    @property
    def sheet(self) -> Sheet:
        """The orders in it, with a `yes` or `no` to an undo among what it asks."""
        return self._read[0]

    @property
    def asking(self) -> Asking | None:
        """The asking about an undo that its code is of."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[Sheet, Asking | None]:
        sheet = sheet_of(self.message, self.session.game)
        return with_consent(
            self.session, self.seat, self.message.codes, sheet, self.stale, self.typed
        )

    def came_before(self, final: bool) -> bool:
        """Whether these bytes were taken already.

        The same words without a mail's id may be meant once more, when other orders came in
        between; not where nothing they say can count (``final``).
        """
        unique, handled = self.message.unique, self.hand.handled
        before = (
            self.message.digest in dict(handled)
            if unique
            else (bool(handled) and handled[-1][0] == self.message.digest)
        )
        return before or ((unique or final) and self._forgotten())

    def _forgotten(self) -> bool:
        """Whether a mail came so long ago that its receipt is forgotten. Fed again it changes
        nothing: an old `withdraw` must not take new orders back.
        """
        full = len(self.hand.handled) >= MOST_HANDLED
        return full and self.session.folder.mail(mail_name(self.message)) is not None


def mail_name(message: Message) -> str:
    """The name under which a message is kept."""
    return f"{message.digest[:32]}.eml"


def guarded(session: Session, seat: str, message: Message) -> Message:
    """Without anything that may be the seat's password, where it has one, or had one once."""
    if message.guarded:
        return message
    known = session.link.player(seat).known == "password"
    return message.for_password_seat() if known or session.players.seats[seat].password else message


def check_claims(case: Case) -> None:
    """What a move file says of itself must be so; its code has been found good."""
    message = case.message
    for what, claimed, found in (
        ("game", message.game, case.session.link.game),
        ("seat", message.seat, case.seat),
    ):
        if claimed is not None and claimed != found:
            raise BadInput(
                f"move/{what}",
                f"the move file names another {what} than its code",
                "take both from the same report",
            )


def fixed_answer(case: Case, known: Known) -> Judged:
    """P6: one fixed answer, to the registered address alone; it says nothing of mail or game."""
    session, seat = case.session, case.seat
    why = f"not kept: {known.why}"
    if known.silent:
        return Judged(case.hand, "not known", why, exit_code=1, why=known.why)
    code, player = session.code(seat), session.link.player(seat)
    values: dict[str, object] = {"label": session.label, "seat": seat, "code": code}
    values |= {"kind": session.game.kind, "known": player.known, "player": player.name}
    values["dealt"] = session.link.dealt
    text = render("not_known.txt", *session.templates, **values)
    about = f"{session.label}: not kept"
    receipt = KeptReceipt(code, about, session.time, resend=False, text=text)
    return Judged(case.hand, "not known", why, receipt, exit_code=1, why=known.why)
