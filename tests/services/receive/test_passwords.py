"""A password: made by pbem, told to its player alone, kept by nobody.

Source: decision 0005; docs/DESIGN.md P6, law 7.
"""

import base64
import json
import os
import re
from pathlib import Path

import pytest
from durability.games import fresh

from pbem.crypto.encoding import spoken_words
from pbem.crypto.keys import is_password, new_password, new_salt, password_hash

from .table import NEW, Table, invited, password_of

FIXED = "An email arrived for your seat without proof that it was yours."


def holding(root: Path, password: str) -> list[str]:
    """The files that hold any word of a password, however it is coded."""
    words = [word.encode() for word in password.split()]
    forms = [f for w in words for f in (w, w.hex().encode(), w.upper())]
    for word in (password, f"password {password}", f"\npassword {password}"):
        forms += [base64.b64encode(word.encode()[cut:])[4:20] for cut in range(3)]
    return [
        str(path.relative_to(root))
        for path in sorted(root.rglob("*"))
        if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]


def test_words_are_the_proquints_that_others_make() -> None:
    """The examples of the paper: 127.0.0.1 and 63.84.220.193."""
    assert spoken_words(bytes([127, 0, 0, 1])) == ("lusab", "babad")
    assert spoken_words(bytes([63, 84, 220, 193])) == ("gutih", "tugad")
    assert len({spoken_words(n.to_bytes(2, "big")) for n in range(1 << 16)}) == 1 << 16


def test_it_has_64_bits_and_is_never_the_same() -> None:
    made = {new_password() for _ in range(50)}
    assert len(made) == 50
    assert all(re.fullmatch("([a-z]{5} ){3}[a-z]{5}", one) for one in made)


@pytest.mark.parametrize(
    ("written", "good"),
    [
        ("lusab babad gutih tugad", True),
        ("  Lusab-Babad gutih, TUGAD. ", True),
        ("lusab babad gutih tugab", False),
        ("lusab babad gutih", False),
        ("lusabbabadgutihtugad", False),
        ("", False),
        ("x" * 100_000, False),
    ],
)
def test_how_it_may_be_written(written: str, good: bool) -> None:
    kept = password_hash("lusab babad gutih tugad", b"0123456789abcdef")
    assert is_password(written, kept) is good


def test_a_hash_is_of_its_salt_and_nothing_else_passes_for_one() -> None:
    one, other = (password_hash("a", new_salt()) for _ in range(2))
    assert one != other
    assert is_password("a", one)
    for wrong in ("", "a", one[:-1], f"x{one}", one.replace("14", "1")):
        assert not is_password("a", wrong)


def test_it_stands_in_the_one_mail_that_brings_it(later: Table) -> None:
    place = later.place
    assert holding(place.path, later.password) == ["game/desk/outbox/password-blue.eml"]
    mail = (place.game / "desk/outbox/password-blue.eml").read_text("utf-8")
    assert "To: Bob <bob@example.org>" in mail


def test_it_is_cut_out_of_whatever_he_sends(later: Table) -> None:
    """Text, mail, move file, mail with a move file in base64; right and wrong."""
    place, word, code = later.place, later.password, later.code("blue")
    move = f'pbem = 1\ncode = "{code}"\norders = ["wall A9", "password {word}"]\n'
    coded = base64.encodebytes(move.encode()).decode()
    attached = (
        f"From: b@x\nMessage-ID: <4@x>\nSubject: [pbem {code}]\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="cut"\n\n--cut\nContent-Type: text/plain\n\nHi\n'
        "--cut\nContent-Type: application/toml; name=a.toml\nContent-Transfer-Encoding: base64\n"
        f"\n{coded}--cut--\n"
    )
    files = [
        later.mail("blue", f"wall A9\npassword {word}", "1"),
        later.mail("blue", f"Password: {word.upper()}\nwal A9", "2"),
        later.mail("blue", f"wall A9\nwall B5\npassword {word} x", "3"),
        later.mail("blue", f"wall A9\n> password {word}", "5"),
        place.file("m.toml", move),
        place.file("a.eml", attached),
        place.file("t.txt", f"wall A7\nwall B5\npassword {word}\n[pbem {code}]\n"),
    ]
    kept = []
    for file in files:
        said = later.receive(file)
        shown = later.receive(file, "--json", "--secret")
        kept.append(said.code)
        for text in (said.text, shown.text):
            assert not any(one in text.lower() for one in word.split())
        os.unlink(file)
    assert kept[-1] == 0
    place.done("resolve", "GAME")
    (place.game / "desk/outbox/password-blue.eml").unlink()
    assert holding(place.path, word) == []


