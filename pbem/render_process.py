"""A second process that renders: it loads Jinja on another core while a turn is played out.

What must never be here: a State, a file, a secret key: what goes through the pipe is what a
template gets, and it goes to a child of this very process.
Law: it may fail at any moment (no fork here, killed, out of memory) and nothing is lost: then the
text is rendered here.
Reason: 10 ms of the 100 of a resolve with four reports, on two idle cores.
Source: docs/decisions/0003, 0007.
"""

import marshal
import os
from collections.abc import Callable
from contextlib import suppress
from select import select
from typing import Any, ClassVar, Self

Render = Callable[..., str]

_LENGTH = 8
_KILL = 9  # the signal module would cost half a millisecond


class RenderProcess:
    """``with RenderProcess(…):`` forks; at the end the child has gone. Without a fork, nothing.

    The child lives on a pipe: it ends when this process does, however that comes.
    """

    current: "RenderProcess | None" = None
    patience = 60.0  #: seconds for one text; whoever takes longer was stopped, and is ended
    _left: ClassVar[list[int]] = []  # children told to end, not seen to have ended yet

    def __init__(self, render: Render, make_ready: Callable[[], object]) -> None:
        """``render`` is what the child does, after ``make_ready``."""
        self._render, self._make_ready = render, make_ready
        self._pid = 0
        self._to = self._back = -1
        self._wanted: list[str | None] | None = None  # where the text on its way goes

    def __enter__(self) -> Self:
        self._see_off()
        if hasattr(os, "fork") and RenderProcess.current is None:
            with suppress(OSError):
                self._start()
                RenderProcess.current = self
        return self

    def __exit__(self, *raised: object) -> None:
        if RenderProcess.current is self:
            RenderProcess.current = None
            self._stop()

    def _start(self) -> None:
        child_in, self._to = os.pipe()
        self._back, child_out = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            try:
                os.close(self._to)
                os.close(self._back)
                self._serve(child_in, child_out)
            finally:
                os._exit(0)  # never into the caller's own cleaning up
        os.close(child_in)
        os.close(child_out)

    def _stop(self, at_once: bool = False) -> None:
        """Tell the child to end. Not waited for: this process has nothing more to do with it."""
        self._wanted = None
        for end in (self._to, self._back):
            with suppress(OSError):
                os.close(end)
        if at_once:
            with suppress(OSError):
                os.kill(self._pid, _KILL)
        self._left.append(self._pid)
        self._see_off()

    def _see_off(self) -> None:
        """Take leave of children that have ended, so that no zombie stays."""
        for pid in tuple(self._left):
            with suppress(OSError):  # somebody else has waited for it
                if os.waitpid(pid, os.WNOHANG)[0] != pid:
                    continue
            self._left.remove(pid)

    def begin(self, name: str, values: dict[str, Any]) -> Callable[[], str | None]:
        """Asks for a text and waits for none: what is given back waits for it. It gives None where
        it must be rendered here: a mistake is told by the caller.

        One text at a time is on its way, so neither end ever waits for the other to read.
        """
        self._waited_for()
        wanted: list[str | None] = []
        try:
            _send(self._to, marshal.dumps((name, values)))
            self._wanted = wanted
        except (OSError, ValueError):  # the child is gone; a value that marshal does not take
            self._give_up()

        def text() -> str | None:
            if self._wanted is wanted:
                self._waited_for()
            return wanted[0] if wanted else None

        return text

    def _waited_for(self) -> None:
        """Receives what is on its way, if anything is."""
        wanted, self._wanted = self._wanted, None
        if wanted is None:
            return
        try:
            if not select([self._back], [], [], self.patience)[0]:
                raise TimeoutError
            data = _receive(self._back)
        except OSError:
            self._give_up()
        else:
            wanted.append(data.decode() if data else None)

    def _give_up(self) -> None:
        """All that follows is rendered here."""
        RenderProcess.current = None
        self._stop(at_once=True)

    def _serve(self, source: int, sink: int) -> None:
        """The child: load Jinja at once, then a text for each request until the parent has gone."""
        self._make_ready()
        while request := _receive(source):
            name, values = marshal.loads(request)  # noqa: S302  (from the process that forked us)
            try:
                text = self._render(name, **values).encode()
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
