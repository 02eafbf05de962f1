"""A mail that cannot be read, with a good code in its subject: its player is told so.

What lives here: ``answer_unread``. What must never be here: anything taken out of such a mail.
Laws: nothing of it is kept but its headers; where the code alone does not show that the mail is the
player's, the answer is the fixed one (P6); what no person wrote is not answered.
Source: docs/DESIGN.md "Email"; P11.
"""

from pbem.crypto.hashing import digest
from pbem.errors import PbemError
from pbem.files.mail.heading import Heading, read_heading
from pbem.files.orders.sheet import Sheet
from pbem.files.password_words import cut_words
from pbem.files.reply_code import find_codes
from pbem.moderator.turn.intake import Taken, Verdict
from pbem.services.intake.answered import Answer, Answered, again, told_not_known, who
from pbem.services.intake.answering import keep_unread, receive_answer
from pbem.services.intake.ended import answer_ended, ended
from pbem.services.intake.judging import keep
from pbem.services.intake.reading import Sent
from pbem.services.intake.storing import Whole
from pbem.services.intake.taking import came_before, guarded, not_known, owner, take_unknown
from pbem.services.session.session import Session
from pbem.services.writing import writing

#: what is wrong with a mail itself; of two codes nobody can tell which is meant
KINDS = ("mail/", "move/", "file/too-large")
EMPTY = "mail/empty"
NOT_THESE = ("mail/automatic", "mail/two-codes", "mail/name-taken")


def answer_unread(
    sessions: list[Session], name: str, data: bytes, error: PbemError
) -> Answered | None:
    """Answer it; None where it is nobody's, or not of a kind that is answered.

    ``data``: the mail, or its beginning.
    """
    if error.code in NOT_THESE or not error.code.startswith(KINDS):
        return None
    heading = read_heading(data)
    sent = _sent(data, heading, error) if heading else None
    found = owner(sessions, sent) if sent else None
    if found is None or sent is None:
        return None
    session, seat, _ = found
    with writing(session, closed=True):
        if session.link.dealt and ended(session, seat, sent):
            return answer_ended(session, seat, name, b"", sent)  # nothing of it is kept
        if error.code == EMPTY and not session.link.dealt:
            return _nothing_given(session, seat, name, data, sent)
        return _answered(session, seat, name, sent, error)


def _nothing_given(session: Session, seat: str, name: str, data: bytes, sent: "Sent") -> Answered:
    """Before the deal an empty mail is an answer, as the invitation says."""
    sent = sent._replace(whole=sent.whole._replace(body=()))
    unknown = take_unknown(session, seat, data, sent)
    if unknown is not None:
        return told_not_known(session, seat, name, unknown)
    return receive_answer(session, seat, name, data, sent)


def _sent(data: bytes, heading: Heading, error: PbemError) -> "Sent":
    """The mail as far as it is known: headers, and why there is no more of it."""
    codes = find_codes(heading.subject)
    body = (f"(This mail was not read: {error.message})",)
    whole = Whole(heading.sender, heading.subject, heading.ident, body)
    return Sent(digest(data).hex(), codes, (), (), listed=False, unique=True, whole=whole)


def _answered(session: Session, seat: str, name: str, sent: "Sent", error: PbemError) -> Answered:

    sent = guarded(session, seat, sent)
    if came_before(session.hands[seat], sent):
        return again(session, seat, name)
    number = _receipt(session, seat, sent, error)
    found = {"file": name, "verdict": "unreadable", "dir": str(session.folder.root)}
    found |= {"game": session.link.game, "seat": seat, "code": error.code, "why": error.message}
    found |= {"hint": error.hint, "receipt": number}
    text = f"{name}: {who(session, seat)}: not taken: {error.line()}; the receipt says so"
    return found, text, error.exit_code


def _receipt(session: Session, seat: str, sent: "Sent", error: PbemError) -> str:
    """The receipt's name."""
    known, dealt = session.link.player(seat).known, session.link.dealt
    nothing = b""  # of the mail itself nothing is kept
    if known == "password" or (dealt and known != "reply"):
        return not_known(session, seat, nothing, sent, error.message).receipt
    why = f"{error.message}: {error.hint}" if error.hint else error.message
    why = cut_words(why) if sent.guarded else why
    if not dealt:
        return keep_unread(session, seat, sent, why)
    verdicts = (Verdict(0, "", "refused", why),)
    taken = Taken(session.hands[seat], False, False, verdicts, ())
    return keep(session, seat, nothing, sent, Answer(taken, Sheet())).receipt
