"""Receipts compared with pending orders, and how they are read from emails. P6."""

import time
from pathlib import Path

import pytest

from pbem import cli
from pbem.chain.rulings.kind import NOTE, unchanged_basis
from pbem.chain.signed_state import state_hash_of
from pbem.crypto.encoding import b64
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import PendingOrders, list_waiting_lines
from pbem.play.proposals.prose import Reader, read_prose
from pbem.play.validate_email import OrdersResult, validate_orders
from pbem.play.validation import EmailContext
from pbem.proof.verify.inputs import ChainRegistry
from pbem.proof.verify.pending_orders import find_receipt_mismatch
from pbem.proof.verify.verify import check_chain
from pbem.report.receipt import receipt_block_lines
from pbem.report.receipt_block import Receipt, write_receipt_block
from pbem.services.prove.saved_emails import read_signed_blocks
from pbem.services.receive.message import grammar_of, parse_orders, read_message
from pbem.services.receive.prose import lexicon_of
from proof.verify.test_restores import played_to

from .due_games import begun, legal_of, lost, reply
from .machine import Machine, machine
from .table import ACTING, TIME, Table
from .test_held_back import standing as sent
from .test_letters import audited, receipt, report

__all__ = ["machine"]


@pytest.mark.parametrize("line", ["later", "withdraw"])
def test_a_made_up_newer_email_is_said_also_states_later(line: str) -> None:
    """Blue's orders stood in the hand that its receipt was held against, and not in the next."""
    table = begun()
    walls = [x for x in table.game.legal(table.game.view(table.position.state, "red")) if "wall" in x]
    told = [receipt(table, "blue", 40, f"later: {walls[-1]}")]
    first = reply("later", walls[-1], 40, table)
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("Hello, all.")), committed_values({"blue": first}))
    told.append(report(table, "blue", table.last))
    n = table.last + 1
    name, what = ("later", walls[-2]) if line == "later" else ("rest 41", line)
    table.resolve({"blue": reply(name, what, 41, table), "red": sent(table, walls[-3], nr=table.nr + 1)})
    told.append(report(table, "blue", n))
    took = "orders number 41, for which there is no receipt so far, replaced number 40"
    found = audited(table, *told)
    assert found.told is not None
    assert (found.verdict, f"in state {n}, {took}" in found.told.text) == ("proven", True)
    for given in (told, told[1:] + told[:1]):
        chains = ChainRegistry()
        chains.add_chain("x", check_chain(table.states, None, None))
        both = [read_signed_blocks(text.encode()) for text in given]
        said = [chains.pending_comparison.compare_blocks("y", chains, *one.receipts, *one.blocks) for one in both]
        assert took in said[-1]


@pytest.mark.attack(
    "hide a ruling `void` from the player whose lost orders it excuses", by='audit says "not checked"', who="referee"
)
@pytest.mark.parametrize("fair", [True, False])
def test_a_void_that_its_player_was_not_told_of(*, fair: bool) -> None:
    """It excused the receipt, and the reports of that player passed over its state."""
    table, void, before, mine, of_void, after = lost()
    found = audited(table, before, mine, *([of_void] if fair else []), after)
    assert found.told is not None
    assert (found.told.verdict, found.wrong) == ("proven" if fair else "not checked", "")
    what = f"a ruling in state {void} excuses it, and none of these reports tells red so"
    assert (what in found.told.text) != fair


def answered(table: Table, text: str, hand: PendingOrders = PendingOrders()) -> tuple[OrdersResult, Receipt]:
    """Blue's email, and what its receipt signs."""
    game, view = table.game, table.game.view(table.position.state, "blue")
    sheet = parse_orders(read_message(f"Subject: x\n\n{text}\n".encode()), grammar_of(game))
    asked = EmailContext(view, True, b64(table.position.state_hash))
    reader = Reader(game, view, grammar_of(game), lexicon_of(game))
    taken = validate_orders(game, asked, hand, read_prose(reader, sheet))
    lines = receipt_block_lines(taken, False)
    nr, head = taken.pending.newest_email_number if taken.has_changed else 0, table.position.state_hash
    return taken, Receipt(table.position.game_id, "blue", nr, TIME, table.last, head, b"", 0, lines)