@pytest.mark.parametrize("way", ["{}", "my password is {}", "{} password", "pass word {}"])
def test_it_counts_on_a_line_of_its_own_after_the_word(later: Table, way: str) -> None:
    """And in no other way, as its mail says; it is left nowhere all the same."""
    place, word = later.place, later.password
    file = later.mail("blue", f"wall A7\nwall B5\n{way.format(word)}")
    said = later.receive(file)
    assert (said.code, "no password was found in it" in said.text) == (1, True)
    os.unlink(file)
    (place.game / "desk/outbox/password-blue.eml").unlink()
    assert holding(place.path, word) == []


@pytest.mark.parametrize("way", ["password {}", "> Password: {}", "PASSWORD={}.", '"password {}"'])
def test_the_ways_in_which_it_counts(later: Table, way: str) -> None:
    place = later.place
    word = later.password.upper().replace(" ", "-") if "P" in way else later.password
    line = way.format(word).removeprefix("> ")
    place.done("receive", "GAME", later.mail("blue", f"wall A7\nwall B5\n{line}"))
    assert "(by password)" in place.done("resolve", "GAME")


def test_of_a_mail_its_orders_are_kept(later: Table) -> None:
    """A seat without a password has the ids of its mail kept too; prose is kept of none."""
    word = later.password
    later.receive(later.mail("blue", f"Hi\nwall A7\nresend\npassword {word}\nsee you", "one"))
    later.receive(later.mail("violet", "Hi Rita\nlater:\nwall A4\npassword hunter2", "two"))
    kept = sorted(p.read_text() for p in (later.place.game / "desk/mails").iterdir())
    blue, violet = later.code("blue"), later.code("violet")
    assert f"From: blue@example.org\nSubject: [pbem {blue}]\n\nwall A7\nresend\n" not in kept
    assert f"Subject: [pbem {blue}]\n\nwall A7\nresend\n" in kept
    violets = f"From: violet@example.org\nMessage-ID: <two@x>\nSubject: [pbem {violet}]\n"
    assert f"{violets}\nlater: wall A4\n" in kept


def test_before_the_deal_a_word_of_it_is_no_line_for_all(tmp_path: Path) -> None:
    place = invited(tmp_path / "place")
    table = Table(place, password_of(place, "blue"))
    one, two, *_ = table.password.split()
    text = f"{table.password}\n{' '.join(one).upper()} {two}\npassword {table.password}\n"
    text += "give: Of my own"
    assert table.receive(table.mail("blue", text, "1")).code == 0
    assert "\n  | Of my own\n" in table.receipt("blue")
    (place.path / "1.eml").unlink()
    assert holding(place.path, table.password) == ["game/desk/outbox/password-blue.eml"]


def test_before_the_deal_a_refusal_is_kept_as_no(tmp_path: Path) -> None:
    """What follows a `no` on its line may be anything: it is asked again."""
    place = invited(tmp_path / "place")
    table = Table(place, password_of(place, "blue"))
    text = f"password {table.password}\nno\n{table.password}"
    said = table.receive(table.mail("blue", text, "1"))
    (place.path / "1.eml").unlink()
    assert 'declines: "no"' in said.text
    assert holding(place.path, table.password) == ["game/desk/outbox/password-blue.eml"]


def test_before_the_deal_an_ask_may_stand_after_it(tmp_path: Path) -> None:
    """Found when passwords were no longer cut out: such a `withdraw` was a line for all."""
    place = invited(tmp_path / "place")
    table = Table(place, password_of(place, "blue"))
    text = f"password {table.password}\nwithdraw"
    assert "asked for: withdraw" in table.receive(table.mail("blue", text, "1")).text


def test_without_it_nothing_counts_and_the_answer_is_the_same(later: Table) -> None:
    told = set()
    texts = ["wall A7\nwall B5", "wall A7\npassword lusab babad lusab babad", "resend", "password"]
    for number, text in enumerate(texts):
        said = later.receive(later.mail("blue", text, f"m{number}"))
        assert said.code == 1
        assert "password" in said.text
        told.add(later.receipt("blue"))
    assert len(told) == 1
    assert FIXED in told.pop()
    assert later.place.hands()["blue"] == []


