"""Machines that answer machines: at most one answer each, and no more than a day's number.

Source: docs/decisions/0014-the-post.md; RFC 3834.
"""

import email
import email.policy
import re
from collections.abc import Callable
from email.message import EmailMessage

import pytest

from pbem.services.receipts import MAX_PER_DAY
from transport.desk import ADDRESS, Desk

Machine = Callable[[int, EmailMessage], bytes]


def took(desk: Desk, data: bytes) -> str:
    path = desk.place.path / "m.eml"
    path.write_bytes(data)
    return desk.run("receive", "GAME", str(path)).text


def out(desk: Desk) -> dict[str, EmailMessage]:
    """What waits for the player who is asked."""
    folder = desk.game / "desk" / "outbox"
    found = {}
    for path in sorted(folder.glob(f"*{desk.asked()}*.eml")):
        mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        found[path.stem] = mail
    return found


def answers(desk: Desk, machine: Machine) -> int:
    """How often we answer a machine that answers all that it gets."""
    seen, number = set[str](), 0
    for _ in range(6):
        new = {str(mail["message-id"]): mail for mail in out(desk).values()}
        for called in new.keys() - seen:
            number += 1
            took(desk, machine(number, new[called]))
        seen |= new.keys()
    return sum(name.startswith("receipt-") for name in out(desk))


def reply(number: int, mail: EmailMessage, text: str, head: str = "", subject: str = "") -> bytes:
    subject = subject or f"Re: {mail['subject']}"
    rows = [f"From: {mail['to']}", f"To: {mail['from']}", f"Subject: {subject}"]
    rows += [f"Message-ID: <{number}@machine.example>", *([head] if head else [])]
    quoted = "\n".join(f"> {line}" for line in mail.get_body(("plain",)).get_content().split("\n"))  # type: ignore[union-attr]
    return "\n".join([*rows, "", text, "", quoted, ""]).encode()


def test_another_pbem(desk: Desk) -> None:
    """It does not say that it is one; what it writes begins with a code of its own game."""

    def machine(number: int, mail: EmailMessage) -> bytes:
        text = "north - Rita, you play red\n\nNo order was found in this email."
        return reply(number, mail, text, f"In-Reply-To: {mail['message-id']}")

    assert answers(desk, machine) == 1


def test_our_own_emails_that_come_back(desk: Desk) -> None:
    def echo(number: int, mail: EmailMessage) -> bytes:
        return mail.as_bytes().replace(b"Auto-Submitted", b"X-Was").replace(b"X-Unsent: 1\n", b"")

    assert answers(desk, echo) == 0
    assert answers(desk, lambda _, mail: mail.as_bytes()) == 0


def test_what_the_referee_writes(desk: Desk) -> None:
    """To a player, with a copy to themselves: no order of that player."""
    data = desk.mail(desk.order()).replace(b"From: ", b"From: Ref <ref@example.org>\nX-Was: ")
    assert "pbem or the referee wrote this email" in took(desk, data)
    assert desk.lines() == []
    assert answers(desk, lambda *_: data) == 0


@pytest.mark.parametrize("head", ["", "X-Mailer: vacation 1.0"])
def test_a_vacation_note_that_no_header_marks(desk: Desk, head: str) -> None:
    def machine(number: int, mail: EmailMessage) -> bytes:
        return reply(number, mail, "I am away until Monday. Please wall A5 yourself.", head)

    assert answers(desk, machine) == 1


@pytest.mark.parametrize(
    "head",
    ["Auto-Submitted: auto-replied (vacation)", "Precedence: auto_reply", "Return-Path: <>",
     "X-Autoreply: yes", "Auto-Submitted: auto-generated"],
)  # fmt: skip
def test_a_vacation_note_that_a_header_marks(desk: Desk, head: str) -> None:
    assert answers(desk, lambda n, mail: reply(n, mail, f"Away {n}.", head)) == 0


@pytest.mark.parametrize(
    "subject",
    ["Automatic reply", "Auto-reply", "Out of Office", "Réponse automatique", "Message d'absence",
     "Risposta automatica", "Fuori ufficio", "Automatikus válasz", "Házon kívül",
     "Abwesenheitsnotiz", "Automatische Abwesenheitsnotiz"],
)  # fmt: skip
def test_a_vacation_note_that_its_subject_marks(desk: Desk, subject: str) -> None:
    def machine(number: int, mail: EmailMessage) -> bytes:
        return reply(number, mail, f"Away {number}.", subject=f"{subject}: {mail['subject']}")

    assert answers(desk, machine) == 0


