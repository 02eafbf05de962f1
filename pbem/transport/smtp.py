"""Hand emails over for delivery, to an SMTP server or to a program such as sendmail.

Not allowed here: which email is sent; what becomes of its file.
Laws: TLS is verified before a secret or an email is sent; every delivery has exactly one result.
Source: docs/decisions/0014-the-post.md; RFC 5321, RFC 1047 (why a result can be unknown).
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
from pbem.transport.connection import Limits, connect, tls_context
from pbem.transport.server_errors import Endpoint, bearer, server_refusal, translate_error

_LOCAL_HOSTNAME = "[127.0.0.1]"  #: this machine's name stays private, and looking it up is slow
_TEMPORARY = {71, 75}  #: EX_OSERR and EX_TEMPFAIL of sysexits.h
_NOT_SET_UP = {77, 78, 126, 127}  #: EX_NOPERM and EX_CONFIG, and a shell's for a program that it cannot run
_RUN_SECONDS = 300  #: how long the program may take for an email


class DeliveryStatus(Enum):
    """What happened to an email that pbem handed over."""

    TAKEN = "taken"
    LATER = "later"  #: try again
    NEVER = "never"  #: refused for good
    UNKNOWN = "unknown"  #: the connection broke after the server may have received it
    NOT_SENT = "not sent"  #: because of the connection or the account, not because of this email


class DeliveryResult(NamedTuple):
    """What happened to an email that pbem handed over, and why."""

    status: DeliveryStatus
    message: str  #: the server's answer


class Carrier(Protocol):
    """Accepts emails for delivery."""

    def deliver(self, sender: str, recipient: str, data: bytes) -> DeliveryResult:
        """Hand over one email to one address. Raises nothing."""


class SmtpCarrier:
    """An SMTP server, logged in."""

    def __init__(self, server: smtplib.SMTP, endpoint: Endpoint) -> None:
        self._server = server
        self._endpoint = endpoint

    def deliver(self, sender: str, recipient: str, data: bytes) -> DeliveryResult:
        """Hand over one email. RSET comes first, so that an error with one email does not affect the next."""
        is_begun = False  # the server may have the email
        is_complete = False  # the server has answered to the whole email
        self._endpoint.limits.begin_exchange()
        try:
            self._server.rset()
            code, answer = self._server.mail(sender)
            if code >= 500:  # refuses the account, not this email
                return DeliveryResult(DeliveryStatus.NOT_SENT, f"{code} {self._endpoint.clean(answer)}")
            if code == 250:
                code, answer = self._server.rcpt(recipient)
            if code in (250, 251):
                is_begun = True
                code, answer = self._server.data(data.replace(b"\n", b"\r\n"))
                is_complete = True
        except smtplib.SMTPDataError as error:  # the server refuses DATA
            return self._result(error.smtp_code, error.smtp_error, is_complete)
        except Exception as error:  # noqa: BLE001 - the library may raise anything on odd answers
            message = translate_error(self._endpoint, error).message
            return DeliveryResult(DeliveryStatus.UNKNOWN if is_begun else DeliveryStatus.NOT_SENT, message)
        return self._result(code, answer, is_complete)

    def _result(self, code: int, answer: object, is_complete: bool) -> DeliveryResult:
        """Return the result for the server's last answer. ``is_complete``: it is about the whole email."""
        text = f"{code} {self._endpoint.clean(answer)}".strip()
        if is_complete and 200 <= code < 300:
            return DeliveryResult(DeliveryStatus.TAKEN, text)
        if code == 421:  # the server closes the connection
            return DeliveryResult(DeliveryStatus.NOT_SENT, text)
        if 400 <= code < 500:
            return DeliveryResult(DeliveryStatus.LATER, text)
        if 500 <= code < 600:
            return DeliveryResult(DeliveryStatus.NEVER, text)
        # the answer makes no sense
        return DeliveryResult(DeliveryStatus.UNKNOWN if is_complete else DeliveryStatus.NOT_SENT, text)


