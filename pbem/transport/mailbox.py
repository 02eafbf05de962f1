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

from pbem.chain.clock import written
from pbem.disk import mailboxes
from pbem.errors import BadInput
from pbem.formats.toml import TableReader, dump, load
from pbem.mail.parsed import LIMIT, MAIL_LIMIT
from pbem.transport.headers import received

MAIL_BYTES = MAIL_LIMIT + 1  #: enough to see that a mail is too large
AGAIN = "correct it, or delete it: then the account begins again at the end of its mailbox"


class Place(NamedTuple):
    """Where we are in a mailbox."""

    validity: str  #: UIDVALIDITY; "" of a mailbox of files
    began: str  #: the first fetch, or the earliest time that was asked for
    since: str = ""  #: a time from which on all is looked at once more, and it is not done yet
    high: int = 0  #: the highest UID that was looked at, since that began
    looked: frozenset[str] = frozenset()  #: of a mailbox of files: all that were

    def encode(self) -> bytes:
        """As it is kept."""
        facts = {
            "validity": self.validity,
            "began": self.began,
            "since": self.since,
            "high": self.high,
        }
        return dump({**facts, "looked": sorted(self.looked)}).encode()

    @classmethod
    def decode(cls, data: bytes, name: str) -> "Place":
        """Read it back; BadInput names the file."""
        try:
            table = TableReader(load(data.decode("utf-8", "replace"), "post"), "")
            found = cls(
                table.text("validity"),
                table.text("began"),
                table.text("since"),
                table.number("high", 0, 2**63 - 1),
                frozenset(table.rows("looked")),
            )
            table.done()
        except BadInput as error:
            raise BadInput(error.code, f"{name}: {error.message}", AGAIN) from None
        return found


class Seen(NamedTuple):
    """A mail as it stands in a mailbox."""

    uid: str
    head: bytes
    arrival: str  #: UTC, as in a state; "" if nobody can tell


class Mailbox(Protocol):
    """What fetching needs of a mailbox."""

    validity: str

    def end(self, began: str) -> Place:
        """Behind all that is there now."""

    def fresh(self, place: Place) -> list[str]:
        """What is behind a place, or came since the time that it names; the oldest first."""

    def behind(self, place: Place, uids: list[str]) -> Place:
        """The place when these were looked at."""

    def heads(self, uids: list[str]) -> Iterator[Seen]:
        """Headers and arrival of each that is still there."""

    def whole(self, uid: str) -> bytes | None:
        """A mail; None if it has vanished."""


class _Files:
    """A mailbox of files: what was looked at is remembered by name."""

    validity = ""

    def __init__(self) -> None:
        self.there: dict[str, str] = {}  #: uid to arrival, the oldest first

    def look(self) -> None:
        """Look again."""

    def end(self, began: str) -> Place:
        self.look()
        return Place("", began, looked=frozenset(self.there))

    def fresh(self, place: Place) -> list[str]:
        self.look()
        fresh = [uid for uid in self.there if uid not in place.looked]
        return [uid for uid in fresh if not self.there[uid] or self.there[uid] >= place.since]

    def behind(self, place: Place, uids: list[str]) -> Place:
        looked = (place.looked | {*uids}) & self.there.keys()  # what is gone does not come back
        return place._replace(looked=looked)


class MaildirMailbox(_Files):
    """Mail that a delivery agent, or a program such as mbsync, puts into a folder."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path, self._files = path, dict[str, Path]()

    def look(self) -> None:
        self._files = mailboxes.maildir(self._path)
        times = dict[str, str]()
        for uid, path in self._files.items():
            try:
                times[uid] = written(max(0, mailboxes.delivered(path)))
            except BadInput:  # moved within the Maildir meanwhile: the next fetch finds it
                continue
        self.there = dict(sorted(times.items(), key=lambda row: (row[1], row[0])))

    def heads(self, uids: list[str]) -> Iterator[Seen]:
        for uid in uids:
            data = mailboxes.mail_in(self._files[uid], LIMIT)
            if data is not None:
                yield Seen(uid, data, self.there[uid])

    def whole(self, uid: str) -> bytes | None:
        return mailboxes.mail_in(self._files[uid], MAIL_BYTES)


class MboxMailbox(_Files):
    """The spool of a machine's user. A mail of it has no name but its own bytes."""

    def __init__(self, path: Path, trusted: tuple[str, ...]) -> None:
        super().__init__()
        self._path, self._trusted = path, trusted
        self._mails = dict[str, bytes]()

    def look(self) -> None:
        found = mailboxes.mbox(self._path, MAIL_BYTES)
        self._mails = {sha256(mark).hexdigest()[:32]: data for mark, data in found}
        self.there = {uid: received(data, self._trusted) for uid, data in self._mails.items()}

    def heads(self, uids: list[str]) -> Iterator[Seen]:
        for uid in uids:
            yield Seen(uid, self._mails[uid], self.there[uid])

    def whole(self, uid: str) -> bytes | None:
        return self._mails.get(uid)
