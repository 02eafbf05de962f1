"""What an attack of 24 November 2026 found: letters that nobody in force signed, honest referees
who were contradicted, a file that no command comes to the end of. P6, P9; decision 0012.
"""

import time
from pathlib import Path

import pytest

from pbem import cli
from pbem.chain.rulings.kind import NOTE, unchanged_basis
from pbem.chain.signed_state import state_hash_of
from pbem.play.pending_orders import list_waiting_lines
from pbem.proof.verify.pending_orders import find_receipt_mismatch
from pbem.report.block import write_block
from pbem.services.prove.saved_emails import read_signed_blocks
from proof.verify.test_restores import cut, played_to, restored
from proof.verify.test_restores import report as report_of

from .table import Table
from .test_attacked_again import begun
from .test_attacked_thrice import answered
from .test_letters import link_of
from .test_told_later import handed_over


class Machine:
    """Somebody who has a folder of the game, and looks at what they are sent."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path, self.capsys = path, capsys

    def folder(self, table: Table, name: str = "game") -> str:
        """The game as it is now."""
        folder = self.path / name
        (folder / "states").mkdir(parents=True, exist_ok=True)
        for n, raw in table.states.items():
            (folder / "states" / f"{n:04d}.toml").write_bytes(raw)
        (folder / "game.toml").write_bytes(table.states[table.last])
        return str(folder)

    def letter(self, name: str, text: str) -> str:
        path = self.path / f"{name}.txt"
        path.write_text(f"{text}\n")
        return str(path)

    def says(self, *words: str) -> tuple[int, str]:
        code = cli.run([*words])
        out = self.capsys.readouterr()
        return code, out.out + out.err


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Machine:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return Machine(tmp_path, capsys)


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


@pytest.mark.parametrize("told", [False, True])
def test_reports_on_both_sides_of_a_restore_accuse_nobody(machine: Machine, *, told: bool) -> None:
    """The one of state 7 that counts names the ruling `restore`, made in a state up to 7, and the
    lost one names none; the report of the ruling itself was given with them, and yet one of them
    was called rewritten.
    """
    table = Table()
    played_to(table, 4)
    lost = played_to(table, 8, otherwise=True)
    cut(table, 4)
    restored(table)
    now = played_to(table, 8)
    paths = [machine.letter("old", report_of(lost, 7)), machine.letter("new", report_of(now, 7))]
    ruling = machine.letter("ruling", report_of(now, 5))
    assert state_hash_of(now[5]) == state_hash_of(table.states[5])
    for both in (paths, paths[::-1]):
        code, said = machine.says("verify", *([ruling] if told else []), *both)
        assert (code, "LOST" in said, "rewritten" in said) == (1, True, False), said
        assert "another state 7 of this game, and the two do not know the same ruling" in said


def test_a_lost_copy_beside_a_letter_of_what_counts_accuses_nobody(machine: Machine) -> None:
    """The ruling is in none of the two (found by reading, not by the attack)."""
    table = Table()
    played_to(table, 6, otherwise=True)
    machine.says("verify", machine.folder(table, "early"))
    played_to(table, 8, otherwise=True)
    lost = machine.folder(table, "lost")
    cut(table, 4)
    restored(table)
    letter = machine.letter("new", report_of(played_to(table, 8), 7))
    for command in ("verify", "audit"):
        code, said = machine.says(command, lost, letter)
        assert (code, "was rewritten" in said, "CONTRADICTED" in said) == (1, False, False), said
        assert "may count no more" in said


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
