"""Damaged files of a desk are named in one line, never called a fault of ours.

Found by a review: resolve ended with exit code 3.
"""

import pytest
from durability.games import one_line

from pbem.crypto.encoding import b64
from pbem.formats import state_file

from .table import Table

COMMANDS = [
    ("resolve", "GAME"),
    ("resolve", "GAME", "--dry-run"),
    ("status", "GAME"),
    ("amend", "GAME", "undo", "--drop"),
    ("amend", "GAME", "undo", "--reason", "a slip"),
]


@pytest.mark.parametrize("said", ["-", "yes", "no"])
@pytest.mark.parametrize("words", COMMANDS)
def test_an_asking_of_a_seat_that_is_not_there(later: Table, words: tuple[str, ...], said: str) -> None:
    head = b64(later.place.session().position.state_hash)
    document = {"pbem": 1, "number": 1, "to": 2, "head": head, "reason": "why", "past": []}
    path = later.place.game / "desk" / "consent.toml"
    path.write_bytes(state_file.dump({**document, "answers": [f"purple {said}"]}))
    found = later.place.run(*words)
    assert found.code == (1 if words[0] == "status" else 2), found.text
    one_line(found)
    assert "desk/consent.toml names a seat that is not in this game" in found.text
    assert "delete it" in found.text
    path.unlink()
    later.place.done("status", "GAME")


@pytest.mark.parametrize("sig", ["-", "", "AAAA"])
def test_an_order_in_hand_without_its_signature(table: Table, sig: str) -> None:
    table.place.done("receive", "GAME", table.mail("red", table.signed("wall A1"), "first"))
    path = table.place.game / "desk/hand/2/red.toml"
    document = dict(state_file.parse(path.read_bytes()))
    part, _ = document["parts"]
    document["parts"] = [part, f"1 {sig} wall A1"]
    path.write_bytes(state_file.dump(document))
    said = table.place.run("resolve", "GAME")
    assert said.code == 2, said.text
    one_line(said)
    assert "desk/hand/2/red.toml" in said.text
    assert ("lost its signature" if sig == "-" else "where 64 were expected") in said.text
    assert "ask the player for new orders" in said.text


@pytest.mark.parametrize("name", ["mailed", "answers"])
def test_a_number_that_is_none_is_no_row(table: Table, name: str) -> None:
    """Found in reading the change: Python refuses to read 5,000 digits, and that was our fault."""
    n = "9" * 5000
    rows = {"mailed": f"violet 2 {n} x 1 0 <a@x> -\n", "answers": f"violet 2023-11-14 {n} 1 0\n"}
    (table.place.game / "desk" / name).write_text(rows[name])
    said = table.receive(table.mail("violet", "later: wall A1"))
    assert (said.code, "Traceback" in said.text) == (0, False), said.text
    table.place.done("resolve", "GAME")


@pytest.mark.parametrize("row", ["purple 2023-11-20 2099-11-21", "red soon later", "red 2023-11-20", "\xff"])
def test_an_absence_that_is_none_is_no_row(table: Table, row: str) -> None:
    """Found in reading the change: a seat that is not in the game ended `status` with a traceback."""
    before = table.place.done("status", "GAME")
    (table.place.game / "desk" / "away").write_text(f"{row}\n", "latin-1")
    assert table.place.done("status", "GAME") == before
