"""What a mailbox is to those who fetch from it; the mailboxes of this machine.

What lives here: Place, where we are in a mailbox; Maildir and mbox. What must never be here: which
mail is wanted; a server's words (imap.py).
Law: a place moves on behind what was looked at, and behind nothing else.
Source: docs/decisions/0014-the-post.md.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol

from pbem.chain.clock import format_instant
from pbem.disk import mailboxes
from pbem.errors import BadInput
from pbem.formats.toml import TableReader, dump, load
from pbem.mail.parsed import HEADING_LIMIT, MAIL_LIMIT
from pbem.transport.headers import received_time

MAIL_BYTES = MAIL_LIMIT + 1  #: enough to see that a mail is too large
CORRECT_HINT = "correct it, or delete it: then the account begins again at the end of its mailbox"


class Place(NamedTuple):
    """Where we are in a mailbox."""

    uid_validity: str  #: UIDVALIDITY; "" of a mailbox of files
    start_time: str  #: the first fetch, or the earliest time that was asked for
    since: str = ""  #: a time from which on all is looked at once more, and it is not done yet
    highest_uid: int = 0  #: the highest UID that was looked at, since that began
    seen_uids: frozenset[str] = frozenset()  #: of a mailbox of files: all that were

    def encode(self) -> bytes:
        """As it is kept."""
        table = {"validity": self.uid_validity, "began": self.start_time, "since": self.since, "high": self.highest_uid}
        return dump({**table, "looked": sorted(self.seen_uids)}).encode()

    @classmethod
    def decode(cls, data: bytes, name: str) -> "Place":
        """Read it back; BadInput names the file."""
        try:
            table = TableReader(load(data.decode("utf-8", "replace"), "post"), "")
            place = cls(
                table.text("validity"),
                table.text("began"),
                table.text("since"),
                table.number("high", 0, 2**63 - 1),
                frozenset(table.rows("looked")),
            )
            table.refuse_unknown_keys()
        except BadInput as error:
            raise BadInput(error.code, f"{name}: {error.message}", CORRECT_HINT) from None
        return place


class MailHeaders(NamedTuple):
    """A mail as it stands in a mailbox."""

    uid: str
    headers: bytes
    arrival: str  #: UTC, as in a state; "" if nobody can tell


class Mailbox(Protocol):
    """What fetching needs of a mailbox."""

    uid_validity: str

    def end_place(self, start_time: str) -> Place:
        """Behind all that is there now."""

    def new_uids(self, place: Place) -> list[str]:
        """What is behind a place, or came since the time that it names; the oldest first."""

    def advance(self, place: Place, uids: list[str]) -> Place:
        """The place when these were looked at."""

    def read_headers(self, uids: list[str]) -> Iterator[MailHeaders]:
        """Headers and arrival of each that is still there."""

    def read_email(self, uid: str) -> bytes | None:
        """A mail; None if it has vanished."""


class _FileMailbox:
    """A mailbox of files: what was looked at is remembered by name."""

    uid_validity = ""

    def __init__(self) -> None:
        self.arrivals: dict[str, str] = {}  #: uid to arrival, the oldest first

    def refresh(self) -> None:
        """Look again."""

    def end_place(self, start_time: str) -> Place:
        self.refresh()
        return Place("", start_time, seen_uids=frozenset(self.arrivals))

    def new_uids(self, place: Place) -> list[str]:
        self.refresh()
        unseen_uids = [uid for uid in self.arrivals if uid not in place.seen_uids]
        return [uid for uid in unseen_uids if not self.arrivals[uid] or self.arrivals[uid] >= place.since]

    def advance(self, place: Place, uids: list[str]) -> Place:
        seen_uids = (place.seen_uids | {*uids}) & self.arrivals.keys()  # what is gone does not come back
        return place._replace(seen_uids=seen_uids)


class MaildirMailbox(_FileMailbox):
    """Mail that a delivery agent, or a program such as mbsync, puts into a folder."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._files = dict[str, Path]()

    def refresh(self) -> None:
        self._files = mailboxes.list_maildir(self._path)
        arrivals = dict[str, str]()
        for uid, path in self._files.items():
            try:
                arrivals[uid] = format_instant(max(0, mailboxes.delivery_time(path)))
            except BadInput:  # moved within the Maildir meanwhile: the next fetch finds it
                continue
        self.arrivals = dict(sorted(arrivals.items(), key=lambda row: (row[1], row[0])))

    def read_headers(self, uids: list[str]) -> Iterator[MailHeaders]:
        for uid in uids:
            data = mailboxes.read_email(self._files[uid], HEADING_LIMIT)
            if data is not None:
                yield MailHeaders(uid, data, self.arrivals[uid])

    def read_email(self, uid: str) -> bytes | None:
        return mailboxes.read_email(self._files[uid], MAIL_BYTES)


class MboxMailbox(_FileMailbox):
    """The spool of a machine's user. A mail of it has no name but its own bytes."""

    def __init__(self, path: Path, trusted: tuple[str, ...]) -> None:
        super().__init__()
        self._path = path
        self._trusted = trusted
        self._mails = dict[str, bytes]()

    def refresh(self) -> None:
        marked_mails = mailboxes.read_mbox(self._path, MAIL_BYTES)
        self._mails = {sha256(identity).hexdigest()[:32]: data for identity, data in marked_mails}
        self.arrivals = {uid: received_time(data, self._trusted) for uid, data in self._mails.items()}

    def read_headers(self, uids: list[str]) -> Iterator[MailHeaders]:
        for uid in uids:
            yield MailHeaders(uid, self._mails[uid], self.arrivals[uid])

    def read_email(self, uid: str) -> bytes | None:
        return self._mails.get(uid)
