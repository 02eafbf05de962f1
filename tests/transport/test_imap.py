"""Fetching from a real IMAP server. Source: decision 0014."""

import imaplib
import os
import time
from pathlib import Path

import pytest

from pbem.disk.journal import EmailStatus
from pbem.transport.imap import ImapMailbox
from pbem.transport.mailbox import MailHeaders
from transport import servers
from transport.desk import ADDRESS, Desk
from transport.servers import HOST, USER, Imap

NOTHING = "club: no new email\n"


def url(imap: Imap, way: str = "imaps") -> str:
    port = imap.port if way == "imaps" else imap.starttls
    return f"{way}://{USER}@{HOST}:{port}/INBOX"


@pytest.fixture
def begun(desk: Desk, imap: Imap) -> Desk:
    """An account that has fetched once, past the referee's private mail."""
    imap.deliver(b"From: friend@example.org\nSubject: dinner\nMessage-ID: <p@x>\n\nprivate\n")
    imap.deliver(desk.mail(desk.order(), "before"))
    desk.account(fetch=url(imap))
    assert "begins with what comes from now on" in desk.done("fetch", "GAME")
    assert not desk.lines()
    return desk


@pytest.mark.parametrize("way", ["imaps", "imap+starttls"])
@pytest.mark.parametrize("token", ["false", "true"])
def test_an_order_counts_once_and_nothing_is_marked(begun: Desk, imap: Imap, way: str, token: str) -> None:
    begun.account(fetch=url(imap, way), token=token)
    order, there = begun.order(), imap.count()
    imap.deliver(begun.mail(order))
    imap.deliver(b"From: friend@example.org\nSubject: lunch\nMessage-ID: <q@x>\n\nprivate\n")
    assert f"accepted: {order}" in begun.done("fetch", "GAME")
    assert begun.done("fetch", "GAME") == NOTHING
    assert (begun.lines(), len(begun.receipts())) == ([order], 1)
    assert (imap.flags(), imap.count()) == (set(), there + 2)
    assert begun.kept(EmailStatus.RECEIVED) == [b""]


def test_the_arrival_is_the_servers(begun: Desk, imap: Imap) -> None:
    begun.seconds = 4_000_000_000  # long after any clock that delivers
    imap.deliver(begun.mail(begun.order()))
    begun.done("fetch", "GAME")
    kept = [path.read_text() for path in (begun.game / "desk" / "mails").iterdir()]
    assert ["X-Pbem-Arrived: 20" in text and "2096" not in text for text in kept] == [True]


@pytest.mark.attack(
    "have an email counted twice by renumbering the mailbox",
    by="not possible: the second copy changes nothing",
    who="carrier",
)
def test_a_new_uidvalidity_counts_nothing_twice(begun: Desk, imap: Imap) -> None:
    begun.seconds = 4_000_000_000
    imap.deliver(begun.mail(begun.order()))
    begun.done("fetch", "GAME")
    place = begun.place.home / "post" / "club" / "place.toml"
    text = place.read_text().replace("2026-09-21", "2026-01-01")
    place.write_text(text)
    imap.renumber()
    for path in (*imap.maildir.glob("new/*"), *imap.maildir.glob("cur/*")):
        if b"<before@" in path.read_bytes():  # never taken; found by the short suite's clock
            os.utime(path, (time.time() - 60,) * 2)
    imap.deliver(begun.mail("withdraw", "m2"))
    said = begun.run("fetch", "GAME").text
    assert said.count("a newer one from you has arrived already") == 1
    assert said.count("all pending orders withdrawn") == 1
    assert "the mailbox was created again" in said
    assert begun.lines() == []
    assert begun.done("fetch", "GAME") == NOTHING


def test_a_look_back(begun: Desk, imap: Imap) -> None:
    begun.done("fetch", "GAME", "--since", "2026-01-01")
    assert begun.lines() == [begun.order()]
    assert begun.done("fetch", "GAME", "--since", "2026-01-01") == NOTHING


