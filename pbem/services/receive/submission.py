"""A received email and its game: before the game is locked, then under the lock with its text interpreted.

Not allowed here: whether the email is the player's (authentication.py); how a phase validates
it; whether an order is legal; storing anything.
Source: docs/DESIGN.md "The way of an email"; docs/SPECIFICATION.md section 9; decision 0009.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from pbem.chain.state_record import CLOSED
from pbem.disk.folder import CONSENT_FILE, MessageStatus
from pbem.engine.row import Row
from pbem.errors import BadInput, PbemError
from pbem.mail.compose import ADDRESS
from pbem.mail.every_text import read_mail_texts
from pbem.mail.identity import looks_like_ours
from pbem.mail.mime import Headers
from pbem.notation.absence import is_absence
from pbem.notation.asks import VOTES
from pbem.notation.commands import find_command, find_reserved_word
from pbem.notation.lines import Grammar, ParsedOrders
from pbem.play.consent import UndoReply, hold_double_vote
from pbem.play.deadlines.options import describe_clock
from pbem.play.email_order import format_arrival
from pbem.play.pending_orders import PendingOrders
from pbem.report.receipt import absences_in, reply_rows, votes_in
from pbem.report.render import render
from pbem.services.amend.consent import has_open_code, read_vote
from pbem.services.receive.absences import read_absences
from pbem.services.receive.find_game import find_owner
from pbem.services.receive.message import (
    ReceivedEmail,
    grammar_of,
    lines_for_referee,
    looks_automatic,
    parse_orders,
    redivide_lines,
    referee_message_lines,
)
from pbem.services.session.session import Session

NEWEST_MESSAGES = 2  #: how many of our emails of each kind are compared with a reply that names none
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,320}>")
_MESSAGE_ID_HEADER = re.compile(rb"(?mi)^Message-ID:\s*(<[^<>\s]{1,320}>)")


class IncomingEmail(NamedTuple):
    """What is known of a received email before its game is locked."""

    session: Session  #: the game as it was when pbem started
    seat: str
    email: ReceivedEmail
    typed_by_referee: bool = False
    shows_hidden_orders: bool = False  #: the verdict may name hidden orders
    error: PbemError | None = None  #: why the email could not be read


class Submission(NamedTuple):
    """A received email in its game, under the lock. Holds secrets of the game: never printed."""

    session: Session  #: the game as it is now
    seat: str
    email: ReceivedEmail  #: its lines divided into the player's own and quoted ones
    typed_by_referee: bool
    shows_hidden_orders: bool  #: the verdict may name hidden orders
    error: PbemError | None  #: why the email could not be read
    pending: PendingOrders  #: the seat's pending orders before this email
    grammar: Grammar  #: the words of the game's orders, and what may be quoted of this email
    # Before the deal the rest keeps its default: such an email has no orders.
    is_too_late: bool = False  #: nothing in the email can count, because the game is over
    question_age: int = 0  #: how many questions the seat has answered since the one that this email answers
    is_stale: bool = False  #: its question was answered by the player; a forced answer (R-1) leaves it open
    orders: ParsedOrders = ParsedOrders()  #: what the email says; commands include a `yes` or `no` to an undo
    undo_reply: UndoReply | None = None  #: the request for an undo whose code the email carries
    proposal_answer: str = ""  #: a `yes` or `no` that is not about an undo: it may answer a proposal of pbem

    @property
    def received_at(self) -> str:
        """When the email arrived, in the form that pending orders store."""
        return format_arrival(self.email.arrival, self.email.headers.sent_at, self.session.time)

    @property
    def referee_message(self) -> tuple[str, ...]:
        """The player's words for the referee, in a game that is dealt; () if the referee typed the email."""
        if self.typed_by_referee:
            return ()
        # pbem notes absences only where there are deadlines; elsewhere the referee must read about them
        absence_lines = () if self.session.record.clock.has_deadlines else absences_in(self.orders.commands)
        lines = [*absence_lines, *lines_for_referee(self.email, self.orders)]
        return self.clean_message_to_referee(lines, keeps_greetings=True)

    def clean_message_to_referee(self, lines: Iterable[str], keeps_greetings: bool = False) -> tuple[str, ...]:
        """Return these lines without greetings, signatures, bare names and lines that mention a password.

        ``keeps_greetings``: keep greetings that are all that the lines say.
        """
        message_lines = referee_message_lines(lines, self.session.record.player(self.seat).name)
        if not message_lines:
            return ()
        # imported here because it loads the words of all languages, and most emails have no such lines
        from pbem.services.receive.prose import without_layout

        return tuple(without_layout(self.session, message_lines)) or (message_lines if keeps_greetings else ())

    def referee_message_row(self, referee_message: tuple[str, ...]) -> Row | None:
        """Return the row that tells the player whether this message was stored, or None without a message.

        The macro ``letter_KIND`` renders it. A message that may hold a password is not stored (P11).
        """
        if not referee_message:
            return None
        return Row("unkept" if self.email.may_hold_password else "kept")

    @property
    def opponent_seat(self) -> str:
        """The seat of the other player from whose address the email came; "" if there is none.

        If this player shares the address with another, the email counts as this player's.
        """
        sender, seats = self.email.headers.sender, self.session.players.seats
        if self.typed_by_referee or not sender or seats[self.seat].has_address(sender):
            return ""
        return next((seat for seat, person in seats.items() if person.has_address(sender)), "")

    @property
    def unregistered_sender(self) -> str:
        """The sender's address, if it is not the player's own and the email has only a code; else "".

        An address that may hold a password is replaced by the words "another address".
        """
        person, sender = self.session.players.seats[self.seat], self.email.headers.sender
        record = self.session.record
        method = record.player(self.seat).method
        is_proven = self.typed_by_referee or method.password or (method.key and record.is_dealt)
        if is_proven or not (sender and person.address) or person.has_address(sender):
            return ""
        hides_address = self.email.may_hold_password or looks_like_ours(sender)
        return sender if ADDRESS.fullmatch(sender) and not hides_address else "another address"


