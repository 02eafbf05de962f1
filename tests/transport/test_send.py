"""Sending: what a server says, and what becomes of each message. Source: decision 0014."""

import email
import mailbox
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from email.message import Message
from pathlib import Path

import pytest

from pbem.disk import system
from pbem.disk.home import Home
from pbem.disk.journal import AccountJournal
from transport import servers
from transport.desk import Desk
from transport.servers import HOST, USER, Server

BOTH = ["0002-blue", "0002-red"]


@pytest.fixture
def server() -> Iterator[Server]:
    """On this machine, without TLS, for whoever comes."""
    with servers.smtp(None, "smtp", auth=False) as found:
        yield found


@pytest.fixture
def ready(desk: Desk, server: Server) -> Desk:
    desk.account(send=f"smtp://{HOST}:{server.port}")
    return desk


def read(server: Server) -> list[Message]:
    return [email.message_from_bytes(data) for _, data in server.inbox.mails]


def test_what_waits_goes_out_once(ready: Desk, server: Server) -> None:
    said = ready.done("send", "GAME")
    assert said.count(": sent") == 2
    assert sorted(to for to, _ in server.inbox.mails) == ["ann@example.org", "bob@example.org"]
    assert (ready.marked("outbox"), ready.marked("sent")) == ([], BOTH)
    assert ready.log() == ["sending", "sent"] * 2
    assert all(mail["X-Unsent"] is None for mail in read(server))
    assert all(mail["Message-ID"].endswith("@example.org>") for mail in read(server))
    assert ready.done("send", "GAME") == "the outbox is empty\n"
    assert len(server.inbox.mails) == 2


def test_a_dry_run_sends_nothing(ready: Desk, server: Server) -> None:
    said = ready.done("send", "GAME", "--dry-run")
    assert said.count("would be sent") == 2
    assert (server.inbox.mails, ready.marked("outbox"), ready.log()) == ([], BOTH, [])


@pytest.mark.parametrize("said", ["451 4.7.1 greylisted", "rcpt 450 busy"])
def test_what_a_server_puts_off_is_tried_again_with_growing_pauses(ready: Desk, server: Server, said: str) -> None:
    server.inbox.script = [said, "", said, said]
    assert "not accepted by the server yet" in ready.done("send", "GAME")
    assert len(server.inbox.mails) == 1
    for pause, more in ((5, False), (10, False), (20, True)):
        ready.later(pause - 1)
        tried = server.inbox.tried
        assert "waits, until" in ready.done("send", "GAME")
        assert server.inbox.tried == tried
        ready.later(1)
        ready.done("send", "GAME")
        assert (len(server.inbox.mails) == 2) == more
    assert ready.marked("sent") == BOTH


@pytest.mark.parametrize("said", ["554 5.7.1 spam", "rcpt 550 no such user"])
def test_what_a_server_refuses_is_shown_and_not_sent_again(ready: Desk, server: Server, said: str) -> None:
    server.inbox.script = [said]
    shown = ready.run("send", "GAME")
    assert shown.code == 1
    assert f"NOT SENT: {said.removeprefix('rcpt ')}" in shown.text
    assert (ready.marked("failed"), ready.marked("sent")) == (BOTH[:1], BOTH[1:])
    again = ready.done("send", "GAME")
    assert "1 email could not be sent" in again
    assert len(server.inbox.mails) == 1


def test_a_refused_sender_is_no_fault_of_the_message(ready: Desk, server: Server) -> None:
    server.inbox.script = ["mail 553 not yours"] * 9
    shown = ready.run("send", "GAME")
    assert (shown.code, "553 not yours" in shown.text) == (1, True)
    assert ready.marked("outbox") == BOTH


