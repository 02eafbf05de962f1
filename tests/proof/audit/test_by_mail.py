"""A game by signatures, a password, a telephone and a mail program, by the commands alone."""

import json
from pathlib import Path

import pytest
import second_verifier as second
from services.receive.table import Table, dealt


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Some turns by all four; red's second and third orders were signed for later."""
    table = dealt(tmp_path_factory.mktemp("mail"))
    place = table.place
    text = table.signed("wall A1\nlater:\nwall A9\nwall B9\nwhen AP1: flood -2\n")
    place.done("receive", "GAME", table.mail("red", text, "ann"))
    place.done("resolve", "GAME")
    blue = f"wall A3\nwall A4\npassword {table.password}"
    place.done("receive", "GAME", table.mail("blue", blue, "bob"))
    place.done("resolve", "GAME")
    typed = place.file("cleo.txt", "wall B1\nwall B5\n")
    place.done("receive", "GAME", typed, "--typed", "green")
    place.done("resolve", "GAME")
    place.done("receive", "GAME", table.mail("violet", "wall B2\nwall B6", "dan"))
    place.done("resolve", "GAME")
    place.done("amend", "GAME", "note", "the summer break")
    place.done("amend", "GAME", "close", "--reason", "the box is sold")
    return table


def test_it_is_proven_but_for_the_rulings(closed: Table) -> None:
    place = closed.place
    proof = str(place.path / "proof.tar")
    place.done("archive", "GAME", "-o", proof)
    said = place.run("audit", proof, "--json")
    assert said.code == 0, said.text
    (found,) = json.loads(said.text)["games"]
    assert found["says"] == ("proven, but for 2 rulings (none changed the position, or who plays or signs)")
    says = {item["item"]: item["says"] for item in found["items"]}
    assert says["signed"] == (
        "3 signed by their players; "
        "2 by reply, 2 by password, 2 typed by the referee, for which there is the referee's word"
    )
    assert "Ann (red): bound and opened" in says["contributions"]


def test_the_second_verifier_says_so_too(closed: Table) -> None:
    place = closed.place
    proof = place.path / "second.tar"
    place.done("archive", "GAME", "-o", str(proof))
    chain, opened = second.check_archive(proof.read_bytes())
    assert opened is not None
    lines = [line for _, _, source, line in opened.orders if source == "signed"]
    assert lines == ["wall A1", "later: wall A9", "later: wall B9"]
    reports = sorted((place.game / "desk" / "reports").glob("*/*.txt"))
    blocks = [path for path in reports if "\npbem 1 " in path.read_text("utf-8")]
    for path in blocks:
        second.check_block(chain, path.read_text(encoding="utf-8"))
    assert len(blocks) >= 30


def test_nothing_private_of_theirs_is_in_it(closed: Table, tmp_path: Path) -> None:
    """No address and no password. What waited and was not used is in it (decision 0011)."""
    proof = tmp_path / "proof.tar"
    closed.place.done("archive", "GAME", "-o", str(proof))
    data = proof.read_bytes()
    for private in (b"example.org", closed.password.encode()):
        assert private not in data, private
    assert b"when AP1: flood -2" in data
