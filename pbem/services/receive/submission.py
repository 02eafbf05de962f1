"""One message and the game it is for: the gate it passes, and what all phases know of it.

What lives here: Case, what all phases know of a message; Judged, what each phase gives; the checks
that are the same in every phase. What must never be here: whether it is the player's
(authentication.py); how a phase judges; whether an order is legal; keeping anything.
Law: a mail is one of its kind: fed again it changes nothing.
Source: docs/DESIGN.md "Email", P8; docs/SPECIFICATION.md section 9; decision 0005.
"""

from collections.abc import Iterable
from typing import NamedTuple

from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import digest
from pbem.disk.folder import CONSENT
from pbem.engine.row import Row
from pbem.errors import BadInput, PbemError
from pbem.mail.compose import ADDRESS
from pbem.mail.set_apart import passes_for_ours
from pbem.notation.absence import Away, is_absence
from pbem.notation.asks import VOTES
from pbem.notation.commands import ask_in, not_yet
from pbem.notation.lines import Sheet
from pbem.play import validation
from pbem.play.consent import Asking, one_answer
from pbem.play.deadlines.options import in_sentences
from pbem.play.email_order import moment
from pbem.play.pending_orders import MOST_HANDLED, Hand
from pbem.play.signed_orders import signed_form
from pbem.report.receipt import absences_in, replies_to, votes_in
from pbem.report.render import render
from pbem.services.amend.consent import (
    answers_open,
    with_vote,
)
from pbem.services.messages import KeptLetter
from pbem.services.receipts import KeptReceipt
from pbem.services.receive.absences import absences
from pbem.services.receive.find_game import owner, owners
from pbem.services.receive.message import (
    Incoming,
    as_letter,
    looks_automatic,
    sheet_of,
    stored,
    with_answers,
    words_in,
)
from pbem.services.receive.sent_text import sent_to
from pbem.services.session.session import Session


class Case(NamedTuple):
    """A message and the game it is for. Holds secrets of the game: never printed."""

    session: Session
    seat: str
    message: Incoming
    typed: bool = False  #: by the referee
    secret: bool = False  #: the verdict may name hidden orders
    error: PbemError | None = None  #: why the message could not be read
    # what follows is known under the lock
    late: bool = False  #: it comes too late for anything it may want, by all its words
    hand: Hand = Hand()  #: the seat's hand before this message
    age: int = 0  #: how many questions of the seat were answered since the one that it answers
    stale: bool = False  #: its question is settled; what was forced (R-1) leaves a code good
    sheet: Sheet = Sheet()  #: the orders in it, with `yes` or `no` to an undo among what it asks
    asking: Asking | None = None  #: the asking about an undo that its code is of
    answer: str = ""  #: `yes` or `no` that answers no undo: what pbem proposed, perhaps

    @property
    def came(self) -> str:
        """When it came, as what stands in a hand is noted."""
        return moment(self.message.arrival, self.message.headers.sent, self.session.time)

    @property
    def letter(self) -> tuple[str, ...]:
        """What of a message in a game that is dealt is for the referee to read; nothing of what the
        referee typed.
        """
        return self.letter_in(self.sheet)

    def letter_in(self, sheet: Sheet) -> tuple[str, ...]:
        """The same, of orders that are read like this."""
        if self.typed:
            return ()
        # without deadlines nothing else tells the referee that a player is away
        away = () if self.session.link.clock.on else absences_in(sheet.asks)
        return self.letter_of([*away, *words_in(self.message, sheet)])

    def letter_of(self, lines: Iterable[str]) -> tuple[str, ...]:
        """The same of these lines."""
        words = as_letter(lines, self.session.link.player(self.seat).name)
        if not words:
            return ()
        from pbem.services.receive.prose import without_layout

        return tuple(without_layout(self.session, words))

    def told_of(self, letter: tuple[str, ...]) -> Row | None:
        """What the receipt says of it, the macro ``letter_KIND``: kept it is, unless a password may
        stand in it (P11).
        """
        return Row("unkept" if self.message.guarded else "kept") if letter else None

    @property
    def opponent(self) -> str:
        """Another seat, from whose player's address it came; "" if it is also its own player's."""
        sender, seats = self.message.headers.sender, self.session.players.seats
        others = (seat for seat, one in seats.items() if sender and one.has(sender))
        return "" if self.typed or seats[self.seat].has(sender) else next(others, "")

    @property
    def elsewhere(self) -> str:
        """The address that it came from, if that is not its player's own and nothing but the code
        shows whose it is; "" if not. One that may hold a password is not named.
        """
        person, sender = self.session.players.seats[self.seat], self.message.headers.sender
        record = self.session.link
        way = record.player(self.seat).way
        proven = self.typed or way.password or (way.key and record.dealt)
        if proven or not (sender and person.address) or person.has(sender):
            return ""
        hidden = self.message.guarded or passes_for_ours(sender)
        return sender if ADDRESS.fullmatch(sender) and not hidden else "another address"


