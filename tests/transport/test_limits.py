"""A server or an email that holds up its own account, and nothing else. Source: decision 0026."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.disk.home import Home
from pbem.disk.journal import AccountJournal, EmailStatus
from pbem.transport import connection, headers
from transport import rogues, servers
from transport.desk import Desk
from transport.rogues import Answer, imap_mail, saying
from transport.servers import HOST, USER, Server
from transport.test_fetch_files import put
from transport.test_send import BOTH


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAX_EXCHANGE", "MAX_SILENCE"):
        monkeypatch.setattr(connection, name, 1.0)


@pytest.fixture
def server() -> Iterator[Server]:
    with servers.smtp(None, "smtp", auth=False) as found:
        yield found


def fetched_from(desk: Desk, server: Server, port: int) -> None:
    url = f"imaps://{USER}@{HOST}:{port}/INBOX"
    desk.account(fetch=url, send=f"smtp://{HOST}:{server.port}")
    place = 'validity = "7"\nbegan = "2026-09-01T00:00:00Z"\nsince = ""\nhigh = 1\nlooked = []\n'
    AccountJournal(Home(desk.place.home), "club").write("place.toml", place.encode())


END = b"{tag} OK done\r\n"
WORDS = b"* SEARCH 2\r\n" + END
NINES = b"9" * 5000
FETCHED = b"* 1 FETCH (UID 2 BODY[] {"
IMAP = {
    "search of words": {"SEARCH": saying(b"* SEARCH seven and eight\r\n", END)},
    "search with blanks between": {"SEARCH": saying(b"* SEARCH 1_0 +7\r\n", END)},
    "search beyond all UIDs": {"SEARCH": saying(b"* SEARCH 4294967296999\r\n", END)},
    "search of 5,000 digits": {"SEARCH": saying(b"* SEARCH " + NINES + b"\r\n", END)},
    "huge literal": {"SEARCH": saying(WORDS), "FETCH": saying(FETCHED, b"99999999999}\r\n")},
    "literal of 5,000 digits": {
        "SEARCH": saying(WORDS), "FETCH": saying(FETCHED, NINES, b"}\r\n")
    },
    "literal that comes": {
        "SEARCH": saying(WORDS),
        "FETCH": lambda: iter([FETCHED, b"900000000}\r\n", *[b"x" * 99_999] * 9000]),
    },
    "dripping greeting": {"greeting": rogues.dripping},
    "dripping capability": {"CAPABILITY": rogues.dripping},
    "dripping login": {"LOGIN": rogues.dripping},
    "dripping folder": {"EXAMINE": rogues.dripping},
    "dripping search": {"SEARCH": rogues.dripping},
    "dripping fetch": {"SEARCH": saying(WORDS), "FETCH": rogues.dripping},
    "flooding greeting": {"greeting": rogues.flooding},
    "flooding folder": {"EXAMINE": rogues.flooding},
    "flooding search": {"SEARCH": rogues.flooding},
    "flooding fetch": {"SEARCH": saying(WORDS), "FETCH": rogues.flooding},
    "no sense": {"SEARCH": saying(b"\xff\x00 {tag} {5}\r\n{tag} what\r\n")},
}  # fmt: skip


@pytest.mark.parametrize("answers", IMAP.values(), ids=IMAP.keys())
def test_a_mailbox_stops_nothing_but_itself(
    desk: Desk, server: Server, certificates: servers.Authority, answers: dict[str, Answer]
) -> None:
    begin = time.monotonic()
    with rogues.imap(certificates.good, answers) as port:
        fetched_from(desk, server, port)
        said = desk.run("tick", "GAME")
    assert said.code == 1, said.text
    assert "club: not fetched: [club] 127.0.0.1: " in said.text
    assert "our fault" not in said.text
    assert desk.marked("sent") == BOTH
    assert time.monotonic() - begin < 8


def test_a_mailbox_that_drips_at_parting(desk: Desk, server: Server, certificates: servers.Authority) -> None:
    with rogues.imap(certificates.good, {"LOGOUT": rogues.dripping}) as port:
        fetched_from(desk, server, port)
        begin = time.monotonic()
        desk.done("tick", "GAME")
    assert time.monotonic() - begin < 5
    assert desk.marked("sent") == BOTH


def test_a_slow_mailbox_goes_on_where_it_was(
    desk: Desk, server: Server, certificates: servers.Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found in reading: with a limit in time, a long look back would never come to its end."""
    monkeypatch.setattr(connection, "MAX_ACCOUNT_TIME", 0.5)
    monkeypatch.setattr("pbem.transport.fetch._CHUNK", 1)
    asked = list[int]()

    def slow() -> Iterator[bytes]:
        time.sleep(0.3)
        asked.append(1)
        yield from [*imap_mail(len(asked) + 1, b"Subject: none of ours\r\n\r\n"), b"{tag} OK done\r\n"]

    found = b"* SEARCH " + b" ".join(b"%d" % uid for uid in range(2, 8)) + b"\r\n{tag} OK done\r\n"
    with rogues.imap(certificates.good, {"SEARCH": saying(found), "FETCH": slow}) as port:
        fetched_from(desk, server, port)
        said = desk.run("fetch", "GAME", "--since", "2026-09-01")
        assert (said.code, "the next run has to go on" in said.text) == (1, True), said.text
        for _ in range(5):
            said = desk.run("fetch", "GAME")
    assert (said.code, len(asked)) == (0, 6)


