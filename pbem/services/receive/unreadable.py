"""A message that cannot be read: whether its player is told, and what.

What must never be here: keeping anything of it but its headers (P11).
Law: what no person wrote is not answered; of two codes nobody can tell which is meant.
Source: docs/DESIGN.md "Email".
"""

from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import digest
from pbem.disk.folder import MessageStatus
from pbem.engine.row import say
from pbem.errors import PbemError
from pbem.mail.identity import find_codes
from pbem.mail.parsed import parse_headers
from pbem.notation.lines import ParsedOrders
from pbem.play.joining.answers import JoiningAnswer
from pbem.report.render import render
from pbem.services.lock import open_for_writing
from pbem.services.outbox import message_to_seat, send_message
from pbem.services.receive import before_deal, play
from pbem.services.receive.authentication import Authentication, authenticate_by_code
from pbem.services.receive.find_game import Games
from pbem.services.receive.message import ReceivedEmail
from pbem.services.receive.result import ReceiveResult
from pbem.services.receive.submission import Submission, Validation
from pbem.services.sentences import UNREAD, UNREAD_HINT

EMPTY_EMAIL = "mail/empty"
#: what is wrong with a mail itself, so that its player is told; of two codes nobody can tell which
#: is meant, and what no person wrote is not answered
EMAIL_ERRORS = ("mail/", "move/", "file/too-large")
TWO_CODES = "mail/two-codes"
UNANSWERED_ERRORS = ("mail/automatic", "mail/own", TWO_CODES)


def find_submission(games: Games, data: bytes, error: PbemError) -> Submission | None:
    """What is known of a mail that cannot be read; None where nobody is told of it."""
    if error.code in UNANSWERED_ERRORS or not error.code.startswith(EMAIL_ERRORS):
        return None
    heading = parse_headers(data)
    if heading is None:
        return None
    codes, email_digest = find_codes(heading.subject), digest(data).hex()
    email = ReceivedEmail(email_digest, codes, (), (), is_move_file=False, has_own_id=True, headers=heading)
    email = games.with_code(email)
    owner = games.find_owner(email)
    if owner is None:
        return None
    # before the deal an empty mail is an answer, as the invitation says
    answer = error.code == EMPTY_EMAIL and not owner.session.record.is_dealt
    return Submission(owner.session, owner.seat, email, error=None if answer else error)


def advise_sender(games: Games, data: bytes, received: ReceiveResult) -> None:
    """Tell a player how to write, once a day: no game took their email. It goes to the registered
    address and has no reply code, for anybody can write a sender.
    """
    code, headers = str(received.facts.get("code", "")), parse_headers(data)
    has_two_codes, is_email_error = (code == TWO_CODES, code.startswith(EMAIL_ERRORS) and code not in UNANSWERED_ERRORS)
    if (
        headers is None
        or headers.is_mass_mail
        or not (has_two_codes or (is_email_error and not find_codes(headers.subject)))
    ):
        return
    for session in sorted(games.sessions, key=lambda game: game.record.phase == CLOSED):
        people, sender = session.players, headers.sender or "-"
        seat = next((seat for seat, person in people.seats.items() if person.has_address(sender)), "")
        if not seat or not session.is_acting_referee or people.referee.has_address(sender):
            continue
        with open_for_writing(session, allow_closed=True) as locked_session:
            games.replace(session, locked_session)
            name, about = (f"how-to-{seat}-{locked_session.time[:10]}", f"{locked_session.label}: how to write to me")
            if all(locked_session.folder.read_message(outbox_mark, name) is None for outbox_mark in MessageStatus):
                values = {
                    "label": locked_session.label,
                    "player": locked_session.record.player(seat).name,
                    "two": has_two_codes,
                }
                text = render("how_to.txt", **values)
                message = message_to_seat(locked_session, seat, text, about, file_name=name, id_part=name)
                send_message(locked_session, message._replace(is_reply=True))
        return


def authenticate_unreadable(submission: Submission) -> Authentication:
    """By its code, if the player is identified by that, or, but for a password, before the deal."""
    method, is_dealt = (submission.session.record.player(submission.seat).method, submission.session.record.is_dealt)
    if method.password or (is_dealt and not method.code):
        return Authentication("", submission.error.message if submission.error else "")
    return authenticate_by_code(submission)


def validate_unreadable(submission: Submission, _: Authentication) -> Validation:
    """Its receipt says why it was not read."""
    assert submission.error is not None
    error = submission.error
    why = say(UNREAD_HINT if error.hint else UNREAD, why=error.message, hint=error.hint)
    if not submission.session.record.is_dealt:
        return before_deal.build_validation(submission, JoiningAnswer(why=why))
    return play.build_validation(submission, play.refuse_all(submission, why, ParsedOrders()), None)


def mark_not_read(submission: Submission, validation: Validation) -> Validation:
    """For the referee: why it was not read, whatever its player is told."""
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
