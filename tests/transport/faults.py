"""What goes wrong with the post, one fault at a time, at a random moment of a run of `pbem tick`.

Not allowed here: a test. A fault is counted where it struck. Source: decision 0014.
"""

import imaplib
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from disk import killer

from pbem.transport.imap import ImapMailbox
from transport.desk import Desk
from transport.servers import Imap, Server

#: how an SMTP server fails, for an email
SMTP = ("cut rcpt", "cut data", "cut within", "451 later", "rcpt 451 later", "552 full", "mail 421 no")
AGAIN = ("killed", "cut data", "cut within", "full", "two at once")  #: after which an email may go twice
#: operations on files of a run in which nothing happens, something, much
_OPERATIONS = (12, 40, 120)


class Faults:
    """All of them, counted by kind."""

    def __init__(self, chance: Random, desk: Desk, imap: Imap, server: Server) -> None:
        self._chance, self._desk, self._imap, self._server = chance, desk, imap, server
        self._tick = ("tick", str(desk.place.path))
        self._gone: list[bytes] = []  #: mails that vanished: their owner moves them back
        self.struck = Counter[str]()

    def one(self) -> None:
        """One run with one fault, if it strikes; some minutes after the last."""
        self._desk.later(self._chance.choice((1, 6, 11)))
        usual = (self._killed, self._full, self._smtp, self._smtp, self._fetch, self._at_once)
        rare = (self._clock, self._vanishes, self._vanishes, self._renumbered)
        self._chance.choice(usual if self._chance.randrange(6) else rare)()

    def mended(self) -> None:
        """What people do about it: mails moved back, failed ones tried again when the reason is
        known, the clock set right. Then all the time that emails may have to wait.
        """
        for data in self._gone:
            self._imap.deliver(data)
        self._gone.clear()
        for name in self._desk.marked("failed"):
            path = self._desk.game / "desk" / "failed" / f"{name}.eml"
            path.rename(path.parents[1] / "outbox" / path.name)
        self._desk.later(400)
        self._desk.run(*self._tick)

    def _strike(self, how: str) -> bool:
        k = self._chance.randrange(1, self._chance.choice(_OPERATIONS))
        return len(killer.fork_killed(self._desk.call(*self._tick), k, how).steps) >= k

    def _killed(self) -> None:
        self.struck["killed"] += self._strike(self._chance.choice(("before", "half", "lost")))

    def _full(self) -> None:
        self.struck["full"] += self._strike(self._chance.choice(("full", "EIO")))

    def _smtp(self) -> None:
        what, script = self._chance.choice(SMTP), self._server.inbox.script
        script[:] = [""] * self._chance.randrange(2) + [what]
        self._desk.run(*self._tick)
        self.struck[what] += not script
        script.clear()

    def _fetch(self) -> None:
        """The line goes dead after so many reads."""
        left = self._chance.randrange(1, 30)

        def dead(real: Callable[..., bytes]) -> Callable[..., bytes]:
            def read(server: Any, *size: int) -> bytes:
                nonlocal left
                left -= 1
                if left == 0:
                    self.struck["fetch"] += 1
                    server.sock.close()
                if left <= 0:
                    raise ConnectionResetError
                return real(server, *size)

            return read

        ssl = imaplib.IMAP4
        with patch.object(ssl, "read", dead(ssl.read)), patch.object(ssl, "readline", dead(ssl.readline)):
            self._desk.run(*self._tick)

    def _vanishes(self) -> None:
        """A mail is moved elsewhere between a look at its headers and its download."""
        real = ImapMailbox.read_email

        def whole(mailbox: ImapMailbox, uid: str) -> bytes | None:
            if not self._gone and (data := real(mailbox, uid)):
                self._gone.append(data.replace(b"\r\n", b"\n"))
                self.struck["vanished"] += 1
                _delete(self._imap, data)
                mailbox._server.noop()
            return real(mailbox, uid)

        with patch.object(ImapMailbox, "read_email", whole):
            self._desk.run(*self._tick)

    def _renumbered(self) -> None:
        self._imap.renumber()
        self.struck["renumbered"] += 1

    def _clock(self) -> None:
        """It goes back, or ahead for one run."""
        minutes = self._chance.choice((-90, -5, 300))
        self._desk.later(minutes)
        self._desk.run(*self._tick)
        self.struck["clock"] += 1

    def _at_once(self) -> None:
        """Two runs; the other one in a process of its own."""
        child = os.fork()
        if child == 0:
            try:
                self._desk.run(*self._tick)
            finally:
                os._exit(0)
        self._desk.run(*self._tick)
        os.waitpid(child, 0)
        self.struck["two at once"] += 1


def _delete(imap: Imap, data: bytes) -> None:
    wanted = data.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    for path in (*imap.maildir.glob("new/*"), *imap.maildir.glob("cur/*")):
        if wanted in path.read_bytes().replace(b"\r\n", b"\n"):
            Path(path).unlink()
            return
