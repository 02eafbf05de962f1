"""A mail that is not shown to be the player's: one answer that says what he has to do, and rules.

Found by a review: the answer named every way to be known, whatever the seat's was; and `help`, that
every report offers, got that answer too. Source: docs/DESIGN.md P6, P11.
"""

import re
from pathlib import Path

import pytest

from pbem.chain.signed_state import state_hash_of
from pbem.crypto.signing import private_key, public_key
from pbem.play.joining import contribution
from pbem.play.joining.answers import format_join_lines

from .table import Table, invited, password_of

WAYS = {
    "red": "type `pbem orders sign red.view.toml`",
    "blue": "with `password` and your four words on a separate line",
    "green": "to the referee, who types them for your seat",
}


@pytest.fixture
def ready(later: Table) -> Table:
    """Ann and Bob have orders in hand."""
    later.place.done("receive", "GAME", later.mail("red", later.signed("later:\nwall A2"), "r"))
    text = f"wall A7\nwall B5\npassword {later.password}"
    later.place.done("receive", "GAME", later.mail("blue", text, "b"))
    return later


@pytest.mark.parametrize("seat", WAYS)
def test_the_answer_names_the_way_of_this_seat_alone(ready: Table, seat: str) -> None:
    told = set()
    for number, text in enumerate(("wall A7", "resend", "withdraw", "help\nwall A7", "Hello")):
        assert ready.receive(ready.mail(seat, text, f"m{number}")).code == 1
        told.add(ready.receipt(seat))
    assert len(told) == 1
    answer = told.pop()
    assert [other for other, way in WAYS.items() if way in answer] == [seat]
    assert "If it was not yours, tell your referee" in answer


@pytest.mark.parametrize("seat", WAYS)
@pytest.mark.parametrize("ask", ["help", "rules CC-4", "Rules cc 4!\n\nThanks, Ann", "rules"])
def test_the_rules_are_for_all(ready: Table, seat: str, ask: str) -> None:
    """And nothing else is told: no order in hand, no line of the mail."""
    hands = ready.place.hands()
    said = ready.place.done("receive", "GAME", ready.mail(seat, ask))
    assert "asked for" in said
    receipt = ready.receipt(seat)
    asked = {"h": "How to answer:", "r": "`rules` and a number", "R": "CC-4: ", "C": ""}
    assert asked["R" if "4" in ask else ask[0] if ask == "help" else "r"] in receipt
    assert "so this answer does not show your orders. They have not changed." in receipt
    assert not re.search("wall A2|wall B5|Your pending orders|no pending orders|Thanks", receipt)
    assert ready.place.hands() == hands
    assert "came before" in ready.receive(ready.mail(seat, ask)).text


def test_with_proof_the_same_mail_says_all(ready: Table) -> None:
    ready.receive(ready.mail("blue", f"help\npassword {ready.password}"))
    assert "Your pending orders:\nwall A7\nwall B5\n" in ready.receipt("blue")
    ready.receive(ready.mail("red", ready.signed("help")))
    receipt = ready.receipt("red")
    assert "Your pending orders:\nlater:\nwall A2\n" in receipt
    assert "Sign new orders as well. A signed `withdraw`" in receipt


@pytest.mark.parametrize(
    ("seat", "way"),
    [
        ("red", "Send everything that it prints: only what you sign counts."),
        ("blue", "Write `password` and your four words"),
        ("green", "Give your orders to your referee"),
        ("violet", "Write your orders at the top of your reply"),
    ],
)
def test_help_says_how_this_seat_answers(ready: Table, seat: str, way: str) -> None:
    ready.receive(ready.mail(seat, "help"))
    assert way in ready.receipt(seat)


def test_a_receipt_says_how_orders_are_changed(ready: Table) -> None:
    assert "Write your password again." in ready.receipt("blue")
    assert "Sign new orders as well." in ready.receipt("red")
    ready.place.done("receive", "GAME", ready.mail("violet", "later:\nwall A4", "v"))
    assert "`withdraw` withdraws them all, `withdraw later`" in ready.receipt("violet")
    file = ready.place.file("typed.txt", "later:\nwall B2\n")
    ready.place.done("receive", "GAME", file, "--typed", "green")
    assert "Give new orders to your referee." in ready.receipt("green")


def test_help_before_the_deal_needs_no_password(tmp_path: Path) -> None:
    place = invited(tmp_path / "place")
    table = Table(place, password_of(place, "blue"))
    given = table.mail("blue", f"give: A line of mine\npassword {table.password}", "1")
    place.done("receive", "GAME", given)
    place.done("receive", "GAME", table.mail("blue", "Help, please", "2"))
    receipt = table.receipt("blue")
    assert "`yes` joins you, and `no` declines." in receipt
    assert "A line of mine" not in receipt
    assert table.receive(table.mail("blue", "withdraw", "3")).code == 1


def test_help_is_no_key_to_a_seat_with_a_password(tmp_path: Path) -> None:
    """Found by a second attacker: `help` needs no password, and the lines below it joined."""
    place = invited(tmp_path / "place")
    table = Table(place, password_of(place, "blue"))
    thief = private_key(b"t" * 32)
    head = state_hash_of((place.game / "states" / "0000.toml").read_bytes())
    lines = format_join_lines(contribution.make_join_answer(head, "blue", b"r" * 32, thief, public_key(thief)))
    for number, ask in enumerate(("help", "rules", "rules CC-4", "Help, please")):
        place.done("receive", "GAME", table.mail("blue", "\n".join([ask, "", *lines]), f"{number}"))
    assert {seat: one.joining_row for seat, one in place.session().pending_by_seat.items()}["blue"] == ""
    assert "join key" not in table.receipt("blue")


def test_what_the_referee_typed_before_the_deal_needs_no_password(tmp_path: Path) -> None:
    """Found by playing the same messages through two versions: the pipeline asked for it."""
    place = invited(tmp_path / "place")
    words = tmp_path / "typed.txt"
    words.write_text("give: A line of mine\n", encoding="utf-8")
    place.done("receive", "GAME", "--typed", "blue", str(words))
    assert place.session().pending_by_seat["blue"].joining_row == "blue plain A line of mine"


def test_before_the_deal_the_fixed_answer_comes_before_what_a_move_file_claims(tmp_path: Path) -> None:
    """Found by playing the same messages through two versions: the claim came first (P6)."""
    place = invited(tmp_path / "place")
    claim = tmp_path / "claim.toml"
    code = place.session().code("blue")
    claim.write_text(f'pbem = 1\ncode = "{code}"\nseat = "red"\norders = ["x"]\n', encoding="utf-8")
    said = place.run("receive", "GAME", str(claim)).text
    assert "no password was found in it" in said
    assert "another seat" not in said
