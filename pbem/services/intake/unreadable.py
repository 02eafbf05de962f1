"""A mail that cannot be read, with a good code in its subject: its player is told so.

What lives here: how such a mail is judged. What must never be here: anything taken out of it.
Law: nothing of it is kept but its headers; where the code alone does not show that the mail is the
player's, the answer is the fixed one (P6). Source: docs/DESIGN.md "Email"; P11.
"""

from pbem.crypto.encoding import digest
from pbem.engine.row import say
from pbem.errors import PbemError
from pbem.files.mail.letter import Heading, read_heading
from pbem.files.orders.lines import Sheet
from pbem.files.password import cut_words
from pbem.files.reply_code import find_codes
from pbem.moderator.opening.answers import JoiningAnswer
from pbem.services.intake import before_deal, play
from pbem.services.intake.case import Case, Judged, Known, owner
from pbem.services.intake.message import Incoming, Whole
from pbem.services.sentences import UNREAD, UNREAD_HINT
from pbem.services.session.session import Session

EMPTY = "mail/empty"
#: what is wrong with a mail itself, so that its player is told; of two codes nobody can tell which
#: is meant, and what no person wrote is not answered
TOLD = ("mail/", "move/", "file/too-large")
NOT_TOLD = ("mail/automatic", "mail/two-codes", "mail/name-taken")


def case_of(games: list[Session], data: bytes, error: PbemError) -> Case | None:
    """What is known of a mail that cannot be read; None where nobody is told of it."""
    if error.code in NOT_TOLD or not error.code.startswith(TOLD):
        return None
    heading = read_heading(data)
    message = _headers_alone(data, heading, error) if heading else None
    found = owner(games, message) if message else None
    if found is None or message is None:
        return None
    if error.code == EMPTY and not found.session.link.dealt:
        # before the deal an empty mail is an answer, as the invitation says
        message = message._replace(whole=message.whole._replace(body=()))
        return Case(found.session, found.seat, message, data)
    return Case(found.session, found.seat, message, b"", error=error)  # nothing of it is kept


def _headers_alone(data: bytes, heading: Heading, error: PbemError) -> Incoming:
    """The mail as far as it is known: headers, and why there is no more of it."""
    codes = find_codes(heading.subject)
    body = (f"(This email was not read: {error.message})",)
    whole = Whole(heading.sender, heading.subject, heading.ident, body)
    return Incoming(digest(data).hex(), codes, (), (), listed=False, unique=True, whole=whole)


def known(case: Case) -> Known:
    """By its code, if the player is known by that, or, but for a password, before the deal."""
    how, dealt = case.session.link.player(case.seat).known, case.session.link.dealt
    proof_missing = how == "password" or (dealt and how != "reply")
    return Known("", case.error.message if case.error else "") if proof_missing else Known("reply")


def judge(case: Case, _: Known) -> Judged:
    """Its receipt says why it was not read."""
    assert case.error is not None
    error = case.error
    cut = cut_words if case.message.guarded else str
    why = say(UNREAD_HINT if error.hint else UNREAD, why=cut(error.message), hint=cut(error.hint))
    if not case.session.link.dealt:
        return before_deal.judged(case, JoiningAnswer(why=why))
    return play.judged(case, play.refused(case, why, Sheet()), None)


def verdict(case: Case, judged: Judged) -> Judged:
    """For the referee: why it was not read, whatever its player is told."""
    assert case.error is not None
    said = f"not read: {case.error.line()}; the receipt says so"
    return judged._replace(
        kind="not read", said=said, exit_code=case.error.exit_code, lines=(), more=()
    )
