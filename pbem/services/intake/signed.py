"""Orders that their player signed: their number, the state they were written for.

What lives here: ``number``, for a mail of which one line at least is signed with the key of its
seat; the same receipt sent again. What must never be here: finding that out (case.py), the
legality of an order.
Laws: authenticate, then the number, then whether they are in time, then if they are legal; the
same orders again get the same receipt again, another list under a number that came is refused.
Source: docs/SPECIFICATION.md section 9.
"""

import re
from typing import NamedTuple

from pbem.crypto.encoding import b64, digest
from pbem.engine.row import Sentence, say
from pbem.files import state_file
from pbem.files.orders.lines import Sheet
from pbem.files.orders.move_file import LEAP, OrderSignatures, write_signatures
from pbem.moderator.chain.link import read_link
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.turn.hand import Hand
from pbem.moderator.turn.intake import Taken
from pbem.moderator.turn.signatures import LONGEST, numbered, signed_form
from pbem.services import sentences as said
from pbem.services.intake.case import Case, Known
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


def number(case: Case, known: Known) -> Number:
    """Their number, and the state that they quote."""
    hand, signed = case.hand, known.signed
    assert signed is not None
    mark, sheet = mark_of(signed, case.sheet), numbered(case.sheet)
    if signed.nr <= hand.seen and not known.fault:
        if mark in dict(hand.handled):
            return Number(again=dict(hand.handled)[mark])
        return Number(refused=replayed(signed.nr, hand.seen), sheet=sheet)
    if fault := known.fault or leaping(signed.nr, hand.seen) or _too_long(known):
        return Number(refused=fault, sheet=sheet)
    found = quoted(case.session, case.seat, signed.head)
    age = max(case.age, found.age)
    return Number(late=found.late, sheet=sheet, age=age, mark=mark)


def numbered_so(taken: Taken, known: Known) -> Hand:
    """The hand with the player's own number, his signatures, the state he wrote for."""
    signed = known.signed
    assert signed is not None
    hand = taken.hand._replace(seen=signed.nr)
    if taken.changed:
        hand = hand._replace(nr=signed.nr, quoted=signed.head, source="signed", signed=known.lines)
    return hand


def leaping(nr: int, seen: int) -> Sentence | None:
    """A number is used up for good: one slip, or one lie, must not use up all there are."""
    return None if nr <= seen + LEAP else say(said.LEAPING, number=nr, last=seen)


def _too_long(known: Known) -> Sentence | None:
    long = [row for row in known.lines if len(row.line.encode()) > LONGEST]
    return say(said.TOO_LONG, number=long[0].number, most=LONGEST) if long else None


class Quoted(NamedTuple):
    """The state that orders were written for: how long ago, for the seat; or why not in time."""

    age: int = 0  #: questions of the seat answered since
    late: Sentence | None = None


def quoted(session: Session, seat: str, head: str) -> Quoted:
    """Find the state with this head, from the newest back: each hash vouches for the one before."""
    link = session.link
    if head == b64(session.position.head):
        return Quoted(late=say(said.BEFORE) if link.n < link.player(seat).since else None)
    n, prev = link.n - 1, link.prev
    while n > 1:
        raw = session.folder.state(n)
        if raw is None or b64(head_of(raw)) != prev:
            break  # lost: whatever is older cannot be told
        if prev == head:
            if n < link.player(seat).since:
                return Quoted(late=say(said.BEFORE))
            then = read_link(state_file.parse(state_file.split(raw).body))
            return Quoted(session.position.answered(seat) - dict(then.answered).get(seat, 0))
        found = _PREV.search(raw)
        n, prev = n - 1, found[1].decode() if found else ""
    return Quoted(late=say(said.NEVER))


def mark_of(signed: OrderSignatures, sheet: Sheet) -> str:
    """What tells these signed orders from any others: the same in another mail are the same."""
    lines = "\n".join(line for _, line in signed_form(sheet))
    return digest(f"{write_signatures(signed)}\n{lines}".encode()).hex()


def replayed(nr: int, seen: int) -> Sentence:
    """Why signed orders with a number that came already are refused."""
    if nr == seen:
        return say(said.OTHER_ORDERS, number=nr)
    return say(said.OLDER, number=nr, last=seen)
