"""Files that pbem would not have written: a line that names them, and nothing changed. P11."""

from pathlib import Path

import pytest

from pbem.crypto.encoding import b64
from pbem.disk import home
from pbem.disk.home import Home

from .table import Table, invited, player


def test_a_block_of_a_high_number_is_no_invitation(tmp_path: Path) -> None:
    from pbem.crypto.keys import RefereeKey
    from pbem.crypto.signing import sign

    key, place = RefereeKey(b"k" * 32), invited(tmp_path)
    for n, said in (("5", "this game is dealt"), ("1000000", "damaged or cut short")):
        text = f"pbem 1 {'a' * 26} red {n} {n}\nhead {b64(b'h' * 32)}\nkey {b64(key.public)}"
        sig = b64(sign(key.signing, "report", text))
        found = player(place, "orders", "join", place.file("j.txt", f"Hi\n\n{text}\nsig {sig}\n"))
        assert found.code in (1, 2)
        assert said in found.text, found.text


@pytest.mark.parametrize(
    "text",
    [
        'later = ["99999999999999 - wall A5"]',
        'later = ["-1 - wall A5"]',
        f'first = ["{"9" * 5000} wall A5"]',
        'later = ["² - wall A5"]',
        'source = "default"',
        'quoted = "x"',
        "nr = 1000001",
        f'handled = ["abc {"9" * 30}"]',
        'signed = ["1"]',
    ],
)
def test_a_hand_that_pbem_did_not_write(table: Table, text: str) -> None:
    """Larger numbers than it writes made a state that did not read back, or a fault of ours."""
    place = table.place
    hand = place.game / "desk" / "hand" / "2" / "red.toml"
    hand.parent.mkdir(parents=True, exist_ok=True)
    hand.write_text(f"pbem = 1\n{text}\n", "utf-8")
    hand.chmod(0o600)
    said = place.run("resolve", "GAME")
    assert said.code == 2, said.text
    assert "desk/hand/2/red.toml" in said.text
    assert place.numbers() == [0, 1, 2]


def test_a_keyring_that_pbem_did_not_write(table: Table) -> None:
    path = home.keyring_path(Home(table.place.path / "ann"), table.ring.game, "red")
    old = path.read_bytes()
    for data in (old + b"# x\n" * 20_000, old + b"nr = 1000001\n", b"nr = " + b"9" * 5000 + b"\n"):
        path.write_bytes(data)
        for words in (("show",), ("sign", str(table.report("red").with_suffix(".view.toml")),
                                  table.place.file("o.txt", "wall A1"))):  # fmt: skip
            said = player(table.place, "orders", *words)
            assert said.code in (0, 2), said.text
            assert "fault" not in said.text
            assert "damaged" in said.text or "at most" in said.text, said.text
