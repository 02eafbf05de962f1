"""Receipts and reports against an archive; a desk that is lost, and one that is said to be. P6, P7.

Found by an attack of 2026-11: a referee could play, or leave out, an order that its player had
replaced, and only the player's receipt knew better; and waiting orders could be lost in silence.
"""

import shutil
from pathlib import Path

import pytest

from .table import Table

CLOSE = ("amend", "GAME", "close", "--reason", "the end of it")
LOST = "All orders that waited from state"


def close(table: Table, *letters: str) -> tuple[int, str]:
    """The game closed, its archive, and an audit of that with these letters."""
    if table.place.session().record.phase != "closed":
        table.place.done(*CLOSE)
    archive = str(table.place.path / "x.tar")
    table.place.done("archive", "GAME", "-o", archive)
    said = table.place.run("audit", archive, *letters)
    return said.code, said.text


def receipt(table: Table, text: str, name: str) -> str:
    """What red sends and is answered, in a file."""
    table.place.done("receive", "GAME", table.mail("red", table.signed(text), name))
    return table.place.file(f"{name}.txt", table.receipt("red"))


def by_code(table: Table, text: str, name: str) -> str:
    """The same of a player without a key, whose emails the moderator numbers."""
    table.place.done("receive", "GAME", table.mail("violet", text, name))
    return table.place.file(f"{name}.txt", table.receipt("violet"))


def test_honest_letters_are_proven(table: Table) -> None:
    """One by one, in a folder, as a mailbox."""
    first = receipt(table, "wall A1\nlater: wall A4", "one")
    second = receipt(table, "later: wall A5", "two")
    table.place.done("resolve", "GAME")
    outbox = table.place.game / "desk" / "outbox"
    mails = [path.read_bytes() for path in sorted(outbox.glob("*red*.eml"))]
    mbox = mailbox(table, "mbox", [one for one in mails if b"pbem 1 " in one])
    folder = table.place.path / "letters"
    folder.mkdir()
    for name in (first, second, mbox):
        shutil.copy(name, folder)
    for letters in ((first,), (first, second, str(table.report("red"))), (mbox,), (str(folder),)):
        code, text = close(table, *letters)
        assert "  proven: reports and receipts: " in text
        assert (code, "proven, but for 1 ruling" in text) == (0, True)
    invitation = next(one for one in mails if b"pbem 1 " not in one)
    for number, some in enumerate(([*mails, invitation], [invitation])):
        code, text = close(table, mailbox(table, f"all-{number}", some))
        said = ("of a kind without a signed block: 3", "no signed block, so nothing was compared")
        assert (code, said[number] in text) == (number, True), text


def mailbox(table: Table, name: str, mails: list[bytes]) -> str:
    return table.place.file(name, b"\n".join(b"From x Sat\n" + one + b"\n" for one in mails))


@pytest.mark.attack("leave out an order that has a receipt", by="audit, with the receipt", who="referee")
def test_a_receipt_for_what_was_left_out(table: Table) -> None:
    """The referee drops a whole email of red's before the next state: red's receipt says it."""
    told = receipt(table, "later: wall A4", "one")
    receipt(table, "wall A1", "two")
    session = table.place.session()
    hand = session.pending_by_seat["red"]
    with session.folder.lock():
        session.store_pending("red", hand.with_groups([hand.groups[1]._replace(orders=())]))
    table.place.done("resolve", "GAME")
    assert close(table)[0] == 0
    code, text = close(table, told)
    assert code == 1
    assert "CONTRADICTED: state 3, among the orders pending then" in text
    assert "orders number 1: `later: wall A4` is not among them" in text


@pytest.mark.parametrize("gone", ["desk", "desk/hand", "desk/hands"])
def test_an_honest_referee_who_lost_the_desk(table: Table, gone: str) -> None:
    place = table.place
    before = receipt(table, "wall A1\nlater: wall A4", "one")
    place.done("resolve", "GAME")
    report = place.file("report.txt", table.report("red").read_text("utf-8"))
    waiting = receipt(table, "later: wall A6", "two")
    shutil.rmtree(place.game / gone)
    if gone == "desk":
        place.adopted()
    said = place.done("resolve", "GAME")
    assert "pending orders were lost; a ruling in state 4 says so" in said
    assert "a ruling" not in place.done("resolve", "GAME")  # once
    for seat in ("red", "violet", "spectators"):
        assert LOST in table.report(seat).read_text("utf-8")
    place.done("verify", "GAME", report, waiting, str(table.report("red")))
    code, text = close(table, before, report, waiting)
    assert (code, "proven, but for 2 rulings" in text) == (0, True), text
    assert LOST in text


def test_the_newest_state_is_enough_after_a_void_too(table: Table) -> None:
    """Found in reading the change: whether a ruling was typed again was looked for in a state that
    may be lost.
    """
    place = table.place
    shutil.rmtree(place.game / "desk")
    place.adopted()
    assert "a ruling in state 3 says so" in place.done("resolve", "GAME")
    for older in sorted((place.game / "states").iterdir())[:-1]:
        older.unlink()
    place.done("amend", "GAME", "note", "we go on")


