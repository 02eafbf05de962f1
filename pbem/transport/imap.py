"""A mailbox on an IMAP server, read and never changed: EXAMINE, and BODY.PEEK alone.

What must never be here: which mail is wanted. Nothing is marked as read, moved or deleted.
Laws: TLS is verified before anything is sent; a mail that vanished is passed over; UIDs rise.
Source: docs/decisions/0014-the-post.md; RFC 3501, 9051 (IMAP), 4959 (initial answers).
"""

import imaplib
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from typing import Any

from pbem.mail.compose import MONTHS
from pbem.mail.parsed import LIMIT
from pbem.transport.accounts import Account, secret_of
from pbem.transport.connection import ANSWER, Limits, connected, encrypting
from pbem.transport.headers import HEADERS, moment
from pbem.transport.mailbox import MAIL_BYTES, Place, Seen
from pbem.transport.server_errors import Where, bearer, in_words, refused

_BATCH = 100
_UID = re.compile(rb"\bUID (\d+)")
_DATE = re.compile(rb'INTERNALDATE "([^"]{20,40})"')
_NUMBER = re.compile(rb"[1-9]\d{0,9}")  #: a UID has 32 bits
_ROOM = 4096  #: bytes around an email, or its headers, in an answer


class _Server(imaplib.IMAP4):
    """The library's, on a line of ours."""

    def __init__(self, where: Where, context: ssl.SSLContext | None) -> None:
        self._limits, self._context = where.limits, context
        super().__init__(where.url.host, where.url.port)

    def _create_socket(self, *_: object) -> socket.socket:
        return connected(self.host, self.port, self._limits, self._context)


class ImapMailbox:
    """One folder, open to be read."""

    def __init__(self, server: imaplib.IMAP4, where: Where) -> None:
        self._server, self._where = server, where
        folder = where.url.path.replace("\\", "\\\\").replace('"', '\\"')
        kind, said = server.select(f'"{folder}"', readonly=True)
        if kind != "OK":
            text = where.told(said[0] or "")
            why = f"the folder {where.url.path} cannot be opened: {text}"
            raise refused(where, why, "look at the end of `fetch`", "post/folder")
        self.validity = str(self._number("UIDVALIDITY"))
        self._high = self._number("UIDNEXT") - 1

    def _number(self, name: str) -> int:
        """What the server said when the folder was opened."""
        found = self._server.response(name)[1]
        if not found or not re.fullmatch(rb"\d{1,12}", found[-1] or b""):
            raise refused(self._where, f"the server names no {name}", "use another server")
        return int(found[-1])

    def end(self, began: str) -> Place:
        """Behind all that was there when the folder was opened."""
        return Place(self.validity, began, high=self._high)

    def fresh(self, place: Place) -> list[str]:
        """What came after a place, or from the day before its ``since`` on; the oldest first."""
        self._asked("NOOP")  # a server tells what came meanwhile
        if place.since:
            # a server has a zone of its own
            day = date.fromisoformat(place.since[:10]) - timedelta(days=1)
            what = f"SINCE {day.day}-{MONTHS[day.month - 1]}-{day.year}"
        else:
            what = f"UID {place.high + 1}:*"  # it always has the last one
        return [str(uid) for uid in self._search(what) if uid > place.high]

    def behind(self, place: Place, uids: list[str]) -> Place:
        """The place when these were looked at."""
        return place._replace(high=max([place.high, *map(int, uids)]))

    def _search(self, what: str) -> list[int]:
        found = self._asked("SEARCH", *what.split(" "))
        words = {word for line in found if isinstance(line, bytes) for word in line.split()}
        for odd in (word for word in words if not _NUMBER.fullmatch(word)):
            why = f"the server answered a search with {self._where.told(odd)!r}, not with numbers"
            raise refused(self._where, why, "ask who runs the server", "post/nonsense")
        return sorted(map(int, words))

    def _asked(self, command: str, *words: str, most: int = ANSWER) -> list[Any]:
        """What the server answers, in ``most`` bytes. Raises nothing but PbemError."""
        server, where = self._server, self._where
        try:
            if where.limits.spent:
                where.limits.stop("there is so much email that the next run has to go on from here")
            where.limits.begin(most)
            kind, found = server.uid(command, *words) if words else server.noop()
            if kind != "OK":
                raise imaplib.IMAP4.error(*(found[:1] or [""]))
        except Exception as error:  # noqa: BLE001 - the library raises anything on odd answers
            raise in_words(where, error) from None
        return found

    def heads(self, uids: list[str]) -> Iterator[Seen]:
        """Headers and arrival of each that is still there, in this order."""
        for at in range(0, len(uids), _BATCH):
            batch = uids[at : at + _BATCH]
            fields = f"BODY.PEEK[HEADER.FIELDS ({' '.join(HEADERS).upper()})]<0.{LIMIT}>"
            what, most = f"(UID INTERNALDATE {fields})", len(batch) * (LIMIT + _ROOM)
            rows = self._asked("FETCH", ",".join(batch), what, most=most)
            found = {seen.uid: seen for seen in _rows(rows)}
            yield from (found[uid] for uid in batch if uid in found)

    def whole(self, uid: str) -> bytes | None:
        """A mail, its beginning where it is too large; None if it has vanished."""
        what = f"(UID BODY.PEEK[]<0.{MAIL_BYTES}>)"
        rows = self._asked("FETCH", uid, what, most=MAIL_BYTES + _ROOM)
        return next((seen.head for seen in _rows(rows) if seen.uid == uid), None)


