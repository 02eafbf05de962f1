"""What is said of things half done, and what is not done again. Found by pulling plugs in 2026-11.

Source: decision 0013; P8, P11.
"""

import os
import shutil
from pathlib import Path

import pytest
from services.amend.asked import undone

from . import games
from .games import Place, copied, one_line

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks and kills")

UNDO = ("amend", "GAME", "undo", "--reason", "a slip")


@pytest.fixture
def played(place: Place) -> Place:
    games.answer(place)
    games.answer(place)
    return place


@pytest.mark.attack(
    "the confirmation of a ruling is lost",
    by="if the referee types the ruling again, it is not made twice",
    who="machine",
)
def test_an_undo_typed_again_undoes_nothing_more(place: Place) -> None:
    """With a full drive while emails were written it said "run the command again", and that undid
    Ben's order after Ann's.
    """
    games.unseen(played := place)
    n = place.numbers()[-1] + 1
    counted = copied(played, played.path.with_name("count"))
    steps = counted.steps(*UNDO)
    k = next(i for i, step in enumerate(steps, 1) if f"reports/{n:04d}" in step)
    said = played.struck(k, "full", *UNDO)
    assert said.code == 1
    one_line(said)
    assert f"state {n} is saved, but cannot make" in said.text
    assert "run the command again" not in said.text
    said = played.run(*UNDO)
    assert said.code == 1
    assert f"state {n} has this ruling already, so it was not made again" in said.text
    assert played.numbers()[-1] == n
    assert (played.game / f"desk/reports/{n:04d}/spectators.txt").stat().st_size
    assert f"state {n + 1}" in undone(played, "--reason", "and the one before")


def test_a_second_address_for_the_same_reason_is_another_ruling(played: Place) -> None:
    words = ("amend", "GAME", "player", "red", "--reason", "a new address", "--address")
    played.done(*words, "a@example.org")
    assert played.run(*words, "a@example.org").code == 1
    played.done(*words, "b@example.org")
    assert played.session().players.seats["red"].address == "b@example.org"


@pytest.mark.attack(
    "an old backup is restored on a new machine", by="pbem asks whether any player has a newer report", who="machine"
)
def test_an_older_backup_on_a_new_machine(played: Place) -> None:
    """It forked history, and the honest referee could not say that states were lost."""
    played.done("backup", "GAME", "-o", str(played.path / "old.pbem"))
    games.answer(played)
    lost = played.file("lost.txt", (played.game / "desk/reports/0005/red.txt").read_bytes())
    shutil.rmtree(played.game)
    shutil.rmtree(played.home / "marks")
    said = played.done("restore", str(played.path / "old.pbem"), "--to", "GAME")
    assert "pbem restore --go-on" in said
    assert "--unseen" in said
    assert "does a player have a report of a later state?" in played.run("resolve", "GAME").text.lower()
    words = ("restore", "--go-on", "GAME", "--reason", "the disk broke")
    assert "state 4 as state 5" in played.done(*words, "--unseen")
    assert played.run(*words, "--unseen").code == 1
    assert "LOST" in played.run("verify", "GAME", lost).text
    assert played.numbers()[-1] == 6  # and that what waited was lost


def test_status_says_when_a_folder_is_behind(played: Place) -> None:
    shutil.copytree(played.game, played.path / "older")
    games.answer(played)
    assert "BEHIND" not in played.done("status", "GAME")
    shutil.rmtree(played.game)
    shutil.move(played.path / "older", played.game)
    assert "BEHIND: this machine has seen state 5" in played.done("status", "GAME")
    assert '"behind": 5' in played.done("status", "GAME", "--json")


def test_nothing_says_not_genuine_of_a_game_that_was_cut_short(played: Place) -> None:
    """Between state and game.toml; `archive` and `backup` name what is missing."""
    shutil.copy(played.game / "states" / "0003.toml", played.game / "game.toml")
    said = played.done("verify", "GAME")
    assert "genuine: game" in said
    assert "a command was cut short after state 4 was saved" in said
    for command in ("archive", "backup"):
        more = ("--unfinished",) if command == "archive" else ()
        said = played.done(command, "GAME", "-o", str(played.path / command), *more)
        assert "cut short after state 4" in said
    played.done("resolve", "GAME")
    assert "cut short" not in played.done("verify", "GAME")


