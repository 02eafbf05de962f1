"""A mailbox on an IMAP server, read and never changed: EXAMINE, and BODY.PEEK alone.

What must never be here: which mail is wanted. Nothing is marked as read, moved or deleted.
Laws: TLS is verified before anything is sent; a mail that vanished is passed over; UIDs rise.
Source: docs/decisions/0014-the-post.md; RFC 3501, 9051 (IMAP), 4959 (initial answers).
"""

import imaplib
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any

from pbem.files.mail.compose import MONTHS
from pbem.post.accounts import Account, secret_of
from pbem.post.heading import HEADERS
from pbem.post.mailbox import MAIL_BYTES, Place, Seen
from pbem.post.trouble import TIMEOUT, Where, bearer, in_words, refused

_BATCH = 100
_UID = re.compile(rb"\bUID (\d+)")
_DATE = re.compile(rb'INTERNALDATE "([^"]{20,40})"')


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
        with suppress(imaplib.IMAP4.error):
            self._server.noop()  # a server tells what came meanwhile
        if place.since:
            day = date.fromisoformat(place.since[:10]) - timedelta(
                days=1
            )  # in the server's own zone
            uids = self._search(f"SINCE {day.day}-{MONTHS[day.month - 1]}-{day.year}")
        else:
            # `n:*` always has the last one
            uids = [uid for uid in self._search(f"UID {place.high + 1}:*") if uid > place.high]
        return [str(uid) for uid in uids]

    def behind(self, place: Place, uids: list[str]) -> Place:
        """The place when these were looked at."""
        return place._replace(high=max([place.high, *map(int, uids)]))

    def _search(self, what: str) -> list[int]:
        found = self._asked(self._server.uid("SEARCH", *what.split(" ")))
        return sorted(int(uid) for line in found if isinstance(line, bytes) for uid in line.split())

    def _asked(self, answer: tuple[str, list[Any]]) -> list[Any]:
        kind, found = answer
        if kind != "OK":
            raise imaplib.IMAP4.error(*(found[:1] or [""]))
        return found

    def heads(self, uids: list[str]) -> Iterator[Seen]:
        """Headers and arrival of each that is still there, in this order."""
        for at in range(0, len(uids), _BATCH):
            batch = uids[at : at + _BATCH]
            fields = f"(UID INTERNALDATE BODY.PEEK[HEADER.FIELDS ({' '.join(HEADERS).upper()})])"
            rows = self._asked(self._server.uid("FETCH", ",".join(batch), fields))
            found = {seen.uid: seen for seen in _rows(rows)}
            yield from (found[uid] for uid in batch if uid in found)

    def whole(self, uid: str) -> bytes | None:
        """A mail, its beginning where it is too large; None if it has vanished."""
        what = f"(UID BODY.PEEK[]<0.{MAIL_BYTES}>)"
        rows = self._asked(self._server.uid("FETCH", uid, what))
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
            yield Seen(uid[1].decode(), row[1], _arrival(when[1].decode()) if when else "")


def _arrival(text: str) -> str:
    """``21-Nov-2026 10:00:00 +0100`` in UTC, as a state has it; "" if it is no time."""
    found = re.fullmatch(r" ?(\d{1,2})-(\w{3})-(\d{4}) (\d\d:\d\d:\d\d) ([+-]\d{4})", text)
    if found is None or found[2].title() not in MONTHS:
        return ""
    month = MONTHS.index(found[2].title()) + 1
    try:
        day = f"{found[3]}-{month:02d}-{int(found[1]):02d}"
        when = datetime.fromisoformat(f"{day}T{found[4]}{found[5]}")
    except ValueError:
        return ""
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


@contextmanager
def imap(account: Account) -> Iterator[ImapMailbox]:
    """The folder of an account, open for the block; every trouble in one line."""
    secret = secret_of(account)
    where = Where(account, account.fetch, secret)
    server: imaplib.IMAP4 | None = None
    try:
        server = _connected(where)
        _login(server, where)
        yield ImapMailbox(server, where)
    except (OSError, imaplib.IMAP4.error, EOFError, UnicodeError) as error:
        raise in_words(where, error) from None
    finally:
        if server is not None:
            with suppress(OSError, imaplib.IMAP4.error, EOFError):
                server.logout()
            with suppress(OSError):
                server.shutdown()  # where it was cut before


def _connected(where: Where) -> imaplib.IMAP4:
    url, context = where.url, ssl.create_default_context()
    if url.scheme == "imaps":
        return imaplib.IMAP4_SSL(url.host, url.port, ssl_context=context, timeout=TIMEOUT)
    server = imaplib.IMAP4(url.host, url.port, timeout=TIMEOUT)
    if "STARTTLS" not in server.capabilities:
        server.shutdown()
        why = "the server does not offer STARTTLS, and without TLS pbem sends no secret"
        raise refused(where, why, "try the scheme imaps", "post/tls")
    server.starttls(context)
    return server


def _login(server: imaplib.IMAP4, where: Where) -> None:
    user, secret = where.url.user, where.secret
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
