"""The line to a server, whatever is spoken on it, and what that may cost: time and bytes.

What must never be here: a protocol; what is done about a server that goes beyond a limit.
Law: every byte of every conversation comes through a Line, which waits and reads within Limits.
Source: docs/decisions/0026-a-server-has-limits.md.
"""

import socket
import ssl
from time import monotonic
from typing import Any, NoReturn

MAX_SILENCE = 60.0  #: seconds in which a server has to say something
MAX_EXCHANGE = 120.0  #: seconds for a command and the whole answer
MAX_ACCOUNT_TIME = 300.0  #: seconds after which nothing new is begun for an account
MAX_ANSWER_BYTES = 1 << 20  #: bytes of an answer, where nothing larger was asked for
MAX_ACCOUNT_BYTES = 256 << 20  #: bytes after which nothing new is begun


class Limits:
    """What the servers of one account may cost in one run."""

    def __init__(self) -> None:
        self._account_deadline = monotonic() + MAX_ACCOUNT_TIME
        self._remaining_bytes = MAX_ACCOUNT_BYTES
        self.begin_exchange()

    def begin_exchange(self, max_bytes: int = MAX_ANSWER_BYTES) -> None:
        """An exchange begins, whose answer may have ``max_bytes`` bytes."""
        self._exchange_deadline = monotonic() + MAX_EXCHANGE
        self._answer_bytes = max_bytes
        self.excess = ""  #: what was too much of it, in words

    @property
    def is_spent(self) -> bool:
        """Whether this run has done enough for the account: nothing new is begun."""
        return monotonic() >= self._account_deadline or self._remaining_bytes <= 0

    def wait_seconds(self) -> float:
        """How long to wait for the next bytes. Raises OSError beyond the limit."""
        if (remaining := self._exchange_deadline - monotonic()) <= 0:
            self.abort(f"the server took more than {MAX_EXCHANGE:.0f} seconds for an answer")
        return min(MAX_SILENCE, remaining)

    def count_bytes(self, size: int) -> int:
        """So many bytes came. Raises OSError beyond the limit."""
        self._answer_bytes = self._answer_bytes - size
        self._remaining_bytes = self._remaining_bytes - size
        if self._answer_bytes < 0:
            self.abort("the server sent more bytes than the answer can have")
        return size

    def abort(self, message: str) -> NoReturn:
        """Raises OSError, whose words are in ``broken``: libraries make other errors of it."""
        self.excess = message
        raise OSError(message)


class LimitedSocket(socket.socket):
    """A connection on which nothing is waited for, or read, beyond its limits."""

    limits: Limits

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        self.settimeout(self.limits.wait_seconds())
        data = super().recv(buflen, flags)
        self.limits.count_bytes(len(data))
        return data

    def recv_into(self, buffer: Any, nbytes: int | None = None, flags: int = 0) -> int:
        self.settimeout(self.limits.wait_seconds())
        return self.limits.count_bytes(super().recv_into(buffer, nbytes or 0, flags))

    def send(self, data: Any, flags: int = 0) -> int:
        self.settimeout(self.limits.wait_seconds())
        return super().send(data, flags)

    def sendall(self, data: Any, flags: int = 0) -> None:
        self.settimeout(self.limits.wait_seconds())
        super().sendall(data, flags)


def tls_context(limits: Limits) -> ssl.SSLContext:
    """How to encrypt a line: it keeps its limits, and certificates are checked."""
    context = ssl.create_default_context()
    bases = (LimitedSocket, ssl.SSLSocket)
    context.sslsocket_class = type("Encrypted", bases, {"limits": limits})
    return context


def connect(host: str, port: int, limits: Limits, context: ssl.SSLContext | None) -> socket.socket:
    """A line to a server, encrypted from the start where there is a context. Raises OSError."""
    raw_socket = socket.create_connection((host, port), limits.wait_seconds())
    limited_socket = LimitedSocket(raw_socket.family, raw_socket.type, raw_socket.proto, raw_socket.detach())
    limited_socket.limits = limits
    limited_socket.settimeout(limits.wait_seconds())
    return context.wrap_socket(limited_socket, server_hostname=host) if context else limited_socket
