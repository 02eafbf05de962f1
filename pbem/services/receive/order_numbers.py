"""The number of signed orders, and the state that they were written for.

What must never be here: what the orders are worth (play.py). Laws: a number is used up once; the
same orders again get the same receipt again, another list under a number that came is refused.
Source: docs/SPECIFICATION.md section 9; FORMAT.md "Signed receipts".
"""

import re
from typing import NamedTuple

from pbem.chain.signed_state import head_of, unverified_link
from pbem.crypto.encoding import b64, digest
from pbem.engine.row import Sentence, say
from pbem.notation.lines import Sheet
from pbem.notation.move_file import MOST_LEAP, OrderSignatures, write_signatures
from pbem.play.signed_orders import LONGEST, numbered, signed_form
from pbem.services import sentences
from pbem.services.receive.authentication import Known
from pbem.services.receive.submission import Case
from pbem.services.session.session import Session

_PREV = re.compile(rb'\nprev = "([A-Za-z0-9_-]{43})"\n')


class Number(NamedTuple):
    """What the number of signed orders says of them: one of the first three, or they count."""

    again: int = 0  #: they came before: the number of their receipt, which goes out once more
    refused: Sentence | None = None  #: why; the number is not used up
    late: Sentence | None = None  #: why they come too late; the number is used up
    sheet: Sheet = Sheet()
    age: int = 0  #: of the question that they answer
    mark: str = ""  #: what tells them from any others


def number_of(case: Case, known: Known) -> Number:
    """Their number, and the state that they quote."""
    hand, signed = case.hand, known.signed
    assert signed is not None
    mark, sheet = mark_of(signed, case.sheet), numbered(case.sheet)
    if signed.nr <= hand.seen and not known.fault:
        if mark in dict(hand.handled):
            return Number(again=dict(hand.handled)[mark])
        if signed.nr == hand.seen:
            return Number(refused=say(sentences.OTHER_ORDERS, number=signed.nr), sheet=sheet)
        older_nr = say(sentences.OLDER, number=signed.nr, last=hand.seen)
        return Number(refused=older_nr, sheet=sheet)
    fault, long = known.fault, [row for row in known.lines if len(row.line.encode()) > LONGEST]
    if signed.nr > hand.seen + MOST_LEAP:  # used up for good: one slip, or lie, must not use up all
        fault = fault or say(sentences.LEAPING, number=signed.nr, last=hand.seen)
    if long:
        fault = fault or say(sentences.TOO_LONG, number=long[0].number, most=LONGEST)
    if fault:
        return Number(refused=fault, sheet=sheet)
    found = quoted(case.session, case.seat, signed.head)
    if isinstance(found, int):
        return Number(sheet=sheet, age=found, mark=mark)
    return Number(late=found, sheet=sheet, age=case.age, mark=mark)


def quoted(session: Session, seat: str, head: str) -> int | Sentence:
    """How many questions of the seat were answered since the state with this head, for which its
    orders were written; or why not in time. From the newest back: each hash vouches for the next.
    """
    record = session.link
    if head == b64(session.position.head):
        return say(sentences.BEFORE) if record.n < record.player(seat).since else 0
    n, prev = record.n - 1, record.prev
    while n > 1:
        raw = session.folder.state(n)
        if raw is None or b64(head_of(raw)) != prev:
            break  # lost: whatever is older cannot be told
        if prev == head:
            if n < record.player(seat).since:
                return say(sentences.BEFORE)
            then = unverified_link(raw)
            return session.position.answered(seat) - dict(then.answered).get(seat, 0)
        found = _PREV.search(raw)
        n, prev = n - 1, found[1].decode() if found else ""
    return say(sentences.NEVER)


def mark_of(signed: OrderSignatures, sheet: Sheet) -> str:
    """What tells these signed orders from any others: the same in another mail are the same."""
    lines = "\n".join(line for _, line in signed_form(sheet))
    return digest(f"{write_signatures(signed)}\n{lines}".encode()).hex()
