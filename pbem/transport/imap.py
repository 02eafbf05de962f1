"""A mailbox on an IMAP server. It is only read: EXAMINE and BODY.PEEK.

Not allowed here: which email is wanted; marking, moving or deleting an email; how long or how
large an answer may be (connection.py; an email: pbem/mail/parsed.py).
Laws: TLS is verified before anything is sent; an email that vanished is skipped; UIDs rise.
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
from pbem.mail.parsed import HEADING_LIMIT
from pbem.transport.accounts import Account, secret_of
from pbem.transport.connection import MAX_ANSWER_BYTES, Limits, connect, tls_context
from pbem.transport.headers import HEADERS, parse_date
from pbem.transport.mailbox import MAIL_BYTES, Mailbox, MailHeaders, Place
from pbem.transport.server_errors import Endpoint, bearer, server_refusal, translate_error

_BATCH = 100  #: emails per FETCH
_UID = re.compile(rb"\bUID (\d+)")
_DATE = re.compile(rb'INTERNALDATE "([^"]{20,40})"')
_NUMBER = re.compile(rb"[1-9]\d{0,9}")  #: of 32 bits
_OVERHEAD = 4096  #: bytes of an answer besides the email or headers


class _Server(imaplib.IMAP4):
    """The library's IMAP client, on a connection with limits."""

    def __init__(self, endpoint: Endpoint, context: ssl.SSLContext | None) -> None:
        self._limits = endpoint.limits
        self._context = context
        super().__init__(endpoint.url.host, endpoint.url.port)

    def _create_socket(self, *_: object) -> socket.socket:
        return connect(self.host, self.port, self._limits, self._context)


class ImapMailbox(Mailbox):
    """One folder on a server."""

    def __init__(self, server: imaplib.IMAP4, endpoint: Endpoint) -> None:
        self._server = server
        self._endpoint = endpoint
        folder = endpoint.url.path.replace("\\", "\\\\").replace('"', '\\"')
        status, answer = server.select(f'"{folder}"', readonly=True)
        if status != "OK":
            text = endpoint.clean(answer[0] or "")
            message = f"the folder {endpoint.url.path} cannot be opened: {text}"
            raise server_refusal(endpoint, message, "look at the end of `fetch`", "post/folder")
        self.uid_validity = str(self._read_number("UIDVALIDITY"))
        self._highest_uid = self._read_number("UIDNEXT") - 1

    def _read_number(self, name: str) -> int:
        """Return a number that the server gave when the folder was opened."""
        values = self._server.response(name)[1]
        if not values or not re.fullmatch(rb"\d{1,12}", values[-1] or b""):
            raise server_refusal(self._endpoint, f"the server names no {name}", "use another server")
        return int(values[-1])

    def end_place(self, start_time: str) -> Place:
        return Place(self.uid_validity, start_time, highest_uid=self._highest_uid)

    def newest_arrival(self) -> str:
        headers = self.read_headers([str(self._highest_uid)] if self._highest_uid else [])
        return next((mail.arrival for mail in headers), "")

    def new_uids(self, place: Place) -> list[str]:
        self._command("NOOP")  # makes the server report new emails
        if place.since:
            # the day before, since the server may use another time zone
            day = date.fromisoformat(place.since[:10]) - timedelta(days=1)
            criteria = f"SINCE {day.day}-{MONTHS[day.month - 1]}-{day.year}"
        else:
            criteria = f"UID {place.highest_uid + 1}:*"  # the answer always includes the last email
        return [str(uid) for uid in self._search(criteria) if uid > place.highest_uid]

    def advance(self, place: Place, uids: list[str]) -> Place:
        return place._replace(highest_uid=max([place.highest_uid, *map(int, uids)]))

    def _search(self, criteria: str) -> list[int]:
        """Return the UIDs of the emails that meet the criteria, in rising order."""
        answer = self._command("SEARCH", *criteria.split(" "))
        words = {word for line in answer if isinstance(line, bytes) for word in line.split()}
        odd_words = [word for word in words if not _NUMBER.fullmatch(word)]
        if odd_words:
            message = f"the server answered a search with {self._endpoint.clean(odd_words[0])!r}, not with numbers"
            raise server_refusal(self._endpoint, message, "ask who runs the server", "post/nonsense")
        return sorted(map(int, words))

    def _command(self, command: str, *arguments: str, max_bytes: int = MAX_ANSWER_BYTES) -> list[Any]:
        """Send a command, or NOOP if there are no arguments. Return the answer. Raise only PbemError."""
        server, endpoint = self._server, self._endpoint
        try:
            if endpoint.limits.is_spent:
                endpoint.limits.abort("there is so much email that the next run has to go on from here")
            endpoint.limits.begin_exchange(max_bytes)
            status, answer = server.uid(command, *arguments) if arguments else server.noop()
            if status != "OK":
                raise imaplib.IMAP4.error(*(answer[:1] or [""]))
        except Exception as error:  # noqa: BLE001 - the library raises anything on odd answers
            raise translate_error(endpoint, error) from None
        return answer

    def read_headers(self, uids: list[str]) -> Iterator[MailHeaders]:
        for start in range(0, len(uids), _BATCH):
            batch = uids[start : start + _BATCH]
            fields = f"BODY.PEEK[HEADER.FIELDS ({' '.join(HEADERS).upper()})]<0.{HEADING_LIMIT}>"
            items = f"(UID INTERNALDATE {fields})"
            max_bytes = len(batch) * (HEADING_LIMIT + _OVERHEAD)
            rows = self._command("FETCH", ",".join(batch), items, max_bytes=max_bytes)
            mails_by_uid = {mail.uid: mail for mail in _parse_fetch_rows(rows)}
            yield from (mails_by_uid[uid] for uid in batch if uid in mails_by_uid)

    def read_email(self, uid: str) -> bytes | None:
        items = f"(UID BODY.PEEK[]<0.{MAIL_BYTES}>)"
        rows = self._command("FETCH", uid, items, max_bytes=MAIL_BYTES + _OVERHEAD)
        return next((mail.headers for mail in _parse_fetch_rows(rows) if mail.uid == uid), None)


