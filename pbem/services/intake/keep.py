"""Keeping a message: what it is worth, durably, together with its receipt; then the receipt.

What lives here: ``keep``. What must never be here: what a message is worth.
Law: received and durable comes before the receipt (P8).
Source: docs/DESIGN.md P8; docs/SPECIFICATION.md section 9.
"""

from pbem.errors import PbemError, Refused
from pbem.moderator.turn.hand import MOST_HANDLED
from pbem.moderator.turn.intake import handled
from pbem.services.intake.case import Case, Judged, mail_name
from pbem.services.intake.message import storable
from pbem.services.post.receipts import send_again, write_receipt
from pbem.services.ruling.consent import keep_answer

UNFINISHED = "receive/unfinished"  #: the orders are durably kept, what comes after is not yet


def keep(case: Case, judged: Judged) -> str:
    """The message, a vote, the hand; then the receipt, whose name comes back; "" if there is none.

    Raises Refused ``receive/unfinished`` where all is kept but the receipt.
    """
    if judged.again:
        _send_again(case, judged.again)
    if judged.receipt is None:
        return ""
    session, message = case.session, case.message
    if judged.votes:
        keep_answer(session, case.seat, judged.votes)
    kept = storable(case.data, message.whole, message.guarded)
    session.folder.keep_mail(mail_name(message), kept)
    marks = (judged.mark,) if judged.mark else ()
    hand = handled(judged.hand, message.digest, judged.receipt.encode(), *marks)
    session = session.with_hand(case.seat, hand)
    try:
        return write_receipt(session, case.seat, session.hands[case.seat])
    except PbemError as error:
        hint = "see to that and run the command again: it writes what is missing"
        raise Refused(
            UNFINISHED, f"the mail is taken, but its receipt is not written: {error.message}", hint
        ) from error


def _send_again(case: Case, number: int) -> None:
    """The same receipt again, as a mail of its own: nothing else changes."""
    session, seat, digest = case.session, case.seat, case.message.digest
    send_again(session, seat, number, digest)
    known = (*case.hand.handled, (digest, number))[-MOST_HANDLED:]
    session.with_hand(seat, case.hand._replace(handled=known))
