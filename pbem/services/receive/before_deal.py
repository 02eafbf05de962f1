"""An email before the deal: an answer to the invitation or roster, from authentication to receipt.

Not allowed here: storing anything; reading the answer itself (play/joining/answers.py).
Laws: the receipt depends only on the answer and the signed states (P2); nobody sees an opened
addition to the shuffle before the deal.
Source: docs/DESIGN.md "Email"; decision 0005.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbem.chain.people import PLAIN, SEALED, read_roster_entry
from pbem.chain.signed_state import state_hash_of
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import unb64
from pbem.engine.row import Row, Sentence, say
from pbem.mail.identity import mark_words, read_password
from pbem.mail.text import fold_text
from pbem.play.email_order import ANSWER, is_overtaken, note_arrival
from pbem.play.joining.answers import (
    JoiningAnswer,
    accepts_invitation,
    find_decline_line,
    is_joining_answer,
    is_rules_command,
    read_invitation_answer,
    read_roster_answer,
)
from pbem.play.joining.opening import next_round_hint
from pbem.play.pending_orders import PendingOrders
from pbem.report.sentences import ANSWER_SUBJECTS
from pbem.services.receipts import StoredReceipt, create_receipt
from pbem.services.receive.authentication import (
    Authentication,
    authenticate_by_code,
    authenticate_by_password,
    find_matching_password,
)
from pbem.services.receive.result import StoreMessage, Validation
from pbem.services.receive.submission import Submission, answer_rows, check_claims, find_help_request
from pbem.services.sentences import NEWER_EMAIL_TAKEN, ROUND_CANCELLED

MOST_SHOWN = 60  #: how many letters of a player's line the referee's screen shows


def authenticate(submission: Submission) -> Authentication:
    """Authenticate an email by the seat's password if it has one, else by its code.

    A question about rules needs no password, nor does an email that the referee typed.
    """
    has_password = submission.session.record.player(submission.seat).method.password
    if has_password and not submission.typed_by_referee and not find_help_request(submission):
        return authenticate_by_password(submission)
    return authenticate_by_code(submission)


def validate(submission: Submission, _: Authentication) -> Validation:
    """Validate an answer, and refuse it if it is older than the one that counts."""
    check_claims(submission)
    answer = _read_answer(submission)
    if not _changes_answer(answer):
        return build_validation(submission, answer)
    if is_overtaken(submission.pending, {ANSWER}, submission.received_at, submission.session.time):
        return refuse(submission, say(NEWER_EMAIL_TAKEN))
    validation = build_validation(submission, answer)
    return validation._replace(pending=note_arrival(validation.pending, {ANSWER}, submission.received_at))


def refuse(submission: Submission, why: Sentence) -> Validation:
    """Return the validation of an email that is refused as a whole for this reason."""
    return build_validation(submission, JoiningAnswer(why=why))


def _changes_answer(answer: JoiningAnswer) -> bool:
    return bool(answer.row or answer.decline_line or answer.command == "withdraw")


def _read_answer(submission: Submission) -> JoiningAnswer:
    """Read the player's answer, without the lines that show a part of the password."""
    session, seat, email = submission.session, submission.seat, submission.email
    record, state_hash = session.record, state_hash_of(session.newest.raw)
    texts = [line.text for line in email.lines if line.text.strip()]
    password = find_matching_password(submission) if email.may_hold_password else ""
    answer_lines = [
        text
        for text in texts
        if read_password(text) is None and (_is_plain_answer(text) or not _shows_password_word(text, password))
    ]
    lines_below = [] if texts else [line.text for line in email.lines_below]
    if record.phase == CLOSED:
        return JoiningAnswer(why=say(ROUND_CANCELLED))
    request = find_help_request(submission)
    if request:  # authentication was not needed, so nothing else counts
        return JoiningAnswer(command=request)
    if not record.n:  # state 0: players are invited
        answer = read_invitation_answer(record, state_hash, seat, answer_lines, lines_below)
        if answer.decline_line and email.may_hold_password:
            return answer._replace(decline_line="no")  # the player's own words could show the password
        return answer
    return read_roster_answer(record, unb64(record.previous_hash, 32), state_hash, seat, answer_lines, lines_below)


def _is_plain_answer(text: str) -> bool:
    """Return whether a line is a plain yes or no, which counts even if the password has the same letters."""
    return accepts_invitation(text) or bool(find_decline_line([text]))


def _shows_password_word(text: str, password: str) -> bool:
    """Return whether a line holds a word of the password: `I like kites` does for `red kite`."""
    letters = re.sub("[^a-z]+", "", fold_text(text).lower())
    return any(word in letters for word in re.findall("[a-z]+", password.lower()))


