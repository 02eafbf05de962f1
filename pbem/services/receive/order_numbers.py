"""The number of signed orders, and the state that they were written for.

What must never be here: what the orders are worth (play.py). Laws: a number is used up once; the
same orders again get the same receipt again, another list under a number that came is refused.
Source: docs/SPECIFICATION.md section 9; FORMAT.md "Signed receipts".
"""

import re
from typing import NamedTuple

from pbem.chain.signed_state import read_unverified_record, state_hash_of
from pbem.crypto.encoding import b64, digest
from pbem.engine.row import Sentence, say
from pbem.notation.lines import ParsedOrders
from pbem.notation.move_file import MAX_LEAP, OrderSignatures, write_signatures
from pbem.play.signed_orders import MAX_SIGNED_BYTES, list_signed_lines, number_orders
from pbem.services import sentences
from pbem.services.receive.authentication import Authentication
from pbem.services.receive.submission import Submission
from pbem.services.session.session import Session

_PREV = re.compile(rb'\nprev = "([A-Za-z0-9_-]{43})"\n')


class NumberCheck(NamedTuple):
    """What the number of signed orders says of them: one of the first three, or they count."""

    repeated_receipt_number: int = 0  #: they came before: the number of their receipt, which goes out once more
    refusal: Sentence | None = None  #: why; the number is not used up
    late_reason: Sentence | None = None  #: why they come too late; the number is used up
    orders: ParsedOrders = ParsedOrders()
    question_age: int = 0  #: of the question that they answer
    fingerprint: str = ""  #: what tells them from any others


def check_number(submission: Submission, authentication: Authentication) -> NumberCheck:
    """Their number, and the state that they quote."""
    pending, signatures = submission.pending, authentication.order_signatures
    assert signatures is not None
    fingerprint, orders = (fingerprint_of(signatures, submission.orders), number_orders(submission.orders))
    if signatures.email_number <= pending.newest_signed_number and not authentication.fault:
        if fingerprint in dict(pending.handled_marks):
            return NumberCheck(repeated_receipt_number=dict(pending.handled_marks)[fingerprint])
        if signatures.email_number == pending.newest_signed_number:
            return NumberCheck(refusal=say(sentences.NUMBER_REUSED, number=signatures.email_number), orders=orders)
        reason = say(sentences.NUMBER_OUTDATED, number=signatures.email_number, last=pending.newest_signed_number)
        return NumberCheck(refusal=reason, orders=orders)
    fault, long_lines = (
        authentication.fault,
        [row for row in authentication.line_signatures if len(row.line.encode()) > MAX_SIGNED_BYTES],
    )
    if (
        signatures.email_number > pending.newest_signed_number + MAX_LEAP
    ):  # used up for good: one slip, or lie, must not use up all
        fault = fault or say(sentences.NUMBER_LEAPS, number=signatures.email_number, last=pending.newest_signed_number)
    if long_lines:
        fault = fault or say(sentences.LINE_TOO_LONG, number=long_lines[0].number, most=MAX_SIGNED_BYTES)
    if fault:
        return NumberCheck(refusal=fault, orders=orders)
    age_or_reason = quoted_question_age(submission.session, submission.seat, signatures.state_hash)
    if isinstance(age_or_reason, int):
        return NumberCheck(orders=orders, question_age=age_or_reason, fingerprint=fingerprint)
    return NumberCheck(
        late_reason=age_or_reason, orders=orders, question_age=submission.question_age, fingerprint=fingerprint
    )


def quoted_question_age(session: Session, seat: str, state_hash: str) -> int | Sentence:
    """How many questions of the seat were answered since the state with this head, for which its
    orders were written; or why not in time. From the newest back: each hash vouches for the next.
    """
    record = session.record
    if state_hash == b64(session.position.state_hash):
        return say(sentences.BEFORE_A_RULING) if record.n < record.player(seat).orders_since else 0
    n, prev = record.n - 1, record.prev
    while n > 1:
        raw = session.folder.read_state(n)
        if raw is None or b64(state_hash_of(raw)) != prev:
            break  # lost: whatever is older cannot be told
        if prev == state_hash:
            if n < record.player(seat).orders_since:
                return say(sentences.BEFORE_A_RULING)
            quoted_record = read_unverified_record(raw)
            return session.position.answered_count(seat) - dict(quoted_record.answered).get(seat, 0)
        match = _PREV.search(raw)
        n, prev = n - 1, match[1].decode() if match else ""
    return say(sentences.OTHER_GAMES_REPORT)


def fingerprint_of(signatures: OrderSignatures, orders: ParsedOrders) -> str:
    """What tells these signed orders from any others: the same in another mail are the same."""
    lines = "\n".join(line for _, line in list_signed_lines(orders))
    return digest(f"{write_signatures(signatures)}\n{lines}".encode()).hex()
