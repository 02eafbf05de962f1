"""A mail that cannot be read is answered, where its subject says whose it is.

Found by a review: a player whose mail was encrypted, or had a picture in it, heard nothing; his
referee alone was told. Source: docs/DESIGN.md "Email" (nothing is dropped in silence), P6, P11.
"""

import json
import os
from pathlib import Path

import pytest

from .hiding import holding
from .table import Table, invited, password_of

PLAIN = "send it again as plain text"
KINDS = {
    "encrypted": ("Content-Type: multipart/encrypted; boundary=x\n\n--x\n\nabc\n--x--\n", PLAIN),
    "PGP": ("\n-----BEGIN PGP MESSAGE-----\nabc\n", PLAIN),
    "no text": ("Content-Type: image/png\n\nabc\n", PLAIN),
    "empty": ("\n\n", "write one order per line"),
    "NUL bytes": ("\nwall\x00A4\n", "save the email as .eml"),
    "a bad move file": (
        "Content-Type: application/toml; name=a.toml\n\npbem = 1\norders = [wall]\n",
        "line 2 is not TOML",
    ),
    "another game's move file": (
        'Content-Type: text/x; name=a.toml\n\npbem = 1\ncode = "{code}"\norders = []\ngame = "a"\n',
        "names another game than its code",
    ),
    "too large": ("\n" + "wall A4\n" * 200_000, "without pictures"),
}


def mail(table: Table, seat: str, kind: str, more: str = "", name: str = "odd") -> str:
    code = table.code(seat)
    body = KINDS[kind][0].replace("{code}", code)
    head = f"From: {seat}@x.org\nSubject: Re: [pbem {code}]{more}\nMessage-ID: <{name}@x>\n"
    return table.place.file(f"{name}.eml", head + body)


@pytest.mark.parametrize("kind", KINDS)
def test_its_player_is_told_what_to_do(later: Table, kind: str) -> None:
    file, hands = mail(later, "violet", kind), later.place.hands()
    said = later.receive(file)
    assert said.code == 2
    assert "not imported, the receipt says so: " in said.text
    receipt = later.receipt("violet")
    assert "No orders accepted." in receipt
    assert KINDS[kind][1] in receipt
    assert "receipt-violet-0002" in later.outbox()
    assert later.place.hands() == hands
    assert "came before" in later.receive(file).text
    assert later.receipts("violet") == 2


@pytest.mark.parametrize("kind", ["encrypted", "too large", "a bad move file"])
@pytest.mark.parametrize("seat", ["red", "blue", "green"])
def test_without_proof_it_is_the_fixed_answer(later: Table, seat: str, kind: str) -> None:
    later.receive(later.mail(seat, "wall A4", "plain"))
    fixed, number = later.receipt(seat), later.receipts(seat)
    assert later.receive(mail(later, seat, kind)).code == 2
    assert (later.receipt(seat), later.receipts(seat)) == (fixed, number + 1)


def test_what_is_kept_of_it_are_its_headers(later: Table) -> None:
    later.place.done("receive", "GAME", later.mail("violet", "later:\nwall A4"))
    (later.place.game / "desk/outbox/password-blue.eml").unlink()
    before = set((later.place.game / "desk/mails").iterdir())
    file = mail(later, "blue", "no text", f" {later.password}")
    said = later.receive(file, "--json")
    os.unlink(file)
    assert json.loads(said.text)["files"][0]["verdict"] == "unreadable"
    (kept,) = set((later.place.game / "desk/mails").iterdir()) - before
    assert "(This email was not read: the email has no text" in kept.read_text("utf-8")
    assert holding(later.place.game, later.password, set()) == []


@pytest.mark.parametrize(
    "line",
    [
        "Auto-Submitted: auto-replied", "Precedence: auto_reply", "Return-Path: <>",
        "From: MAILER-DAEMON@x.org", "X-Autoreply: yes",
    ],
)  # fmt: skip
def test_what_no_person_wrote_gets_no_answer(later: Table, line: str) -> None:
    """Or two programs would answer each other for ever."""
    file = Path(mail(later, "violet", "encrypted"))
    file.write_text(f"{line}\n{file.read_text()}")
    assert later.receive(str(file)).code == 2
    assert later.receipts("violet") == 1


def test_nobody_is_told_of_a_mail_without_a_good_code(later: Table) -> None:
    head, before = "From: a@x\nSubject: Re: [pbem 0000-0000]\n", later.outbox()
    for text in (head, head.replace("0000-0000", "x"), ""):
        assert later.receive(later.place.file("o.eml", text + KINDS["encrypted"][0])).code == 2
    assert later.outbox() == before


def test_before_the_deal_too(tmp_path: Path) -> None:
    place = invited(tmp_path / "place")
    table = Table(place, password_of(place, "blue"))
    assert table.receive(mail(table, "violet", "encrypted")).code == 2
    receipt = table.receipt("violet")
    assert "Your answer was not accepted: the email is encrypted" in receipt
    assert "You have not answered yet." in receipt
    assert table.receive(mail(table, "blue", "encrypted", name="other")).code == 2
    assert "with `password` and your four words" in table.receipt("blue")


def test_a_file_typed_by_the_referee_is_his_to_mend(later: Table) -> None:
    file = mail(later, "violet", "encrypted")
    assert later.receive(file, "--typed", "violet").code == 2
    assert later.receipts("violet") == 1
