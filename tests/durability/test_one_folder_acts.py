"""One folder of a game acts, and a restored one only after the referee's word. Decision 0025.

Each of these did harm before, in the attack of 27 November 2026: copies, planted desks, other
people's outboxes, restored games.
"""

import re
import shutil
from pathlib import Path

import pytest
from services.amend.test_keys import run_at
from transport.conftest import certificates, dealt, desk, maildir
from transport.desk import Desk
from transport.servers import Server
from transport.test_fetch_files import put
from transport.test_tick import ready, server

from pbem.disk.home import Home
from pbem.services.session.keys import write_new_keys

from . import games
from .games import Place, copied, fingerprint, points, tree

__all__ = ["certificates", "dealt", "desk", "maildir", "ready", "server"]
LOST = ("restore", "--nothing-lost", "GAME")
GO_ON = ("restore", "--go-on", "GAME", "--unseen", "--reason", "the disk broke")
WRITING = (("resolve", "GAME"), ("report", "GAME", "--player", "red"), ("amend", "GAME", "note", "hello"))
READING = (("show", "GAME"), ("status", "GAME"), ("verify", "GAME"), ("legal", "GAME"))


def public_copy(place: Place, name: str) -> Path:
    """What README says may be shared with anybody."""
    to = place.path / name
    to.mkdir(parents=True)
    shutil.copy(place.game / "game.toml", to)
    shutil.copytree(place.game / "states", to / "states")
    return to


def planted(ready: Desk, name: str) -> Path:
    """The public files, with a desk whose addresses are strangers', and an email to one."""
    to = public_copy(ready.place, name)
    (to / "desk" / "outbox").mkdir(parents=True)
    people = (ready.game / "desk/players.toml").read_text()
    people = people.replace("ann@example.org", "stranger@example.org")
    (to / "desk/players.toml").write_text(people)
    mail = next((ready.game / "desk/sent").iterdir()).read_text()
    mail = mail.replace("bob@", "stranger@").replace("ann@", "stranger@").replace("<", "<x", 1)
    (to / "desk/outbox/0001-red.eml").write_text(mail)
    return to


@pytest.mark.attack(
    "make pbem run a game from a copy of its public files", by="not possible: pbem skips such a copy", who="finder"
)
def test_a_copy_of_the_public_files_is_named_and_passed_over(ready: Desk, maildir: Path) -> None:
    copy = public_copy(ready.place, "copy")
    before, root = fingerprint(copy), str(ready.place.path)
    said = ready.done("tick", root)
    assert f"{copy} is a copy: this game is played in {ready.game}" in said
    put(maildir, ready.mail(ready.order()), "1.a.host")
    assert "1 email received: accepted" in ready.done("tick", root)
    ready.later(10)
    assert "played" in ready.done("tick", root)
    for words in WRITING:
        assert ready.run(*(str(copy) if word == "GAME" else word for word in words)).code == 1
    for words in READING:
        ready.done(*(str(copy) if word == "GAME" else word for word in words))
    assert fingerprint(copy) == before


@pytest.mark.attack(
    "add a false private folder with different addresses", by="not possible: pbem sends nothing from it", who="finder"
)
def test_a_planted_desk_gets_nothing_sent(ready: Desk, server: Server) -> None:
    to = planted(ready, "planted")
    before, root = tree(to), str(ready.place.path)
    for words in (("tick", root), ("tick", str(to)), ("send", str(to)), ("send", root)):
        said = ready.run(*words)
        assert said.code == 1
        assert "are not those that this home wrote there" in said.text
    ready.later(24 * 60)
    ready.run("tick", root)
    assert server.inbox.mails == []
    assert tree(to) == before


def test_nor_does_an_old_desk_with_another_address(ready: Desk, server: Server) -> None:
    to = ready.place.path / "old"
    shutil.copytree(ready.game, to)
    path = to / "desk/players.toml"
    path.write_text(path.read_text().replace("ann@example.org", "stranger@example.org"))
    shutil.move(to / "desk/sent", to / "desk/outbox2")
    shutil.rmtree(to / "desk/outbox", ignore_errors=True)
    shutil.move(to / "desk/outbox2", to / "desk/outbox")
    shutil.move(ready.game, ready.place.path / ".away")  # even where nothing else is there
    assert "are not those" in ready.run("tick", str(to)).text
    assert server.inbox.mails == []


