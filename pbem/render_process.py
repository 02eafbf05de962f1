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

_LENGTH_BYTES = 8
_KILL = 9  # the signal module would cost half a millisecond


class RenderProcess:
    """``with RenderProcess(…):`` forks; at the end the child has gone. Without a fork, nothing.

    The child lives on a pipe: it ends when this process does, however that comes.
    """

    current: "RenderProcess | None" = None
    patience = 60.0  #: seconds for one text; whoever takes longer was stopped, and is ended
    _ending_pids: ClassVar[list[int]] = []  # children told to end, not seen to have ended yet

    def __init__(self, render: Render, make_ready: Callable[[], object]) -> None:
        """``render`` is what the child does, after ``make_ready``."""
        self._render, self._make_ready = render, make_ready
        self._pid = 0
        self._request_pipe = self._answer_pipe = -1
        self._result_slot: list[str | None] | None = None  # where the text on its way goes

    def __enter__(self) -> Self:
        self._reap_children()
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
        child_in, self._request_pipe = os.pipe()
        self._answer_pipe, child_out = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            try:
                os.close(self._request_pipe)
                os.close(self._answer_pipe)
                self._serve(child_in, child_out)
            finally:
                os._exit(0)  # never into the caller's own cleaning up
        os.close(child_in)
        os.close(child_out)

    def _stop(self, kill: bool = False) -> None:
        """Tell the child to end. Not waited for: this process has nothing more to do with it."""
        self._result_slot = None
        for fd in (self._request_pipe, self._answer_pipe):
            with suppress(OSError):
                os.close(fd)
        if kill:
            with suppress(OSError):
                os.kill(self._pid, _KILL)
        self._ending_pids.append(self._pid)
        self._reap_children()

    def _reap_children(self) -> None:
        """Take leave of children that have ended, so that no zombie stays."""
        for pid in tuple(self._ending_pids):
            with suppress(OSError):  # somebody else has waited for it
                if os.waitpid(pid, os.WNOHANG)[0] != pid:
                    continue
            self._ending_pids.remove(pid)

    def request_text(self, name: str, values: dict[str, Any]) -> Callable[[], str | None]:
        """Asks for a text and waits for none: what is given back waits for it. It gives None where
        it must be rendered here: a mistake is told by the caller.

        One text at a time is on its way, so neither end ever waits for the other to read.
        """
        self._finish_request()
        result_slot: list[str | None] = []
        try:
            _send(self._request_pipe, marshal.dumps((name, values)))
            self._result_slot = result_slot
        except (OSError, ValueError):  # the child is gone; a value that marshal does not take
            self._give_up()

        def wait_for_text() -> str | None:
            if self._result_slot is result_slot:
                self._finish_request()
            return result_slot[0] if result_slot else None

        return wait_for_text

    def _finish_request(self) -> None:
        """Receives what is on its way, if anything is."""
        result_slot, self._result_slot = self._result_slot, None
        if result_slot is None:
            return
        try:
            if not select([self._answer_pipe], [], [], self.patience)[0]:
                raise TimeoutError
            data = _receive(self._answer_pipe)
        except OSError:
            self._give_up()
        else:
            result_slot.append(data.decode() if data else None)

    def _give_up(self) -> None:
        """All that follows is rendered here."""
        RenderProcess.current = None
        self._stop(kill=True)

    def _serve(self, source: int, sink: int) -> None:
        """The child: load Jinja at once, then a text for each request until the parent has gone."""
        self._make_ready()
        while request := _receive(source):
            name, values = marshal.loads(request)
            try:
                text = self._render(name, **values).encode()
            except Exception:
                text = b""
            _send(sink, text)


def _send(fd: int, data: bytes) -> None:
    remaining = memoryview(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
    while remaining:
        remaining = remaining[os.write(fd, remaining) :]


def _receive(fd: int) -> bytes:
    """One message; empty at the end of all."""
    length = _read_exactly(fd, _LENGTH_BYTES)
    return _read_exactly(fd, int.from_bytes(length, "big")) if length else b""


def _read_exactly(fd: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = os.read(fd, size - len(data))
        if not piece:
            return b""
        data += piece
    return data