@pytest.mark.parametrize(
    ("cut", "taken", "event"), [("cut rcpt", 0, "back"), ("cut within", 0, "unsure"), ("cut data", 1, "unsure")]
)
def test_a_line_that_goes_dead(ready: Desk, server: Server, cut: str, taken: int, event: str) -> None:
    """Before DATA nothing went; within and after it nobody knows, and it goes once more."""
    server.inbox.script = [cut]
    shown = ready.run("send", "GAME")
    assert shown.code == 1, shown.text
    assert len(server.inbox.mails) == 1 + taken
    assert ready.log()[1] == event
    ready.done("send", "GAME")
    assert ready.marked("sent") == BOTH
    # the same bytes, and so the same Message-ID
    assert len({data for to, data in server.inbox.mails if to == "bob@example.org"}) == 1
    assert len(server.inbox.mails) == 2 + taken


def test_what_is_always_cut_is_left_to_the_referee(ready: Desk, server: Server) -> None:
    (ready.game / "desk/outbox/0002-red.eml").unlink()
    for _ in range(3):
        server.inbox.script = ["cut data"]
        assert ready.run("send", "GAME").code == 1
    said = ready.run("send", "GAME")
    assert (said.code, "nobody knows whether it went" in said.text) == (1, True)
    assert ready.marked("failed") == ["0002-blue"]
    assert ready.log() == ["sending", "unsure", "again", "unsure", "again", "unsure", "failed"]


def test_only_so_many_an_hour(desk: Desk, server: Server) -> None:
    desk.account(send=f"smtp://{HOST}:{server.port}", per_hour="1")
    assert "1 emails went within an hour" in desk.done("send", "GAME")
    assert len(server.inbox.mails) == 1
    desk.later(59)
    desk.done("send", "GAME")
    assert len(server.inbox.mails) == 1
    desk.later(2)
    desk.done("send", "GAME")
    assert len(server.inbox.mails) == 2


@pytest.mark.parametrize("tls", ["smtps", "smtp+starttls"])
def test_over_tls_with_a_password(desk: Desk, certificates: servers.Authority, tls: str) -> None:
    with servers.smtp(certificates.good, tls) as server:
        desk.account(send=f"{tls}://{USER}@{HOST}:{server.port}")
        desk.done("send", "GAME")
        assert len(server.inbox.mails) == 2


@pytest.mark.parametrize("tls", ["smtps", "smtp+starttls"])
def test_a_wrong_certificate_is_refused_in_words(desk: Desk, certificates: servers.Authority, tls: str) -> None:
    with servers.smtp(certificates.other, tls) as server:
        desk.account(send=f"{tls}://{USER}@{HOST}:{server.port}")
        said = desk.run("send", "GAME")
    assert (said.code, "its certificate is not good" in said.text) == (1, True)
    assert (desk.marked("outbox"), server.inbox.mails) == (BOTH, [])


def test_who_does_not_offer_tls_gets_no_secret(desk: Desk, server: Server) -> None:
    desk.account(send=f"smtp+starttls://{USER}@{HOST}:{server.port}")
    said = desk.run("send", "GAME")
    assert (said.code, "STARTTLS" in said.text) == (1, True)


def test_a_wrong_secret_is_said_and_not_quoted(desk: Desk, certificates: servers.Authority) -> None:
    with servers.smtp(certificates.good, "smtps") as server:
        desk.account(send=f"smtps://{USER}@{HOST}:{server.port}", secret='["printf", "hunter2"]')
        said = desk.run("send", "GAME")
    assert (said.code, "the user or the secret is refused" in said.text) == (1, True)
    assert "hunter2" not in said.text
    assert desk.marked("outbox") == BOTH
    for path in desk.place.path.rglob("*"):
        if path.is_file() and path.name != "post.toml":
            assert b"hunter2" not in path.read_bytes(), path


def test_nobody_there(desk: Desk) -> None:
    desk.account(send=f"smtp://{HOST}:{servers.free_port()}")
    said = desk.run("send", "GAME")
    assert (said.code, "nothing answers at port" in said.text) == (1, True)
    assert desk.marked("outbox") == BOTH


