"""Reports and receipts by keys that are not in force change no verdict. P6, P9; decision 0012."""

from pathlib import Path

import pytest

from pbem.chain.rulings.kind import NOTE, unchanged_basis
from pbem.chain.signed_state import state_hash_of
from pbem.crypto.signing import private_key, public_key
from pbem.play.resolution import make_next_state, play_out
from pbem.proof.audit.audit import UNCHECKED
from pbem.report.block import write_block
from pbem.report.receipt_block import Receipt, write_receipt_block
from pbem.services.prove.verify import verify_paths

from .due_games import DUE, LATER, begun, clocked, legal_of, lost, reply, timed
from .machine import Machine, machine
from .table import SECRET, TIME, Table
from .test_held_back import standing as sent
from .test_letters import audited, link_of, receipt, report
from .test_told_later import handed_over

__all__ = ["machine"]


STRANGER = private_key(b"x" * 32)


def by_a_stranger(table: Table, seat: str, n: int, nr: int = 0, line: str = "") -> str:
    """A receipt or, without a line, a report that the referee never signed."""
    head, keys = state_hash_of(table.states[n]), (STRANGER, public_key(STRANGER))
    if not line:
        return write_block(link_of(table, n), seat, head, (), *keys)
    game, lines = table.position.game_id, (("kept", line),)
    return write_receipt_block(Receipt(game, seat, nr, TIME, n, head, b"", 0, lines), *keys)


def says(table: Table, *letters: str) -> tuple[str, str]:
    told = audited(table, *letters).told
    assert told is not None
    return told.verdict, told.text


@pytest.mark.parametrize("fair", [True, False])
def test_a_strangers_report_tells_nobody_of_a_ruling(fair: bool) -> None:
    table, void, before, mine, _, after = lost()
    told = [mine] if fair else [before, mine, after]
    fake = by_a_stranger(table, "red", table.last if fair else void)
    assert says(table, *told, fake) == says(table, *told)


def test_a_strangers_receipt_brings_nobody_back() -> None:
    table = timed("default")
    table.nr += 1
    told = receipt(table, "red", table.nr, lines=(("kept", "absent 2026-11-29 .. 2026-12-05"),))
    fake = by_a_stranger(table, "red", table.last, line="present")
    table.time = DUE
    course = play_out(table.position, {}, frozenset({"red"}))
    table.hands[table.last + 1] = dict(course.committed_before)
    asked = table.game.questions(table.game.view(course.state, None))[0].seat
    due = {seat: LATER if seat == asked else "" for seat in ("red", "blue")}
    table.clock = clocked(due["red"], due["blue"], 1)
    table.save(make_next_state(table.timed(), course, SECRET, table.key, table.time).raw)
    assert says(table, told)[0] == UNCHECKED
    assert says(table, told, fake) == says(table, told)


def test_a_strangers_receipt_is_none_of_an_email_that_was_made_up() -> None:
    table = begun()
    walls = [one for one in legal_of(table, "red") if "wall" in one]
    told = receipt(table, "blue", 40, f"later: {walls[-1]}")
    fake = by_a_stranger(table, "blue", table.last, 41, f"later: {walls[-2]}")
    mine = sent(table, walls[-3], nr=table.nr + 1)
    table.resolve({"blue": reply("later", walls[-2], 41, table), "red": mine})
    assert "for which there is no receipt" in says(table, told)[1]
    assert says(table, told, fake) == says(table, told)


def test_a_strangers_report_hides_no_two_histories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    table = Table()
    table.play("wall")
    n, texts = table.last, {"one": report(table, "red", table.last)}
    del table.states[n]
    table.load()
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("another history")))
    texts["two"] = report(table, "blue", n)
    key = public_key(STRANGER)
    texts["fake"] = write_block(link_of(table, n), "red", b"z" * 32, (), STRANGER, key)
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    rows = verify_paths([tmp_path / name for name in ("fake", "one", "two")], None, None)
    assert [row.plain().get("code") for row in rows] == ["verify/other-key", *["verify/two-histories"] * 2]


@pytest.mark.parametrize("fake", [False, True])
def test_a_former_referee_changes_no_verdict(machine: Machine, *, fake: bool) -> None:
    """A letter by a key that is not in force for its state says nothing of the game."""
    table = begun()
    old = table.key
    handed_over(table)
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("I am the new referee.")))
    assert machine.says("verify", machine.folder(table))[0] == 0
    n = table.last + 1
    record = link_of(table, table.last)._replace(n=n, previous_hash="x")
    text = write_block(record, "red", b"z" * 32, (), old.signing, old.public)
    letters = [machine.letter("fake", text)] if fake else []
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("We go on.")))
    for command in ("verify", "audit"):
        code, said = machine.says(command, machine.folder(table), *letters)
        assert "another state" not in said, (command, said)
    assert (code, "CONTRADICTED" in said) == (1, False)  # it is not over
