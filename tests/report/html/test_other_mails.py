"""What a player gets besides reports has an HTML part too; a password alone has none.

Source: docs/decisions/0022-faces.md "One part more".
"""

from pathlib import Path

import pytest
from durability import games

from report.html.played import Face, face_of, plain, read


@pytest.fixture
def place(scored: games.Place, tmp_path: Path) -> games.Place:
    return games.copied(scored, tmp_path / "one")


def newest(place: games.Place, begins: str) -> Face:
    (path,) = (place.game / "desk" / "outbox").glob(f"{begins}*.eml")
    return face_of(path)


def same(face: Face) -> None:
    """HTML and text say the same, but for the code and the signed block, which are in the text."""
    html = plain("".join(read(face.html).words))
    about = face.subject.partition(": ")[2].partition(" [pbem")[0]
    for line in face.text.replace(f"{about}. ", "", 1).splitlines():
        if not line.startswith("[pbem "):
            assert plain(line.removeprefix("- ")) in html, line


def test_an_answer_to_a_letter(place: games.Place) -> None:
    seat = games.asked(place)
    mail = place.mail(seat, "Dear Rita, <when> does our club meet?")
    place.done("receive", "GAME", mail)
    words = place.file("words.txt", "On Friday & Sunday.")
    place.done("messages", "GAME", "--answer", seat, "--text", words)
    same(newest(place, "letter-"))


def test_a_farewell_and_a_password(place: games.Place) -> None:
    place.done(
        *("amend", "GAME", "player", games.asked(place), "--name", "Zoe"),
        *("--address", "zoe@example.org", "--auth", "password", "--reason", "moved"),
    )
    same(newest(place, "replaced-"))
    assert newest(place, "password-").html == ""


def test_what_is_to_be_typed_has_no_marks_around_it(place: games.Place) -> None:
    """Found by a newcomer: the HTML showed backticks."""
    seat = games.asked(place)
    place.done("receive", "GAME", place.mail(seat, "help"))
    face = newest(place, "receipt-")
    assert "`help`" in face.text or "`rules" in face.text
    assert "<code>" in face.html
    words, _, block = face.html.partition("receipt pbem 1")
    assert "`" not in words
    assert "<code>" not in block
