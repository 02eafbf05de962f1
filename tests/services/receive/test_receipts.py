"""A receipt is signed: what it says can be held against the referee. Source: P6, P7."""

import textwrap

import pytest

from pbem.crypto.signing import verify
from pbem.errors import BadInput
from pbem.report.receipt_block import write_receipt_block
from pbem.services.prove.saved_emails import read_signed_blocks

from .table import Table


@pytest.fixture
def receipt(table: Table) -> str:
    text = table.signed("wall A1\nwhen AP1: flood -2")
    table.place.done("receive", "GAME", table.mail("red", text))
    return table.receipt("red")


def verified(table: Table, text: str, *words: str) -> tuple[int, str]:
    said = table.place.run("verify", *words, table.place.file("receipt.txt", text))
    return said.code, said.text


def test_it_says_all_that_is_signed(table: Table, receipt: str) -> None:
    (found,) = read_signed_blocks(receipt.encode()).receipts
    said, session = found.receipt, table.place.session()
    assert said.lines == (("kept", "wall A1"), ("kept", "when AP1: flood -2"))
    assert (said.game, said.seat, said.orders_number, said.replaced_number) == (session.record.game, "red", 1, 0)
    assert said.state_hash == session.position.state_hash
    parts = (
        said.game, "red", 1, "wall A1\nwhen AP1: flood -2", "2023-11-14T22:13:20Z",
        2, session.position.state_hash, b"", "kept\nkept", 0,
    )  # fmt: skip
    assert verify(session.key.public, "receipt", found.sig, *parts)


def test_it_belongs_to_the_chain_however_it_was_handled(table: Table, receipt: str) -> None:
    game = str(table.place.game)
    handled = {
        "as it is": receipt,
        "quoted": "\n".join(f"> {line}" for line in receipt.split("\n")),
        "wrapped": "\n".join(textwrap.fill(line, 70) for line in receipt.split("\n")),
        "spaced": receipt.replace("\n", "\n\n"),
        "in a mail": f"From: a@x\nMessage-ID: <1@x>\nSubject: look\n\nSee below.\n\n{receipt}",
    }
    for how, text in handled.items():
        code, said = verified(table, text, game)
        assert (code, "belongs to this log, at state 2" in said) == (0, True), (how, said)
    table.place.done("resolve", "GAME")
    assert verified(table, receipt, game)[0] == 0
    assert "not compared with a log" in verified(table, receipt)[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("line kept wall A1", "line kept wall A2"),
        ("line kept wall A1", "line refused wall A1"),
        ("line kept wall A1\n", ""),
        ("replaced 0", "replaced 7"),
        ("22:13:20Z", "22:13:21Z"),
        (" red 1", " red 2"),
        (" red 1", " blue 1"),
    ],
)
def test_a_receipt_that_was_changed_is_found_out(table: Table, receipt: str, old: str, new: str) -> None:
    assert old in receipt
    code, said = verified(table, receipt.replace(old, new), str(table.place.game))
    assert (code, "was changed after it was signed" in said) == (1, True)


def test_one_of_another_history_is_found_out(table: Table, receipt: str) -> None:
    """The referee goes back and forgets: whoever kept a receipt has the proof."""
    from pbem.crypto.encoding import b64

    (found,) = read_signed_blocks(receipt.encode()).receipts
    session = table.place.session()
    rewritten = found.receipt._replace(state_hash=b"\x01" * 32)
    text = write_receipt_block(rewritten, session.key.signing, session.key.public)
    code, said = verified(table, text, str(table.place.game))
    assert (code, "belongs to another history than these states" in said) == (1, True)
    assert b64(found.receipt.state_hash) in receipt


def test_one_by_another_key_is_found_out(table: Table, receipt: str) -> None:
    from pbem.crypto.signing import private_key, public_key

    (found,) = read_signed_blocks(receipt.encode()).receipts
    thief = private_key(bytes(32))
    text = write_receipt_block(found.receipt, thief, public_key(thief))
    code, said = verified(table, text, str(table.place.game))
    assert (code, "another key than the game" in said) == (1, True)


def test_every_answer_to_known_mails_has_one(later: Table) -> None:
    """Kept, refused, stale, a question, taken back: each is signed; the fixed answer is none."""
    word = f"password {later.password}"
    mails = ["wall A7\nwall B5", "wall A99", "help", "withdraw"]
    verdicts = []
    for number, text in enumerate(mails):
        later.receive(later.mail("blue", f"{text}\n{word}", f"m{number}"))
        (found,) = read_signed_blocks(later.receipt("blue").encode()).receipts
        assert found.is_genuine()
        verdicts.append(found.receipt.lines)
    assert verdicts == [
        (("kept", "wall A7"), ("kept", "wall B5")),
        (("refused", "wall A99"),),
        (),
        (("kept", "withdraw"),),
    ]
    later.receive(later.mail("blue", "wall A7", "none"))
    assert read_signed_blocks(later.receipt("blue").encode()).receipts == []


def test_a_damaged_block_is_told(receipt: str) -> None:
    at = receipt.index("receipt pbem 1")
    for cut in ("\nkey ", "\nhead ", "\ntime ", "\nsig "):
        with pytest.raises(BadInput, match="damaged"):
            read_signed_blocks(receipt[: receipt.index(cut, at)].encode())
    assert read_signed_blocks(b"no block here").receipts == []


@pytest.mark.attack(
    "send an email whose text damages the receipt for it",
    by="not possible: the receipt can still be verified",
    who="player",
)
@pytest.mark.parametrize("text", ["flood", "later: A5", "wall A4 then -2", "wall A4\nwhen AP1: A5"])
def test_an_email_that_is_not_understood_has_a_receipt_that_is(later: Table, text: str) -> None:
    """Its block had `line left ` with nothing behind it. Found by an attack of 2026-11-23."""
    before = later.receipts("violet")
    later.receive(later.mail("violet", text, "dan"))
    assert later.receipts("violet") == before + 1
    (found,) = read_signed_blocks(later.receipt("violet").encode()).receipts
    assert (found.is_genuine(), found.receipt.orders_number) == (True, 0)
    code, said = verified(later, later.receipt("violet"), str(later.place.game))
    assert (code, "belongs to this log" in said) == (0, True), said


def test_an_absence_is_told_of_all_seats_and_only_where_it_is_noted(later: Table) -> None:
    """It stood in the receipts of signed emails alone, and as kept, also where it was not."""
    text = "absent 2026-12-20 to 2026-12-24"  # the game has no deadlines
    later.receive(later.mail("violet", text, "dan"))
    (found,) = read_signed_blocks(later.receipt("violet").encode()).receipts
    assert found.receipt.lines == (("refused", "absent 2026-12-20 .. 2026-12-24"),)
    code, said = verified(later, later.receipt("violet"), str(later.place.game))
    assert (code, "belongs to this log" in said) == (0, True), said