@pytest.mark.attack(
    "make pbem run a game from a complete copy", by="not possible: pbem skips such a copy", who="finder"
)
def test_orders_never_go_to_a_whole_copy(ready: Desk, maildir: Path, server: Server) -> None:
    copy = ready.place.path / "a-copy"
    shutil.copytree(ready.game, copy)
    shutil.copytree(copy / "desk/sent", copy / "desk/outbox", dirs_exist_ok=True)
    before, order = fingerprint(copy), ready.order()
    put(maildir, ready.mail(order), "1.a.host")
    assert f"{ready.game}: 1 email received: accepted" in ready.done("tick", str(ready.place.path))
    assert ready.lines() == [order]
    assert fingerprint(copy) == before
    assert len(server.inbox.mails) == 1
    said = ready.run("receive", str(copy), ready.place.file("m.eml", ready.mail(order)))
    assert (said.code, "is a copy" in said.text) == (1, True)


def test_the_outbox_of_another_referee_stays_there(ready: Desk, server: Server) -> None:
    other = games.fresh(ready.place.path / "other")
    write_new_keys(Home(ready.place.path / "rita"), {"acting": b"r" * 32, "recovery": b"s" * 32})
    new = ["new", str(other.game), "--game", "chang-cheng", "--deal", "--referee"]
    new += ["Ref,ref@example.org", "--player", "red=X,x@example.org"]
    run_at(ready.place, ready.place.path / "rita", *new, "--player", "blue=Y,y@example.org")
    assert len([*(other.game / "desk/outbox").iterdir()]) == 2
    for words in (("tick", str(ready.place.path)), ("send", str(other.game))):
        assert ready.run(*words).code in (0, 1)
        assert server.inbox.mails == []


@pytest.mark.parametrize("way", ["edited", "put back", "deleted"])
def test_other_addresses_count_after_adopt(way: str, ready: Desk, server: Server) -> None:
    path = ready.game / "desk/players.toml"
    before = path.read_bytes()
    ready.done("amend", "GAME", "player", "red", "--address", "new@example.org", "--reason", "a new address")
    path.write_bytes(before if way == "put back" else path.read_bytes().replace(b"new@", b"old@"))
    if way == "deleted":
        path.unlink()
    for words in (*WRITING, ("send", "GAME")):
        said = ready.run(*words)
        assert (said.code, "pbem adopt" in said.text) == (1, True), words
    assert server.inbox.mails == []
    whom = ready.done("adopt", "GAME")
    if way == "edited":
        assert "writes to Ann <old@example.org> (red)" in whom
        assert "writes to <new@example.org> (waits in desk/outbox)" in whom
        assert "sent" in ready.done("send", "GAME")
    elif way == "deleted":
        assert "writes to Ann (no address) (red)" in whom
        assert "pbem restore --nothing-lost" in whom


def test_a_folder_that_was_moved_goes_on(ready: Desk, maildir: Path) -> None:
    put(maildir, ready.mail(ready.order()), "1.a.host")
    to = ready.place.path / "games" / "moved"
    to.parent.mkdir()
    shutil.move(ready.game, to)
    assert f"{to}: 1 email received: accepted" in ready.done("tick", str(to.parent))
    shutil.copytree(to, ready.game)
    assert "is a copy" in ready.run("resolve", "GAME").text


def test_a_drive_that_is_not_there_is_not_taken_for_a_move(scored: Place, tmp_path: Path) -> None:
    place = copied(scored, tmp_path / "one")
    drive, copy = place.path / "drive", place.path / "copy"
    drive.mkdir()
    shutil.move(place.game, drive / "game")
    place.done("resolve", str(drive / "game"))
    shutil.copytree(drive / "game", copy)
    drive.rename(place.path / "unplugged")
    assert "is a copy" in place.run("resolve", str(copy)).text
    drive.mkdir()  # the empty folder on which it is mounted, were it that of the game
    drive.rmdir()
    (place.path / "unplugged").rename(drive)
    place.done("resolve", str(drive / "game"))


