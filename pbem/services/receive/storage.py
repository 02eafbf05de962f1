"""Store a received email with its effects and receipt, and notes about the addresses of players.

Not allowed here: how an email is validated; reading what a mail server wrote (mail/bounce.py).
Laws: everything is on the drive before the receipt goes out (P8); pbem stores only what it recognised
in an email (P11).
Source: docs/DESIGN.md "Email", P8; docs/SPECIFICATION.md section 9; decisions 0005 and 0014.
"""

from typing import NamedTuple

from pbem.crypto.encoding import digest
from pbem.disk.folder import GameFolder
from pbem.errors import PbemError, Refused
from pbem.formats.state_file import write_rows
from pbem.mail.bounce import find_failed_addresses
from pbem.play.pending_orders import MAX_HANDLED_MARKS
from pbem.play.signed_orders import list_signed_lines
from pbem.report.message_ids import has_our_id
from pbem.report.sentences import IGNORED_SUBJECT
from pbem.services.amend.consent import store_answer
from pbem.services.messages import StoredMessage
from pbem.services.outbox import message_to_seat, send_message
from pbem.services.receipts import create_receipt, send_receipt_again, write_receipt
from pbem.services.receive.absences import store_absences
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
from pbem.services.session.folders import require_acting_folder
from pbem.services.session.session import Session
from pbem.services.session.worklist import BOUNCED_FILE, ELSEWHERE_FILE, read_notes

_MOST_BOUNCE_BYTES = 256 << 10  #: how much of a bounce is searched for our Message-ID
UNFINISHED = "receive/unfinished"  #: the orders are stored, but the receipt is not written yet


