"""Referees' keys: handed over, recovered, locked; who holds the old one can write no more."""

import io
import os
import pty
import re
import stat
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from durability import games

from pbem.cli import run
from pbem.crypto import keys
from pbem.crypto.keys import format_key, lock_key, read_public_keys, unlock_key
from pbem.disk.home import Home
from pbem.errors import BadInput, Refused
from pbem.services.session.keys import unlock_key_file, write_new_keys

PHRASE, OTHER = "correct horse battery", "staple horse correct"


@pytest.fixture
def soon_unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second a passphrase is for thieves; processes of their own take it."""
    monkeypatch.setattr(keys, "LOCK_N", 1 << 4)


class Machine:
    """Commands on a game with the keys of another home."""

    def __init__(self, place: Any, home: Path) -> None:
        self.place, self.home = place, home

    def run(self, *words: str) -> Any:
        return run_at(self.place, self.home, *words)

    def done(self, *words: str) -> str:
        said = self.run(*words)
        assert said.code == 0, said.text
        return str(said.text)

    def adopted(self) -> None:
        self.done("adopt", "GAME")
        self.done("restore", "--nothing-lost", "GAME")


def run_at(place: Any, home: Path, *words: str) -> Any:
    """A command on the game of ``place`` with the keys in ``home``."""
    before = os.environ.get("PBEM_HOME", "")
    os.environ.update({**place.env(), "PBEM_HOME": str(home)})
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = run([str(place.game) if word == "GAME" else word for word in words])
    os.environ["PBEM_HOME"] = before
    return games.Said(code, out.getvalue())


@pytest.fixture
def machine(place: Any) -> Machine:
    home = place.path / "second"
    write_new_keys(Home(home), {"acting": b"x" * 32, "recovery": b"y" * 32})
    return Machine(place, home)


def exported(machine: Machine) -> str:
    line = machine.done("key", "show", "--export")
    return str(machine.place.file("new.pub", line))


def test_a_hand_over(place: Any, machine: Machine) -> None:
    """The new key goes on, the old one is told so; verify follows the keys from the genesis."""
    assert machine.run("resolve", "GAME").code == 1
    place.done("amend", "GAME", "keys", "--to", exported(machine), "--reason", "holidays")
    n = place.session().record.n
    games.one_line(refused := place.run("resolve", "GAME"))
    assert refused.code == 1
    assert "you have handed this game over: key " in refused.text
    mail = place.mail("red", "help", "help.eml")
    assert place.run("receive", "GAME", mail).code == 1
    machine.adopted()
    assert machine.run("receive", "GAME", mail).code == 1  # its code is void now
    machine.done("amend", "GAME", "note", "the new one is here")
    for command in ("status", "show", "verify"):
        place.done(command, "GAME")
        machine.done(command, "GAME")
    for k in (n - 1, n, n + 1):
        report = place.game / f"desk/reports/{k:04d}/red.txt"
        if report.exists():
            assert "genuine" in place.done("verify", "GAME", str(report))
        assert "genuine" in place.done("verify", str(place.game / f"states/{k:04d}.toml"))


def test_the_former_referee_cannot_play_for_anybody(place: Any, machine: Machine) -> None:
    """Found by an attack of 2026-11: the reply codes stayed, which the former referee knows, and
    so does anyone who has an old backup.
    """
    old, code = place.mail("red", "withdraw", "old.eml"), place.session().code("red")
    place.done("amend", "GAME", "keys", "--to", exported(machine), "--reason", "holidays")
    machine.adopted()
    said = machine.run("receive", "GAME", old)
    assert said.code == 1
    assert "not accepted: that question is settled" in said.text
    assert "the reply codes are those of the referee before, so they are void" in said.text
    assert code not in reports(place, place.session().record.n)["red"]
    kept = (place.game / "desk/codes").read_bytes()
    # found by reading the change: the former referee, refused, made codes of their own once more
    assert place.run("resolve", "GAME").code == 1
    assert (place.game / "desk/codes").read_bytes() == kept
    machine.done("amend", "GAME", "note", "the codes stay from here on")
    assert (place.game / "desk/codes").read_bytes() == kept


def reports(place: Any, n: int) -> dict[str, str]:
    folder = place.game / f"desk/reports/{n:04d}"
    return {name: (folder / f"{name}.txt").read_text() for name in ("red", "blue", "spectators")}


def test_players_read_who_the_new_referee_is_and_how_to_check_it(place: Any, machine: Machine) -> None:
    """Found by a review of hand-over: mails went on in the old name, from the old address."""
    words = ("--to", exported(machine), "--referee", "Rosa Luz,rosa@else.org")
    said = place.done("amend", "GAME", "keys", *words, "--reason", "holidays")
    assert "the emails of this state and all later ones are from Rosa Luz <rosa@else.org>" in said
    n = place.session().record.n
    for name, text in reports(place, n).items():
        assert "- Rosa Luz is the referee from now on, appointed by the referee before" in text
        assert "This is the last report that the old key signs" in text
        assert "`pbem verify` with the game's folder" in text
        # found by a newcomer, 27 November 2026: an answer to it was refused, its codes were void
        assert "YOUR TURN" not in text
        assert "[pbem " not in text
        answer = "You cannot give orders by this email. Wait for the next one."
        assert (answer in text) == (name != "spectators")
        where = "Write to Rosa Luz <rosa@else.org> from now on"
        assert (where in text) == (name != "spectators")
        assert ("rosa@" in text) == (name != "spectators")
    for state in (place.game / "states").iterdir():
        assert b"else.org" not in state.read_bytes()
    told = re.findall(r"^ *key (\S{43})$", reports(place, n)["red"], re.MULTILINE)
    machine.adopted()
    machine.done("amend", "GAME", "note", "here I am")
    again = reports(place, n)["red"]  # it went out once more, with new codes
    assert "This report is signed with the new key." in " ".join(again.split())
    assert "YOUR TURN" in reports(place, n)[games.asked(place)]
    now = re.findall(r"^key (\S{43})$", reports(place, n + 1)["red"], re.MULTILINE)
    assert told[0] == now[0] != told[1]
    assert "WHO SIGNS" not in reports(place, n + 1)["red"]
    machine.done("receive", "GAME", place.mail("red", "help", "help.eml"))
    for mail in (f"{n:04d}-red", f"{n:04d}-blue", f"{n + 1:04d}-red"):
        text = (place.game / f"desk/outbox/{mail}.eml").read_text()
        assert text.startswith("From: Rosa Luz <rosa@else.org>\n")
    newest = max((place.game / "desk/outbox").glob("receipt-red-*.eml"))
    assert newest.read_text().startswith("From: Rosa Luz <rosa@else.org>\n")
    machine.done("verify", "GAME")


def test_the_states_before_a_hand_over_count(place: Any, machine: Machine) -> None:
    """Found by a newcomer, 27 November 2026: all that the former referee had signed was lost to the
    new one, so that nothing before it could be undone and no deadline moved.
    """
    games.answer(place)
    n = place.session().record.n
    place.done("amend", "GAME", "keys", "--to", exported(machine), "--reason", "holidays")
    chronicle = machine.done("history", "GAME")
    assert "lost" not in chronicle
    assert f"State {n}" in chronicle
    machine.adopted()
    machine.done("amend", "GAME", "undo", "--reason", "sent by mistake")
    assert "lost" not in machine.done("history", "GAME")


def test_a_dry_hand_over_writes_no_new_referee(place: Any, machine: Machine) -> None:
    before = games.tree(place.game)
    words = ("--to", exported(machine), "--referee", "Rosa,rosa@else.org", "--reason", "holidays")
    said = place.done("amend", "GAME", "keys", *words, "--dry-run")
    assert "Rosa is the referee from now on" in said
    assert games.tree(place.game) == before
    bad = place.run("amend", "GAME", "keys", *words[:3], "Rosa,nowhere", *words[4:])
    assert bad.code == 2
    games.one_line(bad)


def test_without_a_name_it_is_the_same_referee(place: Any, machine: Machine) -> None:
    said = place.done("amend", "GAME", "keys", "--to", exported(machine), "--reason", "a new disk")
    assert "players still write to Ref <ref@example.org>" in said
    # found by a review: it named an option of the command that was done by then
    assert "desk/players.toml, under [referee]" in said
    assert "--referee" not in said
    text = reports(place, place.session().record.n)["red"]
    assert "- The referee has another key from now on" in text
    assert "Write to" not in text


def test_the_new_referee_needs_no_desk(place: Any, machine: Machine) -> None:
    """The secret is wrapped to his key in the state; reports he writes again are genuine."""
    place.done("amend", "GAME", "keys", "--to", exported(machine), "--reason", "holidays")
    (place.game / "desk").rename(place.path / "desk-kept")
    assert "Ann (no address) (red)" in machine.done("adopt", "GAME")
    machine.adopted()
    machine.done("resolve", "GAME")
    old, new = (place.path / "desk-kept/secret"), (place.game / "desk/secret")
    assert new.read_bytes() == old.read_bytes()
    n = max((place.game / "desk/reports").iterdir()).name
    place.done("verify", "GAME", str(place.game / f"desk/reports/{n}/blue.txt"))


@pytest.mark.attack("sign a state with the old key after a recovery", by="refused", who="thief")
def test_recovery(place: Any, machine: Machine) -> None:
    """The acting key is lost or stolen: the recovery key appoints both anew."""
    recovery = place.home / "keys" / "recovery.key"
    (place.home / "keys" / "acting.key").unlink()
    said = machine.done("amend", "GAME", "keys", "--recover", str(recovery), "--reason", "stolen")
    assert "appointed by the recovery key" in said
    told = reports(place, max(place.numbers()))["red"]
    assert "This report is signed with the new key" in told
    machine.adopted()
    machine.done("resolve", "GAME")
    machine.done("amend", "GAME", "note", "all is well again")
    assert "keys (state" in machine.done("verify", "GAME")
    again = machine.run("amend", "GAME", "keys", "--recover", str(recovery), "--reason", "again")
    assert again.code == 1
    assert "not the recovery key in force" in again.text


def test_a_key_that_no_referee_appointed(place: Any, machine: Machine) -> None:
    thief = place.path / "thief"
    write_new_keys(Home(thief), {"acting": b"q" * 32, "recovery": b"r" * 32})
    before = games.tree(place.game)
    for file in ("recovery.key", "acting.key"):
        said = machine.run("amend", "GAME", "keys", "--recover", str(thief / "keys" / file), "--reason", "mine")
        assert said.code in (1, 2)
        games.one_line(said)
    assert machine.run("amend", "GAME", "note", "I write here too").code == 1
    assert games.tree(place.game) == before


@pytest.mark.usefixtures("soon_unlocked")
def test_locking() -> None:
    text = lock_key(b"k" * 32, PHRASE, bytes(28))
    assert text == lock_key(b"k" * 32, PHRASE, bytes(28))
    assert unlock_key(text, PHRASE) == b"k" * 32
    assert unlock_key(lock_key(b"k" * 32, "Käse und Brot", bytes(28)), "Ka\u0308se und Brot") == b"k" * 32
    lines = text.split("\n")
    other = lock_key(b"o" * 32, PHRASE, bytes(28)).split("\n")
    assert read_public_keys(text) != read_public_keys("\n".join(other))
    for at in (1, 2, 3):  # each line of another file: the halves, the salt, the box
        changed = [*lines[:at], other[at], *lines[at + 1 :]]
        if changed != lines:
            with pytest.raises(Refused, match="does not open"):
                unlock_key("\n".join(changed), PHRASE)
    for bad in ("\n".join(lines[:3]), text.replace("key 1", "key 2"), text[:-9], ""):
        with pytest.raises(BadInput, match="cannot be read"):
            unlock_key(bad, PHRASE)
    with pytest.raises(Refused):
        unlock_key(text, PHRASE + " ")
    with pytest.raises(BadInput, match="at least"):
        lock_key(b"k" * 32, "short")


def phrase(place: Any, name: str, text: str, mode: int = 0o600) -> str:
    path = Path(place.file(name, text + "\n"))
    path.chmod(mode)
    return str(path)


@pytest.mark.usefixtures("soon_unlocked")
def test_a_passphrase_from_the_first_key_to_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = games.Place(tmp_path)
    one, two = phrase(place, "one", PHRASE), phrase(place, "two", OTHER)
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", one)
    assert "passphrase" in place.done("key", "new", "--passphrase")
    keys = place.home / "keys"
    for name in ("acting", "recovery"):
        path = keys / f"{name}.key"
        assert path.read_text().startswith("pbem-locked-referee-key 1\n")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    words = ("--player", "red=Ann", "--player", "blue=Bob", "--game", "chang-cheng")
    place.done("new", "GAME", *words)
    monkeypatch.setenv("PBEM_NEW_PASSPHRASE_FILE", two)
    place.done("key", "passphrase")
    forgotten = place.run("resolve", "GAME").text
    assert "does not open" in forgotten
    # found by a review: it said that the recovery key opens the games, locked as it was
    assert "recovery.key is locked too: if the passphrase of both is forgotten" in forgotten
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", two)
    place.done("resolve", "GAME")
    monkeypatch.delenv("PBEM_PASSPHRASE_FILE")
    for command in ("status", "show", "verify"):  # they need no secret
        place.done(command, "GAME")
    unlock_key_file.cache_clear()  # each command is a process of its own
    shown = place.done("key", "show")
    assert "locked with a passphrase" in shown
    said = place.run("resolve", "GAME")
    assert said.code == 1
    games.one_line(said)
    assert "no terminal" in said.text
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", two)
    place.done("key", "passphrase", "--remove")
    assert (keys / "acting.key").read_text().startswith("pbem-referee-key 1\n")
    monkeypatch.delenv("PBEM_PASSPHRASE_FILE")
    place.done("resolve", "GAME")


def prompts(place: Any, answers: list[str], *words: str) -> list[str]:
    """What a command asks for at a terminal, where these are typed."""
    pid, end = pty.fork()
    if not pid:
        line = [sys.executable, "-m", "pbem", *words]
        os.execvpe(line[0], line, place.process_env())
    told, left = "", list(answers)
    while True:
        try:
            told += os.read(end, 4096).decode().replace("\r", "")
        except OSError:  # it has ended
            break
        if told.endswith(": ") and left:
            os.write(end, f"{left.pop(0)}\n".encode())
    os.close(end)
    os.waitpid(pid, 0)
    return [line.strip() for line in told.split("\n") if line.endswith(": ")]


def test_a_passphrase_is_asked_for_once_and_by_the_name_of_its_key(tmp_path: Path) -> None:
    """Found by a review of keys: the same words asked for it twice, once for each key."""
    place = games.Place(tmp_path)
    new = "New passphrase, at least 10 letters:"
    asked = prompts(place, [PHRASE, PHRASE], "key", "new", "--passphrase")
    assert asked == [new, "The same once more:"]
    one = f"Passphrase of the key {place.home}/keys/acting.key:"
    asked = prompts(place, [PHRASE, OTHER, OTHER], "key", "passphrase")
    assert asked == [one, new, "The same once more:"]
    recovery = place.home / "keys" / "recovery.key"
    recovery.write_text(lock_key(unlock_key(recovery.read_text(), OTHER), PHRASE))
    asked = prompts(place, [OTHER, PHRASE], "key", "passphrase", "--remove")
    assert asked == [one, f"Passphrase of the key {recovery}:"]
    assert recovery.read_text().startswith("pbem-referee-key 1\n")


@pytest.mark.attack("use a key file that has a passphrase", by="not possible without the passphrase", who="thief")
@pytest.mark.usefixtures("soon_unlocked")
def test_a_passphrase_is_in_no_file_and_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = games.Place(tmp_path / "p")
    (tmp_path / "p").mkdir()
    place_of_it = games.Place(tmp_path)
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", phrase(place_of_it, "one", PHRASE))
    said = place.done("key", "new", "--passphrase") + place.done("key", "show")
    said += place.done("key", "show", "--json")
    assert PHRASE not in said
    for path in (tmp_path / "p").rglob("*"):
        assert not path.is_file() or PHRASE.encode() not in path.read_bytes()
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", phrase(place_of_it, "open", PHRASE, 0o644))
    refused = place.run("key", "passphrase", "--remove")
    assert refused.code == 1
    assert "others can read" in refused.text


@pytest.mark.usefixtures("soon_unlocked")
def test_a_forgotten_passphrase_has_the_way_out_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by a review of keys: the hint was the same, be the recovery key locked or not."""
    place = games.Place(tmp_path)
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", phrase(place, "one", PHRASE))
    place.done("key", "new", "--passphrase")
    recovery = place.home / "keys" / "recovery.key"
    recovery.write_text(format_key(unlock_key(recovery.read_text(), PHRASE)))
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", phrase(place, "two", OTHER))
    unlock_key_file.cache_clear()
    place.game.mkdir()  # a folder without a game is told before any key is asked for
    (place.game / "game.toml").write_text("x")
    assert f"keys --recover {recovery}" in place.run("resolve", "GAME").text
    recovery.unlink()
    assert "only a recovery key without it or with another" in place.run("resolve", "GAME").text


def test_a_machine_without_the_key_is_told_of_the_recovery_key(place: Any) -> None:
    """Found by a review of keys: the way out of a lost key was named nowhere it was needed."""
    other = Machine(place, place.path / "other home")
    other.done("key", "new")
    said = other.run("resolve", "GAME").text
    assert "is signed by key" in said
    assert "GAME keys --recover FILE" in said.replace(str(place.game), "GAME")
