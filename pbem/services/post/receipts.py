"""Receipts: written where they are not there yet, sent again where the same orders came again.

What lives here: ``write_receipt``, ``send_again``, and the form in which a receipt waits in a hand.
What must never be here: what a receipt says (pbem/services/intake); a look at the orders.
Laws: a receipt comes after what it confirms, and after the report that it says was sent again (P8).
Source: docs/DESIGN.md P8, "Email"; FORMAT.md "Signed receipts".
"""

import re
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.moderator.turn.hand import Hand
from pbem.services.post.outbox import Message, post_of, send, with_code
from pbem.services.post.reports import write_reports
from pbem.services.session.session import Session

_FORM = re.compile(r"(?s)(?:\[pbem ([^\]\n]+)\] )?([^\n]*)\n([^ \n]+)( resend)?\n(.*)")


class KeptReceipt(NamedTuple):
    """A receipt as it is kept with the orders, so that it can be written after a kill."""

    code: str  #: "" where no answer is expected
    about: str  #: the subject, but for the code
    time: str
    resend: bool  #: the newest report goes out again, before it
    text: str

    def encode(self) -> str:
        """Its form in a hand: the subject, the time (and `resend`), the text."""
        resend = " resend" if self.resend else ""
        return f"{with_code(self.code, self.about)}\n{self.time}{resend}\n{self.text}"


def decode(kept: str, seat: str) -> KeptReceipt:
    """Read it back; BadInput ``document/row`` names the seat whose file is damaged."""
    found = _FORM.fullmatch(kept)
    if found is None:
        raise BadInput(
            "document/row",
            f"the orders in hand of {seat}: the receipt is not of the expected shape",
            "put the file back from a backup, or delete it and ask the player to send his orders "
            "again",
        )
    code, about, time, resend, text = found.groups()
    return KeptReceipt(code or "", about, time, bool(resend), text)


def write_receipt(session: Session, seat: str, one: Hand) -> str:
    """The newest receipt of a seat, if it is not there yet. Its name."""
    name = receipt_name(seat, one.receipts)
    if session.folder.has_receipt(name):
        return name
    kept = decode(one.receipt, seat)
    if kept.resend:
        write_reports(session, again=seat)
    message = Message(
        to=session.players.seats[seat],
        words=kept.text,
        about=kept.about,
        file=f"receipt-{name}",
        id=f"r{name}",
        time=kept.time,
        code=kept.code,
    )
    text = send(post_of(session), message)
    session.folder.put_receipt(name, text.encode())
    return name


def send_again(session: Session, seat: str, number: int, digest: str) -> None:
    """The same receipt in an email of its own, to the email with this digest."""
    name = receipt_name(seat, number)
    text = session.folder.receipt(name)
    if text is None:
        return
    message = Message(
        to=session.players.seats[seat],
        words=text.decode(),
        about=f"{session.label}: received before",
        file=f"receipt-{name}-again",
        id=f"r{name}.{digest[:8]}",
        time=session.time,
        code=session.code(seat),
    )
    send(post_of(session), message)


def receipt_name(seat: str, number: int) -> str:
    """What the receipts of a seat are called, in desk/receipts and after `receipt-`."""
    return f"{seat}-{number:04d}"
