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
from pbem.disk.folder import CONSENT_FILE
from pbem.engine.row import Row
from pbem.errors import BadInput, PbemError
from pbem.mail.compose import ADDRESS
from pbem.mail.identity import looks_like_ours
from pbem.notation.absence import Absence, is_absence
from pbem.notation.asks import VOTES
from pbem.notation.commands import find_command, find_reserved_word
from pbem.notation.lines import ParsedOrders
from pbem.play import validation
from pbem.play.consent import UndoReply, doubt_double_vote
from pbem.play.deadlines.options import describe_clock
from pbem.play.email_order import format_arrival
from pbem.play.pending_orders import MAX_HANDLED_MARKS, PendingOrders
from pbem.play.signed_orders import list_signed_lines
from pbem.report.receipt import absences_in, reply_rows, votes_in
from pbem.report.render import render
from pbem.services.amend.consent import has_open_code, read_vote
from pbem.services.messages import StoredMessage
from pbem.services.receipts import StoredReceipt
from pbem.services.receive.absences import read_absences
from pbem.services.receive.find_game import find_code_owners, find_owner
from pbem.services.receive.message import (
    ReceivedEmail,
    format_for_storage,
    lines_for_referee,
    looks_automatic,
    parse_orders,
    redivide_lines,
    referee_message_lines,
)
from pbem.services.receive.sent_text import texts_sent_to
from pbem.services.session.session import Session


class Submission(NamedTuple):
    """A message and the game it is for. Holds secrets of the game: never printed."""

    session: Session
    seat: str
    email: ReceivedEmail
    typed_by_referee: bool = False  #: by the referee
    shows_hidden_orders: bool = False  #: the verdict may name hidden orders
    error: PbemError | None = None  #: why the message could not be read
    # what follows is known under the lock
    is_too_late: bool = False  #: it comes too late for anything it may want, by all its words
    pending: PendingOrders = PendingOrders()  #: the seat's hand before this message
    question_age: int = 0  #: how many questions of the seat were answered since the one that it answers
    is_stale: bool = False  #: its question is settled; what was forced (R-1) leaves a code good
    orders: ParsedOrders = ParsedOrders()  #: the orders in it, with `yes` or `no` to an undo among what it asks
    undo_reply: UndoReply | None = None  #: the asking about an undo that its code is of
    proposal_answer: str = ""  #: `yes` or `no` that answers no undo: what pbem proposed, perhaps

    @property
    def received_at(self) -> str:
        """When it came, as what stands in a hand is noted."""
        return format_arrival(self.email.arrival, self.email.headers.sent_at, self.session.time)

    @property
    def referee_message(self) -> tuple[str, ...]:
        """What of a message in a game that is dealt is for the referee to read; nothing of what the
        referee typed.
        """
        return self.referee_message_in(self.orders)

    def referee_message_in(self, orders: ParsedOrders) -> tuple[str, ...]:
        """The same, of orders that are read like this."""
        if self.typed_by_referee:
            return ()
        # without deadlines nothing else tells the referee that a player is away
        absence_lines = () if self.session.record.clock.has_deadlines else absences_in(orders.commands)
        return self.referee_message_from([*absence_lines, *lines_for_referee(self.email, orders)])

    def referee_message_from(self, lines: Iterable[str]) -> tuple[str, ...]:
        """The same of these lines."""
        message_lines = referee_message_lines(lines, self.session.record.player(self.seat).name)
        if not message_lines:
            return ()
        from pbem.services.receive.prose import without_layout

        return tuple(without_layout(self.session, message_lines))

    def referee_message_row(self, referee_message: tuple[str, ...]) -> Row | None:
        """What the receipt says of it, the macro ``letter_KIND``: kept it is, unless a password may
        stand in it (P11).
        """
        return Row("unkept" if self.email.may_hold_password else "kept") if referee_message else None

    @property
    def opponent_seat(self) -> str:
        """Another seat, from whose player's address it came; "" if it is also its own player's."""
        sender, seats = self.email.headers.sender, self.session.players.seats
        other_seats = (seat for seat, person in seats.items() if sender and person.has_address(sender))
        return "" if self.typed_by_referee or seats[self.seat].has_address(sender) else next(other_seats, "")

    @property
    def unregistered_sender(self) -> str:
        """The address that it came from, if that is not its player's own and nothing but the code
        shows whose it is; "" if not. One that may hold a password is not named.
        """
        person, sender = self.session.players.seats[self.seat], self.email.headers.sender
        record = self.session.record
        method = record.player(self.seat).method
        is_proven = self.typed_by_referee or method.password or (method.key and record.is_dealt)
        if is_proven or not (sender and person.address) or person.has_address(sender):
            return ""
        hides_address = self.email.may_hold_password or looks_like_ours(sender)
        return sender if ADDRESS.fullmatch(sender) and not hides_address else "another address"


