"""A password is in nothing that pbem keeps or says, wherever in a mail and however it stood.

What is kept and quoted is built from what was understood.

Found by a review of what was stored: a password in the subject, wrapped, in an HTML part nobody
read, as escapes in a move file or in letters that look like ours lay in ``desk/mails``.
Source: docs/DESIGN.md P11; docs/decisions/0009; FORMAT.md "Words for every game".
"""

import os
from collections import Counter
from pathlib import Path
from zlib import crc32

import pytest
from durability.games import copied
from house import tree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sizes import size

from .hiding import PLACES, Made, holding, mails, shown_in
from .table import Table


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


@pytest.mark.attack(
    "find a player's password in any file", by="not possible: pbem stores no player's password", who="finder"
)
@settings(
    max_examples=size("mails with a hidden password"),
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
        made = Made(played.code("blue"), crc32(f"{place} {how} {number}".encode()), also, how)
        assert not received(played, made.at(place, played.password)), also


def test_not_in_backup_nor_archive(played: Table) -> None:
    played.place.done("backup", str(played.place.game), "-o", str(played.place.path / "b.tar"))
    played.place.done("archive", "GAME", "--unfinished", "-o", str(played.place.path / "a.tar"))
    for name in ("b.tar", "a.tar"):
        assert not shown_in((played.place.path / name).read_bytes(), played.password)


SAYS = "".join(path.read_text() for path in (tree.ROOT / "templates").rglob("*.txt")).lower()


def _beginning(word: str) -> str:
    """What of a word cannot be seen by chance: pbem may say another that begins like it."""
    return word if word[:4] in SAYS else word[:4]


def _counted(table: Table, words: list[str]) -> Counter[str]:
    """How often these words stand in the files of a game; in what is encoded, by chance."""
    files = (path for path in table.place.game.rglob("*") if path.is_file())
    kept = [x.read_bytes().lower() for x in files if x.name != "password-blue.eml"]
    return Counter({word: sum(one.count(word.encode()) for one in kept) for word in words})


@pytest.mark.parametrize(
    "text",
    [
        "1st {0}\n2nd {1}\n3rd {2}\n4th {3}",
        "my secret words are {0} then {1}\nthen {2} then {3}, wall A5",
        "{3} {2} {1} {0}",
        "wall {0} A5\ncard {1} AP2\nwall A9 # {2} {3}",
        "hello {0} {1} {2}, wall A7",
        "rules {0:.4}-1\nrules {1:.4}-2\nrules {2:.4}-3",
        "later: {0} {1}\nwhen {2}: wall A5\n{3} wall A5",
        "walls {0} A9\nwal{0} A9\n{1} A9\nwithdraw {2}\nmessage {3}: hello",
        "later\nwall A7\n{0} {1}",
        "> wall A9 # {0} {1}\n--\nwall A9, {2} {3}",
    ],
)
@pytest.mark.parametrize("proven", [True, False])
def test_no_word_of_it_is_left(later: Table, text: str, proven: bool) -> None:
    """Found by a review: one word alone, and words turned round, were left readable."""
    words = later.password.split()
    line = f"\npassword {later.password}" if proven else ""
    before = _counted(later, words)
    file = Path(later.mail("blue", f"{text.format(*words)}{line}", "it"))
    said = [later.receive(str(file), *more).text for more in ((), ("--json", "--secret"))]
    file.unlink()
    (later.place.game / "desk/outbox/password-blue.eml").unlink()
    for word in words:
        assert not any(_beginning(word) in one.lower() for one in said)
    assert _counted(later, words) <= before


@pytest.mark.parametrize("before", ["", "x" * 5, "x" * 20, "my "])
def test_not_in_what_is_said_of_a_bad_move_file(later: Table, before: str) -> None:
    """Found by a review: an unknown key's beginning was quoted, with the password in it."""
    code = later.code("blue")
    file = f'pbem = 1\ncode = "{code}"\norders = ["wall A1"]\n"{before}{later.password}" = 1\n'
    said = later.receive(later.place.file("move.toml", file))
    assert said.code == 2
    assert "line 4: unknown key" in said.text
    assert not any(_beginning(word) in said.text for word in later.password.split())


def test_orders_beside_it_are_kept(later: Table) -> None:
    one, two, three, four = later.password.split()
    text = f"wall A7\nI say {one} and\n{two} and\n{three} and {four}"
    before = later.place.hands()["blue"]
    later.receive(later.mail("blue", f"{text}\npassword {later.password}", "apart"))
    assert not before
    assert later.place.hands()["blue"] == ["wall A7"]
