"""Emails that pbem writes, read back by the standard library and by pbem."""

import email
import email.policy
import typing
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import BadInput
from pbem.mail.compose import write_mail
from pbem.mail.parsed import parse_email, strip_auto_submitted

TEXT = "Ann, it is your turn.\n\nFrom here on:\n.\nwall = A5  \n\n-- \n[pbem K7Q2-9F3A]\n"
USUAL: dict[str, typing.Any] = {
    "to": ("Ann Archer", "ann@example.org"),
    "sender": ("Pat", "ref@example.net"),
    "subject": "Your turn [pbem K7Q2-9F3A]",
    "text": TEXT,
    "message_id": "<r1.red@example.net>",
    "date": "Tue, 03 Nov 2026 10:15:00 +0100",
}


def written(**changes: object) -> tuple[bytes, EmailMessage]:
    data = write_mail(**{**USUAL, **changes})
    mail = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    assert not mail.defects
    return data, mail


def test_a_plain_one() -> None:
    data, mail = written(thread=("<g@x>", "<a1@example.org>"))
    assert data == write_mail(**USUAL, thread=("<g@x>", "<a1@example.org>"))
    assert mail["subject"] == "Your turn [pbem K7Q2-9F3A]"
    assert mail["to"].addresses[0].addr_spec == "ann@example.org"
    assert mail["to"].addresses[0].display_name == "Ann Archer"
    assert mail["from"].addresses[0].display_name == "Pat"
    assert mail["message-id"] == "<r1.red@example.net>"
    assert mail["in-reply-to"] == "<a1@example.org>"
    assert mail["references"] == "<g@x> <a1@example.org>"
    assert mail["date"].datetime.year == 2026
    assert mail["auto-submitted"] == "auto-generated"
    assert mail.get_content_type() == "text/plain"
    assert mail.get_content() == TEXT
    assert b"\r" not in data
    assert b"\nFrom here" not in data


def test_html_and_attachment() -> None:
    view = bytes(range(256)) * 9
    _, mail = written(html="<p>Füße — go</p>", files=(("red-12.toml", view),))
    alternative, attached = mail.iter_parts()
    plain, html = alternative.iter_parts()
    assert (plain.get_content(), html.get_content()) == (TEXT, "<p>Füße — go</p>\n")
    assert attached.get_filename() == "red-12.toml"
    assert attached.get_content() == view
    assert attached.get_content_type() == "application/toml"
    assert attached.get_content_disposition() == "attachment"


def test_an_empty_attachment() -> None:
    _, mail = written(files=(("view", b""),))
    assert next(iter(mail.iter_attachments())).get_content() == b""


@pytest.mark.parametrize(
    "name", ["", "Ann", "Ann, Archer", 'A "x" \\ B', "Ágnes Kovács", "安娜" * 30, "=?utf-8?q?x?=", "a@b"]
)
def test_names(name: str) -> None:
    data, mail = written(to=(name, "ann@example.org"))
    # The library puts a blank between two encoded words of a name (RFC 2047 says none).
    assert mail["to"].addresses[0].display_name.replace("娜 安", "娜安") == name
    assert max(map(len, data.split(b"\n"))) <= 78


@pytest.mark.parametrize("subject", ["", " x ", "a" * 300, "Große – " * 20, "=?utf-8?q?x?=", "a  b", "🧱" * 99])
def test_subjects(subject: str) -> None:
    data, mail = written(subject=subject)
    assert mail["subject"] == subject
    assert max(map(len, data.split(b"\n"))) <= 78


_INJECTIONS = ["x\nBcc: e@example.org", "x\rBcc: y", "x\r\n\r\nbody", "x\x00", "x\x85y", "x\u2028y"]


@pytest.mark.parametrize("bad", _INJECTIONS)
@pytest.mark.parametrize("field", ["to", "name", "sender", "subject", "message_id", "date", "thread", "file"])
def test_no_header_can_be_added(bad: str, field: str) -> None:
    values: dict[str, object] = {
        "to": {"to": ("Ann", f"ann@example.org{bad}")},
        "name": {"to": (bad, "ann@example.org")},
        "sender": {"sender": ("Pat", f"{bad}@example.org")},
        "file": {"files": ((bad, b""),)},
        "thread": {"thread": ("<g@x>", f"<a@{bad}>")},
    }
    changes = typing.cast("dict[str, object]", values.get(field, {field: bad}))
    with pytest.raises(ValueError, match=r".") as caught:
        written(**changes)
    assert "Bcc" not in str(caught.value) or isinstance(caught.value, UnicodeError)


@pytest.mark.parametrize("reply", [False, True])
def test_our_own_mail_is_not_taken_for_a_player_s(reply: bool) -> None:
    data, mail = written(is_reply=reply)
    assert mail["auto-submitted"] == ("auto-replied" if reply else "auto-generated")
    with pytest.raises(BadInput) as caught:
        parse_email(data)
    assert caught.value.code == "mail/automatic"
    assert parse_email(strip_auto_submitted(data)).codes == ("K7Q2-9F3A",)  # as a player may save it


_SAYABLE = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"), max_size=200)


@settings(max_examples=100, deadline=None)
@given(_SAYABLE, st.binary(max_size=200), st.none() | _SAYABLE)
def test_any_text_comes_back(text: str, data: bytes, html: str | None) -> None:
    raw, mail = written(text=text, html=html, files=(("view.bin", data),))
    body = mail.get_body(("plain",))
    assert body is not None
    assert body.get_payload(decode=True) == (text.rstrip("\n") + "\n").encode()
    assert next(iter(mail.iter_attachments())).get_content() == data
    assert max(map(len, raw.split(b"\n"))) <= 78


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=90))
def test_any_subject_and_name_come_back(value: str) -> None:
    _, mail = written(subject=value, to=(value, "ann@example.org"))
    assert mail["subject"] == value
    assert mail["to"].addresses[0].addr_spec == "ann@example.org"
