"""Taking orders that their player signed: their number, the state they were written for.

What lives here: ``take_signed``, for a mail of which one line at least is signed with the key of
its seat. What must never be here: finding that out (knowing.py), the legality of an order.
Laws: authenticate, then the number, then whether they are in time, then if they are legal; the
same orders again get the same receipt again, another list under a number that came is refused.
Source: docs/SPECIFICATION.md section 9.
"""

from pbem.files.orders.sheet import Sheet
from pbem.files.orders.signed_lines import LEAP
from pbem.moderator.turn.hand import MOST_HANDLED
from pbem.moderator.turn.intake import Taken, Verdict
from pbem.moderator.turn.signed_orders import LONGEST, numbered
from pbem.services.intake.answered import Answer
from pbem.services.intake.judging import judged, keep
from pbem.services.intake.knowing import Known, mark_of, quoted, replayed
from pbem.services.intake.reading import Sent
from pbem.services.post.receipts import send_again
from pbem.services.session.session import Session

NO_ORDER = "it holds signatures and no order that belongs to them"


def take_signed(
    session: Session,
    seat: str,
    data: bytes,
    sent: Sent,
    sheet: Sheet,
    known: Known,
    age: int,
) -> Answer | None:
    """Judge, keep, write the receipt; None where the same orders came before (their receipt goes
    out again). ``age``: of the mail's code.
    """
    hand, signed = session.hands[seat], known.signed
    assert signed is not None
    mark, sheet = mark_of(signed, sheet), numbered(sheet)
    if signed.nr <= hand.seen and not known.fault:
        if mark in dict(hand.handled):
            _send_again(session, seat, sent, dict(hand.handled)[mark])
            return None
        answer = _refused(session, seat, sheet, replayed(signed.nr, hand.seen))
        return keep(session, seat, data, sent, answer._replace(nr=signed.nr))
    if fault := known.fault or leaping(signed.nr, hand.seen) or _too_long(known):
        answer = _refused(session, seat, sheet, fault)
        return keep(session, seat, data, sent, answer._replace(nr=signed.nr))
    found = quoted(session, seat, signed.head)
    if found.late:
        answer = _refused(session, seat, sheet, found.late)
    else:
        answer = judged(session, seat, sent, sheet, max(age, found.age))
    return keep(session, seat, data, sent, _numbered_so(answer, known), mark)


def _numbered_so(answer: Answer, known: Known) -> Answer:
    """The hand with the player's own number, his signatures, the state he wrote for."""
    signed, taken = known.signed, answer.taken
    assert signed is not None
    hand = taken.hand._replace(seen=signed.nr)
    if taken.changed:
        hand = hand._replace(nr=signed.nr, quoted=signed.head, source="signed", signed=known.lines)
    return answer._replace(taken=taken._replace(hand=hand), nr=signed.nr)


def _refused(session: Session, seat: str, sheet: Sheet, why: str) -> Answer:
    verdicts = (Verdict(0, "", "refused", why),)
    return Answer(Taken(session.hands[seat], False, False, verdicts, ()), sheet)


def leaping(nr: int, seen: int) -> str:
    """A number is used up for good: one slip, or one lie, must not use up all there are."""
    if nr <= seen + LEAP:
        return ""
    return f"these are orders number {nr}, and the last ones were number {seen}: sign them anew"


def _too_long(known: Known) -> str:
    long = [one for one in known.lines if len(one.line.encode()) > LONGEST]
    return f"line {long[0].number} is longer than {LONGEST} letters" if long else ""


def _send_again(session: Session, seat: str, sent: Sent, number: int) -> None:
    """The same receipt again, as a mail of its own: nothing else changes."""
    send_again(session, seat, number, sent.digest)
    hand = session.hands[seat]
    known = (*hand.handled, (sent.digest, number))[-MOST_HANDLED:]
    session.with_hand(seat, hand._replace(handled=known))
