"""desk/post.log: what was done with each message, a row a step; the message as it goes out.

What must never be here: a server; a decision about other messages.
Laws: a row is on the drive before its step is done; the last row of a message decides what a crash
left behind; rows are only added.
Source: docs/decisions/0014-the-post.md; FORMAT.md "Marks of a message".
"""

import re
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import takewhile
from typing import NamedTuple

from pbem.chain.clock import written
from pbem.disk.folder import GameFolder, Mark
from pbem.errors import BadInput
from pbem.mail.compose import ADDRESS, UNSENT
from pbem.mail.parts import header
from pbem.transport.headers import address_in, heading

FILE = "post.log"
SENDING, AGAIN, UNSURE = "sending", "again", "unsure"  #: nobody knows yet
SENT, LATER, FAILED, BACK, BY_HAND = "sent", "later", "failed", "back", "by-hand"
MOST_UNSURE = 3  #: times that a message is begun with, and nobody knows what became of it
MOST_LATER = 20
_ID = re.compile(r"<[^\s<>]{1,250}>")
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=5), timedelta(hours=6)


class Letter(NamedTuple):
    """A message in one of the folders of its marks."""

    mark: Mark
    name: str
    id: str
    sender: str
    to: str
    subject: str
    bytes_sent: bytes  #: without the line that makes the file a draft

    @property
    def digest(self) -> str:
        return sha256(self.bytes_sent).hexdigest()


def letter_in(mark: Mark, name: str, data: bytes) -> Letter:
    """The message in a file. BadInput ``post/message`` if it has no address or no Message-ID."""
    mail = heading(data)
    sender, to = address_in(mail, "from"), address_in(mail, "to")
    good = ADDRESS.fullmatch(sender) and ADDRESS.fullmatch(to)
    if not good or not _ID.fullmatch(header(mail, "message-id")):
        why = f"desk/{mark.value}/{name}.eml has no From, To or Message-ID"
        raise BadInput("post/message", why, "delete it; `pbem report` writes a report again")
    head, gap, body = data.partition(b"\n\n")
    plain = head.replace(f"\n{UNSENT}".encode(), b"", 1)
    ids = header(mail, "message-id"), sender, to, header(mail, "subject")
    return Letter(mark, name, *ids, plain + gap + body)


class Row(NamedTuple):
    """One step: ``TIME EVENT MESSAGE-ID TO DIGEST SAID``."""

    time: str
    event: str
    id: str
    said: str


class Log:
    """The log of one desk, as it is now. To be written under the lock of the game."""

    def __init__(self, folder: GameFolder) -> None:
        self._folder = folder
        self._data = folder.desk_file(FILE) or b""

    def add(self, time: str, event: str, letter: Letter, said: str = "") -> None:
        """One more row, durably."""
        parts = time, event, letter.id, letter.to, letter.digest, said
        self._data += (" ".join(parts).rstrip() + "\n").encode("utf-8", "replace")
        self._folder.put_desk_file(FILE, self._data)

    def rows(self, message_id: str) -> list[Row]:
        """Those of one message; a line that is no row is passed over."""
        found = []
        for line in self._data.decode("utf-8", "replace").splitlines():
            parts = line.split(" ", 5)
            if len(parts) >= 5 and parts[2] == message_id:
                found.append(Row(parts[0], parts[1], parts[2], "".join(parts[5:])))
        return found

    def said(self, message_id: str) -> str:
        """The newest answer."""
        return next((row.said for row in reversed(self.rows(message_id)) if row.said), "")

    def _delays(self, message_id: str) -> list[Row]:
        """How it was put off, since it failed last: then the referee wants it tried once more."""
        since = takewhile(lambda row: row.event != FAILED, reversed(self.rows(message_id)))
        return [row for row in since if row.event == LATER]

    def paused(self, message_id: str) -> str:
        """Until when a message that was put off waits; "" if it does not."""
        rows = self.rows(message_id)
        if not rows or rows[-1].event != LATER:
            return ""
        number = len(self._delays(message_id))
        pause = min(_FIRST_PAUSE * 2 ** min(number - 1, 12), _LONGEST_PAUSE)
        return written((datetime.fromisoformat(rows[-1].time) + pause).timestamp())

    def tried(self, message_id: str) -> bool:
        """Whether it was put off so often that it will not be tried once more."""
        return len(self._delays(message_id)) + 1 >= MOST_LATER

    def settle(self, letter: Letter, time: str) -> str | None:
        """What a crash left behind, for a message in ``sending``; None if it has to go again."""
        rows = self.rows(letter.id)
        last = rows[-1].event if rows else SENDING
        marks = {SENT: Mark.SENT, FAILED: Mark.FAILED, LATER: Mark.WAITING, BACK: Mark.WAITING}
        if last in marks:
            self._folder.move(letter.name, Mark.SENDING, marks[last])
            return last
        if self._unsure(rows) < MOST_UNSURE:
            return None
        why = f"interrupted {MOST_UNSURE} times, so nobody knows whether it went"
        self.add(time, FAILED, letter, why)
        self._folder.move(letter.name, Mark.SENDING, Mark.FAILED)
        return FAILED

    @staticmethod
    def _unsure(rows: list[Row]) -> int:
        number = 0
        for row in reversed(rows):
            if row.event not in (SENDING, AGAIN, UNSURE):
                break
            number += row.event != UNSURE
        return number
