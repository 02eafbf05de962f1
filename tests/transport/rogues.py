"""Servers on this machine that speak IMAP or SMTP as somebody wants them to: a test says how.

Not allowed here: a test. Each speaks for itself in a thread, to whoever comes.
"""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext

from transport.servers import HOST

#: what a server says to a command, in pieces; `{tag}` is that of the command
Answer = Callable[[], Iterator[bytes]]


def saying(*pieces: bytes) -> Answer:
    return lambda: iter(pieces)


def dripping() -> Iterator[bytes]:
    """A line without an end, a letter at a time."""
    yield b"* OK "
    while True:
        time.sleep(0.05)
        yield b"x"


def flooding() -> Iterator[bytes]:
    """Lines without an end."""
    while True:
        yield b"* OK what a flood this is\r\n" * 2000


def flooding_smtp() -> Iterator[bytes]:
    while True:
        yield b"250-what a flood this is\r\n" * 2000


def imap_mail(uid: int, data: bytes, date: str = "21-Sep-2026 14:13:20 +0000") -> list[bytes]:
    """What FETCH answers for one mail, whatever was asked of it."""
    return [f'* 1 FETCH (UID {uid} INTERNALDATE "{date}" BODY[] {{{len(data)}}}\r\n'.encode(), data, b")\r\n"]


IMAP: Mapping[str, Answer] = {
    "greeting": saying(b"* OK here\r\n"),
    "CAPABILITY": saying(b"* CAPABILITY IMAP4rev1\r\n{tag} OK done\r\n"),
    "EXAMINE": saying(b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7]\r\n* OK [UIDNEXT 2]\r\n{tag} OK [READ-ONLY] open\r\n"),
    "SEARCH": saying(b"* SEARCH\r\n{tag} OK done\r\n"),
    "": saying(b"{tag} OK done\r\n"),
}
SMTP: Mapping[str, Answer] = {
    "greeting": saying(b"220 here\r\n"),
    "DATA": saying(b"354 go on\r\n"),
    "": saying(b"250 good\r\n"),
}


@contextmanager
def imap(certificate: Path, answers: Mapping[str, Answer]) -> Iterator[int]:
    """Its port, behind TLS."""
    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    def speak(line: socket.socket) -> None:
        with context.wrap_socket(line, server_side=True) as encrypted:
            _imap(encrypted, answers)

    with _listening(speak) as port:
        yield port


@contextmanager
def smtp(answers: Mapping[str, Answer], got: list[bytes] | None = None) -> Iterator[int]:
    """Its port, without TLS; ``got``: the emails it was given."""
    with _listening(lambda line: _smtp(line, answers, [] if got is None else got)) as port:
        yield port


@contextmanager
def _listening(speak: Callable[[socket.socket], None]) -> Iterator[int]:
    with socket.create_server((HOST, 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    line = server.accept()[0]
                    threading.Thread(target=one, args=(line,), daemon=True).start()

        def one(line: socket.socket) -> None:
            with suppress(OSError, ValueError), line:
                speak(line)

        threading.Thread(target=serve, daemon=True).start()
        yield int(server.getsockname()[1])
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)  # who waits for the next one waits no more


def _said(line: socket.socket, answer: Answer, tag: bytes = b"") -> None:
    for piece in answer():
        line.sendall(piece.replace(b"{tag}", tag))


def _imap(line: socket.socket, answers: Mapping[str, Answer]) -> None:
    every = {**IMAP, **answers}
    _said(line, every["greeting"])
    with line.makefile("rb") as source:
        for row in source:
            tag, command, *rest = row.split()
            words = [command.decode(), *(word.decode() for word in rest)]
            name = next((word for word in words if word in every), "")
            _said(line, every[name], tag)


def _smtp(line: socket.socket, answers: Mapping[str, Answer], got: list[bytes]) -> None:
    every = {**SMTP, **answers}
    _said(line, every["greeting"])
    with line.makefile("rb") as source:
        for row in source:
            name = row.split()[0].decode().upper() if row.split() else ""
            _said(line, every.get(name, every[""]))
            if name == "DATA" and "DATA" not in answers:
                got.append(b"".join(iter(source.readline, b".\r\n")))
                _said(line, every.get("dot", every[""]))
