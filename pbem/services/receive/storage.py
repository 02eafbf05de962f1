"""Storing a received email with its effects and receipt, and recognising it when it comes again.

What must never be here: how an email is validated.
Laws: everything is durable before the receipt goes out (P8); of an email only what pbem recognised is stored (P11).
Source: docs/DESIGN.md "Email", P8; docs/SPECIFICATION.md section 9; decision 0005.
"""

from pbem.crypto.encoding import digest
from pbem.errors import PbemError, Refused
from pbem.play.pending_orders import MAX_HANDLED_MARKS
from pbem.play.signed_orders import list_signed_lines
from pbem.services.amend.consent import store_answer
from pbem.services.messages import StoredMessage
from pbem.services.receipts import send_receipt_again, write_receipt
from pbem.services.receive.absences import store_absences
from pbem.services.receive.bounces import clear_bounce, note_unregistered_sender, notify_opponent
from pbem.services.receive.find_game import find_code_owners
from pbem.services.receive.message import format_for_storage
from pbem.services.receive.result import (
    Effect,
    RememberWords,
    ResendReceipt,
    StoreAbsences,
    StoreMessage,
    StoreVote,
    Validation,
)
from pbem.services.receive.submission import Submission

UNFINISHED = "receive/unfinished"  #: the orders are stored, but the receipt is not written yet


def store_email(submission: Submission, validation: Validation) -> str:
    """Store what an email caused, then write its receipt. Returns the receipt's name, or "".

    The email itself is stored last, because its file says that it was received: if pbem is killed
    before, the orders in it are not lost. Under the lock.
    Raises Refused ``receive/unfinished`` where everything is stored but the receipt.
    """
    session, email = submission.session, submission.email
    file_name = stored_file_name(submission, validation.is_proven)
    if validation.receipt is not None:
        session.folder.read_parsed_email(file_name)  # raises if a link is in its place
    for effect in validation.effects:
        _carry_out(submission, effect)
    if validation.receipt is None:
        return ""
    is_from_player = validation.kind != "not known" and not submission.typed_by_referee
    if is_from_player:  # before the orders count, because pbem may be killed
        note_unregistered_sender(submission, counts=validation.kind == "kept" or validation.has_vote)
    elif submission.opponent_seat and session.record.player(submission.seat).method.code:
        notify_opponent(submission)
    fingerprints = [effect.fingerprint for effect in validation.effects if isinstance(effect, RememberWords)]
    receipt_number = validation.pending.receipts + 1
    pending = validation.pending.with_handled_marks(receipt_number, email.digest, *fingerprints)
    pending = pending._replace(receipts=receipt_number, receipt=validation.receipt.encode(), taken=session.time)
    session = session.store_pending(submission.seat, pending)
    try:
        session.folder.store_parsed_email(file_name, format_stored_email(submission, validation))
        receipt_name = write_receipt(session, submission.seat, session.pending_by_seat[submission.seat])
    except PbemError as error:
        hint = "see to that and run the command again: it writes what is missing"
        why = f"the email is kept, but its receipt is not written: {error.message}"
        raise Refused(UNFINISHED, why, hint) from error
    if is_from_player:
        clear_bounce(session, submission.seat)
    return receipt_name


def _carry_out(submission: Submission, effect: Effect) -> None:
    """Carry out one effect of an email. Fingerprints are stored with the pending orders instead."""
    session, seat, email = submission.session, submission.seat, submission.email
    match effect:
        case StoreMessage(lines) if not email.may_hold_password:
            name, arrival = f"{seat}-{email.digest[:16]}", min(email.arrival or session.time, session.time)
            player_name = session.record.player(seat).name
            message = StoredMessage(name, player_name, email.headers.sender, arrival, email.quotable_id, lines)
            session.folder.put_referee_message(name, message.encode())
        case StoreAbsences(absences):
            store_absences(session, seat, absences)
        case StoreVote(answers, signature):
            store_answer(session, seat, answers, signature)
        case ResendReceipt(number):
            send_receipt_again(session, seat, number, email.digest, email.quotable_id)
            session.store_pending(seat, submission.pending.with_handled_marks(number, email.digest))


def format_stored_email(submission: Submission, validation: Validation) -> bytes:
    """The email as it is stored: the codes, orders and commands that pbem recognised in it."""
    session, email = submission.session, submission.email
    code_owners = find_code_owners(session, email.codes)
    codes = [code for code in email.codes if code in code_owners]
    orders = [line for _, line in list_signed_lines(submission.orders._replace(commands=()))]
    lines = dict.fromkeys((*orders, *submission.orders.commands, *validation.recognized_lines))
    return format_for_storage(email, codes, lines, session.players.seats[submission.seat])


def stored_file_name(submission: Submission, is_proven: bool = False) -> str:
    """The file name of a stored email.

    An email that ``is_proven`` to be its player's is named by seat, sender and Message-ID, since a
    mailing list may change a copy of it. Any other is named by its bytes.
    """
    email, headers = submission.email, submission.email.headers
    if is_proven and email.has_own_id and not submission.typed_by_referee:
        identity = f"{submission.seat} {headers.sender} {headers.message_id}"
        return f"{digest(identity.encode()).hex()[:32]}.eml"
    return f"{email.digest[:32]}.eml"


def is_stored(submission: Submission) -> bool:
    """Whether a file of this email exists, under either of its names."""
    names = [stored_file_name(submission, is_proven) for is_proven in (True, False)]
    return any(map(submission.session.folder.read_parsed_email, names))


def was_received_before(submission: Submission, is_final: bool) -> bool:
    """Whether pbem received the same bytes before, or an email of this player with the same Message-ID.

    Without a Message-ID, the same words may be meant once more after other orders; but not if
    nothing in them can count (``is_final``). The stored file decides for an email so old that its
    receipt is forgotten: an old `withdraw` must not withdraw new orders.
    """
    folder, name_by_id = submission.session.folder, stored_file_name(submission, is_proven=True)
    name_by_bytes = stored_file_name(submission)
    if has_same_bytes(submission):
        return True
    if name_by_id != name_by_bytes and folder.read_parsed_email(name_by_id) is not None:
        return True
    if len(submission.pending.handled) < MAX_HANDLED_MARKS or not (submission.email.has_own_id or is_final):
        return False
    return folder.read_parsed_email(name_by_bytes) is not None


def has_same_bytes(submission: Submission) -> bool:
    """Whether the pending orders remember an email with the same bytes."""
    handled = submission.pending.handled
    return submission.email.digest in dict(handled if submission.email.has_own_id else handled[-1:])
