"""A child process that renders templates: it loads Jinja on another core while a turn is played.

What must never be here: a State, a file, a secret key. The pipe carries only template values.
The child may fail at any moment (no fork, killed, out of memory). The parent then renders the text.
It saves 10 of the 100 ms of a resolve with four reports, on two idle cores.
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
    """``with RenderProcess(…):`` forks a child and ends it afterwards. Without ``os.fork`` it does nothing.

    The child reads from a pipe, so it ends when this process ends for any reason.
    """

    current: "RenderProcess | None" = None
    patience = 60.0  #: seconds to wait for a text; then the child is killed
    _ending_pids: ClassVar[list[int]] = []  # of children that may not have ended yet

    def __init__(self, render: Render, make_ready: Callable[[], object]) -> None:
        """The child calls ``make_ready`` once, and ``render`` for each text."""
        self._render, self._make_ready = render, make_ready
        self._pid = 0
        self._request_pipe = self._answer_pipe = -1
        self._result_slot: list[str | None] | None = None  # of the request that is not answered yet

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
                os._exit(0)  # the child must not run the parent's cleanup
        os.close(child_in)
        os.close(child_out)

    def _stop(self, kill: bool = False) -> None:
        """Close the pipes, so that the child ends. Does not wait for it."""
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
        """Wait for children that have ended, so that none becomes a zombie."""
        for pid in tuple(self._ending_pids):
            with suppress(OSError):  # another part of the process waited for it
                ended_pid, _ = os.waitpid(pid, os.WNOHANG)
                if ended_pid != pid:
                    continue
            self._ending_pids.remove(pid)

    def request_text(self, name: str, values: dict[str, Any]) -> Callable[[], str | None]:
        """Send a request and return at once. Call the result to wait for the text.

        That returns None if the caller must render the text itself, for example after an error.
        Only one request is open at a time, so that the two processes cannot block each other.
        """
        self._finish_request()
        result_slot: list[str | None] = []
        try:
            _send(self._request_pipe, marshal.dumps((name, values)))
            self._result_slot = result_slot
        except (OSError, ValueError):  # the child has ended; or marshal cannot write a value
            self._give_up()

        def wait_for_text() -> str | None:
            if self._result_slot is result_slot:
                self._finish_request()
            return result_slot[0] if result_slot else None

        return wait_for_text

    def _finish_request(self) -> None:
        """Receive the text of the open request, if there is one."""
        result_slot, self._result_slot = self._result_slot, None
        if result_slot is None:
            return
        try:
            readable_pipes, _, _ = select([self._answer_pipe], [], [], self.patience)
            if not readable_pipes:
                raise TimeoutError
            data = _receive(self._answer_pipe)
        except OSError:
            self._give_up()
        else:
            result_slot.append(data.decode() if data else None)

    def _give_up(self) -> None:
        """Kill the child. This process renders all further texts."""
        RenderProcess.current = None
        self._stop(kill=True)

    def _serve(self, source: int, sink: int) -> None:
        """The child's loop: answer requests until the parent closes the pipe."""
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
    """One message, or b"" at the end of the pipe."""
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
