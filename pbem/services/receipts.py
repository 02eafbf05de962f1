"""Receipts: how each is kept with the orders, written, sent; how many go to a seat in a day.

What lives here: ``KeptReceipt``, the answers of a day, what is over their number and goes together.
What must never be here: what a receipt says (report/receipt.py, intake/); headers.
Laws: a receipt that is kept is written, at least once, after what it confirms (P8); no answer is
dropped: those above ``MOST_A_DAY`` go in one email when the day (UTC) is over. How many went hangs
on the seat's own emails alone (P2).
Source: docs/decisions/0014-the-post.md; docs/DESIGN.md "Email".
"""

import re
from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from typing import Any, NamedTuple

from pbem.disk.folder import GameFolder
from pbem.errors import BadInput
from pbem.formats.desk_rows import are_numbers, read_rows, write_rows
from pbem.play.pending_file import HAND_LOST
from pbem.play.pending_orders import Hand
from pbem.report.render import render
from pbem.services.html import half
from pbem.services.outbox import send_of, to_seat, with_code
from pbem.services.recipients import last_id
from pbem.services.reports import write_reports
from pbem.services.session.session import Session

_FORM = re.compile(
    r"(?s)([^\n]*?)(?: \[pbem ([^\]\n]+)\])?\n([^ \n]+)( resend| quiet)?"
    r"(?: (<[!-;=?-~]{1,240}>))?\n(.*)"
)


class KeptReceipt(NamedTuple):
    """A receipt as it is kept with the orders, so that it can be written after a kill."""

    code: str  #: "" where no answer is expected
    about: str  #: the subject, but for the code
    time: str
    resend: bool  #: the newest report goes out again, before it
    text: str
    answers: str = ""  #: the Message-ID of the email that it is for; "" for none that may be named
    quiet: bool = False  #: its player does not want it by email (0018)

    def encode(self) -> str:
        """Its form in a hand: subject, time (`resend`, `quiet`, the id that it answers), text."""
        how = " resend" if self.resend else " quiet" if self.quiet else ""
        how += f" {self.answers}" if self.answers else ""
        return f"{with_code(self.code, self.about)}\n{self.time}{how}\n{self.text}"

    @classmethod
    def decode(cls, kept: str, seat: str) -> "KeptReceipt":
        """Read it back; BadInput ``document/row`` names the seat whose file is damaged."""
        found = _FORM.fullmatch(kept)
        if found is None:
            raise BadInput(
                "document/row",
                f"the waiting orders of {seat}: the receipt is not of the expected shape",
                HAND_LOST,
            )
        about, code, time, how, answers, text = found.groups()
        facts = how == " resend", text, answers or "", how == " quiet"
        return cls(code or "", about, time, *facts)


def receipt_for(
    session: Session,
    seat: str,
    code: str,
    what: str,
    template: str,
    values: dict[str, Any],
    resend: bool = False,
) -> KeptReceipt:
    """What the player at a seat is told of his mail; ``what``: became of it, for the subject."""
    player = session.link.player(seat).name
    values = {"label": session.label, "player": player, "seat": seat, "code": code, **values}
    text = render(template, *session.templates, **values)
    return KeptReceipt(code, f"{session.label}: {what}", session.time, resend, text)


def write_receipt(session: Session, seat: str, hand: Hand) -> str:
    """The newest receipt of a seat, if it is not there yet. Its name."""
    name = receipt_name(seat, hand.receipts)
    if session.folder.receipt(name) is not None:
        return name
    kept, today = KeptReceipt.decode(hand.receipt, seat), _today(session, seat)
    if kept.quiet:
        session.folder.put_receipt(name, kept.text.encode())
        return name
    counted = today.last == hand.receipts  # by a command that was killed
    if counted or today.went < MOST_A_DAY:
        if kept.resend:
            write_reports(session, again=seat)
        going_on = half(session, seat, hand)
        offered = going_on["choices"] if going_on else ()
        _send(session, seat, kept, f"receipt-{name}", f"r{name}", offered)
        went = today.went + (not counted)
        _note(session.folder, today._replace(went=went, last=hand.receipts))
    elif not today.held:
        _note(session.folder, today._replace(held=hand.receipts))
    session.folder.put_receipt(name, kept.text.encode())
    return name


