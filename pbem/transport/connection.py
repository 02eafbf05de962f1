"""A connection to a server, with limits on time and bytes.

Not allowed here: a protocol; what happens when a server exceeds a limit.
Law: every byte from a server comes through a LimitedSocket.
Source: docs/decisions/0026-a-server-has-limits.md.
"""

import math
import socket
import ssl
from time import monotonic
from typing import Any, NoReturn

MAX_SILENCE = 60.0  #: seconds in which a server must send something
MAX_EXCHANGE = 120.0  #: seconds for a command and its whole answer
MAX_ACCOUNT_TIME = 300.0  #: seconds after which nothing new begins for an account
MAX_ANSWER_BYTES = 1 << 20  #: bytes of an answer, unless pbem asked for more
MAX_ACCOUNT_BYTES = 256 << 20  #: bytes after which nothing new begins for an account


class Limits:
    """The time and data that the servers of one account may use in one run."""

    def __init__(self, patience: float = math.inf) -> None:
        """``patience``: how many seconds to wait at most for an answer, if that is less than usual."""
        self._patience = patience
        self._account_deadline = monotonic() + MAX_ACCOUNT_TIME
        self._remaining_bytes = MAX_ACCOUNT_BYTES
        self.begin_exchange()

    def begin_exchange(self, max_bytes: int = MAX_ANSWER_BYTES) -> None:
        """Begin an exchange whose answer may have ``max_bytes`` bytes."""
        self._exchange_deadline = monotonic() + min(MAX_EXCHANGE, self._patience)
        self._remaining_answer_bytes = max_bytes
        self.excess = ""  #: which limit the server exceeded, as text; "" if none

    @property
    def is_spent(self) -> bool:
        """Return whether the account has used up its time or data, so that nothing new may begin."""
        return monotonic() >= self._account_deadline or self._remaining_bytes <= 0

    @property
    def max_silence(self) -> float:
        """Return in how many seconds the server must send something."""
        return min(MAX_SILENCE, self._patience)

    def wait_seconds(self) -> float:
        """Return how many seconds to wait for the next bytes. Raise OSError after the deadline."""
        remaining = self._exchange_deadline - monotonic()
        if remaining <= 0:
            self.abort(f"the server took more than {min(MAX_EXCHANGE, self._patience):.0f} seconds for an answer")
        return min(self.max_silence, remaining)

    def count_bytes(self, size: int) -> int:
        """Count received bytes and return their number. Raise OSError after the limit."""
        self._remaining_answer_bytes -= size
        self._remaining_bytes -= size
        if self._remaining_answer_bytes < 0:
            self.abort("the server sent more bytes than the answer can have")
        return size

    def abort(self, message: str) -> NoReturn:
        """Raise OSError. ``excess`` keeps the message, since libraries replace the error."""
        self.excess = message
        raise OSError(message)


class LimitedSocket(socket.socket):
    """A socket that stops waiting and reading at its limits."""

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
    """Return a TLS context that checks certificates. Its sockets keep the limits."""
    context = ssl.create_default_context()
    bases = (LimitedSocket, ssl.SSLSocket)
    context.sslsocket_class = type("Encrypted", bases, {"limits": limits})  # the context makes the sockets
    return context


def connect(host: str, port: int, limits: Limits, context: ssl.SSLContext | None) -> socket.socket:
    """Connect to a server, encrypted from the start if there is a context. Raises OSError."""
    raw_socket = socket.create_connection((host, port), limits.wait_seconds())
    limited_socket = LimitedSocket(raw_socket.family, raw_socket.type, raw_socket.proto, raw_socket.detach())
    limited_socket.limits = limits
    limited_socket.settimeout(limits.wait_seconds())
    return context.wrap_socket(limited_socket, server_hostname=host) if context else limited_socket
