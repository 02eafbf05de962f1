"""The mailboxes that pbem fetches from: what they have in common, and those on this machine (Maildir, mbox).

Not allowed here: which email is wanted; the protocol of a server (imap.py).
Law: a place moves only past what pbem has looked at.
Source: docs/decisions/0014-the-post.md.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pbem.chain.clock import format_instant
from pbem.disk import mailboxes
from pbem.disk.whole import read_beginning
from pbem.errors import BadInput
from pbem.formats.toml import TableReader, dump, load
from pbem.mail.parsed import HEADING_LIMIT, MAIL_LIMIT
from pbem.transport.headers import received_time

MAIL_BYTES = MAIL_LIMIT + 1  #: how much of an email is read: enough to see if it is too large
CORRECT_HINT = "correct it, or delete it: then the account begins again at the end of its mailbox"


class Place(NamedTuple):
    """How far pbem has looked in a mailbox."""

    uid_validity: str  #: UIDVALIDITY of the server; "" for a mailbox of files
    start_time: str  #: of the first fetch, or an earlier time that the referee asked for
    since: str = ""  #: not "" while pbem looks again at all email from this time on
    highest_uid: int = 0  #: the highest UID that pbem has looked at
    seen_uids: frozenset[str] = frozenset()  #: in a mailbox of files: every email that pbem has looked at

    def encode(self) -> bytes:
        """Return the content of the place's file."""
        table = {"validity": self.uid_validity, "began": self.start_time, "since": self.since, "high": self.highest_uid}
        return dump({**table, "looked": sorted(self.seen_uids)}).encode()

    @classmethod
    def decode(cls, data: bytes, file: str) -> "Place":
        """Read a place from the content of its file. BadInput names the file."""
        try:
            table = TableReader(load(data.decode("utf-8", "replace"), "post"), "")
            place = cls(
                uid_validity=table.text("validity"),
                start_time=table.text("began"),
                since=table.text("since"),
                highest_uid=table.number("high", 0, 2**63 - 1),
                seen_uids=frozenset(table.rows("looked")),
            )
            table.refuse_unknown_keys()
        except BadInput as error:
            raise BadInput(error.code, f"{file}: {error.message}", CORRECT_HINT) from None
        return place


class MailHeaders(NamedTuple):
    """An email in a mailbox, as far as it was read."""

    uid: str
    headers: bytes
    arrival: str  #: in UTC, as in a state; "" if unknown


class Mailbox(ABC):
    """A mailbox that can be read and is never changed."""

    uid_validity: str

    @abstractmethod
    def end_place(self, start_time: str) -> Place:
        """Return the place after everything that is in the mailbox now."""

    @abstractmethod
    def newest_arrival(self) -> str:
        """Return when its newest email arrived by the clock of a server, "" if that is unknown. Raise PbemError
        if the mailbox cannot be read.
        """

    @abstractmethod
    def new_uids(self, place: Place) -> list[str]:
        """Return the UIDs of the emails after a place, or since its time ``since``, the oldest first."""

    @abstractmethod
    def advance(self, place: Place, uids: list[str]) -> Place:
        """Return the place once pbem has looked at these emails."""

    @abstractmethod
    def read_headers(self, uids: list[str]) -> Iterator[MailHeaders]:
        """Yield the headers and the arrival of each email that is still there."""

    @abstractmethod
    def read_email(self, uid: str) -> bytes | None:
        """Return the email, up to ``MAIL_BYTES``, or None if it has vanished."""


class FileMailbox(Mailbox):
    """A mailbox of files. Its place lists every email that pbem has looked at."""

    uid_validity = ""

    def __init__(self) -> None:
        self.arrivals: dict[str, str] = {}  #: by UID, the oldest first; "" if unknown

    @abstractmethod
    def refresh(self) -> None:
        """Read the mailbox again."""

    def end_place(self, start_time: str) -> Place:
        self.refresh()
        return Place("", start_time, seen_uids=frozenset(self.arrivals))

    def new_uids(self, place: Place) -> list[str]:
        self.refresh()
        unseen_uids = [uid for uid in self.arrivals if uid not in place.seen_uids]
        return [uid for uid in unseen_uids if not self.arrivals[uid] or self.arrivals[uid] >= place.since]

    def advance(self, place: Place, uids: list[str]) -> Place:
        seen_uids = (place.seen_uids | {*uids}) & self.arrivals.keys()  # a deleted email does not come back
        return place._replace(seen_uids=seen_uids)


class MaildirMailbox(FileMailbox):
    """A folder into which the mail system, or a program such as mbsync, puts emails."""

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
            except BadInput:  # just moved within the Maildir: the next fetch finds it
                continue
        self.arrivals = dict(sorted(arrivals.items(), key=_by_arrival))

    def newest_arrival(self) -> str:
        mailboxes.list_maildir(self._path)
        return ""

    def read_headers(self, uids: list[str]) -> Iterator[MailHeaders]:
        for uid in uids:
            data = mailboxes.read_email(self._files[uid], HEADING_LIMIT)
            if data is not None:
                yield MailHeaders(uid, data, self.arrivals[uid])

    def read_email(self, uid: str) -> bytes | None:
        return mailboxes.read_email(self._files[uid], MAIL_BYTES)


def _by_arrival(uid_and_arrival: tuple[str, str]) -> tuple[str, str]:
    uid, arrival = uid_and_arrival
    return arrival, uid


class MboxMailbox(FileMailbox):
    """The mail spool of a user of this machine. An email in it is identified by a hash."""

    def __init__(self, path: Path, trusted_hosts: tuple[str, ...]) -> None:
        super().__init__()
        self._path = path
        self._trusted_hosts = trusted_hosts
        self._mails = dict[str, bytes]()

    def refresh(self) -> None:
        identified_mails = mailboxes.read_mbox(self._path, MAIL_BYTES)
        self._mails = {sha256(identity).hexdigest()[:32]: data for identity, data in identified_mails}
        self.arrivals = {uid: received_time(data, self._trusted_hosts) for uid, data in self._mails.items()}

    def newest_arrival(self) -> str:
        mailboxes.check_mbox_file(self._path)  # reading it would make a lock file beside it
        read_beginning(str(self._path))
        return ""

    def read_headers(self, uids: list[str]) -> Iterator[MailHeaders]:
        for uid in uids:
            yield MailHeaders(uid, self._mails[uid], self.arrivals[uid])

    def read_email(self, uid: str) -> bytes | None:
        return self._mails.get(uid)
