"""The line to a server, whatever is spoken on it, and what that may cost: time and bytes.

What must never be here: a protocol; what is done about a server that goes beyond a limit.
Law: every byte of every conversation comes through a Line, which waits and reads within Limits.
Source: docs/decisions/0026-a-server-has-limits.md.
"""

import socket
import ssl
from time import monotonic
from typing import Any, NoReturn

SILENCE = 60.0  #: seconds in which a server has to say something
EXCHANGE = 120.0  #: seconds for a command and the whole answer
ACCOUNT = 300.0  #: seconds after which nothing new is begun for an account
ANSWER = 1 << 20  #: bytes of an answer, where nothing larger was asked for
ALL = 256 << 20  #: bytes after which nothing new is begun


class Limits:
    """What the servers of one account may cost in one run."""

    def __init__(self) -> None:
        self._end, self._all = monotonic() + ACCOUNT, ALL
        self.begin()

    def begin(self, most: int = ANSWER) -> None:
        """An exchange begins, whose answer may have ``most`` bytes."""
        self._until, self._left = monotonic() + EXCHANGE, most
        self.broken = ""  #: what was too much of it, in words

    @property
    def spent(self) -> bool:
        """Whether this run has done enough for the account: nothing new is begun."""
        return monotonic() >= self._end or self._all <= 0

    def seconds(self) -> float:
        """How long to wait for the next bytes. Raises OSError beyond the limit."""
        if (left := self._until - monotonic()) <= 0:
            self.stop(f"the server took more than {EXCHANGE:.0f} seconds for an answer")
        return min(SILENCE, left)

    def take(self, size: int) -> int:
        """So many bytes came. Raises OSError beyond the limit."""
        self._left, self._all = self._left - size, self._all - size
        if self._left < 0:
            self.stop("the server sent more bytes than the answer can have")
        return size

    def stop(self, why: str) -> NoReturn:
        """Raises OSError, whose words are in ``broken``: libraries make other errors of it."""
        self.broken = why
        raise OSError(why)


class Line(socket.socket):
    """A connection on which nothing is waited for, or read, beyond its limits."""

    limits: Limits

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        self.settimeout(self.limits.seconds())
        data = super().recv(buflen, flags)
        self.limits.take(len(data))
        return data

    def recv_into(self, buffer: Any, nbytes: int | None = None, flags: int = 0) -> int:
        self.settimeout(self.limits.seconds())
        return self.limits.take(super().recv_into(buffer, nbytes or 0, flags))

    def send(self, data: Any, flags: int = 0) -> int:
        self.settimeout(self.limits.seconds())
        return super().send(data, flags)

    def sendall(self, data: Any, flags: int = 0) -> None:
        self.settimeout(self.limits.seconds())
        super().sendall(data, flags)


def encrypting(limits: Limits) -> ssl.SSLContext:
    """How to encrypt a line: it keeps its limits, and certificates are checked."""
    context, bases = ssl.create_default_context(), (Line, ssl.SSLSocket)
    context.sslsocket_class = type("Encrypted", bases, {"limits": limits})
    return context


def connected(host: str, port: int, limits: Limits, tls: ssl.SSLContext | None) -> socket.socket:
    """A line to a server, encrypted from the start where there is a context. Raises OSError."""
    plain = socket.create_connection((host, port), limits.seconds())
    line = Line(plain.family, plain.type, plain.proto, plain.detach())
    line.limits = limits
    line.settimeout(limits.seconds())
    return tls.wrap_socket(line, server_hostname=host) if tls else line