def under_lock(case: Case, session: Session) -> Case:
    """The same message in the game as it is now; quoted with care where its seat has a password,
    or had one once.
    """
    seat, message, hand = case.seat, case.message, session.hands[case.seat]
    password = session.link.player(seat).way.password or session.players.seats[seat].password
    message = message._replace(guarded=bool(password))
    if not message.listed:
        sent, referee = sent_to(session, seat, message.headers), session.players.referee.name
        message = with_answers(message, sent, referee, lambda text: _means(session, text))
        automatic = looks_automatic(message.headers.subject, session.label)
        message = message._replace(automatic=automatic)
    now = case._replace(session=session, message=message, hand=hand)
    if not session.link.dealt:
        return now
    late = not case.typed and too_late(session, seat, message)
    age = 0
    if not case.typed:
        mine = owner([session], message)
        age = mine.age if mine else len(hand.done) + 1
    stale, asking = age > len(hand.done), None
    sheet = settled_sheet(session, seat, sheet_of(message, session.game), message.guarded)
    asks = tuple(quotable(session, message, ask) for ask in sheet.asks)
    if message.automatic:  # a machine agrees to nothing
        asks = tuple(ask for ask in asks if ask not in VOTES)
    sheet = one_answer(sheet._replace(asks=asks))
    if session.folder.desk_file(CONSENT):
        proposed = bool(hand.proposal)
        sheet, asking = with_vote(session, seat, message.codes, sheet, stale, case.typed, proposed)
    answer = "" if asking and asking.open else next(iter(votes_in(sheet.asks)), "")
    if answer:
        sheet = sheet._replace(asks=tuple(ask for ask in sheet.asks if ask not in VOTES))
    return now._replace(late=late, age=age, stale=stale, sheet=sheet, asking=asking, answer=answer)


def settled_sheet(session: Session, seat: str, sheet: Sheet, guarded: bool) -> Sheet:
    """The sheet with its prose read, as the seat's player sees the game."""
    if not sheet.prose:
        return sheet
    from pbem.play.proposals.prose import settled
    from pbem.services.receive.prose import reader_of

    return settled(reader_of(session, seat, guarded), sheet)


def _means(session: Session, text: str) -> bool:
    """Whether these words by themselves are an order, a command or an answer."""
    plain = text.lower().strip(" .!,:;")
    spelled = session.game.spell(tuple(plain.split())) is not None
    return spelled or bool(ask_in(plain) or not_yet(plain))


def quotable(session: Session, message: Incoming, ask: str) -> str:
    """What is asked for; where the seat has a password, without the number of a rule whose letters
    (those of rule 1) are nobody's.
    """
    what, _, number = ask.partition(" ")
    unknown = what == "rules" and number and not session.rule(f"{number.partition('-')[0]}-1")
    return what if unknown and message.guarded else ask


def kept_of(case: Case, judged: "Judged") -> bytes:
    """The message as it is kept: what was recognised of it."""
    session, message = case.session, case.message
    mine = owners(session, message.codes)
    codes = [code for code in message.codes if code in mine]
    orders = [line for _, line in signed_form(case.sheet._replace(asks=()))]
    lines = dict.fromkeys((*orders, *case.sheet.asks, *judged.read))
    return stored(message, codes, lines, session.players.seats[case.seat])


def too_late(session: Session, seat: str, message: Incoming) -> bool:
    """Whether a mail comes too late for anything it may want.

    While a game that is over is not closed, `rules …` and its like are still answered, and what
    answers the mail that asks whether orders may be undone counts: the last turn may be undone too.
    """
    if session.link.phase == CLOSED:
        return True
    game = session.game
    over = game.outcome(game.view(session.position.state, None)) is not None
    if not over or answers_open(session, seat, message.codes):
        return False
    sheet = sheet_of(message, game)
    return {*sheet.asks} <= {*VOTES} or bool(sheet.first or sheet.later or sheet.suspects)


def came_before(case: Case, final: bool) -> bool:
    """Whether it was taken already: these bytes, or an email of its player's with its Message-ID.

    The same words without a mail's id may be meant once more, when other orders came in between;
    not where nothing they say can count (``final``). Of a mail so old that its receipt is forgotten
    its file tells: an old `withdraw` must not take new orders back.
    """
    folder, named = case.session.folder, mail_name(case, known=True)
    if is_same(case) or (named != mail_name(case) and folder.mail(named) is not None):
        return True
    if len(case.hand.handled) < MOST_HANDLED or not (case.message.unique or final):
        return False
    return folder.mail(mail_name(case)) is not None