def build_validation(submission: Submission, answer: JoiningAnswer) -> Validation:
    """Return the validation of an answer, with its receipt."""
    session, seat = submission.session, submission.seat
    pending_before = pending = submission.pending
    if _changes_answer(answer):
        pending = pending_before._replace(joining_row=answer.row, decline_line=answer.decline_line)
    headline = _headline(answer, bool(pending_before.joining_row or pending_before.decline_line))
    only_asks = answer.command == "help" or is_rules_command(answer.command)
    is_unproven = only_asks and session.record.player(seat).method.password
    # the receipt repeats the player's answer only while players are invited (state 0)
    standing = None if is_unproven or session.record.n else _standing_row(pending)
    no_answer_kind = "refused" if answer.why else "answered"
    kind = "kept" if answer.row or answer.decline_line else no_answer_kind
    referee_message = _referee_message(submission, answer)
    invitation_line = f"  all who are invited must play: {next_round_hint(session.folder.root, seat)}"
    return Validation(
        pending=pending,
        kind=kind,
        summary=_screen_line(submission, answer),
        receipt=_build_receipt(submission, answer, headline, standing, referee_message),
        exit_code=1 if kind == "refused" else 0,
        requests=(answer.command,) if answer.command else (),
        extra_lines=(invitation_line,) if answer.decline_line else (),
        recognized_lines=tuple(text for text in (answer.row, answer.decline_line, answer.command) if text),
        effects=(StoreMessage(referee_message),) if referee_message else (),
    )


def _referee_message(submission: Submission, answer: JoiningAnswer) -> tuple[str, ...]:
    """Return the lines that are not the answer; () if the email has a command, or the referee typed it."""
    lines = () if submission.typed_by_referee or answer.command else submission.email.lines
    return submission.clean_message_to_referee(line.text for line in lines if not is_joining_answer(line.text))


class JoiningReceipt(NamedTuple):
    """What a receipt says before the deal."""

    headline: Row  #: what became of the answer
    letter: Row | None  #: what becomes of a message to the referee
    elsewhere: str  #: the unregistered address that the email came from, or ""
    answers: Sequence[Row]  #: to commands such as `help`
    standing: Row | None  #: whether the player takes part
    template: str = "answer.txt"


def _build_receipt(
    submission: Submission,
    answer: JoiningAnswer,
    headline: Row,
    standing: Row | None,
    referee_message: tuple[str, ...],
) -> StoredReceipt:
    """Make the receipt of an answer. ``standing``: the answer that counts now; None if it may not be shown."""
    session, seat, record = submission.session, submission.seat, submission.session.record
    code = session.code(seat) if record.phase != CLOSED else ""
    subject = ANSWER_SUBJECTS[headline.kind]
    resend = answer.command == "resend" or bool(answer.why)
    reply_rows = list[Row]()
    if answer.command == "help":
        reply_rows = [Row("joining")]
    elif is_rules_command(answer.command):
        reply_rows = answer_rows(session, seat, (answer.command,))
    message_row = submission.referee_message_row(referee_message)
    content = JoiningReceipt(headline, message_row, submission.unregistered_sender, reply_rows, standing)
    return create_receipt(session, seat, code, subject, content, resend)


def _headline(answer: JoiningAnswer, had_answer: bool) -> Row:
    """Return what became of the answer, for the macro ``joining_KIND``. ``had_answer``: they answered before."""
    if answer.why:
        return Row("refused", {"why": str(answer.why)})
    if answer.command == "withdraw":
        return Row("withdrawn" if had_answer else "nothing_to_withdraw")
    if is_rules_command(answer.command):
        return Row("asked")
    if answer.command:
        return Row("sent_again" if answer.command == "resend" else "help")
    if answer.decline_line:
        return Row("declined")
    if answer.row:
        return Row("received")
    return Row("letter_too" if had_answer else "letter")


def _standing_row(pending: PendingOrders) -> Row:
    """Return the seat's answer from now on, for the macro ``standing_KIND`` in its own receipt."""
    if pending.decline_line:
        return Row("declined", {"line": mark_words(pending.decline_line)})
    if not pending.joining_row:
        return Row("none")
    contribution = read_roster_entry(pending.joining_row)
    if contribution.contribution == PLAIN:
        return Row(PLAIN, {"line": mark_words(contribution.text)})
    return Row(SEALED if contribution.is_sealed else "nothing")


def _screen_line(submission: Submission, answer: JoiningAnswer) -> str:
    """Return the summary for the referee's screen. It quotes a line that all players will read."""
    if answer.why:
        return f"not accepted: {answer.why}"
    if answer.decline_line:
        return f'declines: "{answer.decline_line}"'
    if answer.command:
        return f"asked for: {answer.command}"
    if not answer.row:
        had_answer = submission.pending.joining_row or submission.pending.decline_line
        return f"neither yes nor no: {'the answer stays as it is' if had_answer else 'asked again'}"
    if submission.session.record.n:
        return "opened the addition to the shuffle"
    contribution = read_roster_entry(answer.row)
    if contribution.is_sealed:
        return "answered: a key and a sealed addition to the shuffle"
    shown = contribution.text if len(contribution.text) <= MOST_SHOWN else f"{contribution.text[:MOST_SHOWN]}\u2026"
    return f'answered: the line "{shown}"' if shown else "said yes"
