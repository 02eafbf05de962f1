"""What a player sent, what the receipt says, what the referee had: three that must agree. P7.

Found by an attack of 2026-11: only the player's receipt knew what was waiting, and nobody asked it.
"""

import pytest

from pbem.play.validate_email import MAX_ORDERS, MAX_PENDING_ROWS
from pbem.report.receipt_block import write_receipt_block
from pbem.services.prove.saved_emails import read_signed_blocks

from .table import Table

ORDERS = "wall A1\nlater: wall A4\nwhen AP1: flood -2"
KEEP = "Keep both: together they prove that one of them is false"


@pytest.fixture
def sent(table: Table) -> tuple[str, str]:
    """Ann's receipt, and her report of the state that used its first line."""
    table.place.done("receive", "GAME", table.mail("red", table.signed(ORDERS)))
    table.place.done("resolve", "GAME")
    return table.receipt("red"), table.report("red").read_text("utf-8")


def files(table: Table, receipt: str, report: str) -> list[str]:
    return [table.place.file("receipt.txt", receipt), table.place.file("report.txt", report)]


def test_verify_says_what_the_referee_had(table: Table, sent: tuple[str, str]) -> None:
    receipt, report = files(table, *sent)
    had = "pending orders of red before state 3: `wall A1`, `later: wall A4`, `when AP1: flood -2`"
    said = table.place.done("verify", "GAME", report)
    assert had in said
    assert "receipt for orders" not in said
    for paths in ((receipt, report), (report, receipt)):
        said = table.place.done("verify", "GAME", *paths)
        assert "this agrees with the receipt for orders number 1" in said


@pytest.mark.attack("play orders that differ from the receipt for them", by="verify, with the receipt", who="referee")
def test_a_receipt_of_other_orders_is_found_out(table: Table, sent: tuple[str, str]) -> None:
    """Signed by the referee himself: one of the two lies, and both are kept."""
    (found,) = read_signed_blocks(sent[0].encode()).receipts
    lines = found.receipt.lines
    for change in (
        (*lines, ("kept", "later: wall A5")),
        lines[:2],
        (("kept", "wall A2"), *lines[1:]),
        (*lines[:1], ("kept", "later: wall A5"), *lines[2:]),
    ):
        key = table.place.session().key
        block = write_receipt_block(found.receipt._replace(lines=change), key.signing, key.public)
        said = table.place.run("verify", "GAME", *files(table, block, sent[1]))
        assert said.code == 1
        assert "among them. Keep both" in said.text
        assert KEEP in said.text


def test_what_is_not_signed_is_told_as_it_is_understood(table: Table) -> None:
    """A receipt said `tower A5`, and `tower A5 reserve A6` waited: nobody could compare them."""
    place = table.place
    place.done("receive", "GAME", table.mail("red", table.signed("wall A3")))
    place.done("resolve", "GAME")
    text = f"password {table.password}\ntower A5\nlater: double A2 A1"
    place.done("receive", "GAME", table.mail("blue", text, "two"))
    assert "\nline kept tower A5 reserve A6\nline kept later: " in table.receipt("blue")
    place.done("resolve", "GAME")
    paths = files(table, table.receipt("blue"), table.report("blue").read_text("utf-8"))
    assert "this agrees with the receipt" in place.done("verify", "GAME", *paths)


@pytest.mark.parametrize(
    "text", ["withdraw", "withdraw later", "withdraw\nlater: wall A4", "withdraw AP1\nwall A2", "help"]
)
def test_what_was_taken_back_or_replaced_agrees(table: Table, text: str) -> None:
    """An honest referee is not accused, whatever the emails were, in whatever order."""
    receipts = []
    for number, one in enumerate((ORDERS, text, "wall A3")):
        table.place.run("receive", "GAME", table.mail("red", table.signed(one), str(number)))
        receipts.append(table.place.file(f"r{number}.txt", table.receipt("red")))
    table.place.done("resolve", "GAME")
    report = table.place.file("report.txt", table.report("red").read_text("utf-8"))
    table.place.done("verify", "GAME", report, *receipts)


@pytest.mark.attack("add more and more pending orders for a player", by="refused above a limit", who="anybody")
def test_so_many_lines_can_wait_and_no_more(table: Table) -> None:
    """Each signed email leaves all its lines until the next state: 145 of them made a file that no
    command reads, and the game could not even be closed (attack of 2026-11-23).
    """
    place, lines = table.place, ["later: wall A5"] * (MAX_ORDERS - 1) + ["withdraw later"]
    most = MAX_PENDING_ROWS // MAX_ORDERS
    for nr in range(1, most + 2):
        said = table.receive(table.mail("red", table.by_hand(lines, nr), f"m{nr}"))
        assert said.code == (nr > most), said.text
    told = place.file("told.txt", table.receipt("red"))
    assert f"at most {MAX_PENDING_ROWS} of your orders can be pending" in " ".join(table.receipt("red").split())
    place.done("amend", "GAME", "note", "hello")
    place.done("receive", "GAME", table.mail("red", table.by_hand(["wall A1"], most + 2), "new"))
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    archive = str(place.path / "x.tar")
    place.done("archive", "GAME", "-o", archive)
    assert place.run("audit", archive, told).code == 0
