"""Whether a message is its player's: by their key, their password, its code, or the referee's word.

What must never be here: what it is worth; whether an order is legal; keeping anything.
Laws: what a player is identified by is in the state and nowhere else; a seat with a key is played
by nothing else; before a message is shown to be the player's the answer is fixed, and what it says
has no effect (P6).
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
from pbem.services.receive.submission import Submission, Validation
from pbem.services.session.session import Session


class Authentication(NamedTuple):
    """How a mail was shown to be the player's; ``source`` "" where it was not, and ``why``."""

    source: str
    reason: str = ""  #: for the referee alone
    order_signatures: OrderSignatures | None = None
    line_signatures: tuple[SignedLine, ...] = ()  #: all of them genuine
    fault: Sentence | None = None  #: signed by the player, and yet not as he sent it
    vote_signature: str = ""  #: the signature of a `yes` or `no` to an undo
    opponent_name: str = ""  #: by its code alone, from the address of this other player
    answers_nobody: bool = False  #: it is another person's: today's player is told nothing


def authenticate_player(submission: Submission) -> Authentication:
    """What the state says this player is identified by, and whether the email shows it."""
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
    record, orders, email = submission.session.record, submission.orders, submission.email
    if submission.undo_reply is not None and submission.undo_reply.is_open and (vote := find_single_vote(orders)):
        return _authenticate_by_vote(submission, vote)
    only_votes = {*orders.commands} <= {*VOTES} and not orders.now and not orders.later
    asks_about_undo = not email.order_signatures and is_about_undo(submission.undo_reply, orders)
    if only_votes and (orders.commands or asks_about_undo):
        return Authentication(REPLIED.name)
    lines = [line for _, line in list_signed_lines(orders)]
    key = record.player(submission.seat).key
    proof = check_signatures(
        email.order_signatures, record.game, submission.seat, record.setup.rules_version, key, lines
    )
    if not proof.is_authentic:
        return Authentication("", str(proof.fault or ""))
    line_signatures = tuple(SignedLine(*signature, signed_count=len(lines)) for signature in proof.signatures)
    return Authentication(SIGNED.name, "", email.order_signatures[0], line_signatures, proof.fault)


def _authenticate_by_vote(submission: Submission, vote: str) -> Authentication:
    """An answer to an open asking: it stands in the state of the ruling, so it must be signed."""
    session, seat, consent = (submission.session, submission.seat, find_open_consent(submission.session))
    for signatures in submission.email.order_signatures:
        if consent is None:
            break
        question = question_for(session, consent, seat)
        if (signatures.game, signatures.seat, signatures.state_hash) == (question.game, seat, question.state_hash):
            key = session.record.player(seat).key
            for _, signature in signatures.signatures:
                if signatures.email_number == 0 and question.is_genuine(vote, signature, key):
                    return Authentication(SIGNED.name, vote_signature=signature)
    return Authentication(REPLIED.name, fault=say(UNSIGNED_ANSWER, seat=seat))


def authenticate_by_code(submission: Submission) -> Authentication:
    """Its code, but from an opponent's address; where an account is strict, from the player's own
    address alone.
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
    """One of its lines `password …` has that of its seat."""
    password_hash, passwords = (
        submission.session.players.seats[submission.seat].password,
        submission.email.tried_passwords,
    )
    if not password_hash:
        return Authentication("", f"there is no password for {submission.seat}: desk/players.toml is not as it was")
    if not passwords:
        return Authentication("", "no password was found in it")
    if not matching_password(submission):
        return Authentication("", "its password is not that of the seat")
    return Authentication(WITH_PASSWORD.name)


def matching_password(submission: Submission) -> str:
    """The password of its seat as the message gives it; "" if it does not. Secret."""
    password_hash = submission.session.players.seats[submission.seat].password
    return next((password for password in submission.email.tried_passwords if is_password(password, password_hash)), "")


def refuse_typed_orders(session: Session, seat: str) -> None:
    """Refused ``typed/key``: nobody plays for a player who signs, not even the referee."""
    player = session.record.player(seat)
    if player.method.key:
        why = f"{player.label} plays with a key: only orders that its player signed count"
        raise Refused("typed/key", why, "they type: pbem orders sign VIEW FILE")


def reject_unauthenticated(submission: Submission, authentication: Authentication) -> Validation:
    """P6: one fixed answer, to the registered address alone; it says nothing of mail or game."""
    session, seat = submission.session, submission.seat
    why = f"ignored: {authentication.reason}"
    if authentication.answers_nobody:
        return Validation(submission.pending, "not known", why, exit_code=1, reason=authentication.reason)
    method, is_dealt = session.record.player(seat).method_name, session.record.is_dealt
    is_strict = bool(submission.email.own_address_only and submission.unregistered_sender)
    values = {"kind": session.game.kind, "way": method, "dealt": is_dealt, "strict": is_strict}
    values["opponent"] = authentication.opponent_name
    code = session.code(seat)
    receipt = create_receipt(session, seat, code, "your email was ignored", "not_known.txt", values)
    return Validation(submission.pending, "not known", why, receipt, exit_code=1, reason=authentication.reason)
