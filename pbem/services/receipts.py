"""Store, write and send receipts, and limit how many a seat gets in a day.

A receipt answers a player's email. It is written to desk/receipts and sent.
Not allowed here: what a receipt says (report/receipt.py, services/receive/); headers.
Laws: a stored receipt is written at least once, after what it confirms (P8). Every receipt goes out:
those above ``MAX_PER_DAY`` go out together when the day (UTC) is over. How many went out depends only
on the seat's own emails (P2).
Source: docs/decisions/0014-the-post.md; docs/DESIGN.md "Email".
"""

import re
from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from typing import Any, NamedTuple, Protocol

from pbem.disk.folder import GameFolder
from pbem.errors import BadInput
from pbem.formats.state_file import are_numbers, read_rows, write_rows
from pbem.play.pending_file import PENDING_LOST_HINT
from pbem.play.pending_orders import PendingOrders
from pbem.report.game_rows import to_plain
from pbem.report.render import render
from pbem.services.html import half_action_question, open_question
from pbem.services.outbox import message_to_seat, send_message, subject_with_code
from pbem.services.recipients import last_report_id
from pbem.services.reports import write_reports
from pbem.services.sentences import ANSWERS_SUBJECTS, RECEIPT_AGAIN_SUBJECT
from pbem.services.session.session import Session

_RECEIPT_FORMAT = re.compile(
    r"(?s)([^\n]*?)(?: \[pbem ([^\]\n]+)\])?\n([^ \n]+)( resend| quiet)?"
    r"(?: (<[!-;=?-~]{1,240}>))?\n(.*)"
)


class ReceiptContent(Protocol):
    """What a receipt says: a NamedTuple, whose fields its template gets as plain data."""

    @property
    def template(self) -> str: ...


class StoredReceipt(NamedTuple):
    """A receipt as it is stored with the pending orders, so that it is not lost if pbem is killed."""

    code: str  #: of the question to answer; "" for none
    subject: str  #: without the code
    time: str
    resends_report: bool  #: the newest report goes out again before the receipt
    text: str
    answered_id: str = ""  #: the Message-ID of the email that it answers; "" if it may not be named
    is_quiet: bool = False  #: the player does not want it by email (0018)

    def encode(self) -> str:
        """Return its stored form: subject, time (with `resend` or `quiet`, and the id that it answers), text."""
        quiet_flag = " quiet" if self.is_quiet else ""
        flags = " resend" if self.resends_report else quiet_flag
        flags += f" {self.answered_id}" if self.answered_id else ""
        return f"{subject_with_code(self.code, self.subject)}\n{self.time}{flags}\n{self.text}"

    @classmethod
    def decode(cls, encoded_receipt: str, seat: str) -> "StoredReceipt":
        """Read its stored form. Raises BadInput ``document/row``, with the seat whose file is damaged."""
        match = _RECEIPT_FORMAT.fullmatch(encoded_receipt)
        if match is None:
            raise BadInput(
                "document/row",
                f"the pending orders of {seat}: the receipt is not of the expected shape",
                PENDING_LOST_HINT,
            )
        subject, code, time, flag, answered_id, text = match.groups()
        return cls(
            code or "", subject, time, flag == " resend", text, answered_id=answered_id or "", is_quiet=flag == " quiet"
        )


def create_receipt(
    session: Session,
    seat: str,
    code: str,
    outcome: str,
    content: ReceiptContent,
    resends_report: bool = False,
) -> StoredReceipt:
    """Make the receipt of an email. ``outcome``: what became of it, for the subject."""
    address = {"label": session.label, "player": session.record.player(seat).name, "seat": seat, "code": code}
    text = render(content.template, *session.templates, **address, **to_plain(content))
    return StoredReceipt(code, f"{session.label}: {outcome}", session.time, resends_report, text)


def write_receipt(session: Session, seat: str, pending: PendingOrders) -> str:
    """Write and send the newest receipt of a seat, unless it is written already. Returns its name.

    It is written but not sent if the player does not want it, or if the seat got too many today.
    """
    name = receipt_name(seat, pending.receipt_count)
    if session.folder.read_receipt(name) is not None:
        return name
    receipt = StoredReceipt.decode(pending.newest_receipt, seat)
    today = _answers_of_today(session, seat)
    if receipt.is_quiet:
        session.folder.put_receipt(name, receipt.text.encode())
        return name
    # an earlier command counted this receipt, but was killed before it wrote the file
    is_counted = today.last_number == pending.receipt_count
    if is_counted or today.sent_count < MAX_PER_DAY:
        if receipt.resends_report:
            write_reports(session, repeat_reader=seat)
        question = half_action_question(session, seat, pending) or open_question(session, seat, pending)
        # a receipt that does not ask has no buttons
        choices = [choice for choice in question.get("choices", ()) if f"\n{choice['order']}" in receipt.text]
        _send_receipt(session, seat, receipt, f"receipt-{name}", f"r{name}", choices)
        sent_count = today.sent_count + (not is_counted)
        _store_daily_answers(session.folder, today._replace(sent_count=sent_count, last_number=pending.receipt_count))
    elif not today.first_held:
        _store_daily_answers(session.folder, today._replace(first_held=pending.receipt_count))
    session.folder.put_receipt(name, receipt.text.encode())
    return name