def send_again(session: Session, seat: str, number: int, digest: str, answers: str) -> None:
    """The same receipt in an email of its own, to the email with this digest; unless too many
    went today, for it went before.
    """
    name, today = receipt_name(seat, number), _today(session, seat)
    text = session.folder.receipt(name)
    if text is None or today.went >= MOST_A_DAY:
        return
    about, code = f"{session.label}: your receipt again", session.code(seat)
    kept = KeptReceipt(code, about, session.time, False, text.decode(), answers)
    _send(session, seat, kept, f"receipt-{name}-again", f"r{name}.{digest[:8]}")
    _note(session.folder, today._replace(went=today.went + 1))


def send_held(session: Session, leaves: str = "") -> None:
    """The answers that were too many for a day that is over: together, in as few emails as have
    room for them, and the newest report, for which some may have asked. ``leaves``: a seat whose
    player does, and gets theirs now: the next one must not have them.
    """
    for seat, row in _days(session.folder).items():
        over = row.day < session.time[:10] or seat == leaves
        if not (row.held and over and seat in session.hands):
            continue
        found = (session.folder.receipt(receipt_name(seat, n)) for n in count(row.held))
        texts = [text.decode() for text in takewhile(bool, found) if text]
        if texts:
            write_reports(session, again=seat)
        for at in range(0, len(texts), MOST_TOGETHER):
            _send_together(session, seat, row.held + at, texts[at : at + MOST_TOGETHER])
        _note(session.folder, Day(seat, session.time[:10], 1))


def _send_together(session: Session, seat: str, first: int, texts: list[str]) -> None:
    """Receipts from the ``first`` on in one email."""
    code = session.code(seat) if texts[-1].startswith("[pbem ") else ""
    values: dict[str, Any] = {"label": session.label, "player": session.link.player(seat).name}
    values |= {"seat": seat, "code": code, "most": MOST_A_DAY}
    values |= {"texts": [text.rstrip("\n") for text in texts]}
    text = render("held.txt", *session.templates, **values)
    about = f"{session.label}: {len(texts)} answer{'s' * (len(texts) != 1)}"
    name = receipt_name(seat, first)
    kept = KeptReceipt(code, about, session.time, False, text)
    _send(session, seat, kept, f"receipt-{name}-held", f"r{name}.held")


def _send(
    session: Session,
    seat: str,
    kept: KeptReceipt,
    file: str,
    called: str,
    offered: Sequence[Mapping[str, Any]] = (),
) -> None:
    message = to_seat(
        session,
        seat,
        kept.text,
        kept.about,
        file=file,
        called=called,
        code=kept.code,
        follows=kept.answers or last_id(session, seat),
        offered=offered,
    )
    send_of(session, message._replace(time=kept.time, reply=True))


ANSWERS = "answers"  #: file of a desk: how many answers went to each seat, a line each
MOST_A_DAY = 50  #: more than anybody plays in a day, and a limit for two machines that write
MOST_TOGETHER = 100  #: receipts in one email


class Day(NamedTuple):
    """The answers of one day to one seat: a line ``red 2026-11-22 50 50 51``."""

    seat: str
    day: str
    went: int = 0
    last: int = 0  #: the number of the last receipt among them
    held: int = 0  #: the first receipt that waits for the next day; 0 for none


def _days(folder: GameFolder) -> dict[str, Day]:
    """By seat."""
    rows = read_rows(folder.desk_file(ANSWERS), len(Day._fields))
    good = (row for row in rows if are_numbers(row[2:]))
    return {row[0]: Day(row[0], row[1], *map(int, row[2:])) for row in good}


def _today(session: Session, seat: str) -> Day:
    """The row of a seat. What waits since another day was sent before (``send_held``)."""
    row, day = _days(session.folder).get(seat), session.time[:10]
    return row if row is not None and row.day == day else Day(seat, day)


def _note(folder: GameFolder, row: Day) -> None:
    folder.put_desk_file(ANSWERS, write_rows({**_days(folder), row.seat: row}.values()))


def receipt_name(seat: str, number: int) -> str:
    """What the receipts of a seat are called, in desk/receipts and after `receipt-`."""
    return f"{seat}-{number:04d}"