def is_same(case: Case) -> bool:
    """Whether these bytes came, as far as the hand remembers."""
    handled = case.hand.handled
    return case.message.digest in dict(handled if case.message.unique else handled[-1:])


def kept_letter(case: Case, lines: tuple[str, ...]) -> KeptLetter:
    """These words of it, as they wait for the referee."""
    message, now = case.message, case.session.time
    name, came = f"{case.seat}-{message.digest[:16]}", min(message.arrival or now, now)
    player = case.session.link.player(case.seat).name
    return KeptLetter(name, player, message.headers.sender, came, message.known_as, lines)


def mail_name(case: Case, known: bool = False) -> str:
    """The name under which a message is kept. One ``known`` to be its player's is named by seat,
    sender and Message-ID, since a mailing list may change a copy of it.
    """
    message, headers = case.message, case.message.headers
    if known and message.unique and not case.typed:
        whose = f"{case.seat} {headers.sender} {headers.message_id}"
        return f"{digest(whose.encode()).hex()[:32]}.eml"
    return f"{message.digest[:32]}.eml"


REPEATED = "came before; its receipt still counts, and nothing changed"
COPIED = "an email with its Message-ID came before and counts; this one changed nothing"


class Judged(NamedTuple):
    """What a message is worth, before anything of it is kept."""

    hand: Hand  #: what the seat's hand becomes
    kind: str  #: of the verdict
    said: str  #: the verdict, for the referee's screen
    receipt: KeptReceipt | None = None  #: None where nothing is kept and nobody answered
    exit_code: int = 0
    lines: tuple[validation.Verdict, ...] = ()
    asks: tuple[str, ...] = ()
    more: tuple[str, ...] = ()  #: further lines for the screen
    why: str = ""  #: for the referee alone
    marks: tuple[str, ...] = ()  #: by what else than its bytes it is known when it comes again
    votes: tuple[str, ...] = ()  #: `yes` or `no` to an undo, to be kept
    signature: str = ""  #: of that answer, where its seat has a key
    again: int = 0  #: the number of the receipt that goes out once more
    read: tuple[str, ...] = ()  #: what was recognised besides orders, canonical; it is kept
    letter: tuple[str, ...] = ()  #: what is for the referee to read
    proven: bool = False  #: it was shown to be its player's: what has its Message-ID is a copy
    away: tuple[Away, ...] | None = None  #: all days on which its player is away, if they change


def check_claims(case: Case) -> None:
    """What a move file says of itself must be so; its code has been found good."""
    message = case.message
    game = ("game", message.game, case.session.link.game)
    for what, claimed, found in (game, ("seat", message.seat, case.seat)):
        if claimed is not None and claimed != found:
            why = f"the move file names another {what} than its code"
            raise BadInput(f"move/{what}", why, "take both from the same report")


def asks_rules(sheet: Sheet) -> bool:
    """Whether a mail asks for what stands in the rules and for nothing else: no proof is needed."""
    words = [ask.partition(" ")[0] for ask in sheet.asks]
    other = sheet.first or sheet.later or sheet.suspects
    return bool(words) and {*words} <= {"help", "rules"} and not other


def free_ask(case: Case) -> str:
    """The same before the deal: what the first line that says anything asks for, if that is all
    that may be answered without proof; else "". Nothing else of such a mail may count.
    """
    said = next((line.text for line in case.message.lines if line.text.strip()), "")
    ask = quotable(case.session, case.message, ask_in(said.strip().lower()) or "")
    return ask if ask.partition(" ")[0] in ("help", "rules") else ""


def answers_to(
    session: Session, seat: str, asks: tuple[str, ...], accepted: bool = True
) -> list[Row]:
    """What `help` and `rules …` get, in the words of the game; a `yes` or `no` is noted where the
    mail was ``accepted``.
    """
    record = session.link
    who = {"kind": session.game.kind, "way": record.player(seat).identified, "seat": seat}
    terms = in_sentences(record.clock) if record.clock.on else []

    def told(what: str) -> str:
        text = render("help.txt", *session.templates, what=what, terms=terms, **who)
        return text.rstrip("\n")

    others = tuple(ask for ask in asks if not is_absence(ask))
    away = absences(session, seat, asks if accepted else ()).rows
    return [*replies_to(others, session.rule, told, accepted), *away]