def test_adopt_retires_the_other_folder(ready: Desk, maildir: Path) -> None:
    copy = ready.place.path / "copy"
    shutil.copytree(ready.game, copy)
    said = ready.done("adopt", str(copy))
    assert "writes to Ann <ann@example.org> (red)" in said
    assert f"{ready.game} no longer plays it" in said
    put(maildir, ready.mail(ready.order()), "1.a.host")
    said = ready.run("tick", str(ready.place.path)).text
    assert f"{ready.game} is a copy: this game is played in {copy}" in said
    assert f"{copy} was restored, so pbem fetches, plays and sends nothing for it" in said
    ready.done("restore", "--nothing-lost", str(copy))
    assert f"{copy}: 1 email received: accepted" in ready.done("tick", str(ready.place.path))
    ready.done("adopt", "GAME")
    assert f"{copy} is a copy" in ready.run("resolve", str(copy)).text


def of_before(place: Place) -> None:
    """The home and the desk as releases before this one wrote them."""
    shutil.rmtree(place.home / "folders")
    (place.home / "keys" / "folders.key").unlink()
    path = place.game / "desk/players.toml"
    path.write_text(re.sub("home = .*\n", "", path.read_text()))


def test_a_home_of_before_adopts_its_own_folder_by_itself(ready: Desk, maildir: Path) -> None:
    of_before(ready.place)
    put(maildir, ready.mail(ready.order()), "1.a.host")
    assert "1 email received: accepted" in ready.done("tick", "GAME")
    public_copy(ready.place, "copy")
    assert "is a copy" in ready.done("tick", str(ready.place.path))


@pytest.mark.parametrize("lacks", ["mark", "secret", "another copy"])
def test_but_none_that_nothing_bears_out(lacks: str, ready: Desk, maildir: Path) -> None:
    of_before(ready.place)
    roots = str(ready.place.path)
    if lacks == "mark":
        shutil.rmtree(ready.place.home / "marks")
    elif lacks == "secret":
        (ready.game / "desk/secret").unlink()
    else:
        shutil.copytree(ready.game, ready.place.path / "a-copy")
    put(maildir, ready.mail(ready.order()), "1.a.host")
    said = ready.run("tick", roots)
    assert (said.code, "pbem adopt" in said.text) == (1, True)
    assert ready.lines() == []
    ready.done("adopt", "GAME")
    assert "was restored, so pbem fetches" in ready.run("tick", roots).text


def test_a_folder_that_is_new_to_a_home_counts_as_restored(ready: Desk, tmp_path: Path) -> None:
    home = tmp_path / "second"
    home.mkdir(0o700)
    shutil.copytree(ready.place.home / "keys", home / "keys")
    (home / "keys" / "folders.key").unlink()
    for words in (*WRITING, LOST, GO_ON):
        said = run_at(ready.place, home, *words)
        assert (said.code, "pbem adopt" in said.text) == (1, True), words
    for words in READING:
        assert run_at(ready.place, home, *words).code == 0
    assert run_at(ready.place, home, "adopt", "GAME").code == 0
    assert "--nothing-lost" in run_at(ready.place, home, "resolve", "GAME").text
    assert run_at(ready.place, home, *LOST).code == 0
    assert run_at(ready.place, home, "resolve", "GAME").code == 0


def restored(desk: Desk) -> None:
    """From a backup, on the machine that lost the folder."""
    path = str(desk.place.path / "b.tar.gz")
    desk.done("backup", "GAME", "-o", path)
    shutil.rmtree(desk.game)
    said = desk.done("restore", path, "--to", "GAME")
    assert "writes to Bob <bob@example.org> (blue)" in said
    assert f"pbem restore --nothing-lost {desk.game}" in said


@pytest.mark.attack(
    "make a restored game send emails before the referee decides",
    by="not possible: pbem waits for the decision",
    who="finder",
)
def test_a_restored_game_does_nothing_before_the_referee_decides(ready: Desk, maildir: Path, server: Server) -> None:
    ready.done("amend", "GAME", "clock", "turn=1d", "missed=default", "--reason", "now")
    restored(ready)
    order = ready.order()
    put(maildir, ready.mail(order), "1.a.host")
    before = tree(ready.game)
    for _ in range(3):
        ready.later(24 * 60)
        said = ready.run("tick", "GAME")
        assert (said.code, said.text.count("was restored, so pbem fetches")) == (1, 1)
    for words in (*WRITING, ("send", "GAME"), ("fetch", "GAME")):
        assert "was restored, so pbem fetches" in ready.run(*words).text, words
    assert server.inbox.mails == []
    assert tree(ready.game) == before
    assert "continues from state" in ready.done(*LOST)
    after = ready.run("tick", "GAME").text
    assert "1 email received: accepted" in after
    assert "missed turn" not in after
    ready.done(*LOST)


