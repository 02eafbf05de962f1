"""The way out: an SMTP server, or a program such as sendmail.

What must never be here: which message goes, or what becomes of it here.
Laws: TLS is verified before a secret or a mail is sent; of each mail exactly one thing is said: it
was taken, it may be tried again, it never will be, or nobody knows.
Source: docs/decisions/0014-the-post.md; RFC 5321, RFC 1047 (why nobody knows).
"""

import binascii
import smtplib
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from typing import NamedTuple, Protocol

from pbem.transport.accounts import LOOPBACK, Account, secret_of
from pbem.transport.connection import Limits, connected, encrypting
from pbem.transport.server_errors import Where, bearer, in_words, refused

_HERE = "[127.0.0.1]"  #: this machine's name is nobody's business, and asking for it takes time
_TEMPORARY = {71, 75}  #: sysexits.h: the system, and try again
_RUN_SECONDS = 300


class Kind(Enum):
    """What became of one mail."""

    TAKEN = "taken"
    LATER = "later"  #: it may be tried again
    NEVER = "never"
    UNKNOWN = "unknown"  #: the connection broke when the server may have had it
    NOT_SENT = "not sent"  #: it is about the connection or the account, not about this mail


class Answer(NamedTuple):
    """What became of one mail, and why."""

    kind: Kind
    said: str  #: the server's own words


class Carrier(Protocol):
    """Takes mails."""

    def deliver(self, sender: str, to: str, data: bytes) -> Answer:
        """One mail to one address. Raises nothing."""


class SmtpCarrier:
    """A server, logged in."""

    def __init__(self, server: smtplib.SMTP, where: Where) -> None:
        self._server, self._where = server, where

    def deliver(self, sender: str, to: str, data: bytes) -> Answer:
        """RSET first: what went wrong with one mail says nothing of the next."""
        begun = answered = False
        self._where.limits.begin()
        try:
            self._server.rset()
            code, said = self._server.mail(sender)
            if code >= 500:  # it is about the account, not about this mail
                return Answer(Kind.NOT_SENT, f"{code} {self._where.told(said)}")
            if code == 250:
                code, said = self._server.rcpt(to)
            if code in (250, 251):
                begun = True
                code, said = self._server.data(data.replace(b"\n", b"\r\n"))
                answered = True  # what it says now is of the whole mail
        except smtplib.SMTPDataError as error:  # the server wants no DATA at all
            return self._answer(error.smtp_code, error.smtp_error, answered)
        except Exception as error:  # noqa: BLE001 - the library may raise anything on odd answers
            why = in_words(self._where, error).message
            return Answer(Kind.UNKNOWN if begun else Kind.NOT_SENT, why)
        return self._answer(code, said, answered)

    def _answer(self, code: int, said: object, answered: bool) -> Answer:
        text = f"{code} {self._where.told(said)}".strip()
        if answered and 200 <= code < 300:
            return Answer(Kind.TAKEN, text)
        if code == 421 or not 400 <= code < 600:
            # the server goes away, or talks of something else: the next connection tells
            return Answer(Kind.UNKNOWN if answered and code != 421 else Kind.NOT_SENT, text)
        return Answer(Kind.LATER if code < 500 else Kind.NEVER, text)


class ProgramCarrier:
    """sendmail, or what behaves like it."""

    def __init__(self, path: str) -> None:
        self._path = path

    def deliver(self, sender: str, to: str, data: bytes) -> Answer:
        """The program's exit code says what became of it; its file is whole if pbem is killed."""
        try:
            with tempfile.TemporaryFile() as mail:
                mail.write(data)
                mail.seek(0)
                done = subprocess.run(  # noqa: S603 - the program that the account names
                    [self._path, "-i", "-f", sender, "--", to],
                    stdin=mail,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=_RUN_SECONDS,
                    check=False,
                )
        except subprocess.TimeoutExpired:
            return Answer(Kind.UNKNOWN, f"{self._path} did not end")
        except (OSError, ValueError) as error:
            why = (getattr(error, "strerror", None) or "cannot be run").lower()
            return Answer(Kind.NOT_SENT, f"{self._path}: {why}")
        said = f"{self._path} ended with {done.returncode}"
        if done.returncode == 0:
            return Answer(Kind.TAKEN, said)
        if done.returncode < 0:  # it was killed, and may have taken it
            return Answer(Kind.UNKNOWN, said)
        return Answer(Kind.LATER if done.returncode in _TEMPORARY else Kind.NEVER, said)


@contextmanager
def smtp(account: Account, limits: Limits) -> Iterator[SmtpCarrier]:
    """The server of an account, logged in, for the block; every trouble before that in one line."""
    secret = secret_of(account) if account.send.user else ""
    where = Where(account, account.send, limits, secret)
    limits.begin()
    server, context, url = smtplib.SMTP(local_hostname=_HERE), encrypting(limits), account.send
    try:
        assert url.scheme != "smtp" or url.host in LOOPBACK
        server._host = url.host  # type: ignore[attr-defined]  # noqa: SLF001 - by which STARTTLS knows it
        tls = context if url.scheme == "smtps" else None
        server.sock = connected(url.host, url.port, limits, tls)
        if (greeting := server.getreply())[0] != 220:
            raise smtplib.SMTPConnectError(*greeting)
        if url.scheme == "smtp+starttls":
            server.starttls(context=context)
        server.ehlo_or_helo_if_needed()
        if url.user:
            _login(server, where)
    except Exception as error:  # noqa: BLE001 - as in SmtpCarrier
        server.close()
        raise in_words(where, error) from None
    try:
        yield SmtpCarrier(server, where)
    finally:
        with suppress(OSError, smtplib.SMTPException):
            server.putcmd("quit")  # nobody waits for the answer
        server.close()


def _login(server: smtplib.SMTP, where: Where) -> None:
    """AUTH, by hand: the library's own knows no XOAUTH2 and no password beyond ASCII."""
    user, secret = where.url.user, where.secret
    offered = server.esmtp_features.get("auth", "").upper().split()
    if where.account.token:
        code, _ = server.docmd("AUTH", f"XOAUTH2 {_b64(bearer(user, secret))}")
        if code == 334:  # the reason, which it wants answered
            code, _ = server.docmd("")
    elif "PLAIN" in offered or "LOGIN" not in offered:
        code, _ = server.docmd("AUTH", f"PLAIN {_b64(f'{chr(0)}{user}{chr(0)}{secret}')}")
    else:
        code, _ = server.docmd("AUTH", "LOGIN")
        for one in (user, secret):
            if code == 334:
                code, _ = server.docmd(_b64(one))
    if 400 <= code < 500:
        why = f"the server cannot log you in now ({code})"
        raise refused(where, why, "run the command again later", "post/later")
    if code != 235:
        raise smtplib.SMTPAuthenticationError(code, b"")


def _b64(text: str) -> str:
    return binascii.b2a_base64(text.encode(), newline=False).decode()
