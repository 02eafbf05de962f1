"""What a fifth attack of 24 November 2026 found. P6, P9."""

import shutil
from pathlib import Path

import pytest
from durability import games
from durability.games import Place
from services.amend.asked import undone
from services.receive.table import Table

from pbem import __version__
from pbem.chain.rulings.undo import UNDO
from pbem.chain.signed_state import read_verified_record, state_hash_of
from pbem.crypto.signing import sign
from pbem.disk.home import Home
from pbem.proof.audit.findings import SignedState
from pbem.proof.audit.transcript import _counted_records
from pbem.report.receipt_block import Receipt, write_receipt_block
from pbem.services.session.keys import write_new_keys
from proof.verify.test_restores import cut, played_to, restored
from proof.verify.test_restores import report as report_of

from .table import ACTING, PLAYER
from .table import Table as ATable
from .test_attacked_four import Machine, machine
from .test_honest_commands import Mails, base

__all__ = ["base", "machine"]

NOW = int(games.TIME)


def told(place: Place) -> str:
    """The newest receipt of red, kept elsewhere."""
    newest = max((place.game / "desk" / "receipts").glob("red-*.txt"))
    return place.file("told.txt", newest.read_bytes())


def at(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    monkeypatch.setattr(games, "TIME", str(NOW + seconds))


def test_a_recovery_is_not_older_than_a_receipt_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A referee has lost the acting key, not the desk; the clock of the new machine is some minutes
    behind. The state that recovers the game was older than the last receipt, which is in that desk,
    and so the honest referee was contradicted by it. Any other ruling, and a handing over, is of
    the time of that receipt (`durability/test_clock_behind.py`).
    """
    place = games.opened(tmp_path / "one")
    games.answer(place)
    at(monkeypatch, 900)
    place.run("receive", "GAME", place.mail("red", "later:\nwall A5"))
    receipt = told(place)
    recovery = place.home / "keys" / "recovery.key"
    shutil.copy(recovery, place.path / "safe.key")
    shutil.rmtree(place.home)  # the machine is gone, the folder of the game is on a drive
    write_new_keys(Home(place.home), {"acting": b"x" * 32, "recovery": b"y" * 32})
    at(monkeypatch, 600)
    words = ("--recover", str(place.path / "safe.key"), "--reason", "my machine broke")
    place.done("amend", "GAME", "keys", *words)
    said = place.run("verify", "GAME", receipt)
    assert "the game had gone on" not in said.text
    assert said.code == 0, said.text
    place.adopted()
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    said = place.run("audit", "GAME", receipt)
    assert "CONTRADICTED" not in said.text.upper().replace("NOTHING CONTRADICTED", ""), said.text


def test_what_waited_is_asked_for_where_key_and_newest_emails_are_lost(tmp_path: Path) -> None:
    """A machine is lost with its keys. A backup that has the newest state is brought back where new
    keys are, and the recovery key takes the game over. An email was answered since the backup, so
    the ruling of `restore --go-on --emails` is needed, or its true receipt contradicts an honest
    referee. `restore` says so of a game whose key is here; of this one neither it nor the recovery
    did, but only that `--unseen` is for newer states, which there are not.
    """
    place = games.opened(tmp_path / "one")
    games.answer(place)
    backup = str(place.path / "old.pbem")
    place.done("backup", "GAME", "-o", backup)
    place.done("receive", "GAME", place.mail("red", "later:\nwall A5"))
    receipt = told(place)
    shutil.copy(place.home / "keys" / "recovery.key", place.path / "safe.key")
    shutil.rmtree(place.home)
    shutil.rmtree(place.game)
    write_new_keys(Home(place.home), {"acting": b"x" * 32, "recovery": b"y" * 32})
    said = place.done("restore", backup, "--to", "GAME")
    words = ("--recover", str(place.path / "safe.key"), "--reason", "my machine broke")
    said += place.done("amend", "GAME", "keys", *words)
    assert "--emails" in said, said
    place.done("adopt", "GAME")
    place.done("restore", "--go-on", "GAME", "--emails", "--reason", "emails were lost")
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    said = place.run("audit", "GAME", receipt).text
    assert "CONTRADICTED" not in said.upper().replace("NOTHING CONTRADICTED", ""), said


def ann(mails: Mails, nr: int) -> str:
    """Ann answers with her key, under a number that she chooses; what is said of it."""
    mails.until_red()
    line = mails.legal("red")[0]
    mails.number += 1
    mail = mails.table.mail("red", mails.table.by_hand([line], nr), f"m{mails.number}")
    said = mails.place.run("receive", "GAME", mail).text
    mails.place.done("resolve", "GAME")
    return said


@pytest.mark.parametrize("recovered", [False, True])
def test_a_recovery_without_a_desk_keeps_the_numbers_of_signed_orders(
    base: Place, tmp_path: Path, *, recovered: bool
) -> None:
    """Keys and desk are lost; the states are there, and the recovery key. Ann signs her next orders
    under a number that she has used (with an older copy of her files, or to have the referee
    contradicted). Where the desk alone is lost, that number is refused, since the states tell it.
    After a recovery it was forgotten: the order was played, and the honest referee contradicted.
    """
    shutil.copytree(base.path, tmp_path / "copy")
    mails = Mails(Table(Place(tmp_path / "copy"), ""))
    place = mails.place
    for nr in (1, 2, 3):
        ann(mails, nr)
    shutil.rmtree(place.game / "desk")
    if recovered:
        shutil.copy(place.home / "keys" / "recovery.key", place.path / "safe.key")
        shutil.rmtree(place.home)
        write_new_keys(Home(place.home), {"acting": b"x" * 32, "recovery": b"y" * 32})
        words = ("--recover", str(place.path / "safe.key"), "--reason", "my machine broke")
        place.done("amend", "GAME", "keys", *words)
    place.adopted()
    place.done("resolve", "GAME")
    said = ann(mails, 1)
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    audit = place.run("audit", "GAME").text
    assert "CONTRADICTED" not in audit, audit
    assert "number 3 has come already" in said


def test_an_undo_and_a_lost_desk_forget_no_number(base: Place, tmp_path: Path) -> None:
    """An undo lets no older orders count, and begins no numbers anew: where the desk was lost after
    it, a number that had been used was played again, and the honest referee contradicted.
    """
    shutil.copytree(base.path, tmp_path / "copy")
    mails = Mails(Table(Place(tmp_path / "copy"), ""))
    for nr in (1, 2, 3):
        ann(mails, nr)
    undone(mails.place, "--orders", "1", "--reason", "a slip of mine")
    shutil.rmtree(mails.place.game / "desk")
    mails.place.adopted()
    mails.place.done("resolve", "GAME")
    said = ann(mails, 1)
    mails.place.done("amend", "GAME", "close", "--reason", "the end of it")
    audit = mails.place.run("audit", "GAME").text
    assert "CONTRADICTED" not in audit, audit
    assert "number 3 has come already" in said


@pytest.mark.parametrize("command", ["verify", "audit"])
def test_two_lost_states_that_no_ruling_parts_are_two_histories(machine: Machine, command: str) -> None:
    """Each was explained by the chain that was given too, as lost or not there; alone they are two
    histories, so that giving more hid the proof. Found by a verifier written from the text alone.
    """
    table = ATable()
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


def test_a_receipt_that_stands_twice_is_two_copies_of_one(machine: Machine) -> None:
    """A letter that quotes the one it answers was called damaged. Found likewise."""
    table = ATable()
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


def test_the_file_of_hands_has_no_room_for_anything_else() -> None:
    """`hand 1 red` before the deal, with any text, was in an archive that was called proven."""
    table = ATable()
    played_to(table, 4)
    table.hands[1] = {"red": "a hidden letter"}
    found = table.audit()
    assert any("pending orders of what is not in this game" in one.text for one in found.items)


@pytest.mark.parametrize("numbers", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 2, 1)])
@pytest.mark.parametrize("version", [__version__, "0.0.0"])
def test_numbers_that_no_order_has_are_found_whatever_the_version(numbers: tuple[int, int, int], version: str) -> None:
    """With a signature that is good; with an invented version it was only "not checked"."""
    table = ATable(version)
    while table.asked() != "red":
        table.play(table.legal())
    line, (nr, i, of) = table.legal(), numbers
    before = table.position
    rulings = table.game.rulings[0]
    sig = sign(PLAYER, "order", before.game_id, "red", nr, i, of, before.state_hash, rulings, line)
    table.play(line, orders_number=nr, line_number=i, line_count=of, signature=sig)
    assert any("none that orders have" in one.text for one in table.audit().items)


def test_a_transcript_ends_though_an_undo_goes_forward() -> None:
    """State 4 "goes back" to 6, and 6 comes of 4: the states that count were walked for ever. Found
    by reading; such a state is contradicted, and the transcript is compared all the same.
    """
    table = ATable()
    played_to(table, 6)
    records = {n: read_verified_record(raw, ACTING.public, "it") for n, raw in table.states.items()}
    records[4] = records[4]._replace(rulings=(UNDO.make_ruling("a slip", ("to", "6")),))
    states = {n: SignedState(b"", record, b"") for n, record in records.items()}
    assert [record.n for record in _counted_records(states)] == [2, 3, 4, 5, 6]