def update_under_lock(submission: Submission, session: Session) -> Submission:
    """The same message in the game as it is now; quoted with care where its seat has a password,
    or had one once.
    """
    seat, email, pending = (submission.seat, submission.email, session.pending_by_seat[submission.seat])
    password = session.record.player(seat).method.password or session.players.seats[seat].password
    email = email._replace(may_hold_password=bool(password))
    if not email.is_move_file:
        sent_texts, referee_name = (texts_sent_to(session, seat, email.headers), session.players.referee.name)
        email = redivide_lines(email, sent_texts, referee_name, lambda text: _is_order(session, text))
        is_automatic = looks_automatic(email.headers.subject, session.label)
        email = email._replace(is_automatic=is_automatic)
    updated = submission._replace(session=session, email=email, pending=pending)
    if not session.record.is_dealt:
        return updated
    is_late = not submission.typed_by_referee and is_too_late(session, seat, email)
    question_age = 0
    if not submission.typed_by_referee:
        email_owner = find_owner([session], email)
        question_age = email_owner.age if email_owner else len(pending.forced_orders) + 1
    is_stale, undo_reply = question_age > len(pending.forced_orders), None
    orders = interpret_prose(session, seat, parse_orders(email, session.game), email.may_hold_password)
    requests = tuple(quotable_request(session, email, request) for request in orders.commands)
    if email.is_automatic:  # a machine agrees to nothing
        requests = tuple(request for request in requests if request not in VOTES)
    orders = doubt_double_vote(orders._replace(commands=requests))
    if session.folder.read_desk_file(CONSENT_FILE):
        has_proposal = bool(pending.proposal)
        orders, undo_reply = read_vote(
            session, seat, email.codes, orders, is_stale, submission.typed_by_referee, has_proposal
        )
    proposal_answer = "" if undo_reply and undo_reply.is_open else next(iter(votes_in(orders.commands)), "")
    if proposal_answer:
        orders = orders._replace(commands=tuple(request for request in orders.commands if request not in VOTES))
    return updated._replace(
        is_too_late=is_late,
        question_age=question_age,
        is_stale=is_stale,
        orders=orders,
        undo_reply=undo_reply,
        proposal_answer=proposal_answer,
    )


def interpret_prose(session: Session, seat: str, orders: ParsedOrders, may_hold_password: bool) -> ParsedOrders:
    """The sheet with its prose read, as the seat's player sees the game."""
    if not orders.prose:
        return orders
    from pbem.play.proposals.prose import read_prose
    from pbem.services.receive.prose import make_reader

    return read_prose(make_reader(session, seat, may_hold_password), orders)


def _is_order(session: Session, text: str) -> bool:
    """Whether these words by themselves are an order, a command or an answer."""
    plain_text = text.lower().strip(" .!,:;")
    is_spelled_order = session.game.spell(tuple(plain_text.split())) is not None
    return is_spelled_order or bool(find_command(plain_text) or find_reserved_word(plain_text))


def quotable_request(session: Session, email: ReceivedEmail, request: str) -> str:
    """What is asked for; where the seat has a password, without the number of a rule whose letters
    (those of rule 1) are nobody's.
    """
    what, _, number = request.partition(" ")
    is_unknown_rule = what == "rules" and number and not session.rule(f"{number.partition('-')[0]}-1")
    return what if is_unknown_rule and email.may_hold_password else request


def format_stored_email(submission: Submission, result: "Validation") -> bytes:
    """The message as it is kept: what was recognised of it."""
    session, email = submission.session, submission.email
    code_owners = find_code_owners(session, email.codes)
    codes = [code for code in email.codes if code in code_owners]
    orders = [line for _, line in list_signed_lines(submission.orders._replace(commands=()))]
    lines = dict.fromkeys((*orders, *submission.orders.commands, *result.recognized_lines))
    return format_for_storage(email, codes, lines, session.players.seats[submission.seat])


def is_too_late(session: Session, seat: str, email: ReceivedEmail) -> bool:
    """Whether a mail comes too late for anything it may want.

    While a game that is over is not closed, `rules …` and its like are still answered, and what
    answers the mail that asks whether orders may be undone counts: the last turn may be undone too.
    """
    if session.record.phase == CLOSED:
        return True
    game = session.game
    is_over = game.outcome(game.view(session.position.state, None)) is not None
    if not is_over or has_open_code(session, seat, email.codes):
        return False
    orders = parse_orders(email, game)
    return {*orders.commands} <= {*VOTES} or bool(orders.now or orders.later or orders.doubtful_lines)


def was_received_before(submission: Submission, is_final: bool) -> bool:
    """Whether it was taken already: these bytes, or an email of its player's with its Message-ID.

    The same words without a mail's id may be meant once more, when other orders came in between;
    not where nothing they say can count (``is_final``). Of a mail so old that its receipt is forgotten
    its file tells: an old `withdraw` must not take new orders back.
    """
    folder, player_file = (submission.session.folder, stored_file_name(submission, is_authenticated=True))
    if has_same_bytes(submission) or (
        player_file != stored_file_name(submission) and folder.read_parsed_email(player_file) is not None
    ):
        return True
    if len(submission.pending.handled_marks) < MAX_HANDLED_MARKS or not (submission.email.has_own_id or is_final):
        return False
    return folder.read_parsed_email(stored_file_name(submission)) is not None