def test_an_older_backup_is_gone_on_with(table: Table) -> None:
    """What was answered with a receipt since the backup is lost, and the ruling says so."""
    place = table.place
    place.done("backup", "GAME", "-o", str(place.path / "b.tar"))
    waiting = receipt(table, "wall A1", "one")
    shutil.rmtree(place.game)
    place.done("restore", str(place.path / "b.tar"), "--to", str(place.path / "back"))
    (found,) = (path.parent for path in (place.path / "back").rglob("game.toml"))
    Path(found).rename(place.game)
    why = ("--unseen", "--reason", "the disk broke")
    place.done("restore", "--go-on", "GAME", *why)
    assert place.numbers()[-1] == 4
    assert LOST in table.report("red").read_text("utf-8")
    code, text = close(table, waiting)
    assert (code, "proven, but for 3 rulings" in text) == (0, True), text


def test_one_lost_file_is_told_like_a_lost_desk(table: Table) -> None:
    """Found by an attack of 2026-11-22: no command said so or could rule it, and the archive was
    refused for good.
    """
    place = table.place
    told = receipt(table, "wall A1\nlater: wall A4", "one")
    place.done("resolve", "GAME")
    opened = place.file("opened.txt", table.report("red").read_bytes())
    for text in ("hello", "hello again"):
        place.done("amend", "GAME", "note", text)
    (place.game / "desk" / "hands" / "3.toml").unlink()
    assert "a ruling in state 6 says so" in place.done("resolve", "GAME")
    for _ in range(2):  # once
        assert "a ruling" not in place.done("resolve", "GAME")
    assert f"{LOST} 2 on" in table.report("red").read_text("utf-8")
    code, text = close(table, told)
    lost = "the pending orders before state 3 were lost, as a ruling says, so later orders"
    assert (code, lost in text) == (1, True), text
    code, text = close(table, told, opened)  # red's report has it
    assert (code, "proven, but for 4 rulings" in text) == (0, True), text


def test_a_backup_that_has_the_newest_state(table: Table) -> None:
    """Found by an attack of 2026-11-22: no newer state was lost, but an email that was answered;
    there was no ruling for that, and its receipt contradicted an honest referee.
    """
    place, why = table.place, ("--reason", "the disk broke")
    place.done("backup", "GAME", "-o", str(place.path / "b.tar"))
    waiting = receipt(table, "wall A1", "one")
    other = by_code(table, "later: wall A4", "two")
    shutil.rmtree(place.game)
    said = place.done("restore", str(place.path / "b.tar"), "--to", str(place.path / "back"))
    assert "if it lacks an email that pbem answered, and you cannot get that again" in said
    (found,) = (path.parent for path in (place.path / "back").rglob("game.toml"))
    assert f"pbem restore --go-on {found} --emails" in said
    Path(found).rename(place.game)
    assert place.run("restore", "--go-on", "GAME", *why).code == 1
    place.done("restore", "--nothing-lost", "GAME")
    again = by_code(table, "later: wall A6", "four")  # before anybody missed the first: its number
    said = place.done("restore", "--go-on", "GAME", "--emails", *why)
    assert "state 3 says that pending orders were lost" in said
    again_said = place.run("restore", "--go-on", "GAME", "--emails", *why).text
    assert "has this ruling already" in again_said
    report = table.report("red").read_text("utf-8")
    assert f"{LOST} 2 on" in report
    code, text = close(table, waiting, other, again)
    assert (code, "proven, but for 2 rulings" in text) == (0, True), text


def test_a_void_is_no_cloak(table: Table) -> None:
    """It stands in every report and in the audit, and excuses nothing older than it says."""
    place = table.place
    receipt(table, "wall A1\nlater: wall A4", "one")
    place.done("resolve", "GAME")
    shutil.rmtree(place.game / "desk" / "hand")  # as a cheat who wants to be rid of them
    place.done("resolve", "GAME")
    assert "rulings of the referee: void (state 4)" in place.done("verify", "GAME")
    assert LOST in table.report("red").read_text("utf-8")
    kept = place.game / "desk" / "hands" / "3.toml"  # before what the ruling names
    kept.write_bytes(kept.read_bytes().replace(b"wall A1", b"wall A2"))
    place.done(*CLOSE)
    said = place.run("audit", "GAME")
    assert said.code == 1
    assert "CONTRADICTED: state 3, the pending orders of red that it commits to are lost" in said.text
    assert LOST in said.text


def test_a_loss_that_no_ruling_tells_of(table: Table) -> None:
    """The same, and the memory of it is taken away too: no state says a word."""
    place = table.place
    receipt(table, "wall A1\nlater: wall A4", "one")
    place.done("resolve", "GAME")
    session = place.session()
    hand = session.pending_by_seat["red"]
    with session.folder.lock():
        session.store_pending("red", hand.with_groups([x._replace(orders=()) for x in hand.groups]))
    place.done(*CLOSE)
    said = place.run("audit", "GAME")
    assert said.code == 1
    assert "CONTRADICTED: state 4, `wall A4` of red was pending, and is gone" in said.text