@pytest.mark.parametrize("name", ["spectators.view.toml", "red.view.toml", "blue.txt"])
def test_an_empty_file_is_written_again(played: Place, name: str) -> None:
    """A power cut left seven of them; only names were looked at."""
    path = played.game / "desk" / "reports" / "0004" / name
    whole = path.read_bytes()
    path.write_bytes(b"")
    played.done("resolve", "GAME")
    assert path.read_bytes() == whole
    (mail,) = (played.game / "desk" / "outbox").glob("0004-*.eml")
    whole = mail.read_bytes()
    mail.write_bytes(b"")
    played.done("resolve", "GAME")
    assert mail.read_bytes() == whole
    mail.unlink()
    played.done("resolve", "GAME")
    assert not mail.exists()  # it was sent


def test_key_new_where_one_key_is(tmp_path: Path) -> None:
    """With recovery.key alone there it failed, and yet wrote acting.key."""
    place = games.fresh(tmp_path / "one")
    (place.home / "keys" / "acting.key").unlink()
    assert place.run("key", "new").code == 1
    assert not (place.home / "keys" / "acting.key").exists()


@pytest.mark.parametrize("words", [("key", "new", "--passphrase"), ("key", "passphrase")])
def test_keys_that_are_not_in_their_place_are_not_called_locked(
    tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last rename failed, and `key passphrase` said "is locked" of a file that was not."""
    place = games.fresh(tmp_path / "one")
    for name in ("PBEM_PASSPHRASE_FILE", "PBEM_NEW_PASSPHRASE_FILE"):
        path = Path(place.file("phrase", "a new passphrase\n"))
        path.chmod(0o600)
        monkeypatch.setenv(name, str(path))
    monkeypatch.setattr("pbem.crypto.keys.LOCK_N", 1 << 4)
    if words == ("key", "new", "--passphrase"):
        shutil.rmtree(place.home / "keys")
    steps = copied(place, tmp_path / "count").steps(*words)
    k = next(i for i, step in enumerate(steps, 1) if step.endswith("home/keys/acting.key"))
    said = place.struck(k, "EIO", *words)
    assert said.code == 2
    one_line(said)
    assert "the new keys count, but are not all in their place" in said.text
    assert "is locked" not in said.text
    told = place.done("key", "show")
    assert "The keys are locked" in told
    assert f"It is in {place.home}/keys/acting.key" in told
    assert (place.home / "keys" / "acting.key").read_bytes().startswith(b"pbem-locked-")


def test_a_game_whose_making_was_cut_short_was_seen_here(tmp_path: Path) -> None:
    """Killed after the folder had its name, the next command said "this machine has not seen this
    game"; and with a full drive, that the game is dealt.
    """
    place = games.fresh(tmp_path / "one")
    new = ("new", "GAME", "--game", "chang-cheng", "--player", "red=Ann", "--player", "blue=Bob")
    steps = copied(place, tmp_path / "count").steps(*new, "--deal")
    named = next(i for i, step in enumerate(steps, 1) if step.endswith("count/game"))
    for how in ("before", "full"):
        for k in range(named, len(steps) + 1):
            struck = copied(place, tmp_path / f"{how}{k}")
            struck.struck(k, how, *new, "--deal")
            assert struck.game.exists() == (k > named or how == "full"), steps[k - 1]
            if struck.game.exists():
                assert "has not seen" not in struck.done("resolve", "GAME")


def test_what_was_left_beside_a_backup_goes(played: Place) -> None:
    """With all secrets in it. One that a command is still writing stays."""
    from pbem.disk.system import mark_busy

    for name in ("left", "used"):
        (played.path / f".pbem-tmp-{name}").write_bytes(b"secret")
    with mark_busy(played.path / ".pbem-tmp-used"):
        played.done("backup", "GAME", "-o", str(played.path / "one.pbem"))
    assert [path.name for path in played.path.glob(".pbem-*")] == [".pbem-tmp-used"]


def test_what_was_left_in_the_home_goes(tmp_path: Path) -> None:
    """An unlocked root lay there, while `key show` said that it was locked."""
    place = games.fresh(tmp_path / "one")
    left = place.home / ".pbem-tmp-left"
    left.write_bytes(b"root")
    place.done("key", "show")
    assert not left.exists()