def _parse_fetch_rows(rows: list[Any]) -> Iterator[MailHeaders]:
    """Yield the emails in imaplib's answer to FETCH, with rows such as ``(b"1 (UID 7 BODY[] {9}", b"Subject: …")``.

    What the server sends after the bytes is in the next row: ``b" INTERNALDATE …)"``.
    """
    for index, row in enumerate(rows):
        if not isinstance(row, tuple):
            continue
        next_row = rows[index + 1] if index + 1 < len(rows) and isinstance(rows[index + 1], bytes) else b""
        items, literal = row
        uid = _UID.search(items) or _UID.search(next_row)
        date_match = _DATE.search(items) or _DATE.search(next_row)
        if uid is not None:
            arrival = parse_date(date_match[1].decode("ascii", "replace")) if date_match else ""
            yield MailHeaders(uid[1].decode(), literal, arrival)


@contextmanager
def open_imap(account: Account, limits: Limits) -> Iterator[ImapMailbox]:
    """Open the folder of an account for a ``with`` block. Errors are ``post/…``."""
    endpoint = Endpoint(account, account.fetch_url, limits, secret_of(account))
    context = tls_context(endpoint.limits)
    server = None
    try:
        try:
            server = _Server(endpoint, context if endpoint.url.scheme == "imaps" else None)
            _login(server, endpoint, context)
            mailbox = ImapMailbox(server, endpoint)
        except Exception as error:  # noqa: BLE001 - as in ImapMailbox
            raise translate_error(endpoint, error) from None
        yield mailbox
    finally:
        if server is not None:
            with suppress(OSError):  # the connection may be closed
                server.send(b"bye LOGOUT\r\n")  # pbem does not wait for the answer
            with suppress(OSError):
                server.shutdown()


def _login(server: imaplib.IMAP4, endpoint: Endpoint, context: ssl.SSLContext) -> None:
    """Begin TLS if the connection has none yet, then log in as the server offers it."""
    user, secret = endpoint.url.user, endpoint.secret
    if endpoint.url.scheme != "imaps":
        if "STARTTLS" not in server.capabilities:
            message = "the server does not offer STARTTLS, and without TLS pbem sends no secret"
            raise server_refusal(endpoint, message, "try the scheme imaps", "post/tls")
        server.starttls(context)
    if endpoint.account.is_token:
        answers = iter([bearer(user, secret).encode()])
        # if the server asks again, it is for a refusal, which needs an empty answer
        server.authenticate("XOAUTH2", lambda _: next(answers, b""))
    elif "AUTH=PLAIN" in server.capabilities:
        server.authenticate("PLAIN", lambda _: f"\0{user}\0{secret}".encode())
    elif not (user + secret).isascii():
        message = "the server accepts only plain letters in user names and passwords"
        raise server_refusal(endpoint, message, "change the password there", "post/login")
    else:
        server.login(user, secret)
