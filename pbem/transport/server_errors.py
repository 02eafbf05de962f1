"""Translate the errors of a server or connection into one line with the next step.

Not allowed here: a connection.
Law: no secret is quoted, in any encoding in which a server may return it.
Source: docs/DESIGN.md P11; RFC 5530 (IMAP's response codes), RFC 3463 (SMTP's).
"""

import binascii
import imaplib
import re
import smtplib
import socket
import ssl
from typing import NamedTuple

from pbem.catalog import is_traceback_wanted, unexpected_fault
from pbem.errors import PbemError, Refused
from pbem.transport.accounts import Account, Url
from pbem.transport.connection import Limits

_OUT_OF_TIME = (9, 10)  #: codes of OpenSSL for a certificate that is not valid yet, or no longer
_CLOCK_HINT = "no secret was sent; look at the clock of this machine, or ask who runs the server"
_HOST_HINT = "no secret was sent; look at the host's name, or ask who runs the server"
_MAX_ANSWER_LENGTH = 200  #: characters of a server's answer that are shown


class Endpoint(NamedTuple):
    """A server of an account. Secret: never print it whole."""

    account: Account
    url: Url
    limits: Limits
    secret: str = ""

    @property
    def label(self) -> str:
        return f"[{self.account.name}] {self.url.host}"

    def clean(self, answer: object) -> str:
        """Return a server's answer as one line, without the secret."""
        text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)
        for spelling in self._spellings():
            text = text.replace(spelling, "…")
        plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return plain[:_MAX_ANSWER_LENGTH]

    def _spellings(self) -> list[str]:
        """Return the forms in which a server may repeat the secret."""
        if not self.secret:
            return []
        user, secret = self.url.user, self.secret
        spellings = [secret, f"\0{user}\0{secret}", bearer(user, secret)]
        encoded = [binascii.b2a_base64(text.encode(), newline=False).decode() for text in spellings]
        return [*encoded, *(text.rstrip("=") for text in encoded), secret]


def bearer(user: str, token: str) -> str:
    """Return the login text of XOAUTH2."""
    return f"user={user}\x01auth=Bearer {token}\x01\x01"


def server_refusal(endpoint: Endpoint, message: str, hint: str = "", code: str = "post/refused") -> Refused:
    """Return an error that names the account and the server."""
    return Refused(code, f"{endpoint.label}: {message}", hint)


#: IMAP response codes, and the key of their error in _ERRORS
_CODES = (
    ("AUTHENTICATIONFAILED|AUTHORIZATIONFAILED|WEBALERT", "login"),
    ("EXPIRED", "expired"),
    ("OVERQUOTA", "quota"),
    ("NONEXISTENT|NOPERM", "folder"),
    ("UNAVAILABLE|INUSE|LIMIT|SERVERBUG|CONTACTADMIN", "later"),
)
_LOGIN_REFUSED = (
    "the user or the secret is refused",
    "see what the command of `secret` prints; many providers want an app password, or a token",
)
_ERRORS = {
    "login": _LOGIN_REFUSED,
    "expired": ("the secret has expired", "get a new password or token"),
    "quota": ("the mailbox is full", "delete some email there"),
    "folder": ("there is no such folder, or you may not read it", "look at the end of `fetch`"),
    "later": ("the server cannot do it now", "run the command again later"),
}


def translate_error(endpoint: Endpoint, error: Exception) -> PbemError:
    """Return the PbemError to raise instead of a library's error."""
    if isinstance(error, PbemError):
        return error
    if endpoint.limits.excess:
        return server_refusal(endpoint, endpoint.limits.excess, "run the command again later", "post/slow")
    if isinstance(error, ssl.SSLError):
        return _tls_error(endpoint, error)
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return server_refusal(endpoint, *_LOGIN_REFUSED, code="post/login")
    if isinstance(error, smtplib.SMTPNotSupportedError):
        message = "the server does not offer STARTTLS, or no way to log in"
        return server_refusal(endpoint, message, "try the scheme smtps", "post/tls")
    if isinstance(error, smtplib.SMTPResponseException):
        answer = endpoint.clean(error.smtp_error)
        return server_refusal(endpoint, f"the server said {error.smtp_code} {answer}", "see what it asks for")
    connection_errors = BrokenPipeError, ConnectionAbortedError, ConnectionResetError
    disconnect_errors = (smtplib.SMTPServerDisconnected, imaplib.IMAP4.abort, EOFError, *connection_errors)
    if isinstance(error, disconnect_errors) or "EOF" in str(error):
        return server_refusal(endpoint, "the connection was cut", "run the command again", "post/cut")
    if isinstance(error, imaplib.IMAP4.error):
        return _imap_error(endpoint, error)
    if isinstance(error, OSError | UnicodeError):
        return _network_error(endpoint, error)
    message = f"the server's answer makes no sense ({type(error).__name__})"
    return server_refusal(endpoint, message, "ask who runs the server", "post/nonsense")


def as_pbem_error(error: Exception) -> PbemError:
    """Return the error as a PbemError, or raise it if PBEM_TRACEBACK asks for that."""
    if isinstance(error, PbemError):
        return error
    if is_traceback_wanted():
        raise error
    return unexpected_fault(error, "run it again with PBEM_TRACEBACK=1")


def _tls_error(endpoint: Endpoint, error: ssl.SSLError) -> PbemError:
    if isinstance(error, ssl.SSLCertVerificationError):
        message = f"its certificate is not good ({endpoint.clean(error.verify_message)})"
        is_out_of_time = error.verify_code in _OUT_OF_TIME
        return server_refusal(endpoint, message, _CLOCK_HINT if is_out_of_time else _HOST_HINT, "post/certificate")
    # `imaps` for `imap+starttls`, and the other way round
    other_schemes = {"imaps": "imap+starttls", "smtps": "smtp+starttls"}
    scheme = other_schemes.get(endpoint.url.scheme, endpoint.url.scheme.partition("+")[0] + "s")
    message = "it does not speak TLS at this port"
    return server_refusal(endpoint, message, f"try the scheme {scheme}, or another port", "post/tls")


def _imap_error(endpoint: Endpoint, error: Exception) -> PbemError:
    answer = endpoint.clean(error.args[0] if error.args else "")
    for codes, kind in _CODES:
        if re.search(rf"\[(?:{codes})\b", answer):
            return server_refusal(endpoint, *_ERRORS[kind], code=f"post/{kind}")
    return server_refusal(endpoint, f"the server said: {answer}", "see what it asks for")


def _network_error(endpoint: Endpoint, error: Exception) -> PbemError:
    url = endpoint.url
    if isinstance(error, socket.gaierror | UnicodeError):
        return server_refusal(endpoint, "there is no host of this name", "look at its spelling", "post/host")
    if isinstance(error, ConnectionRefusedError):
        message = f"nothing answers at port {url.port}"
        return server_refusal(endpoint, message, "look at the scheme and the port", "post/port")
    if isinstance(error, TimeoutError):
        message = f"no answer came within {endpoint.limits.max_silence:.0f} seconds"
        return server_refusal(endpoint, message, "run the command again later", "post/slow")
    reason = endpoint.clean(getattr(error, "strerror", None) or type(error).__name__).lower()
    return server_refusal(endpoint, reason, "see whether this machine is online", "post/network")
