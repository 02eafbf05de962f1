"""Authentication of an email: by the player's key or password, its code, or the referee who typed it.

Not allowed here: validation; storing anything.
Laws: the method of a seat is in the state and nowhere else; only its key plays a seat with a key; an
email that fails authentication has no effect, and pbem's answer does not depend on what it says (P6).
Source: docs/DESIGN.md P6; docs/SPECIFICATION.md section 9; decision 0005.
"""

from typing import NamedTuple

from pbem.chain.sources import BY_REFEREE, REPLIED, SIGNED, WITH_PASSWORD
from pbem.crypto.keys import is_password
from pbem.engine.row import Sentence, say
from pbem.errors import Refused
from pbem.notation.asks import VOTES
from pbem.notation.move_file import OrderSignatures
from pbem.play.consent import find_single_vote
from pbem.play.pending_orders import SignedLine
from pbem.play.sentences import UNSIGNED_ANSWER
from pbem.play.signed_orders import check_signatures, list_signed_lines
from pbem.services.amend.consent import find_open_consent, is_about_undo, question_for
from pbem.services.receipts import create_receipt
from pbem.services.receive.result import Validation
from pbem.services.receive.submission import Submission
from pbem.services.session.session import Session


class Authentication(NamedTuple):
    """How an email was shown to be its player's."""

    source: str  #: a name of chain/sources.py; "" if authentication failed
    reason: str = ""  #: why it failed; only the referee reads it
    order_signatures: OrderSignatures | None = None
    line_signatures: tuple[SignedLine, ...] = ()  #: all with genuine signatures
    fault: Sentence | None = None  #: why its orders do not count: their signature does not fit, or is missing
    vote_signature: str = ""  #: the signature of a `yes` or `no` to an undo
    opponent_name: str = ""  #: it has only the code, and came from this other player's address
    answers_nobody: bool = False  #: a former player seems to have written it, so today's player gets no answer


def authenticate_player(submission: Submission) -> Authentication:
    """Authenticate an email by the method that the state names for its seat."""
    seat = submission.seat
    player = submission.session.record.player(seat)
    method = player.method
    if method.key:
        return _authenticate_by_key(submission)
    if submission.typed_by_referee:
        return Authentication(BY_REFEREE.name)
    if method.password:
        return authenticate_by_password(submission)
    if method.code:
        return authenticate_by_code(submission)
    return Authentication("", f"you type the orders of {player.label}: --typed {seat}")


def _authenticate_by_key(submission: Submission) -> Authentication:
    """Authenticate an email by the signatures of its orders, or by its code if it plays nothing."""
    record, orders, email = submission.session.record, submission.orders, submission.email
    vote = find_single_vote(orders)
    if vote and submission.undo_reply is not None and submission.undo_reply.is_open:
        return _authenticate_by_vote(submission, vote)
    has_only_votes = {*orders.commands} <= {*VOTES} and not orders.now and not orders.later
    asks_about_undo = not email.order_signatures and is_about_undo(submission.undo_reply, orders)
    if has_only_votes and (orders.commands or asks_about_undo):  # it plays nothing, so its code is enough
        return Authentication(REPLIED.name)
    lines = [line for _, line in list_signed_lines(orders)]
    key = record.player(submission.seat).key
    proof = check_signatures(
        email.order_signatures, record.game, submission.seat, record.setup.rules_version, key, lines
    )
    if not proof.is_authentic:
        return Authentication("", str(proof.fault or ""))
    return Authentication(SIGNED.name, "", email.order_signatures[0], proof.signed_lines, proof.fault)


def _authenticate_by_vote(submission: Submission, vote: str) -> Authentication:
    """Authenticate the answer to an open undo. It must be signed, because the ruling's state will show it."""
    session, seat = submission.session, submission.seat
    consent = find_open_consent(session)
    unsigned = Authentication(REPLIED.name, fault=say(UNSIGNED_ANSWER, seat=seat))
    if consent is None:
        return unsigned
    question, key = question_for(session, consent, seat), session.record.player(seat).key
    for signatures in submission.email.order_signatures:
        # an answer to an undo has number 0, since orders are numbered from 1
        is_answer = (signatures.game, signatures.seat, signatures.email_number) == (question.game, seat, 0)
        if is_answer and signatures.state_hash == question.state_hash:
            for _, signature in signatures.signatures:
                if question.is_genuine(vote, signature, key):
                    return Authentication(SIGNED.name, vote_signature=signature)
    return unsigned


def authenticate_by_code(submission: Submission) -> Authentication:
    """Authenticate an email by its code, unless it came from an opponent's address.

    Some mail accounts accept orders only from the player's own address.
    """
    if submission.opponent_seat:
        opponent_name = submission.session.record.player(submission.opponent_seat).label
        return Authentication("", f"it came from the address of {opponent_name}", opponent_name=opponent_name)
    if submission.email.own_address_only and submission.unregistered_sender:
        return Authentication(
            "", f"it came from {submission.unregistered_sender}, and the mail account accepts no such orders"
        )
    return Authentication(REPLIED.name)


def authenticate_by_password(submission: Submission) -> Authentication:
    """Authenticate an email by a line `password …` with the password of its seat."""
    if not submission.session.players.seats[submission.seat].password:
        return Authentication("", f"there is no password for {submission.seat}: desk/players.toml is not as it was")
    if not submission.email.tried_passwords:
        return Authentication("", "no password was found in it")
    if not find_matching_password(submission):
        return Authentication("", "its password is not that of the seat")
    return Authentication(WITH_PASSWORD.name)


def find_matching_password(submission: Submission) -> str:
    """Return the password of the seat, if the email has it; else "". Secret."""
    password_hash = submission.session.players.seats[submission.seat].password
    return next((password for password in submission.email.tried_passwords if is_password(password, password_hash)), "")


def refuse_typed_orders(session: Session, seat: str) -> None:
    """Raise Refused ``typed/key`` if the player signs orders, since the referee cannot play for them."""
    player = session.record.player(seat)
    if player.method.key:
        why = f"{player.label} plays with a key: only orders that its player signed count"
        raise Refused("typed/key", why, "they type: pbem orders sign VIEW FILE")


class UnauthenticatedReceipt(NamedTuple):
    """Says why an email was ignored, and how to show whose it is."""

    kind: str  #: of the game
    way: str  #: how the player is authenticated
    dealt: bool
    strict: bool  #: the email came from another address, and its player allows only their own
    opponent: str  #: the player from whose address it came; "" for nobody's
    template: str = "not_known.txt"


def reject_unauthenticated(submission: Submission, authentication: Authentication) -> Validation:
    """Return the validation of an email that failed authentication, with a fixed answer (P6).

    The answer goes to the registered address.
    """
    session, seat, reason = submission.session, submission.seat, authentication.reason
    why = f"ignored: {reason}"
    if authentication.answers_nobody:
        return Validation(submission.pending, "not known", why, exit_code=1, reason=reason)
    method, is_dealt = session.record.player(seat).method_name, session.record.is_dealt
    is_strict = bool(submission.email.own_address_only and submission.unregistered_sender)
    content = UnauthenticatedReceipt(session.game.kind, method, is_dealt, is_strict, authentication.opponent_name)
    receipt = create_receipt(session, seat, session.code(seat), "your email was ignored", content)
    return Validation(submission.pending, "not known", why, receipt, exit_code=1, reason=reason)