PROGRAM = """#!/bin/sh
cat > "{folder}/$5"
exit {code}
"""


@pytest.mark.parametrize(("code", "mark"), [(0, "sent"), (75, "outbox"), (67, "failed"), (78, "outbox")])
def test_by_a_program(desk: Desk, tmp_path: Path, code: int, mark: str) -> None:
    program = tmp_path / "sendmail"
    program.write_text(PROGRAM.format(folder=tmp_path, code=code))
    program.chmod(0o755)
    desk.account(send=f"sendmail:{program}")
    desk.run("send", "GAME")
    assert desk.marked(mark) == BOTH
    assert (tmp_path / "ann@example.org").read_bytes().startswith(b"From: Ref <ref@example.org>\n")


def test_by_hand(desk: Desk, tmp_path: Path) -> None:
    target = tmp_path / "out.mbox"
    said = desk.done("outbox", "GAME", "--mbox", str(target))
    assert "2 emails are in" in said
    with closing(mailbox.mbox(target, create=False)) as box:
        assert len(box) == 2
    assert target.stat().st_mode & 0o077 == 0
    assert desk.run("outbox", "GAME", "--mbox", str(target)).code == 1
    desk.done("sent", "GAME", os.path.join("desk", "outbox", "0002-red.eml"))
    assert desk.marked("sent") == ["0002-red"]
    assert desk.log() == ["by-hand"]
    wrong = desk.run("sent", "GAME", "0002-red.eml")
    assert (wrong.code, "no email '0002-red' waits" in wrong.text) == (2, True)
    desk.account()
    assert "sends nothing (send = none)" in desk.run("send", "GAME").text


def test_without_an_account(desk: Desk) -> None:
    said = desk.run("send", "GAME")
    assert (said.code, "pbem account add club" in said.text) == (1, True)


def test_one_message_that_nobody_can_send_stops_no_other(ready: Desk, server: Server) -> None:
    (ready.game / "desk/outbox/0001-odd.eml").write_bytes(b"Subject: no address\n\nhello\n")
    said = ready.run("send", "GAME")
    assert (said.code, "0001-odd.eml has no From, To" in said.text) == (1, True)
    assert ready.marked("sent") == BOTH


def test_a_game_of_no_account_stops_no_other(ready: Desk, server: Server) -> None:
    path = ready.place.home / "post.toml"
    other = '[other]\naddress = "other@example.org"\nsend = "none"\n'
    path.write_text(path.read_text() + other)
    players = ready.game / "desk/players.toml"
    desk = players.read_text()
    players.write_text(desk.replace("ref@example.org", "else@example.org"))
    said = ready.run("fetch", "GAME")
    assert (said.code, "no mail account has the referee's address else@" in said.text) == (1, True)
    players.write_text(desk)
    ready.done("send", "GAME")  # the messages name their referee themselves
    assert ready.marked("sent") == BOTH


def test_a_busy_game_is_not_a_busy_account(ready: Desk, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found in reading: `Journal.hold` called whatever was busy within it the account."""
    hold = system.hold
    monkeypatch.setattr(system, "hold", lambda path, wait=10.0: hold(path, min(wait, 0.2)))
    holder = subprocess.Popen([sys.executable, "-c", HOLDS, str(ready.game / "desk" / "lock")], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    try:
        said = ready.done("send", "GAME")
    finally:
        holder.kill()
        holder.communicate()
    assert said.count("another pbem is") == 2
    assert "account" not in said
    assert (server.inbox.mails, ready.marked("outbox")) == ([], BOTH)
    assert ready.done("send", "GAME").count(": sent") == 2


def test_a_busy_account_is_said(ready: Desk) -> None:
    journal = AccountJournal(Home(ready.place.home), "club")
    with journal.hold():
        assert "another pbem is using the account club" in ready.run("send", "GAME").text


HOLDS = """
import fcntl, sys, time
held = open(sys.argv[1], "a")
fcntl.flock(held, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(60)
"""
