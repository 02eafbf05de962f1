"""Email that comes back: who is marked, by what, for how long. Source: decision 0014; RFC 3464."""

import json
import re
from pathlib import Path

import pytest

from pbem.mail.bounce import find_failed_addresses
from transport.desk import Desk
from transport.test_fetch_files import put

REPORT = """\
From: Mail Delivery System <MAILER-DAEMON@mx.example.net>
To: ref@example.org
Subject: Undelivered Mail Returned to Sender
Message-ID: <1@mx.example.net>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

It could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; {to}
Original-Recipient: rfc822;{to}
Action: {action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 unknown

--b
Content-Type: message/rfc822

{returned}
--b--
"""


def report(desk: Desk, to: str, action: str = "failed", own: str = "") -> bytes:
    outbox = desk.game / "desk" / "outbox" / "0002-red.eml"
    returned = outbox.read_text()
    if own:
        returned = re.sub(r"Message-ID: .*", f"Message-ID: {own}", returned)
        returned = re.sub(r"(In-Reply-To|References): .*\n( .*\n)*", "", returned)
    return REPORT.format(to=to, action=action, returned=returned).encode()


def unreached(desk: Desk) -> list[str]:
    return list(json.loads(desk.done("status", "GAME", "--json"))["games"][0]["unreached"])


def taken(desk: Desk, data: bytes) -> str:
    path = desk.place.path / "bounce.eml"
    path.write_bytes(data)
    return desk.run("receive", "GAME", str(path)).text


def test_a_player_is_marked_until_they_write(desk: Desk) -> None:
    said = taken(desk, report(desk, "ANN@example.org"))
    assert "email to them comes back (5.1.1); ask for another address" in said
    assert unreached(desk) == ["red"]
    assert "email to Ann (red) comes back" in desk.done("status", "GAME")
    assert not desk.receipts()
    if desk.asked() == "red":
        taken(desk, desk.mail("help"))
        assert unreached(desk) == []


def test_another_address_is_another_matter(desk: Desk) -> None:
    taken(desk, report(desk, "ann@example.org"))
    path = desk.game / "desk" / "players.toml"
    path.write_text(path.read_text().replace("ann@example.org", "ann@example.net"))
    assert unreached(desk) == []


@pytest.mark.attack(
    "have pbem believe a false bounce",
    by="not possible: a bounce that fits no email of the game changes nothing",
    who="anybody",
)
@pytest.mark.parametrize(
    ("to", "action", "own"),
    [
        ("eve@example.org", "failed", ""),
        ("ann@example.org", "delayed", ""),
        ("ann@example.org", "failed", "<abcdefghijkmnpqrstuvwxyz@example.org>"),
    ],
)
def test_what_is_not_believed(desk: Desk, to: str, action: str, own: str) -> None:
    said = taken(desk, report(desk, to, action, own))
    assert "an automatic answer or a bounce" in said
    assert unreached(desk) == []


def test_it_is_fetched_though_its_headers_name_nothing_of_ours(desk: Desk, maildir: Path) -> None:
    desk.account(fetch=f"maildir:{maildir}")
    desk.done("fetch", "GAME")
    put(maildir, report(desk, "bob@example.org"), "1.a.host")
    put(maildir, report(desk, "x@example.org", own="<private@example.org>"), "2.b.host")
    said = json.loads(desk.done("fetch", "GAME", "--json"))["accounts"][0]["emails"]
    assert [row["verdict"] for row in said] == ["bounced"]
    assert unreached(desk) == ["blue"]


@pytest.mark.parametrize(
    "subject", ["Automatic reply: ", "Abwesenheitsnotiz: ", "Réponse automatique : ", "Automatikus válasz: "]
)
def test_a_vacation_note_is_not_answered(desk: Desk, subject: str) -> None:
    code = desk.place.session().code(desk.asked())
    taken(desk, desk.mail(desk.order(), subject=f"{subject}[pbem {code}] your turn"))
    assert not desk.receipts()
    assert not desk.lines()


@pytest.mark.parametrize("data", [b"", b"\x00" * 99, b"Content-Type: message/delivery-status\n\n:\n"])
def test_any_bytes_name_nobody(data: bytes) -> None:
    assert find_failed_addresses(data) == {}


def test_words_of_a_server_are_read_where_the_extra_is_installed() -> None:
    pytest.importorskip("flufl.bounce", reason="pip install 'pbem[bounce]'")
    text = (
        "From: MAILER-DAEMON@example.net\nSubject: failure notice\n\n"
        "Hi. This is the qmail-send program at example.net.\n"
        "I'm afraid I wasn't able to deliver your message to the following addresses.\n\n"
        "<ann@example.org>:\nSorry, no mailbox here by that name.\n\n"
        "--- Below this line is a copy of the message.\n"
    )
    assert find_failed_addresses(text.encode()) == {"ann@example.org": ""}


#: as three servers wrote before RFC 3464: what is behind From, and what is above our email
FORMS = {
    "qmail": (
        "Return-Path: <>\n{daemon}Subject: failure notice\n\n",
        (
            "Hi. This is the qmail-send program at mx.example.net.\n\n<ann@example.org>:\n"
            "Sorry, no mailbox here by that name. (#5.1.1)\n\n"
            "--- Below this line is a copy of the message.\n\n{returned}"
        ),
    ),
    "Exim": (
        (
            "X-Failed-Recipients: ann@example.org\nAuto-Submitted: auto-replied\n{daemon}"
            "Subject: Mail delivery failed: returning message to sender\n\n"
        ),
        (
            "A message that you sent could not be delivered.\n\n  ann@example.org\n\n"
            "------ This is a copy of the message ------\n\n{returned}"
        ),
    ),
    "Postfix": (
        (
            "Return-Path: <>\n{daemon}Subject: Undelivered Mail Returned to Sender\n"
            'Content-Type: multipart/mixed; boundary="rr"\n\n'
        ),
        (
            "--rr\nContent-Type: text/plain\n\nThis is the Postfix program at host mx.\n\n"
            '<ann@example.org>: unknown user: "ann"\n\n'
            "--rr\nContent-Type: message/rfc822\n\n{returned}\n--rr--\n"
        ),
    ),
    "a warning": (
        "Return-Path: <>\n{daemon}Subject: Delayed Mail (still being retried)\n\n",
        ("Here is Postfix. THIS IS A WARNING ONLY.\n\n<ann@example.org>: timed out\n\n--- copy\n{returned}"),
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_words_of_old_servers_are_fetched_and_noted(desk: Desk, maildir: Path, form: str) -> None:
    """Found in the forms of mail: `receive` noted them, `fetch` never saw them."""
    if form == "Exim":
        pytest.importorskip("flufl.bounce", reason="pip install 'pbem[bounce]'")
    desk.account(fetch=f"maildir:{maildir}")
    desk.done("fetch", "GAME")
    daemon = "From: MAILER-DAEMON@mx.example.net\nTo: ref@example.org\nMessage-ID: <q@mx>\n"
    returned = (desk.game / "desk" / "outbox" / "0002-red.eml").read_text()
    head, body = FORMS[form]
    put(maildir, (head.format(daemon=daemon) + body.format(returned=returned)).encode())
    foreign = head.format(daemon=daemon) + body.format(returned="Subject: dinner\n\nx\n")
    put(maildir, foreign.encode(), "2.b.host")  # of another email: not even downloaded for good
    said = desk.run("fetch", "GAME").text
    assert unreached(desk) == ([] if form == "a warning" else ["red"]), said
    assert said.count("club: MAILER-DAEMON") == 1
