"""A second process that renders: it loads Jinja on another core while a turn is played out.

What lives here: ``Renderer``, a context in which ``render.render`` has its work done elsewhere.
What must never be here: a State, a file, a secret key: what goes through the pipe is what a
template gets, and it goes to a child of this very process.
Law: it may fail at any moment (no fork here, killed, out of memory) and nothing is lost: then the
text is rendered here. Source: docs/decisions/0003.
"""

import marshal
import os
from types import TracebackType
from typing import Any, Self

_LENGTH = 8


class Renderer:
    """``with Renderer():`` forks; at the end the child has gone. Where there is no fork, nothing.

    The child lives on a pipe: it ends when this process does, however that comes.
    """

    current: "Renderer | None" = None

    def __init__(self) -> None:
        self._pid = 0
        self._to = self._back = -1

    def __enter__(self) -> Self:
        if hasattr(os, "fork") and Renderer.current is None:
            try:
                self._start()
            except OSError:
                return self
            Renderer.current = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if Renderer.current is self:
            Renderer.current = None
            self._stop()

    def _start(self) -> None:
        child_in, self._to = os.pipe()
        self._back, child_out = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            try:
                os.close(self._to)
                os.close(self._back)
                _serve(child_in, child_out)
            finally:
                os._exit(0)  # never into the caller's own cleaning up
        os.close(child_in)
        os.close(child_out)

    def _stop(self) -> None:
        from contextlib import suppress

        for end in (self._to, self._back):
            with suppress(OSError):
                os.close(end)
        with suppress(OSError):
            os.waitpid(self._pid, 0)

    def render(self, name: str, values: dict[str, Any]) -> str | None:
        """The text, or None where it must be rendered here: a mistake is told by the caller."""
        try:
            _send(self._to, marshal.dumps((name, values)))
            data = _receive(self._back)
        except (OSError, ValueError):  # the child is gone; a value that marshal does not take
            Renderer.current = None
            self._stop()
            return None
        return data.decode() if data else None


def _serve(source: int, sink: int) -> None:
    """The child: load Jinja at once, then a text for each request until the parent has gone."""
    from pbem.render import render, templates_ready

    templates_ready()
    while request := _receive(source):
        name, values = marshal.loads(request)  # noqa: S302  (from the process that forked us)
        try:
            text = render(name, **values).encode()
        except Exception:  # noqa: BLE001 (the parent renders it again, and tells what is wrong)
            text = b""
        _send(sink, text)


def _send(end: int, data: bytes) -> None:
    rest = memoryview(len(data).to_bytes(_LENGTH, "big") + data)
    while rest:
        rest = rest[os.write(end, rest) :]


def _receive(end: int) -> bytes:
    """One message; empty at the end of all."""
    head = _exactly(end, _LENGTH)
    return _exactly(end, int.from_bytes(head, "big")) if head else b""


def _exactly(end: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = os.read(end, size - len(data))
        if not piece:
            return b""
        data += piece
    return data