@pytest.mark.parametrize("head", ["List-Id: <club.example.org>", "List-Post: <mailto:c@x>", "Precedence: bulk"])
def test_a_list(desk: Desk, head: str) -> None:
    """It changes what it sends on each time; orders by a list count, and are answered."""

    def machine(number: int, mail: EmailMessage) -> bytes:
        return reply(number, mail, f"Message {number} of the list: wall Z{number}", head)

    assert answers(desk, machine) == 1
    order = desk.order()
    data = desk.mail(order, "by-list", head=head)
    assert "accepted" in took(desk, data)
    assert desk.lines() == [order]
    assert len([name for name in out(desk) if name.startswith("receipt-")]) == 2


@pytest.mark.parametrize("way", ["report", "daemon", "null"])
def test_a_bounce_of_a_receipt(desk: Desk, way: str) -> None:
    head = {
        "report": "Content-Type: multipart/report; boundary=b",
        "daemon": "X-Failed-Recipients: ann@example.org",
        "null": "Return-Path: <>",
    }[way]

    def machine(number: int, mail: EmailMessage) -> bytes:
        data = reply(number, mail, f"Your message {number} was not delivered.", head)
        sender = b"Mailer-Daemon@x" if way == "daemon" else b"x@x"
        return re.sub(rb"From: .*", b"From: " + sender, data, count=1)

    took(desk, desk.mail("wall Z9"))  # which has a receipt
    assert answers(desk, machine) == 1


def test_a_person_who_asks_again_is_answered_again(desk: Desk) -> None:
    for number in range(3):
        took(desk, desk.mail("help", f"h{number}"))
    assert len(desk.receipts()) == 3


def test_words_that_changed_nothing_are_answered_once_in_a_state(desk: Desk) -> None:
    assert "not accepted" in took(desk, desk.mail("wall Z9", "one"))
    assert "the same words were answered before" in took(desk, desk.mail("wall Z9", "two"))
    assert "not accepted" in took(desk, desk.mail("wall Z8", "three"))
    assert len(desk.receipts()) == 2


@pytest.mark.attack("make pbem send answers without end", by="limited: at most 50 answers a day", who="carrier")
def test_too_many_answers_go_together_on_the_next_day(desk: Desk) -> None:
    """Different words each time: the last limit."""
    seat, more = desk.asked(), 4
    for number in range(MAX_PER_DAY + more):
        took(desk, desk.mail(f"wall Z{number}", f"m{number}"))
    assert len(desk.receipts()) == MAX_PER_DAY + more
    assert sum(name.startswith("receipt-") for name in out(desk)) == MAX_PER_DAY
    desk.run("tick", "GAME")
    assert sum(name.startswith("receipt-") for name in out(desk)) == MAX_PER_DAY
    desk.later(24 * 60)
    desk.run("tick", "GAME")
    held = f"receipt-{seat}-{MAX_PER_DAY + 1:04d}-held"
    mail = out(desk)[held]
    text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert text.count("\nreceipt pbem 1 ") + text.count("> receipt pbem 1 ") == more
    assert all(f"wall Z{MAX_PER_DAY + k}" in text for k in range(more))
    assert str(mail["subject"]).startswith(f"game: {more} answers [pbem ")
    assert (mail["to"], mail["auto-submitted"]) == ("Ann <ann@example.org>", "auto-replied")
    path = desk.game / "desk" / "outbox" / f"{held}.eml"
    assert "NOT" not in desk.done("verify", "GAME", str(path))
    before = len(out(desk))
    desk.run("tick", "GAME")
    assert len(out(desk)) == before
    assert ADDRESS in str(mail["from"])
    took(desk, desk.mail("wall Z999", "next"))
    assert len(out(desk)) == before + 1


def test_none_is_left_out_however_many_there_are(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by an attack of 2026-11-22: of 112 the first 12, a player's own, were never sent."""
    monkeypatch.setattr("pbem.services.receipts.MAX_PER_DAY", 2)
    monkeypatch.setattr("pbem.services.receipts.MAX_PER_EMAIL", 3)
    for number in range(9):
        took(desk, desk.mail(f"wall Z{number}", f"m{number}"))
    desk.later(24 * 60)
    desk.run("tick", "GAME")
    held = [mail for name, mail in out(desk).items() if name.endswith("-held")]
    texts = [mail.get_body(("plain",)).get_content() for mail in held]  # type: ignore[union-attr]
    assert len(texts) == 3
    for number in range(2, 9):
        assert sum(f"wall Z{number}" in text for text in texts) == 1
