"""What a mail's orders are worth; keeping them, durably, and the receipt after that.

What lives here: judged, keep. What must never be here: whose mail it is (taking.py), how its player
is known (knowing.py). Law: received and durable comes before the receipt (P8).
Source: docs/DESIGN.md "Email"; docs/SPECIFICATION.md section 9.
"""

from pbem.crypto.encoding import b64
from pbem.errors import PbemError, Refused
from pbem.files.orders.sheet import Sheet
from pbem.moderator.ruling.consent import Asking
from pbem.moderator.turn import intake
from pbem.moderator.turn.codes import VOID
from pbem.moderator.turn.hand import Hand
from pbem.services.intake.answered import Answer
from pbem.services.intake.reading import Sent, below_of
from pbem.services.intake.receipt_text import receipt_text
from pbem.services.intake.storing import storable
from pbem.services.post.receipts import write_receipt
from pbem.services.ruling.consent import keep_answer
from pbem.services.session.session import Session

UNFINISHED = "receive/unfinished"  #: the orders are durably kept, what comes after is not yet


def judged(
    session: Session,
    seat: str,
    sent: Sent,
    sheet: "Sheet",
    age: int,
    asking: Asking | None = None,
) -> Answer:
    """What the orders are worth; nothing is kept yet."""
    hand, game = session.hands[seat], session.game
    stale, view = age > len(hand.done), game.view(session.position.state, seat)
    since = hand.done[-age:] if age and not stale else ()
    asked = intake.Asked(view, bool(game.legal(view)), b64(session.position.head), since)
    lost = age >= session.position.answered(seat) + VOID  # not even its standing orders count
    answers_old = stale and (lost or _answers(sheet, asking))
    looked_at = Sheet() if answers_old else sheet._replace(unread=()) if stale else sheet
    below = () if stale else _below(session, seat, sent)
    ruled = answers_old and session.position.answered(seat) - age < hand.ruled
    taken = intake.take(game, asked, hand, looked_at, below)
    unclear = asking is not None and asking.open and not sheet.asks and not taken.changed
    return Answer(taken, sheet, answers_old, ruled=ruled, asking=asking, unclear=unclear)


def keep(
    session: Session, seat: str, data: bytes, sent: Sent, answer: Answer, mark: str = ""
) -> Answer:
    """The mail and the orders, durably, together with the receipt; then the receipt.

    ``mark``: by what else than its bytes the mail is known when it comes again.
    """
    receipt = receipt_text(session, seat, answer)
    if answer.taken.accepted and {*answer.taken.asks} & {"yes", "no"}:
        keep_answer(session, seat, answer.taken.asks)
    number = put(session, seat, data, sent, answer.taken.hand, receipt, mark)
    return answer._replace(receipt=number)


def put(
    session: Session,
    seat: str,
    data: bytes,
    sent: Sent,
    hand: Hand,
    receipt: str,
    mark: str = "",
) -> str:
    """The mail and the hand, durably; then the receipt, whose name comes back."""
    session.folder.keep_mail(f"{sent.digest[:32]}.eml", storable(data, sent.whole, sent.guarded))
    kept = intake.handled(hand, sent.digest, receipt, *filter(None, [mark]))
    return receipt_written(session.with_hand(seat, kept), seat)


def receipt_written(session: Session, seat: str) -> str:
    """The receipt of a mail that is durably kept; Refused ``receive/unfinished``. Its name."""
    try:
        return write_receipt(session, seat, session.hands[seat])
    except PbemError as error:
        hint = "see to that and run the command again: it writes what is missing"
        raise Refused(
            UNFINISHED, f"the mail is taken, but its receipt is not written: {error.message}", hint
        ) from error


def _answers(sheet: "Sheet", asking: Asking | None) -> bool:
    """Whether it answers a question, or may: standing orders and `help` are tied to none."""
    about = asking is not None and not sheet.asks
    return about or bool(sheet.suspects) or any(not line.when for line in sheet.first)


def _below(session: Session, seat: str, sent: Sent) -> tuple[str, ...]:
    """Orders found only below the cut line; what our report says itself is not meant."""
    if not sent.below:
        return ()
    report = session.folder.report(session.link.n, f"{seat}.txt") or b""
    return below_of(sent, session.game, report.decode())
