"""Answer an email that cannot be read, if it shows whose it is.

Not allowed here: storing anything but its headers (P11).
Law: an email that no person wrote is not answered.
Source: docs/DESIGN.md "Email".
"""

from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import digest
from pbem.disk.folder import MessageStatus
from pbem.engine.row import Sentence, say
from pbem.errors import PbemError
from pbem.mail.identity import find_codes
from pbem.mail.parsed import parse_headers
from pbem.report.render import render
from pbem.services.lock import open_for_writing
from pbem.services.outbox import message_to_seat, send_message
from pbem.services.receive.authentication import Authentication, authenticate_by_code
from pbem.services.receive.find_game import Games
from pbem.services.receive.message import ReceivedEmail
from pbem.services.receive.result import ReceiveResult, Validation
from pbem.services.receive.submission import IncomingEmail, Submission
from pbem.services.sentences import HOW_TO_SUBJECT, UNREAD, UNREAD_HINT
from pbem.services.session.session import Session

EMPTY_EMAIL = "mail/empty"
EMAIL_ERRORS = ("mail/", "move/", "file/too-large")  #: how codes of errors in the email itself begin
TWO_CODES = "mail/two-codes"  #: code of an error: nobody can tell which reply code is meant
UNANSWERED_ERRORS = ("mail/automatic", "mail/own", TWO_CODES)


def find_seat_by_headers(games: Games, data: bytes, error: PbemError) -> IncomingEmail | None:
    """Find the game and seat of an unreadable email by its headers. None if nobody gets an answer."""
    if error.code in UNANSWERED_ERRORS or not error.code.startswith(EMAIL_ERRORS):
        return None
    headers = parse_headers(data)
    if headers is None:
        return None
    codes, email_digest = find_codes(headers.subject), digest(data).hex()
    email = ReceivedEmail(email_digest, codes, (), (), is_move_file=False, has_own_id=True, headers=headers)
    email = games.with_code(email)
    owner = games.find_owner(email)
    if owner is None:
        return None
    # before the deal an empty email is an answer, as the invitation says
    is_answer = error.code == EMPTY_EMAIL and not owner.session.record.is_dealt
    return IncomingEmail(owner.session, owner.seat, email, error=None if is_answer else error)


def advise_sender(games: Games, data: bytes, received: ReceiveResult) -> None:
    """Tell a player once a day how to write, if no game accepted their email and they have a seat here.

    The advice goes to the registered address and has no reply code, because a sender can be forged.
    """
    code, headers = str(received.facts.get("code", "")), parse_headers(data)
    if headers is None or headers.is_mass_mail:
        return
    is_answered_error = code.startswith(EMAIL_ERRORS) and code not in UNANSWERED_ERRORS
    lacks_code = is_answered_error and not find_codes(headers.subject)
    if code != TWO_CODES and not lacks_code:
        return
    for session in sorted(games.sessions, key=lambda game: game.record.phase == CLOSED):
        people, sender = session.players, headers.sender or "-"
        seat = next((seat for seat, person in people.seats.items() if person.has_address(sender)), "")
        if not seat or not session.is_acting_referee or people.referee.has_address(sender):
            continue
        with open_for_writing(session, allow_closed=True) as locked_session:
            games.replace(session, locked_session)
            _send_advice(locked_session, seat, has_two_codes=code == TWO_CODES)
        return


def _send_advice(session: Session, seat: str, has_two_codes: bool) -> None:
    """Send the email that explains how to write, unless it went out today."""
    name = f"how-to-{seat}-{session.time[:10]}"
    if any(session.folder.read_message(status, name) is not None for status in MessageStatus):
        return
    player_name = session.record.player(seat).name
    text = render("how_to.txt", label=session.label, player=player_name, two=has_two_codes)
    subject = HOW_TO_SUBJECT.format(label=session.label)
    message = message_to_seat(session, seat, text, subject, file_name=name, id_part=name)
    send_message(session, message._replace(is_reply=True))


def authenticate_unreadable(submission: Submission) -> Authentication:
    """Authenticate an unreadable email by its code, if the code is enough for its seat."""
    record = submission.session.record
    method = record.player(submission.seat).method
    needs_more_than_code = method.password or (record.is_dealt and not method.code)
    if needs_more_than_code:
        return Authentication("", submission.error.message if submission.error else "")
    return authenticate_by_code(submission)


def why_unreadable(error: PbemError) -> Sentence:
    """Return why the email was not read, for its receipt."""
    return say(UNREAD_HINT if error.hint else UNREAD, why=error.message, hint=error.hint)


def mark_not_read(submission: Submission, validation: Validation) -> Validation:
    """Return the validation with a summary that tells the referee why the email was not read."""
    assert submission.error is not None
    summary = f"not imported, the receipt says so: {submission.error.as_line()}"
    return validation._replace(
        kind="not read",
        summary=summary,
        exit_code=submission.error.exit_code,
        verdicts=(),
        extra_lines=(),
        recognized_lines=(f"(This email was not read: {submission.error.message})",),
    )
