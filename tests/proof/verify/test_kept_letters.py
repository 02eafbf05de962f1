"""What players kept is their memory: mailboxes and folders of old reports.

Found by an attack of 2026-11: letters could poison, flood and damage what a machine remembered of
games. Source: docs/SPECIFICATION.md section 12.
"""

import mailbox
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.chain.signed_state import state_hash_of
from pbem.crypto.keys import RefereeKey
from pbem.report.block import write_block
from proof.audit.machine import Machine
from proof.audit.table import Table
from proof.audit.test_letters import link_of
from proof.audit.test_told_later import handed_over

from .test_restores import cut, played_to, report


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Machine:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return Machine(tmp_path, capsys)


def email(text: str) -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["Date"] = ("hello", "ref@x", "Mon, 23 Nov 2026 12:00:00 +0000")
    mail.set_content(f"Some words.\n\n{text}\n")
    return mail


def mbox(path: Path, texts: list[str]) -> str:
    box = mailbox.mbox(path / "kept.mbox")
    for text in texts:
        box.add(email(text))
    box.close()
    return str(path / "kept.mbox")


def maildir(path: Path, texts: list[str]) -> str:
    box = mailbox.Maildir(path / "Maildir")
    for text in texts:
        box.add(email(text))
    return str(path / "Maildir")


def folder(path: Path, texts: list[str]) -> str:
    place = path / "reports"
    place.mkdir()
    for number, text in enumerate(texts):
        (place / f"{number}.eml").write_bytes(email(text).as_bytes())
    return str(place)


KINDS = pytest.mark.parametrize("kind", [mbox, maildir, folder])


@KINDS
def test_a_rewriting_is_found_with_what_was_kept(machine: Machine, kind: object) -> None:
    """Emails that have nothing of the game, and those of another one, are in it too."""
    assert callable(kind)
    table, other = Table(), Table(missed="default")
    played_to(table, 7)
    played_to(other, 4)
    texts = ["nothing of a game", report(other.states, 4), *(report(table.states, n) for n in range(3, 8))]
    kept = kind(machine.path, texts)
    for command in ("verify", "audit"):
        code, said = machine.says(command, machine.folder(table), kept)
        assert not {"rewritten. ", "CONTRADICTED"} & {*said.split(" ")}, said
        assert code == (command == "audit")  # it is not over
    cut(table, 4)
    played_to(table, 7, otherwise=True)
    for command in ("verify", "audit"):
        code, said = machine.says(command, machine.folder(table, "now"), kept)
        assert (code, "another history than these states" in said) == (1, True), said
    assert not (machine.path / "home" / "heads").exists()


@pytest.mark.attack(
    "cast doubt on an honest game by reports signed with an old key",
    by="verify names the reports; the verdict on the game stays the same",
    who="thief",
)
@KINDS
def test_a_former_referee_changes_no_verdict(machine: Machine, kind: object) -> None:
    """A letter of a far state was in the memory, and the honest chain was "rewritten"."""
    assert callable(kind)
    table = Table()
    played_to(table, 5)
    old = table.key
    handed_over(table)
    played_to(table, 8)
    record = link_of(table, 8)
    fakes = [
        write_block(record._replace(n=n), "red", bytes([n]) * 32, (), old.signing, old.public) for n in range(7, 30)
    ]
    mine = write_block(
        record, "red", state_hash_of(table.states[8]), record.openings, table.key.signing, table.key.public
    )
    kept = kind(machine.path, [*fakes, mine, *fakes])
    game = machine.folder(table)
    code, said = machine.says("verify", game, kept)
    assert (code, said.startswith(f"{game}: genuine: "), "rewritten" in said) == (1, True, False)
    assert said.count("did not act in state") == 2 * len(fakes)
    code, said = machine.says("verify", game)  # nothing of it is left
    assert (code, "genuine" in said) == (0, True)


def test_folders_within_folders(machine: Machine) -> None:
    """Nothing is passed over in silence, and nothing is read twice."""
    table = Table()
    played_to(table, 4)
    inner = machine.path / "reports" / "of" / "autumn"
    inner.mkdir(parents=True)
    (inner / "loop").symlink_to(machine.path / "reports", target_is_directory=True)
    (inner / "3.eml").write_bytes(email(report(table.states, 3)).as_bytes())
    (inner.parent / "4.txt").write_text(report(table.states, 4))
    code, said = machine.says("verify", machine.folder(table), str(machine.path / "reports"))
    assert (code, said.count("belongs to this log")) == (0, 2), said


def test_a_flood_costs_its_length(machine: Machine) -> None:
    """Letters of one state by many keys, of which nobody can say which one counts."""
    table = Table()
    played_to(table, 4)
    record = link_of(table, 4)
    keys = [RefereeKey(bytes([n]) * 32) for n in range(1, 60)]
    texts = [write_block(record, "red", k.public, (), k.signing, k.public) for k in keys]
    code, said = machine.says("verify", mbox(machine.path, [report(table.states, 4), *texts]))
    assert (code, "NOT genuine" in said, "LOST" in said) == (1, False, False)
    assert said.count("signed by another key") == len(texts) + 1