def test_the_receipt_of_an_email_in_words_names_what_waits() -> None:
    """It named no line, and so the hand was contradicted."""
    table = Table()
    while table.asked() != "blue":
        table.play("wall")
    walls = [one.split()[1] for one in legal_of(table, "blue") if one.startswith("wall ")]
    tried = 0
    for one, two in ((x, y) for x in walls for y in walls if x != y):
        taken, said = answered(table, f"Ich lege Mauern auf {one} und {two}, bitte.")
        if taken.is_accepted:
            tried += 1
            assert not find_receipt_mismatch(said, taken.pending)
            assert said.lines
        if tried > 2:
            break
    assert tried


def test_the_receipt_of_a_plain_withdrawal_says_so() -> None:
    """It said nothing, and the referee could play what had been withdrawn."""
    table = Table()
    while table.asked() != "blue":
        table.play("wall")
    taken, _ = answered(table, table.legal("wall"))
    assert taken.has_changed
    back, said = answered(table, "Please withdraw.", taken.pending)
    assert back.has_changed
    assert ("kept", "withdraw") in said.lines
    assert find_receipt_mismatch(said, taken.pending)


@pytest.mark.parametrize("charset", ["utf-7", "utf-8"])
def test_half_a_letter_ends_no_audit(tmp_path: Path, charset: str, capsys: pytest.CaptureFixture[str]) -> None:
    """UTF-7 writes half a pair of surrogates, which no signature can be about."""
    table = begun()
    folder = tmp_path / "game"
    (folder / "states").mkdir(parents=True)
    for n, raw in table.states.items():
        (folder / "states" / f"{n:04d}.toml").write_bytes(raw)
    (folder / "game.toml").write_bytes(table.states[table.last])
    good = receipt(table, "red", 0, lines=(("refused", "wall A1"),))
    odd = good.replace("refused wall A1", "refused wall A1 +2AA-")
    head = f"From: a@b.c\nSubject: autumn: receipt\nContent-Type: text/plain; charset={charset}"
    (tmp_path / "odd.eml").write_text(f"{head}\n\n{odd}\n")
    (tmp_path / "good.txt").write_text(good)
    for command in ("verify", "audit"):
        names = [str(folder), str(tmp_path / "good.txt"), str(tmp_path / "odd.eml")]
        assert cli.run([command, *names]) in (0, 1, 2)
        out = capsys.readouterr()
        assert "our fault" not in out.out + out.err


@pytest.mark.parametrize("text", ["a wall on {0}, please", "withdraw later\na wall on {0}"])
def test_the_receipt_of_what_was_said_in_plain_words_names_what_waits(text: str) -> None:
    """Found with `double wall A5`, of which the table told the rest: the receipt named no line, and
    so the hand, and the referee who played it, were contradicted.
    """
    table = Table()
    tried = 0
    for _ in range(40):
        if table.asked() == "blue":
            for place in (f"{board}{number}" for board in "AB" for number in range(1, 12)):
                taken, said = answered(table, text.format(place))
                if taken.has_changed and taken.pending.orders:
                    tried += 1
                    assert not find_receipt_mismatch(said, taken.pending), (said.lines, taken.pending.orders)
                    assert {line for _, line in said.lines} >= {*list_waiting_lines(taken.pending)}
        if tried:
            break
        table.play()
    assert tried


def seconds_for(times: int) -> float:
    data = b"From x\nFrom " + b"11:11:11 " * times
    begin = time.process_time()
    read_signed_blocks(data)
    return time.process_time() - begin


def test_a_long_last_line_is_read_in_time() -> None:
    """A mailbox whose last line begins like an email's first, has many times of day and no end:
    7 s for 140 kB, which is hours for the 4 MiB that `verify` reads.
    """
    few = max(seconds_for(2_000), seconds_for(2_000), 0.02)
    assert seconds_for(16_000) < 3 * 8 * few


def test_a_receipt_that_stands_twice_is_two_copies_of_one(machine: Machine) -> None:
    """A letter that quotes the one it answers was called damaged. Found likewise."""
    table = Table()
    states = played_to(table, 4)
    last = max(states)
    told = Receipt(
        table.position.game_id, "blue", 0, "2023-11-30T08:00:00Z", last, state_hash_of(states[last]), b"", 0,
        (("kept", "wall A1"), ("refused", "wall Z9")),
    )  # fmt: skip
    block = write_receipt_block(told, ACTING.signing, ACTING.public)
    quoted = "\n".join(f"> {line}" for line in block.split("\n"))
    path = machine.letter("twice", f"Hello\n\n{block}\n\nOn Monday, Rita wrote:\n\n{quoted}")
    code, said = machine.says("verify", path)
    assert (code, "damaged" in said) == (0, False), said