def test_an_email_for_it_is_held_while_other_games_go_on(ready: Desk, maildir: Path) -> None:
    other = ready.place.path / "two"
    ready.done(
        "new", str(other), "--game", "chang-cheng", "--deal", "--referee", "Ref,ref@example.org",
        "--player", "red=Cat,cat@example.org", "--player", "blue=Dan,dan@example.org",
    )  # fmt: skip
    restored(ready)
    put(maildir, ready.mail(ready.order()), "1.a.host")
    for _ in range(5):  # more often than a broken email is tried
        said = ready.run("tick", str(ready.place.path))
        assert "accepted" not in said.text
    ready.run(*GO_ON)
    put(maildir, ready.mail("help", "m2"), "2.a.host")
    after = ready.run("tick", str(ready.place.path)).text
    assert f"{ready.game}: 2 emails received: " in after  # its code is void: it was taken, and told so


def test_a_restored_folder_is_not_taken_for_the_old_one_that_was_moved(ready: Desk) -> None:
    """Its addresses are signed by this home, and the old folder is gone."""
    restored(ready)
    shutil.move(ready.game, ready.place.path / "moved")
    assert "was restored" in ready.run("resolve", str(ready.place.path / "moved")).text


def test_after_a_handing_over_this_machine_sends_nothing(ready: Desk, server: Server) -> None:
    write_new_keys(Home(ready.place.path / "second"), {"acting": b"x" * 32, "recovery": b"y" * 32})
    line = run_at(ready.place, ready.place.path / "second", "key", "show", "--export").text
    words = ("keys", "--to", ready.place.file("new.pub", line), "--reason", "holidays")
    ready.done("amend", "GAME", *words, "--referee", "Tom,tom@example.org")
    assert ready.marked("outbox")
    ready.run("tick", "GAME")
    assert "handed this game over" in ready.run("send", "GAME").text
    assert server.inbox.mails == []


@pytest.mark.parametrize("command", ["restore", "adopt", "decide", "go on"])
def test_killed_anywhere_it_never_acts_undecided(command: str, scored: Place, tmp_path: Path) -> None:
    base = copied(scored, tmp_path / "base")
    base.done("backup", "GAME", "-o", str(base.path / "b.tar.gz"))
    shutil.copytree(base.game, base.path / "copy")
    if command in ("decide", "go on"):
        base.done("adopt", str(base.path / "copy"))
    to = {"restore": "restored"}.get(command, "copy")

    def words(place: Place) -> tuple[str, ...]:
        folder = str(place.path / to)
        return {
            "restore": ("restore", str(place.path / "b.tar.gz"), "--to", folder),
            "adopt": ("adopt", folder),
            "decide": ("restore", "--nothing-lost", folder),
            "go on": ("restore", "--go-on", folder, "--unseen", "--reason", "why"),
        }[command]

    counted = copied(base, tmp_path / "count")
    number = len(counted.steps(*words(counted)))
    for k in points(number):
        place = copied(base, tmp_path / str(k))
        folder, before = place.path / to, place.numbers()
        place.struck(k, "half", *words(place))
        said = place.run("amend", str(folder), "note", "hello")
        if command in ("restore", "adopt"):
            assert said.code != 0, k  # nobody has decided
        if folder.exists():
            place.run("adopt", str(folder))
            again = words(place) if command == "go on" else ("restore", "--nothing-lost", str(folder))
            again_said = place.run(*again)
            assert again_said.code == 0 or "already" in again_said.text, (k, again_said.text)
            place.done("resolve", str(folder))
        assert place.run("resolve", "GAME").code == (1 if folder.exists() else 0), k
        assert place.numbers() == before
        shutil.rmtree(place.path)