def read_under_lock(incoming: IncomingEmail, session: Session) -> Submission:
    """Interpret a received email in its game as it is now, under the lock.

    Where the seat has a password, or ever had one, less of the email may be quoted.
    """
    seat = incoming.seat
    email = _complete_email(session, seat, incoming.email)
    submission = Submission(
        session=session,
        seat=seat,
        email=email,
        typed_by_referee=incoming.typed_by_referee,
        shows_hidden_orders=incoming.shows_hidden_orders,
        error=incoming.error,
        pending=session.pending_by_seat[seat],
        grammar=grammar_of(session.game, email.may_hold_password),
    )
    return _interpret(submission) if session.record.is_dealt else submission


def _complete_email(session: Session, seat: str, email: ReceivedEmail) -> ReceivedEmail:
    """Return the email with what pbem can only tell once its game is known (decision 0009).

    That is: whether it may hold a password, which lines are the player's own and which quote an
    email of the game, and whether a program sent it. In a move file every line is the player's own.
    """
    # an email may still hold a password that the referee has replaced since
    has_password = bool(session.record.player(seat).method.password or session.players.seats[seat].password)
    email = email._replace(may_hold_password=has_password)
    if email.is_move_file:
        return email
    sent_texts = read_sent_texts(session, seat, email.headers)
    email = redivide_lines(email, sent_texts, session.players.referee.name, partial(_is_order, session))
    return email._replace(is_automatic=looks_automatic(email.headers.subject, session.label))


def _interpret(submission: Submission) -> Submission:
    """Return the submission with what its email says, and with the age of the question that it answers."""
    session, seat, email, pending = submission.session, submission.seat, submission.email, submission.pending
    is_typed = submission.typed_by_referee
    parsed_orders = parse_orders(email, submission.grammar)
    is_late = not is_typed and is_too_late(session, seat, email, parsed_orders)
    question_age = 0
    if not is_typed:
        owner = find_owner([session], email)
        # if no seat owns its code now, the email counts as stale
        question_age = owner.age if owner else len(pending.forced_orders) + 1
    is_stale, undo_reply = question_age > len(pending.forced_orders), None
    orders = _keep_valid_commands(submission, interpret_prose(session, seat, parsed_orders, submission.grammar))
    if session.folder.read_desk_file(CONSENT_FILE):
        orders, undo_reply = read_vote(session, seat, email.codes, orders, is_stale, is_typed, bool(pending.proposal))
    answers_open_undo = undo_reply is not None and undo_reply.is_open
    proposal_answer = "" if answers_open_undo else next(iter(votes_in(orders.commands)), "")
    if proposal_answer:
        orders = _without_votes(orders)
    return submission._replace(
        is_too_late=is_late,
        question_age=question_age,
        is_stale=is_stale,
        orders=orders,
        undo_reply=undo_reply,
        proposal_answer=proposal_answer,
    )


def interpret_prose(session: Session, seat: str, orders: ParsedOrders, grammar: Grammar) -> ParsedOrders:
    """Return the orders with the prose around them interpreted, as the seat's player sees the game."""
    if not orders.prose:
        return orders
    from pbem.play.proposals.prose import read_prose
    from pbem.services.receive.prose import make_reader

    return read_prose(make_reader(session, seat, grammar), orders)


def _keep_valid_commands(submission: Submission, orders: ParsedOrders) -> ParsedOrders:
    """Return the orders with quotable commands, at most one vote, and no vote in an automatic email."""
    commands = tuple(quotable_request(submission.session, submission.email, command) for command in orders.commands)
    orders = orders._replace(commands=commands)
    if submission.email.is_automatic:
        orders = _without_votes(orders)
    return hold_double_vote(orders)


def _without_votes(orders: ParsedOrders) -> ParsedOrders:
    return orders._replace(commands=tuple(command for command in orders.commands if command not in VOTES))


def _is_order(session: Session, text: str) -> bool:
    """Return whether this text by itself is an order, a command or an answer."""
    plain_text = text.lower().strip(" .!,:;")
    is_spelled_order = session.game.spell(tuple(plain_text.split())) is not None
    return is_spelled_order or bool(find_command(plain_text) or find_reserved_word(plain_text))


