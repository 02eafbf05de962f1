"""Two histories of one game: who is accused, and who is not. P7."""

import pytest

from pbem.chain.signed_state import state_hash_of
from proof.verify.test_restores import cut, played_to, restored
from proof.verify.test_restores import report as report_of

from .machine import Machine, machine
from .table import Table

__all__ = ["machine"]


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
        assert "may no longer count" in said


@pytest.mark.parametrize("command", ["verify", "audit"])
def test_two_lost_states_that_no_ruling_parts_are_two_histories(machine: Machine, command: str) -> None:
    """Each was explained by the chain that was given too, as lost or not there; alone they are two
    histories, so that giving more hid the proof. Found by a verifier written from the text alone.
    """
    table = Table()
    played_to(table, 4)
    once = report_of(played_to(table, 8), 7)
    cut(table, 4)
    again = report_of(played_to(table, 8, otherwise=True), 7)
    paths = [machine.letter("once", once), machine.letter("again", again)]
    cut(table, 4)
    early = machine.folder(table, "early")
    restored(table)
    played_to(table, 8)
    late = machine.folder(table, "late")
    for folder in (early, late):
        code, said = machine.says(command, folder, *paths)
        assert (code, "has another state 7 of this game" in said) == (1, True), said
        assert "was rewritten" in said