def has_same_bytes(submission: Submission) -> bool:
    """Whether these bytes came, as far as the hand remembers."""
    handled = submission.pending.handled_marks
    return submission.email.digest in dict(handled if submission.email.has_own_id else handled[-1:])


def build_stored_message(submission: Submission, lines: tuple[str, ...]) -> StoredMessage:
    """These words of it, as they wait for the referee."""
    email, current_time = submission.email, submission.session.time
    name, arrival = (f"{submission.seat}-{email.digest[:16]}", min(email.arrival or current_time, current_time))
    player = submission.session.record.player(submission.seat).name
    return StoredMessage(name, player, email.headers.sender, arrival, email.quotable_id, lines)


def stored_file_name(submission: Submission, is_authenticated: bool = False) -> str:
    """The name under which a message is kept. One ``is_authenticated`` to be its player's is named by seat,
    sender and Message-ID, since a mailing list may change a copy of it.
    """
    email, headers = submission.email, submission.email.headers
    if is_authenticated and email.has_own_id and not submission.typed_by_referee:
        identity = f"{submission.seat} {headers.sender} {headers.message_id}"
        return f"{digest(identity.encode()).hex()[:32]}.eml"
    return f"{email.digest[:32]}.eml"


REPEATED = "came before; its receipt still counts, and nothing changed"
COPIED = "an email with its Message-ID came before and counts; this one changed nothing"


class Validation(NamedTuple):
    """What a message is worth, before anything of it is kept."""

    pending: PendingOrders  #: what the seat's hand becomes
    kind: str  #: of the verdict
    summary: str  #: the verdict, for the referee's screen
    receipt: StoredReceipt | None = None  #: None where nothing is kept and nobody answered
    exit_code: int = 0
    verdicts: tuple[validation.LineVerdict, ...] = ()
    requests: tuple[str, ...] = ()
    extra_lines: tuple[str, ...] = ()  #: further lines for the screen
    reason: str = ""  #: for the referee alone
    fingerprints: tuple[str, ...] = ()  #: by what else than its bytes it is known when it comes again
    votes: tuple[str, ...] = ()  #: `yes` or `no` to an undo, to be kept
    vote_signature: str = ""  #: of that answer, where its seat has a key
    repeated_receipt_number: int = 0  #: the number of the receipt that goes out once more
    recognized_lines: tuple[str, ...] = ()  #: what was recognised besides orders, canonical; it is kept
    referee_message: tuple[str, ...] = ()  #: what is for the referee to read
    is_proven: bool = False  #: it was shown to be its player's: what has its Message-ID is a copy
    absences: tuple[Absence, ...] | None = None  #: all days on which its player is away, if they change


def check_claims(submission: Submission) -> None:
    """What a move file says of itself must be so; its code has been found good."""
    email = submission.email
    game_claim = ("game", email.claimed_game, submission.session.record.game)
    for what, claimed, actual in (game_claim, ("seat", email.claimed_seat, submission.seat)):
        if claimed is not None and claimed != actual:
            why = f"the move file names another {what} than its code"
            raise BadInput(f"move/{what}", why, "take both from the same report")


def only_asks_rules(orders: ParsedOrders) -> bool:
    """Whether a mail asks for what stands in the rules and for nothing else: no proof is needed."""
    words = [ask.partition(" ")[0] for ask in orders.commands]
    other = orders.now or orders.later or orders.doubtful_lines
    return bool(words) and {*words} <= {"help", "rules"} and not other


def free_request(submission: Submission) -> str:
    """The same before the deal: what the first line that says anything asks for, if that is all
    that may be answered without proof; else "". Nothing else of such a mail may count.
    """
    first_line = next((line.text for line in submission.email.lines if line.text.strip()), "")
    request = quotable_request(submission.session, submission.email, find_command(first_line.strip().lower()) or "")
    return request if request.partition(" ")[0] in ("help", "rules") else ""


def answer_rows(session: Session, seat: str, requests: tuple[str, ...], accepted: bool = True) -> list[Row]:
    """What `help` and `rules …` get, in the words of the game; a `yes` or `no` is noted where the
    mail was ``accepted``.
    """
    record = session.record
    template_values = {"kind": session.game.kind, "way": record.player(seat).method_name, "seat": seat}
    terms = describe_clock(record.clock) if record.clock.has_deadlines else []

    def help_text(what: str) -> str:
        text = render("help.txt", *session.templates, what=what, terms=terms, **template_values)
        return text.rstrip("\n")

    other_requests = tuple(request for request in requests if not is_absence(request))
    absence_rows = read_absences(session, seat, requests if accepted else ()).receipt_rows
    return [*reply_rows(other_requests, session.rule, help_text, accepted), *absence_rows]
