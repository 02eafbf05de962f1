"""A drive that is full, a program that is killed, in the middle of sending. Source: decision 0014;
docs/DESIGN.md P8.
"""

import errno
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from durability import games

from pbem.disk import system
from pbem.disk.home import Home
from pbem.disk.journal import AccountJournal
from transport import servers
from transport.desk import Desk
from transport.servers import HOST, Server
from transport.test_killed import another
from transport.test_send import BOTH, PROGRAM


@pytest.fixture
def server() -> Iterator[Server]:
    with servers.smtp(None, "smtp", auth=False) as found:
        yield found


@pytest.fixture
def ready(desk: Desk, server: Server) -> Desk:
    desk.account(send=f"smtp://{HOST}:{server.port}")
    return desk


def full(monkeypatch: pytest.MonkeyPatch, below: Path) -> None:
    """No new file finds room below a folder."""
    real = os.open

    def opened(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if flags & os.O_CREAT and Path(path).is_relative_to(below) and not os.path.lexists(path):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", opened)


@pytest.mark.parametrize("where", ["home", "game"])
def test_on_a_full_drive_each_email_goes_once(
    ready: Desk, server: Server, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Found by an independent run of faults: a full PBEM_HOME sent each email three times, and
    called it failed.
    """
    with AccountJournal(Home(ready.place.home), "club").hold():
        pass  # its lock is there
    with monkeypatch.context() as patch:
        full(patch, ready.place.home if where == "home" else ready.game)
        for _ in range(4):
            said = ready.run("send", "GAME")
            assert (said.code, "no room left" in said.text) == (1, True)
    ready.done("send", "GAME")
    assert Counter(to for to, _ in server.inbox.mails) == {"ann@example.org": 1, "bob@example.org": 1}
    assert ready.marked("sent") == BOTH


@pytest.mark.parametrize("what", ["replace", "fsync"])
def test_what_went_and_cannot_be_noted_is_said_and_nothing_else_goes(
    ready: Desk, server: Server, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    real = getattr(os, what)

    def fails(*given: Any) -> None:
        if server.inbox.mails:
            raise OSError(errno.EIO, "Input/output error")
        real(*given)

    monkeypatch.setattr(os, what, fails)
    said = ready.run("send", "GAME")
    assert said.code == 1
    assert "0002-blue went to bob@example.org, but that cannot be noted: " in said.text
    assert len(server.inbox.mails) == 1


def test_the_rename_is_what_follows_a_delivery(ready: Desk, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    done = list[str]()
    for name in ("open", "rename", "replace", "mkdir", "link"):
        monkeypatch.setattr(os, name, _noting(name, getattr(os, name), done, server))
    ready.done("send", "GAME")
    assert [row for row in done if row.endswith(" 1")][:1] == ["replace 1"], done


def _noting(name: str, real: Any, done: list[str], server: Server) -> Any:
    def call(*given: Any, **named: Any) -> Any:
        writes = name != "open" or given[1] & os.O_CREAT
        if writes and not str(given[0]).endswith("lock"):
            done.append(f"{name} {len(server.inbox.mails)}")
        return real(*given, **named)

    return call


def test_a_send_that_was_killed_leaves_nothing_lying_about(ready: Desk, server: Server) -> None:
    (ready.game / "desk/outbox/0002-red.eml").unlink()
    left = 0
    for k in range(1, another(ready, 0).steps("send", "GAME") + 1):
        desk = another(ready, k)
        assert desk.killed(k, "send", "GAME") == games.KILLED
        left += bool(list(desk.place.path.rglob(f"{system.TEMP_PREFIX}*")))
        desk.run("send", "GAME")
        assert not list(desk.place.path.rglob(f"{system.TEMP_PREFIX}*")), k
        assert desk.marked("sent") == BOTH[:1], k
    assert left


def test_a_program_reads_the_whole_mail_whatever_becomes_of_pbem(desk: Desk, tmp_path: Path) -> None:
    """It was written into a pipe: pbem killed, half of the email went."""
    program = tmp_path / "sendmail"
    first, _, rest = PROGRAM.format(folder=tmp_path, code=0).partition("\n")
    program.write_text(f"{first}\nkill -9 $PPID\nsleep 0.3\n{rest}")
    program.chmod(0o755)
    (desk.game / "desk/outbox/0002-red.eml").unlink()
    path = desk.game / "desk/outbox/0002-blue.eml"
    data = path.read_bytes()
    path.write_bytes(data + b"x" * 70 * 1024 + b"\n" + b"the end\n")  # more than a pipe holds
    desk.account(send=f"sendmail:{program}")
    child = os.fork()
    if child == 0:
        desk.call("send", "GAME")()
    os.waitpid(child, 0)
    target, begin = tmp_path / "bob@example.org", time.monotonic()
    while not (target.exists() and target.stat().st_size > len(data) + 70 * 1024 - 20):
        assert time.monotonic() < begin + 20
        time.sleep(0.05)
    there = (desk.game / "desk/sending/0002-blue.eml").read_bytes()
    assert target.read_bytes() == there.replace(b"X-Unsent: 1\n", b"", 1)


def test_filing_by_hand_goes_on_where_it_was_killed(desk: Desk) -> None:
    (desk.game / "desk/outbox/password-blue.eml").write_bytes((desk.game / "desk/outbox/0002-blue.eml").read_bytes())
    words = ("sent", "GAME", "password-blue", *BOTH)
    steps = another(desk, 0).steps(*words)
    for k in games.points(steps):
        one = another(desk, k)
        assert one.killed(k, *words) == games.KILLED
        left = one.marked("outbox")
        said = one.run(*words)
        assert (said.code == 0) == bool(left), (k, said.text)
        assert (one.marked("outbox"), one.marked("sent")) == ([], BOTH), k


@pytest.mark.parametrize("digits", ["1" * 30, "1" + "0" * 5000])
def test_a_number_of_thirty_digits(desk: Desk, digits: str) -> None:
    said = desk.run("account", "add", "two", "--address", "Ref <two@example.org>", "--fetch", "none",
                    "--send", "none", "--per-hour", digits)  # fmt: skip
    assert (said.code, "100000" in said.text or "valid" in said.text) == (2, True), said.text


@pytest.mark.parametrize("odd", ["<a b>", "nothing", "<" + "x" * 300 + "@y>", "<é@y>", "-"])
def test_a_damaged_message_id_in_the_desk(desk: Desk, odd: str) -> None:
    path = desk.game / "desk" / "mailed"
    rows = [line.split(" ") for line in path.read_text().splitlines()]
    path.write_text("".join(f"{' '.join([*row[:6], odd, odd])}\n" for row in rows))
    data = desk.mail("help")
    (desk.place.path / "m.eml").write_bytes(data.replace(b"Message-ID", b"X-ID"))
    desk.done("receive", "GAME", str(desk.place.path / "m.eml"))
    assert desk.run("report", "GAME", "--player", "red").code == 0
