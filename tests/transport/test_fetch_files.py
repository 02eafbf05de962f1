"""Fetching from a Maildir and an mbox, and what becomes of each mail. Source: decision 0014."""

import base64
import email
import os
from pathlib import Path

import pytest

from pbem.disk.home import Home
from pbem.disk.journal import AccountJournal, EmailStatus
from pbem.report.message_ids import MOST_IDS, has_our_id, make_message_id, read_answered_code
from pbem.services.receive import receive
from pbem.services.receive.message import ReceivedEmail, read_message
from pbem.transport.mailbox import MaildirMailbox
from transport.desk import START, Desk


def put(maildir: Path, data: bytes, name: str = "1.a.host", seconds: int = START) -> Path:
    """Delivers a mail."""
    path = maildir / "new" / name
    path.write_bytes(data)
    os.utime(path, (seconds, seconds))
    return path


@pytest.fixture
def begun(desk: Desk, maildir: Path) -> Desk:
    """An account that has fetched once: from now on."""
    desk.account(fetch=f"maildir:{maildir}")
    put(maildir, desk.mail(desk.order(), "before"), "0.before.host")
    said = desk.done("fetch", "GAME")
    assert "begins with what comes from now on" in said
    assert not desk.lines()
    return desk


def test_an_order_counts_once_and_its_bytes_go(begun: Desk, maildir: Path) -> None:
    order = begun.order()
    path = put(maildir, begun.mail(order))
    assert f"accepted: {order}" in begun.done("fetch", "GAME")
    assert begun.lines() == [order]
    assert len(begun.receipts()) == 1
    assert begun.kept(EmailStatus.RECEIVED) == [b""]
    assert not begun.kept(EmailStatus.NEW)
    path.rename(maildir / "cur" / f"{path.name}:2,RS")  # read by the referee: the same mail
    assert begun.done("fetch", "GAME") == "club: no new email\n"
    assert len(begun.receipts()) == 1


def test_the_arrival_is_kept_with_what_was_understood(begun: Desk, maildir: Path) -> None:
    put(maildir, begun.mail(begun.order()), f"{START - 60}.a.host")
    begun.done("fetch", "GAME")
    kept = [path.read_text() for path in (begun.game / "desk" / "mails").iterdir()]
    assert ["X-Pbem-Arrived: 2026-09-21T" in text for text in kept] == [True]


def test_what_comes_first_is_taken_first(begun: Desk, maildir: Path) -> None:
    put(maildir, begun.mail(begun.order(), "second"), f"{START - 60}.a.host")
    put(maildir, begun.mail("withdraw", "first"), f"{START - 120}.z.host")
    begun.done("fetch", "GAME")
    assert begun.lines() == [begun.order()]


def test_the_same_mail_by_another_way_counts_once(begun: Desk, maildir: Path) -> None:
    mail = begun.mail(begun.order())
    put(maildir, mail)
    begun.done("fetch", "GAME")
    put(maildir, mail.replace(b"\n", b"\r\n"), "2.b.host")  # moved away and back
    other = mail.replace(b"\n\n", b"\nContent-Transfer-Encoding: base64\n\n", 1)
    head, _, body = other.partition(b"\n\n")
    put(maildir, head + b"\n\n" + base64.encodebytes(body), "3.c.host")  # encoded on its way
    assert begun.done("fetch", "GAME") == "club: no new email\n"


@pytest.mark.parametrize("together", [False, True])
def test_a_copy_that_was_changed_on_its_way_is_told_and_changes_nothing(
    begun: Desk, maildir: Path, together: bool
) -> None:
    """Its Message-ID is known: a list added its footer to an older `withdraw`."""
    put(maildir, begun.mail("withdraw", "m1"))
    put(maildir, begun.mail(begun.order(), "m2"), "2.b.host", START + 60)
    begun.later(9)
    if not together:
        begun.done("fetch", "GAME")
    put(maildir, begun.mail("withdraw\n\n____\nThe list", "m1"), "3.c.host", START + 120)
    said = begun.run("fetch", "GAME")
    assert (said.code, "it is a copy of an older email" in said.text) == (1, True)
    assert begun.lines() == [begun.order()]
    assert len(begun.receipts()) == 2
    assert len(begun.kept(EmailStatus.UNREAD)) == 1
    assert begun.done("fetch", "GAME") == "club: no new email\n"