class ProgramCarrier:
    """sendmail, or a program with the same options."""

    def __init__(self, path: str) -> None:
        self._path = path

    def deliver(self, sender: str, recipient: str, data: bytes) -> DeliveryResult:
        """Run the program. Its exit code is the result. It reads a file, which is complete even if pbem is killed."""
        try:
            with tempfile.TemporaryFile() as file:
                file.write(data)
                file.seek(0)
                process = subprocess.run(  # noqa: S603 - the program that the account names
                    [self._path, "-i", "-f", sender, "--", recipient],
                    stdin=file,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=_RUN_SECONDS,
                    check=False,
                )
        except subprocess.TimeoutExpired:
            return DeliveryResult(DeliveryStatus.UNKNOWN, f"{self._path} did not end")
        except (OSError, ValueError) as error:
            problem = (getattr(error, "strerror", None) or "cannot be run").lower()
            return DeliveryResult(DeliveryStatus.NOT_SENT, f"{self._path}: {problem}")
        message = f"{self._path} ended with {process.returncode}"
        if process.returncode == 0:
            return DeliveryResult(DeliveryStatus.TAKEN, message)
        if process.returncode < 0:  # killed, maybe after it accepted the email
            return DeliveryResult(DeliveryStatus.UNKNOWN, message)
        if process.returncode in _NOT_SET_UP:
            return DeliveryResult(DeliveryStatus.NOT_SENT, message)
        status = DeliveryStatus.LATER if process.returncode in _TEMPORARY else DeliveryStatus.NEVER
        return DeliveryResult(status, message)


@contextmanager
def open_smtp(account: Account, limits: Limits) -> Iterator[SmtpCarrier]:
    """Log in to the server of an account for a ``with`` block. Errors before the block are ``post/…``."""
    secret = secret_of(account) if account.send_url.user else ""
    endpoint = Endpoint(account, account.send_url, limits, secret)
    limits.begin_exchange()
    server = smtplib.SMTP(local_hostname=_LOCAL_HOSTNAME)
    context = tls_context(limits)
    url = account.send_url
    try:
        assert url.scheme != "smtp" or url.host in LOOPBACK  # without TLS only on this machine
        server._host = url.host  # type: ignore[attr-defined]  # noqa: SLF001 - STARTTLS checks this name
        tls = context if url.scheme == "smtps" else None
        server.sock = connect(url.host, url.port, limits, tls)
        code, greeting = server.getreply()
        if code != 220:
            raise smtplib.SMTPConnectError(code, greeting)
        if url.scheme == "smtp+starttls":
            server.starttls(context=context)
        server.ehlo_or_helo_if_needed()
        if url.user:
            _login(server, endpoint)
    except Exception as error:  # noqa: BLE001 - as in SmtpCarrier
        server.close()
        raise translate_error(endpoint, error) from None
    try:
        yield SmtpCarrier(server, endpoint)
    finally:
        with suppress(OSError, smtplib.SMTPException):
            server.putcmd("quit")  # pbem does not wait for the answer
        server.close()


def _login(server: smtplib.SMTP, endpoint: Endpoint) -> None:
    """Log in. The library cannot do it, since it lacks XOAUTH2 and allows only ASCII in passwords."""
    user, secret = endpoint.url.user, endpoint.secret
    mechanisms = server.esmtp_features.get("auth", "").upper().split()
    if endpoint.account.is_token:
        code, _ = server.docmd("AUTH", f"XOAUTH2 {_b64(bearer(user, secret))}")
        if code == 334:  # the server gives the reason for a refusal, and needs an answer
            code, _ = server.docmd("")
    elif "PLAIN" in mechanisms or "LOGIN" not in mechanisms:
        code, _ = server.docmd("AUTH", f"PLAIN {_b64(f'{chr(0)}{user}{chr(0)}{secret}')}")
    else:
        code, _ = server.docmd("AUTH", "LOGIN")
        for credential in (user, secret):
            if code == 334:
                code, _ = server.docmd(_b64(credential))
    if 400 <= code < 500:
        message = f"the server cannot log you in now ({code})"
        raise server_refusal(endpoint, message, "run the command again later", "post/later")
    if code != 235:
        raise smtplib.SMTPAuthenticationError(code, b"")


def _b64(text: str) -> str:
    return binascii.b2a_base64(text.encode(), newline=False).decode()
