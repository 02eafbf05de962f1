"""An email from a player's address that no game takes is answered once a day, with how to write.
What was shown to the referee lies where they are told, whole. Decision 0029.
"""

import json
import re
from pathlib import Path

import pytest

from transport.desk import ADDRESS, Desk
from transport.test_fetch_files import put


@pytest.fixture
def ready(desk: Desk, maildir: Path) -> Desk:
    desk.account(fetch=f"maildir:{maildir}")
    desk.done("fetch", "GAME")
    return desk


def written(number: int, sender: str = "ann@example.org", subject: str = "hi", more: str = "") -> bytes:
    head = f"From: {sender}\nTo: {ADDRESS}\nSubject: {subject}\nMessage-ID: <x{number}@mail.example>\n"
    return f"{head}{more}\nwall A1\n".encode()


def answers(desk: Desk) -> list[str]:
    return [name for name in desk.marked("outbox") if name.startswith("how-to")]


def text(desk: Desk) -> str:
    (name,) = answers(desk)
    return (desk.game / "desk" / "outbox" / f"{name}.eml").read_text()


@pytest.mark.attack(
    "make pbem write to a player's address again and again", by="limited: at most one email a day", who="carrier"
)
def test_an_email_without_a_code_is_answered_once_a_day(ready: Desk, maildir: Path) -> None:
    for number in (1, 2):
        put(maildir, written(number), f"{number}.a.host")
        ready.run("fetch", "GAME")
    found = text(ready)
    assert "To: Ann <ann@example.org>" in found
    assert "no code" in found
    for seat in ("red", "blue"):  # whoever can write a sender must not learn one
        assert ready.place.session().code(seat) not in found
    assert not ready.lines()
    ready.done("sent", "GAME", *answers(ready))
    put(maildir, written(3), "3.a.host")
    ready.run("fetch", "GAME")
    assert answers(ready) == []
    ready.later(24 * 60)
    put(maildir, written(4), "4.a.host")
    ready.run("fetch", "GAME")
    assert len(answers(ready)) == 1
    assert ready.done("messages", "GAME").count("wall A1") == 4  # the referee has them all the same


def test_two_codes_are_answered(ready: Desk, maildir: Path) -> None:
    session = ready.place.session()
    codes = f"[pbem {session.code('red')}] [pbem {session.code('blue')}]"
    put(maildir, written(1, subject=codes), "1.a.host")
    ready.run("fetch", "GAME")
    assert "one email for each" in re.sub(r"=\n|\s+", " ", text(ready))


def test_an_empty_email_without_a_code_is_answered(ready: Desk, maildir: Path) -> None:
    put(maildir, written(1).replace(b"wall A1\n", b""), "1.a.host")
    ready.run("fetch", "GAME")
    assert "no code" in text(ready)


@pytest.mark.parametrize(
    ("sender", "subject", "more"),
    [
        ("eve@example.org", "hi", ""),
        (ADDRESS, "hi", ""),
        ("ann@example.org", "hi", "Auto-Submitted: auto-replied\n"),
        ("ann@example.org", "hi", "List-Id: <club.example.org>\n"),
        ("ann@example.org", "Abwesenheitsnotiz: hi", ""),
        ("ann@example.org", "[pbem ZZZZ-ZZZZ]", ""),  # it may be of a game elsewhere
    ],
)
def test_who_is_not_answered(sender: str, subject: str, more: str, ready: Desk, maildir: Path) -> None:
    put(maildir, written(1, sender, subject, more), "1.a.host")
    ready.run("fetch", "GAME")
    assert answers(ready) == []


def test_what_the_referee_gives_to_receive_is_theirs_to_answer(desk: Desk) -> None:
    path = desk.place.path / "saved.eml"
    path.write_bytes(written(1))
    assert desk.run("receive", "GAME", str(path)).code
    assert answers(desk) == []


def test_letters_names_where_an_email_lies_and_shows_all_of_it(ready: Desk, maildir: Path) -> None:
    lines = [f"line {number} of a long story" for number in range(200)]
    put(maildir, written(1).replace(b"wall A1", "\n".join(lines).encode()), "1.a.host")
    ready.run("fetch", "GAME")
    said = ready.done("messages", "GAME")
    assert all(line in said for line in lines)
    found = re.search(r"the email is (\S+\.eml)", said)
    assert found
    assert Path(found[1]).exists()
    again = json.loads(ready.done("messages", "GAME", "--all", "--json"))["messages"]
    assert [row["message"] for row in again] == [found[1]]
