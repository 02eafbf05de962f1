"""How ``send`` writes a message. Source: pbem/services/outbox.py; FORMAT.md section 5."""

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.disk.folder import GameFolder, MessageStatus
from pbem.report.message_ids import make_message_id
from pbem.report.players import Person
from pbem.services.outbox import Message, send

Post = tuple[GameFolder, str, bytes, Person]
ANN = Person("Ann", "ann@example.org")
TEXT = Message(
    recipient=ANN,
    text="It is your turn.\n",
    subject="autumn: your turn",
    file_name="0003-red",
    id_part="0003.red.x",
    time="2026-11-21T10:00:00Z",
    code="K7Q2-9F3A",
)


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return GameFolder(tmp_path), "abcdefgh", b"c" * 32, Person("Rita", "rita@example.org")


def read(post: Post, name: str) -> EmailMessage:
    data = (post[0].root / f"desk/outbox/{name}.eml").read_bytes()
    mail = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    return mail


def test_a_text_goes_out_as_it_is(post: Post) -> None:
    send(*post, TEXT)
    mail = read(post, "0003-red")
    assert (mail["to"], mail["from"]) == ("Ann <ann@example.org>", "Rita <rita@example.org>")
    assert mail["subject"] == "autumn: your turn [pbem K7Q2-9F3A]"
    assert mail["message-id"] == make_message_id(b"c" * 32, "abcdefgh", "0003.red.x", "rita@example.org", "K7Q2-9F3A")
    assert "K7Q2" not in mail["message-id"].upper()  # servers log it
    assert mail["x-unsent"] == "1"
    assert mail["date"] == "Sat, 21 Nov 2026 10:00:00 +0000"
    assert mail.get_content() == TEXT.text


def test_the_code_alone_decides_how_the_subject_ends(post: Post) -> None:
    send(*post, TEXT._replace(code=""))
    assert read(post, "0003-red")["subject"] == "autumn: your turn"


@pytest.mark.parametrize("to", [None, Person("Ann", "")])
def test_without_an_address_nothing_goes_out(post: Post, to: Person | None) -> None:
    send(*post, TEXT._replace(recipient=to))
    assert post[0].list_messages(MessageStatus.WAITING) == ()


def test_what_is_attached(post: Post) -> None:
    send(*post, TEXT._replace(attachments=(("a.toml", b"a"), ("b.toml", b"b"))))
    found = [(one.get_filename(), one.get_content()) for one in read(post, "0003-red").iter_attachments()]
    assert found == [("a.toml", b"a"), ("b.toml", b"b")]