def test_a_letter_hides_no_order_of_its_id(begun: Desk, maildir: Path) -> None:
    """The first copy lost its code and half of its words on the way."""
    put(maildir, begun.mail("(This email was filtered)", "m1", subject="[SPAM?]"))
    begun.run("fetch", "GAME")
    put(maildir, begun.mail(begun.order(), "m1"), "2.b.host")
    begun.done("fetch", "GAME")
    assert begun.lines() == [begun.order()]


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        ("Subject: hello", False),
        ("Subject: [pbem K7Q2-9F3A]", True),
        ("From: Ann <ANN@example.org>\nSubject: hello", True),
        ("To: ref+pbem-x@EXAMPLE.org\nSubject: hello", True),
        ("To: ref+shop@example.org\nSubject: hello", False),
        ("In-Reply-To: OURS\nSubject: hello", True),
        ("References: <a@b> OURS <c@d>\nSubject: hello", True),
        ("References: <0123456789abcdefghjkmnpq@example.org>\nSubject: hello", False),
    ],
)
def test_only_what_is_ours_is_downloaded(
    begun: Desk, maildir: Path, head: str, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begun.place.session()
    mine = make_message_id(session.codes_secret, session.record.game, "x", "ref@example.org")
    read, whole = list[str](), MaildirMailbox.read_email

    def looks(self: MaildirMailbox, uid: str) -> bytes | None:
        read.append(uid)
        return whole(self, uid)

    monkeypatch.setattr(MaildirMailbox, "read_email", looks)
    put(maildir, f"{head.replace('OURS', mine)}\nMessage-ID: <1@x>\n\nprivate\n".encode())
    begun.run("fetch", "GAME")
    assert bool(read) == wanted
    assert bool(begun.kept(EmailStatus.UNREAD) + begun.kept(EmailStatus.NOT_OURS)) == wanted


def test_our_own_mail_is_not_fetched(begun: Desk, maildir: Path) -> None:
    report = next((begun.game / "desk" / "outbox").iterdir()).read_bytes()
    put(maildir, report)
    assert begun.done("fetch", "GAME") == "club: no new email\n"


@pytest.mark.attack(
    "learn a player's reply code from the Message-ID of an email",
    by="not possible: only the game's private folder connects the two",
    who="carrier",
)
def test_a_message_id_is_known_by_its_desk_alone() -> None:
    secret, other = b"a" * 32, b"b" * 32
    made = make_message_id(secret, "game", "0002.red", "ref@example.org")
    assert made == make_message_id(secret, "game", "0002.red", "ref@example.org")
    assert made.endswith("@example.org>")
    assert has_our_id(f"<x@y> {made.upper()}", [other, secret])
    assert not has_our_id(made, [other])
    assert not has_our_id(made.replace(made[3], "z" if made[3] != "z" else "y", 1), [secret])


def test_a_message_id_leads_its_desk_alone_to_the_code() -> None:
    secret, other, code = b"a" * 32, b"b" * 32, "K7Q2-9F3A"
    made = make_message_id(secret, "game", "0002.red", "ref@example.org", code)
    root = make_message_id(secret, "game", "", "ref@example.org")
    assert read_answered_code(made, [other, secret]) == code
    assert read_answered_code(f"<x@y> {made} {root}", [secret]) == code
    assert read_answered_code(made, [other]) == read_answered_code(root, [secret]) == ""
    newer = make_message_id(secret, "game", "0003.red", "ref@example.org", "0000-0001")
    assert read_answered_code(f"{made} {newer}", [secret]) == "0000-0001"
    assert read_answered_code(made + " <1@x>" * 99, [secret]) == code
    assert read_answered_code(made + f" {root}" * MOST_IDS, [secret]) == ""
    letters = made[1:25]
    for at in range(24):  # nobody can make another of it
        forged = letters[:at] + ("0" if letters[at] != "0" else "1") + letters[at + 1 :]
        assert read_answered_code(f"<{forged}@example.org>", [secret]) == ""
    # two of one code have nothing in common that shows it
    again = make_message_id(secret, "game", "0004.red", "ref@example.org", code)
    assert sum(a == b for a, b in zip(letters, again[1:25], strict=True)) < 9


def test_an_answer_without_a_code_is_known_by_what_it_answers(begun: Desk, maildir: Path) -> None:
    order, seat = begun.order(), begun.asked()
    report = email.message_from_bytes((begun.game / f"desk/outbox/0002-{seat}.eml").read_bytes())
    put(maildir, begun.mail(order, subject="dinner", head=f"In-Reply-To: {report['Message-ID']}"))
    said = begun.done("fetch", "GAME")
    assert "accepted" in said
    assert begun.lines() == [order]
    receipt = email.message_from_bytes((begun.game / f"desk/outbox/receipt-{seat}-0001.eml").read_bytes())
    begun.later(1)
    head = f"References: {'<filler@mail.example> ' * 60}\n {receipt['Message-ID']}"
    put(maildir, begun.mail("withdraw", "m2", subject="dinner", head=head), "2.b.host")
    assert "withdrawn" in begun.done("fetch", "GAME")
    assert begun.lines() == []


def test_a_players_letter_is_kept_for_the_referee(begun: Desk, maildir: Path) -> None:
    letter = begun.mail("See you on Friday!", subject="Friday")
    put(maildir, letter)
    said = begun.run("fetch", "GAME")
    assert (said.code, "it has no code of a game" in said.text) == (1, True)
    assert begun.kept(EmailStatus.UNREAD) == [letter]
    assert begun.done("fetch", "GAME") == "club: no new email\n"


def test_a_code_of_a_game_that_is_not_here_waits_for_it(begun: Desk, maildir: Path) -> None:
    elsewhere = begun.place.path / "elsewhere"
    order, mail = begun.order(), begun.mail(begun.order())
    begun.done("new", str(elsewhere), "--game", "chang-cheng", "--deal", "--player", "red=Cleo",
               "--player", "blue=Dan", "--referee", "Ref,ref@example.org")  # fmt: skip
    put(maildir, mail)
    begun.run("fetch", str(elsewhere))
    assert len(begun.kept(EmailStatus.NOT_OURS)) == 1
    assert begun.done("fetch", str(elsewhere)) == "club: no new email\n"
    begun.done("fetch", "GAME")
    assert begun.lines() == [order]
    assert not begun.kept(EmailStatus.NOT_OURS)


def test_after_two_months_it_waits_no_more(begun: Desk, maildir: Path) -> None:
    put(maildir, begun.mail("hello", subject="[pbem K7Q2-9F3A]"))
    begun.run("fetch", "GAME")
    begun.later(61 * 24 * 60)
    begun.run("fetch", "GAME")
    assert not begun.kept(EmailStatus.NOT_OURS)
    assert begun.kept(EmailStatus.RECEIVED) == [b""]


def test_one_that_makes_pbem_fail_is_broken_and_the_rest_goes_on(
    begun: Desk, maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def fails(data: bytes) -> ReceivedEmail:
        if b"boom" in data:
            raise ZeroDivisionError
        return read_message(data)

    monkeypatch.setattr(receive, "read_message", fails)
    put(maildir, begun.mail("boom", "bad"), f"{START - 60}.a.host")
    put(maildir, begun.mail(begun.order(), "good"), "2.b.host")
    for tries in (1, 2, 3):
        assert begun.run("fetch", "GAME").code == 3
        assert begun.lines() == [begun.order()]
        assert len(begun.kept(EmailStatus.BROKEN)) == (tries == 3)
    assert begun.done("fetch", "GAME") == "club: no new email\n"
    folder = begun.place.home / "post" / "club" / "broken"
    assert [path.suffix for path in sorted(folder.iterdir())] == [".eml", ".txt"]


def test_trouble_of_the_machine_is_not_the_mails_fault(begun: Desk, maildir: Path) -> None:
    put(maildir, begun.mail(begun.order()))
    codes = begun.game / "desk" / "hand"
    held = codes.rename(begun.place.path / "held")
    codes.write_text("no folder")
    for _ in range(4):
        assert begun.run("fetch", "GAME").code != 0
    codes.unlink()
    held.rename(codes)
    begun.done("fetch", "GAME")
    assert begun.lines() == [begun.order()]


def test_a_look_back(begun: Desk, maildir: Path) -> None:
    begun.done("fetch", "GAME", "--since", "2026-09-01")
    assert begun.lines() == [begun.order()]
    assert begun.done("fetch", "GAME", "--since", "2026-09-01") == "club: no new email\n"
    assert begun.run("fetch", "GAME", "--since", "soon").code == 2


def test_an_mbox(desk: Desk, tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    spool.write_bytes(b"")
    desk.account(fetch=f"mbox:{spool}", trusted='["mx.example.org"]')
    desk.done("fetch", "GAME")
    line = b"From ann@example.org Mon Sep 21 14:13:20 2026\n"
    hop = b"Received: from x by mx.example.org with SMTP; Mon, 21 Sep 2026 10:00:00 +0200\n"
    mail = desk.mail(desk.order())
    spool.write_bytes(line + b"Status: O\n" + hop + mail + b"\n")
    said = desk.done("fetch", "GAME")
    assert "Mon 21 Sep 2026, 08:00 UTC" in said
    spool.write_bytes(line + b"Status: RO\n" + hop + mail + b"\n")  # read: the same mail
    assert desk.done("fetch", "GAME") == "club: no new email\n"
    other = desk.mail("withdraw", "m2")
    spool.write_bytes(spool.read_bytes() + line + hop.replace(b"mx.", b"evil.") + other + b"\n")
    desk.done("fetch", "GAME")
    assert not desk.lines()


def test_two_commands_at_once(begun: Desk) -> None:
    with AccountJournal(Home(begun.place.home), "club").hold():
        said = begun.run("fetch", "GAME")
    assert (said.code, "another pbem is using the account club" in said.text) == (1, True)
