"""Orders in hand that are lost, or put back from another time, are used once all the same.

Found by a second attacker: the desk alone remembered which signed orders were used; where it was
lost, or an older file was put back as pbem itself advises, an honest game was contradicted.
"""

import shutil
from pathlib import Path

import pytest
from durability.games import Place, fresh

from .table import Table, joined

NEW = (
    "new", "GAME", "--game", "great-wall", "--referee", "Rita,rita@example.org",
    "--player", "red=Ann,ann@example.org", "--player", "blue=Bob,bob@example.org",
    "--auth", "red=key",
)  # fmt: skip


def asked(place: Place) -> str:
    session = place.session()
    return session.game.questions(session.game.view(session.position.state, None))[0].seat


def others(table: Table) -> None:
    """Bob answers until Ann is asked."""
    while asked(table.place) == "blue":
        session = table.place.session()
        line = session.game.legal(session.game.view(session.position.state, "blue"))[0]
        table.receive(table.mail("blue", line, f"b{session.record.n}"))
        table.place.done("resolve", "GAME")


def hand(place: Place) -> Path:
    return place.game / "desk" / "hand" / str(place.numbers()[-1]) / "red.toml"


@pytest.mark.parametrize("how", ["all lost", "all lost, the old mail", "one lost", "an older one"])
def test_no_signed_order_is_used_twice(tmp_path: Path, how: str) -> None:
    place = fresh(tmp_path)
    place.done(*NEW)
    table = joined(place, "")
    others(table)
    text = table.signed("later:\ndraw\ndraw\ndraw\n")
    mail = table.mail("red", text, "ann")
    table.receive(mail)
    old = hand(place).read_bytes()
    place.done("resolve", "GAME")
    others(table)
    place.done("resolve", "GAME")
    if how == "an older one":
        hand(place).write_bytes(old)
    elif how == "one lost":
        hand(place).unlink()
    else:
        shutil.rmtree(place.game / "desk" / "hand")
    said = place.done("resolve", "GAME")
    assert "pbem removed those that were played" in said
    assert "removed those" not in place.done("resolve", "GAME")  # it is put right, once
    if how != "an older one":
        again = mail if "mail" in how else table.mail("red", text, "again")
        said = table.receive(again).text
        assert "kept" not in said.replace("not kept", "")
        table.receive(table.mail("red", table.signed("later:\ndraw\ndraw\n"), "anew"))
    for _ in range(3):
        place.done("resolve", "GAME")
        others(table)
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    said = place.done("audit", "GAME")
    rulings = 1 if how == "an older one" else 2  # that orders were lost, and the end
    assert f"proven, but for {rulings} ruling" in said