@pytest.mark.parametrize(
    "date", ["01-Jan-0001 00:00:00 +1400", "31-Dec-9999 23:59:59 -1200", "01-Jan-0001 00:00:00 +0000"]
)
def test_the_day_of_a_mail_is_whatever_a_server_says(
    desk: Desk, server: Server, certificates: servers.Authority, date: str
) -> None:
    """Counts as one that came now: nobody knows better."""
    mail = imap_mail(2, desk.mail(desk.order()).replace(b"\n", b"\r\n"), date)
    answers = {"SEARCH": saying(WORDS), "FETCH": saying(*mail, b"{tag} OK done\r\n")}
    with rogues.imap(certificates.good, answers) as port:
        fetched_from(desk, server, port)
        desk.done("tick", "GAME")
    assert desk.lines() == [desk.order()]
    assert desk.marked("sent")[:2] == BOTH


@pytest.mark.parametrize("seconds", [-62_135_596_801, -1, 253_402_300_800, 2**40])
def test_the_day_of_a_file_is_whatever_a_drive_says(desk: Desk, maildir: Path, seconds: int) -> None:
    desk.account(fetch=f"maildir:{maildir}")
    desk.done("fetch", "GAME")
    path = put(maildir, desk.mail(desk.order()), "a.host")
    try:
        os.utime(path, (seconds, seconds))
    except OverflowError:
        pytest.skip("no file can be as old")
    desk.done("fetch", "GAME")
    assert desk.lines() == [desk.order()]


def test_a_sender_in_ten_thousand_brackets(desk: Desk, maildir: Path) -> None:
    """The library calls itself for every bracket."""
    desk.account(fetch=f"maildir:{maildir}")
    desk.done("fetch", "GAME")
    mail = desk.mail(desk.order(), "deep")
    put(maildir, mail.replace(b"From: ", b"From: " + b"(" * 1900, 1), "1.a.host")
    put(maildir, mail.replace(b"To: ", b"To: " + b"(" * 1900, 1).replace(b"Subject: ", b"X-S: "), "2.a.host")
    put(maildir, desk.mail(desk.order(), "good"), "3.b.host")
    said = desk.run("tick", "GAME")
    assert desk.lines() == [desk.order()], said.text


