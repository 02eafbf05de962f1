"""After a recovery, a lost desk or a succession no honest referee is contradicted. P6."""

import shutil
from pathlib import Path

import pytest
from durability import games
from durability.games import Place, fresh
from services.amend.asked import undone
from services.receive.table import Table

from pbem import cli
from pbem.disk.home import Home
from pbem.services.session.keys import write_new_keys

from .test_honest_commands import Mails, base

__all__ = ["base"]


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


def test_who_takes_over_can_archive_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The archive was "signed by another key": that of who had handed over."""
    place = fresh(tmp_path / "one")
    two = tmp_path / "two"
    place.done(
        *("new", "GAME", "--game", "chang-cheng", "--player", "red=Ann,ann@example.org"),
        *("--player", "green=Ben,ben@example.org", "--referee", "Rita,r@example.org", "--deal"),
    )
    monkeypatch.setenv("PBEM_HOME", str(two))
    assert cli.run(["key", "new"]) == 0
    capsys.readouterr()
    assert cli.run(["key", "show", "--export"]) == 0
    (tmp_path / "two.pub").write_text(capsys.readouterr().out)
    place.done(
        *("amend", "GAME", "keys", "--to", str(tmp_path / "two.pub")),
        *("--referee", "Zoe,zoe@example.org", "--reason", "I move house"),
    )
    monkeypatch.setenv("PBEM_HOME", str(two))
    packed = str(tmp_path / "g.tar")
    assert cli.run(["archive", str(place.game), "--unfinished", "-o", packed]) == 0
    assert cli.run(["verify", packed]) == 0, capsys.readouterr()
    cli.run(["audit", packed])  # the game is not over, so it cannot be proven
    assert "nothing contradicted" in capsys.readouterr().out