def test_a_mail_that_vanishes_meanwhile(begun: Desk, imap: Imap, monkeypatch: pytest.MonkeyPatch) -> None:
    imap.deliver(begun.mail("withdraw", "gone"))
    imap.deliver(begun.mail(begun.order(), "stays"))
    real = ImapMailbox.read_email

    def vanishes(self: ImapMailbox, uid: str) -> bytes | None:
        for path in (*imap.maildir.glob("new/*"), *imap.maildir.glob("cur/*")):
            if path.is_file() and b"<gone@" in path.read_bytes():
                path.unlink()
        self._server.noop()
        return real(self, uid)

    monkeypatch.setattr(ImapMailbox, "read_email", vanishes)
    begun.done("fetch", "GAME")
    assert begun.lines() == [begun.order()]
    assert begun.done("fetch", "GAME") == NOTHING


@pytest.mark.parametrize("where", ["heads", "whole"])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_a_line_that_goes_dead_within_fetch(
    begun: Desk, imap: Imap, monkeypatch: pytest.MonkeyPatch, where: str, k: int
) -> None:
    """What was fetched before counts at once, what was not the next time, all of it once."""
    order = begun.order()
    for number, text in enumerate(("help", "withdraw", order)):
        imap.deliver(begun.mail(text, f"m{number}"))
    calls = []
    with monkeypatch.context() as patch:
        real = imaplib.IMAP4.read

        def read(self: imaplib.IMAP4, size: int) -> bytes:
            calls.append(size)
            if len(calls) == (1 + k if where == "whole" else k + 1):
                self.sock.close()
                raise ConnectionResetError
            return real(self, size)

        patch.setattr(imaplib.IMAP4, "read", read)
        said = begun.run("fetch", "GAME")
    assert (said.code, "the connection was cut" in said.text) == (1, True)
    begun.run("fetch", "GAME")
    assert begun.lines() == [order]
    assert len(begun.receipts()) == 3
    assert begun.done("fetch", "GAME") == NOTHING


@pytest.mark.attack(
    "read the password of the mail account without a valid certificate",
    by="not possible: pbem ends the connection",
    who="carrier",
)
def test_a_wrong_certificate(desk: Desk, certificates: servers.Authority) -> None:
    if servers.DOVECOT is None:
        pytest.skip(f"needs Dovecot: {servers.INSTALL}")
    with servers.dovecot(certificates.other) as imap:
        for way in ("imaps", "imap+starttls"):
            desk.account(fetch=url(imap, way))
            said = desk.run("fetch", "GAME")
            assert (said.code, "its certificate is not good" in said.text) == (1, True)


@pytest.mark.parametrize("token", ["false", "true"])
def test_a_wrong_secret_is_said_and_not_quoted(desk: Desk, imap: Imap, token: str) -> None:
    desk.account(fetch=url(imap), secret='["printf", "hunter2"]', token=token)
    said = desk.run("fetch", "GAME")
    assert (said.code, "the user or the secret is refused" in said.text) == (1, True), said.text
    assert "hunter2" not in said.text


def test_a_folder_that_is_not_there(desk: Desk, imap: Imap) -> None:
    desk.account(fetch=url(imap).replace("INBOX", "Games"))
    said = desk.run("fetch", "GAME")
    assert (said.code, "the folder Games cannot be opened" in said.text) == (1, True)


def test_an_account_is_tried_both_ways(desk: Desk, imap: Imap, tmp_path: Path, certificates: servers.Authority) -> None:
    with servers.smtp(certificates.good, "smtps") as server:
        server.inbox.onward = lambda data: imap.deliver(data.replace(b"\r\n", b"\n"))
        desk.account(fetch=url(imap), send=f"smtps://{USER}@{HOST}:{server.port}")
        said = desk.done("account", "try", "club")
    assert "arrival: the email came" in said
    assert [to for to, _ in server.inbox.mails] == [ADDRESS]
    desk.account(fetch=url(imap), secret='["false"]')
    wrong = desk.run("account", "try", "club")
    assert (wrong.code, "secret: FAILED: " in wrong.text) == (1, True)
    assert MailHeaders._fields