def store_email(submission: Submission, validation: Validation) -> str:
    """Store what an email caused, then write its receipt. Returns the receipt's name; "" if there is none.

    The email's own file says that the email was received. So it is written after the orders, which
    would be lost if pbem were killed in between. Under the lock. Raises Refused ``receive/unfinished`` if
    only that file or the receipt could not be written.
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
        update_sender_note(submission, counts=validation.kind == "kept" or validation.has_vote)
    elif submission.opponent_seat and session.record.player(submission.seat).method.code:
        notify_opponent(submission)
    fingerprints = [effect.fingerprint for effect in validation.effects if isinstance(effect, RememberWords)]
    receipt_number = validation.pending.receipt_count + 1
    pending = validation.pending.with_handled_marks(receipt_number, email.digest, *fingerprints)
    pending = pending._replace(
        receipt_count=receipt_number, newest_receipt=validation.receipt.encode(), last_answered_at=session.time
    )
    session = session.store_pending(submission.seat, pending)
    try:
        session.folder.store_parsed_email(file_name, format_stored_email(submission, validation))
        receipt_name = write_receipt(session, submission.seat, session.pending_by_seat[submission.seat])
    except PbemError as error:
        hint = "see to that and run the command again: it writes what is missing"
        why = f"the email is stored, but its receipt is not written: {error.message}"
        raise Refused(UNFINISHED, why, hint) from error
    if is_from_player:
        clear_bounce(session, submission.seat)
    return receipt_name


def _carry_out(submission: Submission, effect: Effect) -> None:
    """Carry out one effect of an email, except ``RememberWords``, which is stored with the pending orders."""
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
    """Return the email as it is stored: the codes, orders and commands that pbem recognised in it."""
    session, email = submission.session, submission.email
    code_owners = find_code_owners(session, email.codes)
    codes = [code for code in email.codes if code in code_owners]
    orders = [line for _, line in list_signed_lines(submission.orders._replace(commands=()))]
    lines = dict.fromkeys((*orders, *submission.orders.commands, *validation.recognized_lines))
    return format_for_storage(email, codes, lines, session.players.seats[submission.seat])


def stored_file_name(submission: Submission, is_proven: bool = False) -> str:
    """Return the file name of a stored email.

    An email that ``is_proven`` to be its player's is named by seat, sender and Message-ID, since a
    mailing list may change the bytes of a copy. Any other email is named by its bytes.
    """
    email, headers = submission.email, submission.email.headers
    if is_proven and email.has_own_id and not submission.typed_by_referee:
        identity = f"{submission.seat} {headers.sender} {headers.message_id}"
        return f"{digest(identity.encode()).hex()[:32]}.eml"
    return f"{email.digest[:32]}.eml"


def is_stored(submission: Submission) -> bool:
    """Return whether a file of this email exists, under either of its names."""
    names = [stored_file_name(submission, is_proven) for is_proven in (True, False)]
    return any(map(submission.session.folder.read_parsed_email, names))


def was_received_before(submission: Submission, cannot_count: bool) -> bool:
    """Return whether pbem received the same bytes before, or an email of this player with the same Message-ID.

    Without a Message-ID, the player may mean the same words again after other orders, unless nothing
    in them can count (``cannot_count``). If the pending orders remember as many emails as they can,
    they may have forgotten this one, so its stored file decides.
    """
    folder, name_by_id = submission.session.folder, stored_file_name(submission, is_proven=True)
    name_by_bytes = stored_file_name(submission)
    if has_same_bytes(submission):
        return True
    if name_by_id != name_by_bytes and folder.read_parsed_email(name_by_id) is not None:
        return True
    remembers_all = len(submission.pending.handled_marks) < MAX_HANDLED_MARKS
    may_be_meant_again = not submission.email.has_own_id and not cannot_count
    if remembers_all or may_be_meant_again:
        return False
    return folder.read_parsed_email(name_by_bytes) is not None


def has_same_bytes(submission: Submission) -> bool:
    """Return whether the pending orders remember the same bytes; without a Message-ID, those of the last email."""
    handled = submission.pending.handled_marks
    return submission.email.digest in dict(handled if submission.email.has_own_id else handled[-1:])


class Bounce(NamedTuple):
    """An email of a game that came back."""

    session: Session
    seat: str
    status: str  #: the server's code, such as 5.1.1; "" if unknown


def store_bounce(games: list[Session], data: bytes) -> Bounce | None:
    """Note the players whose email bounced, and return the first of them.

    The note lasts until the player writes or has another address. A bounce counts only if it names
    the Message-ID of an email of one of these games; otherwise returns None.
    """
    status_by_address = find_failed_addresses(data)
    if not status_by_address:
        return None
    text = data[:_MOST_BOUNCE_BYTES].decode("ascii", "replace")
    for session in games:
        addresses = {seat: person.address.lower() for seat, person in session.players.seats.items() if person.address}
        bounces = [
            Bounce(session, seat, status_by_address[address])
            for seat, address in addresses.items()
            if address in status_by_address
        ]
        if not bounces or not has_our_id(text, session.known_codes):
            continue
        with session.folder.lock():
            require_acting_folder(session)
            rows = read_notes(session.folder, BOUNCED_FILE)
            rows |= {bounce.seat: [addresses[bounce.seat], session.time, bounce.status or "-"] for bounce in bounces}
            _write_notes(session.folder, BOUNCED_FILE, rows)
        return bounces[0]
    return None


def clear_bounce(session: Session, seat: str) -> None:
    """Remove the note about a bounce, because the player wrote. Under the lock."""
    rows = read_notes(session.folder, BOUNCED_FILE)
    if rows.pop(seat, None):
        _write_notes(session.folder, BOUNCED_FILE, rows)


class OpponentReceipt(NamedTuple):
    """Tells a player that an email for another seat came from their address."""

    other: str  #: the player of that seat
    template: str = "opponent.txt"


def notify_opponent(submission: Submission) -> None:
    """Tell the player from whose address the email came that it was ignored, once a day."""
    session, seat, day = submission.session, submission.opponent_seat, submission.session.time[:10]
    player_name, name = session.record.player(submission.seat).label, f"opponent-{seat}-{day}"
    receipt = create_receipt(session, seat, "", IGNORED_SUBJECT, OpponentReceipt(player_name))
    message = message_to_seat(session, seat, receipt.text, receipt.subject, file_name=name, id_part=name)
    send_message(session, message._replace(time=f"{day}T00:00:00Z"))


def update_sender_note(submission: Submission, counts: bool) -> None:
    """Note that orders that count came from an unregistered address, as their receipt says too.

    Orders from the player's own address remove the note. A question does not remove it, because the
    player may be asking about orders that they never wrote. Under the lock.
    """
    if not counts:
        return
    folder, sender = submission.session.folder, submission.email.headers.sender
    rows = read_notes(folder, ELSEWHERE_FILE)
    is_own_address = submission.session.players.seats[submission.seat].has_address(sender)
    if submission.unregistered_sender:
        rows[submission.seat] = [submission.unregistered_sender.replace(" ", "-"), submission.session.time, "-"]
    elif not is_own_address or not rows.pop(submission.seat, None):
        return
    _write_notes(folder, ELSEWHERE_FILE, rows)


def _write_notes(folder: GameFolder, name: str, rows: dict[str, list[str]]) -> None:
    folder.put_desk_file(name, write_rows((seat, *row) for seat, row in rows.items()))
