"""Another key at a seat: whoever has it counts his orders from 1. Found by a review.

A number that the player before had used barred the new one, or made his tool refuse to sign.
"""

from pathlib import Path

import pytest

from pbem.crypto.encoding import b64
from pbem.disk.home import Home, write_keyring
from pbem.play.joining import contribution
from pbem.play.joining.contribution import Keyring
from services.amend.asked import undone

from .table import Table, block_of, invited

WHY = ("--reason", "Ann left, Zoe plays")


def with_new_key(table: Table) -> Keyring:
    """Zoe takes over from Ann, with a key of her own, on the same machine."""
    ring = table.ring._replace(seed=b"\x05" * 32, last_email_number=0)
    key = ("--auth", "key", "--key", b64(ring.public))
    table.place.done("amend", "GAME", "player", "red", "--name", "Zoe", *key, *WHY)
    home = Home(table.place.path / "ann")
    write_keyring(home, ring.game, "red", contribution.encode_keyring(ring))
    return ring


def test_a_new_key_counts_from_one(table: Table) -> None:
    old = table.by_hand(["wall A1", "later: wall A5"], nr=900)
    table.place.done("receive", "GAME", table.mail("red", old, "ann"))
    table.place.done("resolve", "GAME")
    with_new_key(table)
    hand = table.place.session().pending_by_seat["red"]
    assert (hand.newest_email_number, hand.newest_signed_number, hand.orders) == (0, 0, ())
    view = table.report("red").with_suffix(".view.toml").read_text("utf-8")
    assert "\nnr = 0\n" in view
    text = table.signed("later:\nwall A9\n")
    assert block_of(text).email_number == 1
    table.place.done("receive", "GAME", table.mail("red", text, "zoe"))
    assert table.place.hands()["red"] == ["wall A9"]


def test_an_audit_counts_anew_too(table: Table) -> None:
    place = table.place
    place.done("receive", "GAME", table.mail("red", table.by_hand(["wall A1"], nr=900), "ann"))
    place.done("resolve", "GAME")
    undone(place, *WHY, password=table.password)  # and it is red's turn again
    with_new_key(table)
    place.done("receive", "GAME", table.mail("red", table.signed("wall A1"), "zoe"))
    place.done("resolve", "GAME")
    assert [one.source for one in place.session().record.entries] == ["signed"]
    place.done("amend", "GAME", "close", *WHY)
    said = place.run("audit", "GAME")
    assert said.code == 0, said.text
    assert "proven, but for 3 rulings" in said.text
    assert "2 signed by their players" in said.text


def test_what_the_old_key_signed_is_nobodys(table: Table) -> None:
    """Whatever number it has."""
    ann = table.ring
    with_new_key(table)
    said = table.receive(table.mail("red", table.by_hand(["wall A1"], nr=2, ring=ann), "ann"))
    assert "no line in it is signed with the key of this seat" in said.text


def test_a_key_that_comes_back_brings_no_old_line_back(table: Table) -> None:
    """By the number it would be good again; by its head it is not."""
    ann, old = table.ring, table.by_hand(["wall A1"], nr=5)
    with_new_key(table)
    key = ("--auth", "key", "--key", b64(ann.public))
    table.place.done("amend", "GAME", "player", "red", *key, *WHY)
    said = table.receive(table.mail("red", old, "old"))
    assert "they were written before a ruling of the referee" in said.text
    assert table.place.hands()["red"] == []


def test_another_address_keeps_the_count(table: Table) -> None:
    text = table.by_hand(["later: wall A5"], nr=7)
    table.place.done("receive", "GAME", table.mail("red", text, "ann"))
    table.place.done("amend", "GAME", "player", "red", "--address", "ann@new.org", *WHY)
    assert table.place.session().pending_by_seat["red"].newest_signed_number == 7


@pytest.mark.attack("start the game although a seat that must have a key has none", by="verify", who="referee")
def test_a_seat_that_is_to_have_a_key_is_not_passed_over(tmp_path: Path) -> None:
    """Found in review: nobody could have played it, and `verify` took it for a game."""
    place = invited(tmp_path)
    said = place.run("resolve", "GAME", "--missed", "red")
    assert (said.code, place.numbers()) == (1, [0])
    assert "Ann (red) has not said yes, and nobody plays unasked" in said.text
