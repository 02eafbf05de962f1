"""A password is in nothing that pbem keeps or says, wherever in a mail and however it stood.

Found by a review of what was stored: a password in the subject, wrapped, in an HTML part nobody
read, as escapes in a move file or in letters that look like ours lay in ``desk/mails``.
Source: docs/DESIGN.md P11; docs/NOTATION.md "Words for every game".
"""

import base64
import os
from pathlib import Path

import pytest
from durability.games import copied
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.files.password import cut_lines, cut_words, passwords_in

from .hiding import PLACES, Made, holding, mails, shown_in
from .table import Table

WORD = "lusab babad gutih tugad"


@pytest.fixture(scope="module")
def played(dealt: Table, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Bob is asked; the one mail that has his password is gone."""
    path = tmp_path_factory.mktemp("hidden") / "place"
    table = Table(copied(dealt.place, path), dealt.password)
    table.place.done("receive", "GAME", table.mail("red", table.signed("wall A1"), "first"))
    table.place.done("resolve", "GAME")
    (table.place.game / "desk/outbox/password-blue.eml").unlink()
    return table


def received(table: Table, data: bytes) -> bool:
    """Whether the password can be read afterwards, on the screen or in any file."""
    place = table.place
    path = place.path / "sent.eml"
    path.write_bytes(data)
    before = set(place.game.rglob("*")) - {place.game / "desk/hand/3/blue.toml"}
    said = [table.receive(str(path), *more).text for more in ((), ("--json", "--secret"))]
    os.unlink(path)
    assert not any("Traceback" in text or "our fault" in text for text in said), said
    shown = any(shown_in(text.encode(), table.password) for text in said)
    return shown or bool(holding(place.game, table.password, before))


@settings(
    max_examples=300 if os.environ.get("PBEM_LONG") == "1" else 60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
@given(st.data())
def test_it_is_left_nowhere(played: Table, data: st.DataObject) -> None:
    mail = data.draw(mails(played.password, played.code("blue")))
    assert not received(played, mail)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("how", ["7bit", "quoted-printable", "base64"])
def test_at_each_place(played: Table, place: str, how: str) -> None:
    """Right or wrong, alone or with what makes the mail count; bare, where nothing says it is."""
    for number, also in enumerate(("", f"\npassword {played.password}")):
        made = Made(played.code("blue"), abs(hash((place, how, number))), also, how)
        assert not received(played, made.at(place, played.password)), also


def test_not_in_backup_nor_archive(played: Table) -> None:
    played.place.done("backup", str(played.place.game), "-o", str(played.place.path / "b.tar"))
    played.place.done("archive", "GAME", "--unfinished", "-o", str(played.place.path / "a.tar"))
    for name in ("b.tar", "a.tar"):
        assert not shown_in((played.place.path / name).read_bytes(), played.password)


def test_in_the_subject_it_counts(played: Table, tmp_path: Path) -> None:
    table = Table(copied(played.place, tmp_path / "place"), played.password)
    head = f"Subject: Re: [pbem {table.code('blue')}] {table.password}\nMessage-ID: <subject@x>\n"
    file = table.place.file("one.eml", f"From: b@x\n{head}\nwall A7\nwall B5\n")
    assert "accepted" in table.place.done("receive", "GAME", file)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (WORD, "password: [cut]"),
        (
            f"My password is {WORD[:11]}\n{WORD[12:]}\nYours",
            "My password [cut]|password: [cut]|Yours",
        ),
        ("l u s a b b-abad\n> gutih\n>> tugad!\nwall A5", "password: [cut]|wall A5"),
        ("luѕаb bаbаd gutіh tugаd", "password: [cut]"),
        ("Passwort: lusab badab gutxh tugae", "Passwort: [cut]"),
        ("password lusab babad gutih\ntugae\nwall A5", "password: [cut]|wall A5"),
        ("&#108;usab babad gutih tugad & so", "[cut] & so"),
        ("&amp; & so", "&amp; & so"),
        ("I lost my password.\ntower A5", "I lost my password.|tower A5"),
        ("password\ntower A5", "password|tower A5"),
        ("wall A5\nwall B2\nsee you on monday, human", "wall A5|wall B2|see you on monday, human"),
    ],
)
def test_what_is_cut(text: str, left: str) -> None:
    cut = cut_lines(text.split("\n"))
    assert len(cut) == text.count("\n") + 1
    assert "|".join(dict.fromkeys(cut)) == left


@given(st.text(alphabet="lusab d\n>A5&;#xé", max_size=200), st.text(max_size=40))
def test_nothing_of_ours_is_left_and_lines_stay(text: str, more: str) -> None:
    both = text + more.replace("\r", "") + text
    cut = cut_words(both)
    assert cut.count("\n") == both.count("\n")
    assert not passwords_in(cut)


SMALL = str.maketrans("abdgjlmnoprtuvz", "ᴀʙᴅɢᴊʟᴍɴᴏᴘʀᴛᴜᴠᴢ")


@pytest.mark.parametrize(
    "text",
    [
        "1st lusab\n2nd babad\n3rd gutih\n4th tugad",
        "pw: lusab\npw: babad\npw: gutih\npw: tugad",
        "my secret words are lusab then babad then gutih then tugad",
        "lusab, and babad, and gutih - the last I forgot",
        "lusab babađ gutih tugađ",
        "łusab babad gutiħ ŧugad",
        WORD.translate(SMALL),
        "".join(chr(0x1F170 + ord(c) - 97) if c != " " else c for c in WORD),
        "".join(chr(0x1F1E6 + ord(c) - 97) if c != " " else c for c in WORD),
        "".join(f"&amp;#{ord(c)};" for c in WORD),
        "".join(f"%{ord(c):02x}" for c in WORD),
        "".join(f"\\u{ord(c):04x}" for c in WORD),
        base64.b64encode(WORD.encode()).decode(),
        "lus4b b4b4d gut1h tug4d",
    ],
)
def test_words_between(text: str) -> None:
    """Found by a review: words between those of a password, and odd letters, left it readable."""
    cut = cut_words(f"wall A5\n{text}\nsee you")
    assert cut.startswith("wall A5\n")
    assert cut.endswith("\nsee you")
    assert cut.count("\n") == text.count("\n") + 2
    left = cut.split("\n", 1)[1].rpartition("\n")[0]
    assert not any(word in left for word in WORD.split())
    assert not set(left) & set("łđᴀ🅰🇦%&\\")
    assert "bHVz" not in left
    assert "lus4b" not in left


@pytest.mark.parametrize(
    "text",
    [
        "wall A5\nwall B4\nwall A1\nlater:\ndraw",
        "card master-builder AP1 then mandarin\nplay horseman S2\nplay dragon S1",
        "The total is final, and see you on monday, human",
        "sign " + "QmFzZTY0IHRoYXQgc2F5cyBub3RoaW5nIGF0IGFsbA" * 2,
        "50% of 100%, x=10 & y=20",
    ],
)
def test_what_is_no_password_stays(text: str) -> None:
    assert cut_words(text) == text


@pytest.mark.parametrize("before", ["", "x" * 5, "x" * 20, "my "])
def test_not_in_what_is_said_of_a_bad_move_file(later: Table, before: str) -> None:
    """Found by a review: an unknown key's beginning was quoted, with the password in it."""
    code = later.code("blue")
    file = f'pbem = 1\ncode = "{code}"\norders = ["wall A1"]\n"{before}{later.password}" = 1\n'
    said = later.receive(later.place.file("move.toml", file))
    assert said.code == 2
    assert "unknown key" in said.text
    quoted = said.text.split("unknown key `")[1].split("`")[0]  # what follows names keys of ours
    assert not any(word[:3] in quoted for word in later.password.split())


def test_orders_beside_it_are_kept(later: Table) -> None:
    one, two, three, four = later.password.split()
    text = f"wall A7\nI say {one} and\n{two} and\n{three} and {four}"
    before = later.place.hands()["blue"]
    later.receive(later.mail("blue", f"{text}\npassword {later.password}", "apart"))
    assert not before
    assert later.place.hands()["blue"] == ["wall A7"]
    assert not any(
        word in path.read_text(errors="replace")
        for path in (later.place.game / "desk/mails").rglob("*.eml")
        for word in later.password.split()
    )
