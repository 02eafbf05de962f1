"""A mail that cannot be read, with a good code in its subject: its player is told so.

What lives here: how such a mail is judged. What must never be here: anything taken out of it.
Law: nothing of it is kept but its headers; where the code alone does not show that the mail is the
player's, the answer is the fixed one (P6). Source: docs/DESIGN.md "Email"; P11.
"""

from pbem.crypto.encoding import digest
from pbem.engine.row import say
from pbem.errors import PbemError
from pbem.files.mail.letter import read_heading
from pbem.files.mail.parts import Headers
from pbem.files.orders.lines import Sheet
from pbem.files.reply_code import find_codes
from pbem.moderator.chain.people import REPLIED
from pbem.moderator.opening.answers import JoiningAnswer
from pbem.services.intake import before_deal, play
from pbem.services.intake.case import Case, Judged, Known, owner
from pbem.services.intake.message import Incoming
from pbem.services.sentences import UNREAD, UNREAD_HINT
from pbem.services.session.session import Session

EMPTY = "mail/empty"
#: what is wrong with a mail itself, so that its player is told; of two codes nobody can tell which
#: is meant, and what no person wrote is not answered
TOLD = ("mail/", "move/", "file/too-large")
NOT_TOLD = ("mail/automatic", "mail/two-codes")


def case_of(games: list[Session], data: bytes, error: PbemError) -> Case | None:
    """What is known of a mail that cannot be read; None where nobody is told of it."""
    if error.code in NOT_TOLD or not error.code.startswith(TOLD):
        return None
    heading = read_heading(data)
    message = _headers_alone(data, heading) if heading else None
    found = owner(games, message) if message else None
    if found is None or message is None:
        return None
    if error.code == EMPTY and not found.session.link.dealt:
        # before the deal an empty mail is an answer, as the invitation says
        return Case(found.session, found.seat, message)
    return Case(found.session, found.seat, message, error=error)


def _headers_alone(data: bytes, headers: Headers) -> Incoming:
    """The mail as far as it is known."""
    codes, mark = find_codes(headers.subject), digest(data).hex()
    return Incoming(mark, codes, (), (), listed=False, unique=True, headers=headers)


def known(case: Case) -> Known:
    """By its code, if the player is identified by that, or, but for a password, before the deal."""
    way, dealt = case.session.link.player(case.seat).way, case.session.link.dealt
    if way.password or (dealt and not way.code):
        return Known("", case.error.message if case.error else "")
    return Known(REPLIED.name)


def judge(case: Case, _: Known) -> Judged:
    """Its receipt says why it was not read."""
    assert case.error is not None
    error = case.error
    hint = UNREAD_HINT if error.hint else UNREAD
    why = say(hint, why=error.message, hint=error.hint)
    if not case.session.link.dealt:
        return before_deal.judged(case, JoiningAnswer(why=why))
    return play.judged(case, play.refused(case, why, Sheet()), None)


def verdict(case: Case, judged: Judged) -> Judged:
    """For the referee: why it was not read, whatever its player is told."""
    assert case.error is not None
    said = f"not taken, the receipt says so: {case.error.line()}"
    return judged._replace(
        kind="not read",
        said=said,
        exit_code=case.error.exit_code,
        lines=(),
        more=(),
        read=(f"(This email was not read: {case.error.message})",),
    )
