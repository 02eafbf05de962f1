"""Headers that tie the emails of a game together. Source: docs/decisions/0014-the-post.md."""

import email
import email.policy
from email.message import EmailMessage

import pytest

from transport.desk import Desk


def sent(desk: Desk, name: str) -> EmailMessage:
    data = (desk.game / "desk" / "outbox" / f"{name}.eml").read_bytes()
    mail = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    return mail


def took(desk: Desk, data: bytes) -> str:
    path = desk.place.path / "m.eml"
    path.write_bytes(data)
    return desk.run("receive", "GAME", str(path)).text


def threads(mail: EmailMessage) -> tuple[str, list[str]]:
    return str(mail["in-reply-to"]), str(mail["references"]).split()


def test_a_receipt_answers_its_email_and_a_report_follows_the_one_before(desk: Desk) -> None:
    seat = desk.asked()
    first = sent(desk, f"0002-{seat}")
    assert took(desk, desk.mail(desk.order(), "one"))
    receipt = sent(desk, f"receipt-{seat}-0001")
    root = threads(first)[1][0]
    assert threads(receipt) == ("<one@mail.example>", [root, "<one@mail.example>"])
    assert receipt["auto-submitted"] == "auto-replied"
    desk.done("resolve", "GAME")
    name = desk.asked()
    report, before = sent(desk, f"0003-{name}"), sent(desk, f"0002-{name}")
    assert threads(report) == (before["message-id"], [root, before["message-id"]])
    assert report["auto-submitted"] == "auto-generated"


def test_a_report_that_goes_again_follows_its_first(desk: Desk) -> None:
    seat = desk.asked()
    first = sent(desk, f"0002-{seat}")["message-id"]
    took(desk, desk.mail("resend", "again"))
    again = sent(desk, f"0002-{seat}")
    assert again["message-id"] != first
    assert threads(again)[0] == first


@pytest.mark.parametrize(
    "bad",
    [
        "<one@mail.example> <two@mail.example>",
        "<one@mail.example>\n Bcc: eve@example.org",
        "<one\n @mail.example>",
        f"<{'x' * 300}@mail.example>",
        "<one\x00@mail.example\x85\u2028x>",
        "<>",
        "one@mail.example",
        "=?utf-8?b?PG9uZUBtYWlsPgpCY2M6IGV2ZUBleGFtcGxlLm9yZw==?=",
        "<one two@mail.example>",
        "<öne@mail.example>",
    ],
)
def test_a_hostile_message_id_does_no_harm(desk: Desk, bad: str) -> None:
    seat = desk.asked()
    data = desk.mail(desk.order(), "one").decode().replace("<one@mail.example>", bad)
    took(desk, data.encode("utf-8"))
    receipt = sent(desk, f"receipt-{seat}-0001")
    assert receipt["bcc"] is None
    raw = (desk.game / f"desk/outbox/receipt-{seat}-0001.eml").read_bytes()
    head = raw.partition(b"\n\n")[0]
    assert b"eve" not in head
    assert max(map(len, head.split(b"\n"))) < 300
    report = sent(desk, f"0002-{seat}")["message-id"]
    assert threads(receipt)[0] in (report, "<one@mail.examplex>")


def test_the_fixed_answer_names_no_strangers_message(desk: Desk) -> None:
    """P6: what it says does not hang on the email, nor does a header."""
    seat = desk.asked()
    desk.done("amend", "GAME", "player", seat, "--auth", "typed", "--reason", "as agreed")
    took(desk, desk.mail("wall", "stranger"))
    answer = sent(desk, f"receipt-{seat}-0001")
    assert "stranger" not in str(answer["references"])
    assert threads(answer)[0] == sent(desk, f"0003-{seat}")["message-id"]
    assert answer["auto-submitted"] == "auto-replied"
