"""What a server or the way to it refuses, in one line with the way out.

What must never be here: a connection.
Law: no secret is quoted, in whatever spelling a server may send it back.
Source: docs/DESIGN.md P11; RFC 5530 (IMAP's response codes), RFC 3463 (SMTP's).
"""

import binascii
import imaplib
import re
import smtplib
import socket
import ssl
from typing import NamedTuple

from pbem.catalog import fault, traceback_wanted
from pbem.errors import PbemError, Refused
from pbem.transport import connection
from pbem.transport.accounts import Account, Url

_LONGEST = 200


class Where(NamedTuple):
    """The server that is spoken to, and what must not be quoted. Secret: never printed whole."""

    account: Account
    url: Url
    limits: connection.Limits
    secret: str = ""

    @property
    def server(self) -> str:
        return f"[{self.account.name}] {self.url.host}"

    def told(self, said: object) -> str:
        """What a server said: one line, without the secret."""
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        for spelling in self._spellings():
            text = text.replace(spelling, "…")
        plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return plain[:_LONGEST]

    def _spellings(self) -> list[str]:
        if not self.secret:
            return []
        user, secret = self.url.user, self.secret
        spelt = [secret, f"\0{user}\0{secret}", bearer(user, secret)]
        whole = [binascii.b2a_base64(one.encode(), newline=False).decode() for one in spelt]
        return [*whole, *(one.rstrip("=") for one in whole), secret]


def bearer(user: str, token: str) -> str:
    """What XOAUTH2 sends."""
    return f"user={user}\x01auth=Bearer {token}\x01\x01"


def refused(where: Where, what: str, hint: str = "", code: str = "post/refused") -> Refused:
    """An error that names the account and its server."""
    return Refused(code, f"{where.server}: {what}", hint)


_CODES = (
    ("AUTHENTICATIONFAILED|AUTHORIZATIONFAILED|WEBALERT", "login"),
    ("EXPIRED", "expired"),
    ("OVERQUOTA", "quota"),
    ("NONEXISTENT|NOPERM", "folder"),
    ("UNAVAILABLE|INUSE|LIMIT|SERVERBUG|CONTACTADMIN", "later"),
)
_LOGIN = (
    "the user or the secret is refused",
    "see what the command of `secret` prints; many providers want an app password, or a token",
)
_WORDS = {
    "login": _LOGIN,
    "expired": ("the secret has expired", "get a new password or token"),
    "quota": ("the mailbox is full", "delete some email there"),
    "folder": ("there is no such folder, or you may not read it", "look at the end of `fetch`"),
    "later": ("the server cannot do it now", "run the command again later"),
}


def in_words(where: Where, error: Exception) -> PbemError:
    """The error to raise in the place of what a library raised."""
    if isinstance(error, PbemError):
        return error
    if where.limits.broken:
        return refused(where, where.limits.broken, "run the command again later", "post/slow")
    if isinstance(error, ssl.SSLError):
        return _tls(where, error)
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return refused(where, *_LOGIN, code="post/login")
    if isinstance(error, smtplib.SMTPNotSupportedError):
        why = "the server does not offer STARTTLS, or no way to log in"
        return refused(where, why, "try the scheme smtps", "post/tls")
    if isinstance(error, smtplib.SMTPResponseException):
        said = where.told(error.smtp_error)
        return refused(where, f"the server said {error.smtp_code} {said}", "see what it asks for")
    gone = BrokenPipeError, ConnectionAbortedError, ConnectionResetError
    cut = smtplib.SMTPServerDisconnected, imaplib.IMAP4.abort, EOFError, *gone
    if isinstance(error, cut) or "EOF" in str(error):
        return refused(where, "the connection was cut", "run the command again", "post/cut")
    if isinstance(error, imaplib.IMAP4.error):
        return _imap(where, error)
    if isinstance(error, OSError | UnicodeError):
        return _network(where, error)
    why = f"the server's answer makes no sense ({type(error).__name__})"
    return refused(where, why, "ask who runs the server", "post/nonsense")


def as_told(error: Exception) -> PbemError:
    """What failed with an account or an email, to be told, so that the others go on."""
    if isinstance(error, PbemError):
        return error
    if traceback_wanted():
        raise error
    return fault(error, "run it again with PBEM_TRACEBACK=1")


def _tls(where: Where, error: ssl.SSLError) -> PbemError:
    if isinstance(error, ssl.SSLCertVerificationError):
        why = f"its certificate is not good ({where.told(error.verify_message)})"
        hint = "no secret was sent; look at the host's name, or ask who runs the server"
        return refused(where, why, hint, "post/certificate")
    other = {"imaps": "imap+starttls", "smtps": "smtp+starttls"}
    way = other.get(where.url.scheme, where.url.scheme.partition("+")[0] + "s")
    why = "it does not speak TLS at this port"
    return refused(where, why, f"try the scheme {way}, or another port", "post/tls")


def _imap(where: Where, error: Exception) -> PbemError:
    said = where.told(error.args[0] if error.args else "")
    for codes, kind in _CODES:
        if re.search(rf"\[(?:{codes})\b", said):
            return refused(where, *_WORDS[kind], code=f"post/{kind}")
    return refused(where, f"the server said: {said}", "see what it asks for")


def _network(where: Where, error: Exception) -> PbemError:
    url = where.url
    if isinstance(error, socket.gaierror | UnicodeError):
        return refused(where, "there is no host of this name", "look at its spelling", "post/host")
    if isinstance(error, ConnectionRefusedError):
        why = f"nothing answers at port {url.port}"
        return refused(where, why, "look at the scheme and the port", "post/port")
    if isinstance(error, TimeoutError):
        why = f"no answer came within {connection.SILENCE:.0f} seconds"
        return refused(where, why, "run the command again later", "post/slow")
    reason = where.told(getattr(error, "strerror", None) or type(error).__name__).lower()
    return refused(where, reason, "see whether this machine is online", "post/network")