def send_receipt_again(session: Session, seat: str, number: int, email_digest: str, answered_id: str) -> None:
    """Send an old receipt once more, as the answer to the email with this digest.

    Nothing is sent if the seat got too many emails today, since the player has had this receipt before.
    """
    name, today = receipt_name(seat, number), _answers_of_today(session, seat)
    text = session.folder.read_receipt(name)
    if text is None or today.sent_count >= MAX_PER_DAY:
        return
    subject, code = RECEIPT_AGAIN_SUBJECT.format(label=session.label), session.code(seat)
    receipt = StoredReceipt(code, subject, session.time, False, text.decode(), answered_id)
    _send_receipt(session, seat, receipt, f"receipt-{name}-again", f"r{name}.{email_digest[:8]}")
    _store_daily_answers(session.folder, today._replace(sent_count=today.sent_count + 1))


def send_held_receipts(session: Session, leaving_seat: str = "") -> None:
    """Send the receipts held back on a past day together, after the newest report.

    ``leaving_seat``: its player leaves the game and gets them now, so that the next player does not.
    """
    for seat, row in _read_daily_answers(session.folder).items():
        is_due = row.day < session.time[:10] or seat == leaving_seat
        if not (row.first_held and is_due and seat in session.pending_by_seat):
            continue
        # every receipt since the first held one was held too
        receipts = (session.folder.read_receipt(receipt_name(seat, n)) for n in count(row.first_held))
        texts = [text.decode() for text in takewhile(bool, receipts) if text]
        if texts:
            write_reports(session, repeat_reader=seat)
        for start in range(0, len(texts), MAX_PER_EMAIL):
            _send_in_one_email(session, seat, row.first_held + start, texts[start : start + MAX_PER_EMAIL])
        _store_daily_answers(session.folder, DailyAnswers(seat, session.time[:10], 1))


def _send_in_one_email(session: Session, seat: str, first_number: int, texts: list[str]) -> None:
    """Send these texts of receipts, of which the first has ``first_number``, in one email."""
    # a text that can be answered has its code below its first line; in version 0.1 it was the first line
    code = session.code(seat) if any(line.startswith("[pbem ") for line in texts[-1].split("\n", 2)[:2]) else ""
    values: dict[str, Any] = {"label": session.label, "player": session.record.player(seat).name}
    values |= {"seat": seat, "code": code, "most": MAX_PER_DAY}
    values |= {"texts": [text.rstrip("\n") for text in texts]}
    text = render("held.txt", *session.templates, **values)
    subject = ANSWERS_SUBJECTS[len(texts) != 1].format(label=session.label, number=len(texts))
    name = receipt_name(seat, first_number)
    receipt = StoredReceipt(code, subject, session.time, False, text)
    _send_receipt(session, seat, receipt, f"receipt-{name}-held", f"r{name}.held")


def _send_receipt(
    session: Session,
    seat: str,
    receipt: StoredReceipt,
    file_name: str,
    id_part: str,
    choices: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Send a receipt to its player, as a reply to their email if its id may be named."""
    message = message_to_seat(
        session,
        seat,
        receipt.text,
        receipt.subject,
        file_name=file_name,
        id_part=id_part,
        code=receipt.code,
        parent_id=receipt.answered_id or last_report_id(session, seat),
        choices=choices,
    )
    send_message(session, message._replace(time=receipt.time, is_reply=True))


ANSWERS_FILE = "answers"  #: file in the private folder: the counts of the day, a line for each seat
MAX_PER_DAY = 50  #: more receipts than anybody needs; limits two machines that answer each other
MAX_PER_EMAIL = 100  #: how many held receipts go into one email


class DailyAnswers(NamedTuple):
    """How many receipts one seat got in one day: a line ``red 2026-11-22 50 50 51``."""

    seat: str
    day: str
    sent_count: int = 0
    last_number: int = 0  #: number of the last receipt that was sent; 0 for none
    first_held: int = 0  #: number of the first receipt that is held back until the next day; 0 for none


def _read_daily_answers(folder: GameFolder) -> dict[str, DailyAnswers]:
    """Read the newest counts of each seat."""
    rows = read_rows(folder.read_desk_file(ANSWERS_FILE), len(DailyAnswers._fields))
    answers = (DailyAnswers(seat, day, *map(int, numbers)) for seat, day, *numbers in rows if are_numbers(numbers))
    return {row.seat: row for row in answers}


def _answers_of_today(session: Session, seat: str) -> DailyAnswers:
    """Return the counts of a seat today. ``send_held_receipts`` has already sent those of earlier days."""
    row, day = _read_daily_answers(session.folder).get(seat), session.time[:10]
    return row if row is not None and row.day == day else DailyAnswers(seat, day)


def _store_daily_answers(folder: GameFolder, row: DailyAnswers) -> None:
    folder.put_desk_file(ANSWERS_FILE, write_rows({**_read_daily_answers(folder), row.seat: row}.values()))


def receipt_name(seat: str, number: int) -> str:
    """Return the name of a receipt, such as `red-0003`. In the outbox `receipt-` precedes it."""
    return f"{seat}-{number:04d}"