def test_a_mail_that_pbem_cannot_look_at_is_broken(desk: Desk, maildir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.account(fetch=f"maildir:{maildir}")
    desk.done("fetch", "GAME")
    put(maildir, desk.mail(desk.order(), "odd"), "1.a.host")
    put(maildir, desk.mail(desk.order(), "good"), "2.b.host")
    real = headers.is_wanted

    def fails(mail: object, wanted: object) -> bool:
        if mail["message-id"] == "<odd@mail.example>":  # type: ignore[index]
            raise RecursionError
        return real(mail, wanted)  # type: ignore[arg-type]

    monkeypatch.setattr("pbem.transport.fetch.is_wanted", fails)
    said = desk.run("tick", "GAME")
    assert said.code == 1
    assert desk.lines() == [desk.order()], said.text
    assert len(desk.kept(EmailStatus.BROKEN)) == 1
    assert "pbem fails with this email" in said.text
    assert desk.done("tick", "GAME") == ""


def test_a_name_in_the_journal_that_is_none_of_ours(desk: Desk, maildir: Path) -> None:
    desk.account(fetch=f"maildir:{maildir}")
    desk.done("fetch", "GAME")
    journal = AccountJournal(Home(desk.place.home), "club")
    for name in ("mine", "10101t000000z-000000.0123456789abcdef.0123456789abcdef.0"):
        journal.put_email(EmailStatus.NEW, name, desk.mail(desk.order(), "odd"))
        journal.put_email(EmailStatus.NOT_OURS, name, desk.mail(desk.order(), "odd"))
    put(maildir, desk.mail(desk.order(), "good"), "2.b.host")
    said = desk.run("tick", "GAME")
    assert "our fault" not in said.text
    assert desk.lines() == [desk.order()], said.text


SMTP = {
    "dripping greeting": {"greeting": rogues.dripping},
    "dripping hello": {"EHLO": rogues.dripping, "HELO": rogues.dripping},
    "dripping sender": {"MAIL": rogues.dripping},
    "dripping data": {"DATA": rogues.dripping},
    "dripping end": {"dot": rogues.dripping},
    "flooding greeting": {"greeting": rogues.flooding_smtp},
    "flooding hello": {"EHLO": rogues.flooding_smtp},
    "flooding recipient": {"RCPT": rogues.flooding_smtp},
    "flooding end": {"dot": rogues.flooding_smtp},
    "250 in place of 354": {"DATA": saying(b"250 good\r\n")},
    "200 in place of 354": {"DATA": saying(b"200 good\r\n")},
    "354 at the end": {"dot": saying(b"354 go on\r\n")},
    "no number at the end": {"dot": saying(b"\xff\xfe good\r\n")},
    "nothing but numbers": {"": saying(b"999 good\r\n")},
}


@pytest.mark.parametrize("answers", SMTP.values(), ids=SMTP.keys())
def test_a_way_out_stops_nothing_but_itself_and_is_not_believed(
    desk: Desk, maildir: Path, answers: dict[str, Answer]
) -> None:
    begin = time.monotonic()
    with rogues.smtp(answers) as port:
        desk.account(fetch=f"maildir:{maildir}", send=f"smtp://{HOST}:{port}")
        desk.done("fetch", "GAME")
        put(maildir, desk.mail(desk.order()))
        said = desk.run("tick", "GAME")
    assert (said.code, "our fault" in said.text) == (1, False), said.text
    assert desk.lines() == [desk.order()]
    assert desk.marked("sent") == []
    assert len(desk.marked("outbox") + desk.marked("sending")) == 3  # two reports, a receipt
    assert list((desk.place.home / "backups").iterdir())
    assert time.monotonic() - begin < 8


def test_a_way_out_that_drips_at_parting(desk: Desk) -> None:
    with rogues.smtp({"QUIT": rogues.dripping}) as port:
        desk.account(send=f"smtp://{HOST}:{port}")
        begin = time.monotonic()
        desk.done("send", "GAME")
    assert time.monotonic() - begin < 5
    assert desk.marked("sent") == BOTH


def test_a_slow_way_out_leaves_the_rest_to_the_next_run(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MAX_ACCOUNT_TIME", 0.3)

    def slow() -> Iterator[bytes]:
        time.sleep(0.4)
        yield b"250 good\r\n"

    with rogues.smtp({"dot": slow}) as port:
        desk.account(send=f"smtp://{HOST}:{port}")
        said = desk.done("send", "GAME")
        assert "the next run goes on" in said
        assert len(desk.marked("sent")) == 1
        desk.done("send", "GAME")
    assert desk.marked("sent") == BOTH