def test_with_it_the_order_is_played_as_his(later: Table) -> None:
    text = f"wall A7\nwall B5\npassword {later.password}"
    later.place.done("receive", "GAME", later.mail("blue", text))
    said = later.place.done("resolve", "GAME")
    assert "Bob (blue): wall A7  (by password)" in said
    assert [one.source for one in later.place.session().record.entries] == ["password"] * 2


def test_a_seat_without_its_hash_is_told_to_the_referee(later: Table) -> None:
    path = later.place.game / "desk/players.toml"
    path.write_text(re.sub("password = .*\n", "", path.read_text("utf-8")), "utf-8")
    later.place.done("adopt", "GAME")
    said = later.receive(later.mail("blue", f"wall A7\npassword {later.password}"))
    assert "there is no password for blue" in said.text


def test_opening_a_game_says_where_it_is_and_not_what_it_is(tmp_path: Path) -> None:
    place = fresh(tmp_path / "place")
    said = place.done(*NEW, "--json")
    word = password_of(place, "blue")
    assert json.loads(said)["seats"]["blue"] == "Bob"
    assert not any(one in said for one in word.split())
    place = fresh(tmp_path / "other")
    said = place.done(*NEW)
    assert "password-blue.eml, then delete it. Only this email has the password of Bob" in said
    word = password_of(place, "blue")
    assert not any(one in said for one in word.split())
    # it was filed in the clear, and went into backups: found by a newcomer, 26 November 2026
    told = place.done("sent", "GAME", str(place.game / "desk/outbox/password-blue.eml"))
    assert told.strip() == "password-blue: sent, and deleted here because it has a password"
    files = [one.read_bytes() for one in place.game.rglob("*") if one.is_file()]
    assert not [data for data in files if word.encode() in data]


@pytest.mark.parametrize(
    ("known", "code"),
    [
        ("green=password", "known/no-address"),
        ("red=face", "auth/how"),
        ("pink=reply", "players/seat"),
        ("red", "auth/shape"),
    ],
)
def test_what_cannot_be_asked_for(tmp_path: Path, known: str, code: str) -> None:
    place = fresh(tmp_path / "place")
    said = place.run(*NEW, "--auth", known, "--json")
    assert (said.code, json.loads(said.text)["error"]["code"]) == (2, code)
    assert not place.game.exists()


def test_a_key_comes_by_joining(tmp_path: Path) -> None:
    place = fresh(tmp_path / "place")
    said = place.run(*NEW, "--deal", "--json")
    assert (said.code, json.loads(said.text)["error"]["code"]) == (1, "auth/no-joining")


def test_before_the_deal_it_counts_as_well(tmp_path: Path) -> None:
    """Whoever has his code alone gives no line to the deal in his name."""
    place = invited(tmp_path / "place")
    table = Table(place, password_of(place, "blue"))
    said = table.receive(table.mail("blue", "a line of somebody else", "1"))
    assert (said.code, "no password was found in it" in said.text) == (1, True)
    assert FIXED in table.receipt("blue")
    said = table.receive(table.mail("blue", f"give: Of my own\npassword {table.password}", "2"))
    assert said.code == 0, said.text
    assert "\n  | Of my own\n" in table.receipt("blue")
    assert table.password not in (place.game / "desk/hand/0/blue.toml").read_text("utf-8")


def test_reports_say_how_each_is_known(later: Table) -> None:
    first = later.report("red", 2).read_text(encoding="utf-8")
    assert "`pbem orders sign red.view.toml FILE` prints what to send." in first
    now = later.report("blue").read_text(encoding="utf-8")
    assert "Write your password too, on a separate line" in now


def test_a_receipt_names_the_lines_that_it_does_not_quote(later: Table) -> None:
    word = later.password
    text = f"wall A7\nwal lusab B5\npassword {word}\nThanks, {word}\nwall A9 {word}"
    later.receive(later.mail("blue", text))
    receipt = later.receipt("blue")
    assert "- not clear: line 2, `… B5`:" in receipt
    assert "The other words of this email are not passed on" in receipt
    assert "- not clear: line 5, `wall A9 …`:" in receipt
    assert "line 3" not in receipt