def _rows(rows: list[Any]) -> Iterator[Seen]:
    """What imaplib makes of FETCH answers: a pair for each literal, and loose ends."""
    for at, row in enumerate(rows):
        if not isinstance(row, tuple):
            continue
        after = rows[at + 1] if at + 1 < len(rows) and isinstance(rows[at + 1], bytes) else b""
        uid = _UID.search(row[0]) or _UID.search(after)
        when = _DATE.search(row[0]) or _DATE.search(after)
        if uid is not None:
            came = moment(when[1].decode("ascii", "replace")) if when else ""
            yield Seen(uid[1].decode(), row[1], came)


@contextmanager
def imap(account: Account) -> Iterator[ImapMailbox]:
    """The folder of an account, open for the block; every trouble in one line."""
    where = Where(account, account.fetch, Limits(), secret_of(account))
    context, server = encrypting(where.limits), None
    try:
        try:
            server = _Server(where, context if where.url.scheme == "imaps" else None)
            _login(server, where, context)
            mailbox = ImapMailbox(server, where)
        except Exception as error:  # noqa: BLE001 - as in ImapMailbox
            raise in_words(where, error) from None
        yield mailbox
    finally:
        if server is not None:
            with suppress(OSError):  # where it was cut before
                server.send(b"bye LOGOUT\r\n")  # nobody waits for the answer
            with suppress(OSError):
                server.shutdown()


def _login(server: imaplib.IMAP4, where: Where, context: ssl.SSLContext) -> None:
    user, secret = where.url.user, where.secret
    if where.url.scheme != "imaps":
        if "STARTTLS" not in server.capabilities:
            why = "the server does not offer STARTTLS, and without TLS pbem sends no secret"
            raise refused(where, why, "try the scheme imaps", "post/tls")
        server.starttls(context)
    if where.account.token:
        answers = iter([bearer(user, secret).encode()])
        server.authenticate("XOAUTH2", lambda _: next(answers, b""))
    elif "AUTH=PLAIN" in server.capabilities:
        server.authenticate("PLAIN", lambda _: f"\0{user}\0{secret}".encode())
    elif not (user + secret).isascii():
        why = "the server takes no user or password beyond plain letters"
        raise refused(where, why, "change the password there", "post/login")
    else:
        server.login(user, secret)
