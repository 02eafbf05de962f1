"""The log desk/post.log: what was done with each email of an outbox, one row per step.

Not allowed here: a server; a decision about other emails.
Laws: a row is on the drive before its step is done; after a crash, the last row of an email decides
what follows; rows are only added.
Source: docs/decisions/0014-the-post.md; FORMAT.md "Marks of a message".
"""

import re
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import takewhile
from typing import NamedTuple

from pbem.chain.clock import format_instant
from pbem.disk.folder import GameFolder, MessageStatus
from pbem.errors import BadInput
from pbem.mail.compose import ADDRESS, UNSENT_HEADER
from pbem.mail.mime import header_value
from pbem.transport.headers import first_address, parse_headers

FILE = "post.log"
SENDING, RESENDING, UNSURE = "sending", "again", "unsure"  #: events: nobody knows yet whether it went
SENT, LATER, FAILED, BACK, BY_HAND = "sent", "later", "failed", "back", "by-hand"  #: events: what became of it
MAX_UNSURE = 3  #: attempts with an unknown result before pbem gives up
MAX_LATER = 20  #: delays before pbem gives up
_ID = re.compile(r"<[^\s<>]{1,250}>")
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=5), timedelta(hours=6)


class OutgoingMessage(NamedTuple):
    """An email in a game's outbox folders."""

    status: MessageStatus
    name: str
    message_id: str
    sender: str
    recipient: str
    subject: str
    content: bytes  #: without the header that marks the file as a draft

    @property
    def digest(self) -> str:
        return sha256(self.content).hexdigest()


def parse_message(status: MessageStatus, name: str, data: bytes) -> OutgoingMessage:
    """Read the email in a file. Raises BadInput ``post/message`` if an address or the Message-ID is missing."""
    mail = parse_headers(data)
    sender = first_address(mail, "from")
    recipient = first_address(mail, "to")
    has_addresses = ADDRESS.fullmatch(sender) and ADDRESS.fullmatch(recipient)
    if not has_addresses or not _ID.fullmatch(header_value(mail, "message-id")):
        message = f"desk/{status.value}/{name}.eml has no From, To or Message-ID"
        raise BadInput("post/message", message, "delete it; `pbem report` writes a report again")
    header_bytes, separator, body = data.partition(b"\n\n")
    sent_headers = header_bytes.replace(f"\n{UNSENT_HEADER}".encode(), b"", 1)
    content = sent_headers + separator + body
    subject = header_value(mail, "subject")
    return OutgoingMessage(status, name, header_value(mail, "message-id"), sender, recipient, subject, content)


class LogRow(NamedTuple):
    """One step: ``TIME EVENT MESSAGE-ID TO DIGEST ANSWER``."""

    time: str
    event: str
    message_id: str
    answer: str


class OutboxLog:
    """The log of one desk, as it is now. Write it only under the game's lock."""

    def __init__(self, folder: GameFolder) -> None:
        self._folder = folder
        self._data = folder.read_desk_file(FILE) or b""

    def add_row(self, time: str, event: str, message: OutgoingMessage, answer: str = "") -> None:
        """Add a row durably."""
        parts = time, event, message.message_id, message.recipient, message.digest, answer
        self._data += (" ".join(parts).rstrip() + "\n").encode("utf-8", "replace")
        self._folder.put_desk_file(FILE, self._data)

    def rows_of(self, message_id: str) -> list[LogRow]:
        """Return the rows of one email, the oldest first. Invalid lines are skipped."""
        rows = []
        for line in self._data.decode("utf-8", "replace").splitlines():
            parts = line.split(" ", 5)
            if len(parts) < 5:
                continue
            time, event, row_id, _, _, *answer = parts
            if row_id == message_id:
                rows.append(LogRow(time, event, row_id, "".join(answer)))
        return rows

    def last_answer(self, message_id: str) -> str:
        """Return the newest answer of a server to an email, or "" if there is none."""
        return next((row.answer for row in reversed(self.rows_of(message_id)) if row.answer), "")

    def _delays(self, message_id: str) -> list[LogRow]:
        """Return the delays of an email since it last failed. Only the referee tries again after a failure."""
        rows_since_failure = takewhile(lambda row: row.event != FAILED, reversed(self.rows_of(message_id)))
        return [row for row in rows_since_failure if row.event == LATER]

    def paused_until(self, message_id: str) -> str:
        """Return until when a delayed email waits, or "" if it does not wait."""
        rows = self.rows_of(message_id)
        if not rows or rows[-1].event != LATER:
            return ""
        delays = len(self._delays(message_id))
        doublings = min(delays - 1, 12)  # more would not change the pause
        pause = min(_FIRST_PAUSE * 2**doublings, _LONGEST_PAUSE)
        return format_instant((datetime.fromisoformat(rows[-1].time) + pause).timestamp())

    def is_exhausted(self, message_id: str) -> bool:
        """Return whether pbem gives up if this email is delayed once more."""
        return len(self._delays(message_id)) + 1 >= MAX_LATER

    def finish_interrupted(self, message: OutgoingMessage, time: str) -> str | None:
        """Move an email out of desk/sending by its last event, which is returned; None if it must be sent again."""
        rows = self.rows_of(message.message_id)
        last_event = rows[-1].event if rows else SENDING
        status_by_event = {
            SENT: MessageStatus.SENT,
            FAILED: MessageStatus.FAILED,
            LATER: MessageStatus.WAITING,
            BACK: MessageStatus.WAITING,
        }
        if last_event in status_by_event:
            self._folder.move_message(message.name, MessageStatus.SENDING, status_by_event[last_event])
            return last_event
        if self._count_unsure(rows) < MAX_UNSURE:
            return None
        problem = f"interrupted {MAX_UNSURE} times, so nobody knows whether it went"
        self.add_row(time, FAILED, message, problem)
        self._folder.move_message(message.name, MessageStatus.SENDING, MessageStatus.FAILED)
        return FAILED

    @staticmethod
    def _count_unsure(rows: list[LogRow]) -> int:
        """Count the latest attempts in a row whose result nobody knows."""
        count = 0
        for row in reversed(rows):
            if row.event not in (SENDING, RESENDING, UNSURE):
                break
            if row.event != UNSURE:  # UNSURE ends an attempt that another row began
                count += 1
        return count