def quotable_request(session: Session, email: ReceivedEmail, request: str) -> str:
    """Return a command in the form that a receipt may quote.

    A word that is not a rule number could be the player's password. Where the email may hold one,
    `rules XYZ-7` becomes `rules`, unless the game has a rule XYZ-1.
    """
    command, _, number = request.partition(" ")
    is_unknown_rule = command == "rules" and number and not session.rule(f"{number.partition('-')[0]}-1")
    return command if is_unknown_rule and email.may_hold_password else request


def is_too_late(session: Session, seat: str, email: ReceivedEmail, orders: ParsedOrders) -> bool:
    """Return whether nothing in an email can count because the game is over or closed.

    Until the referee closes a finished game, pbem still answers commands such as `rules …`. It also
    accepts answers about an undo, because the last turn may be undone. ``orders``: without the prose.
    """
    if session.record.phase == CLOSED:
        return True
    is_over = session.game.outcome(session.game.view(session.position.state, None)) is not None
    if not is_over or has_open_code(session, seat, email.codes):
        return False
    asks_nothing = {*orders.commands} <= {*VOTES}
    return asks_nothing or bool(orders.now or orders.later or orders.doubtful_lines)


def read_sent_texts(session: Session, seat: str, headers: Headers) -> Iterator[tuple[str, ...]]:
    """Yield the texts of each of our emails to a seat, which its player may quote; the likeliest come first.

    First come the emails that the reply names, then the newest of each kind, then the newest report,
    which may not have been emailed. Other seats' emails are never read.
    """
    named_ids = {*_MESSAGE_ID.findall(f"{headers.in_reply_to} {headers.references}")[-9:]}
    messages_by_kind = dict[str, list[tuple[MessageStatus, str]]]()
    for mark in (MessageStatus.SENT, MessageStatus.SENDING, MessageStatus.WAITING):
        for name in session.folder.list_messages(mark):
            if seat in name.partition(".")[0].split("-"):
                # without its numbers a name is a kind: `receipt-red-0003` is a `receipt-red-`
                messages_by_kind.setdefault(re.sub(r"\d+", "", name), []).append((mark, name))
    newest_messages = [
        message for messages in messages_by_kind.values() for message in messages[: -NEWEST_MESSAGES - 1 : -1]
    ]
    older_messages = [message for messages in messages_by_kind.values() for message in messages[:-NEWEST_MESSAGES]]
    unnamed_messages = list[bytes]()
    # read the newest emails in any case, and older ones only until every named email is found
    for index, (mark, name) in enumerate((*newest_messages, *older_messages)):
        is_newest = index < len(newest_messages)
        if not (is_newest or named_ids):
            break
        data = session.folder.read_message(mark, name) or b""
        match = _MESSAGE_ID_HEADER.search(data[:4096])
        message_id = match[1].decode("ascii", "replace") if match else ""
        if message_id in named_ids:
            named_ids.discard(message_id)
            yield _read_texts(data)
        elif is_newest:
            unnamed_messages.append(data)
    yield from map(_read_texts, unnamed_messages)
    if report := session.folder.read_report(session.record.n, f"{seat}.txt"):
        yield (report.decode(),)


def _read_texts(data: bytes) -> tuple[str, ...]:
    """Return the plain text of an email and its HTML as text; () if it cannot be read."""
    try:
        return read_mail_texts(data).texts[:2]
    except BadInput:
        return ()


def check_claims(submission: Submission) -> None:
    """Raise BadInput ``move/game`` or ``move/seat`` where a move file contradicts its code."""
    email = submission.email
    game_claim = ("game", email.claimed_game, submission.session.record.game)
    seat_claim = ("seat", email.claimed_seat, submission.seat)
    for what, claimed, actual in (game_claim, seat_claim):
        if claimed is not None and claimed != actual:
            why = f"the move file names another {what} than its code"
            raise BadInput(f"move/{what}", why, "take both from the same report")


def only_asks_rules(orders: ParsedOrders) -> bool:
    """Return whether an email asks only for help or rules, which needs no authentication."""
    words = {command.partition(" ")[0] for command in orders.commands}
    has_orders = orders.now or orders.later or orders.doubtful_lines
    return bool(words) and words <= {"help", "rules"} and not has_orders


def find_help_request(submission: Submission) -> str:
    """Return the command `help` or `rules …` in the first line of text before the deal; else "".

    It needs no authentication, so nothing else in such an email may count.
    """
    first_line = next((line.text for line in submission.email.lines if line.text.strip()), "")
    request = quotable_request(submission.session, submission.email, find_command(first_line.strip().lower()) or "")
    return request if request.partition(" ")[0] in ("help", "rules") else ""


def answer_rows(session: Session, seat: str, requests: tuple[str, ...], accepted: bool = True) -> list[Row]:
    """Return the rows with which a receipt answers commands, in the words of the game.

    ``accepted``: whether the email was accepted, so that a vote or an absence in it counts.
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
