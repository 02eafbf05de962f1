"""A command prints the passphrase of the referee's key. Source: docs/EMAIL.md "With a timer"."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from durability import games

from pbem.crypto import keys
from pbem.services.session.keys import unlock_key_file
from services.amend.test_keys import OTHER, PHRASE, phrase, soon_unlocked

__all__ = ["soon_unlocked"]
WORDS = ("--player", "red=Ann,ann@example.org", "--player", "blue=Bob", "--game", "great-wall")


def settings(place: games.Place, text: str, mode: int = 0o600) -> Path:
    path = place.home / "home.toml"
    path.write_text(text)
    path.chmod(mode)
    unlock_key_file.cache_clear()  # each command is a process of its own
    return path


def unlock(*command: str) -> str:
    return f"unlock = {json.dumps(command)}\n"


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soon_unlocked: None) -> games.Place:
    """A game whose referee's keys have the passphrase PHRASE, in the file `one`."""
    del soon_unlocked
    place = games.Place(tmp_path)
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", phrase(place, "one", PHRASE))
    place.done("key", "new", "--passphrase")
    place.done("new", "GAME", *WORDS, "--referee", "Ref,ref@example.org", "--deal")
    monkeypatch.delenv("PBEM_PASSPHRASE_FILE")
    unlock_key_file.cache_clear()
    return place


def test_a_command_unlocks_the_key(locked: games.Place) -> None:
    assert "no terminal" in locked.run("resolve", "GAME").text
    settings(locked, "# mine\r\n" + unlock("cat", str(locked.path / "one")))
    locked.done("resolve", "GAME")
    locked.done("amend", "GAME", "note", "hello")


def test_the_file_of_a_passphrase_goes_before(locked: games.Place, monkeypatch: pytest.MonkeyPatch) -> None:
    settings(locked, unlock("false"))
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", str(locked.path / "one"))
    locked.done("resolve", "GAME")


def test_a_key_without_a_passphrase_runs_no_command(tmp_path: Path) -> None:
    place = games.Place(tmp_path)
    place.done("key", "new")
    settings(place, unlock("touch", str(tmp_path / "ran")))
    place.done("new", "GAME", *WORDS, "--deal")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo hunter22222", "does not open the key, or its file was changed"),
        ("echo hunter22222; echo hunter22222 >&2; exit 3", "'sh' ended with 3 and printed somethin"),
        ("true", "'sh' ended with 0 and printed no secret"),
        ("printf '\\377\\n'", "'sh' printed something that is not text"),
    ],
)
def test_what_a_command_prints_is_in_no_error(locked: games.Place, command: str, said: str) -> None:
    path = settings(locked, unlock("sh", "-c", command))
    told = locked.run("resolve", "GAME")
    games.one_line(told)
    assert (told.code, said in told.text) == (1, True), told.text
    assert "hunter" not in told.text
    assert "home.toml" in told.text
    assert "does not open" not in said or f"what the command in {path} prints" in told.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('unlock = "pass show pbem"\n', "unlock: expected a list of texts, found a text"),
        ("unlock = []\n", "unlock names no program"),
        ('unlock = ["", "x"]\n', "unlock names no program"),
        ('unlok = ["pass"]\n', "unlok: unknown key; expected unlock"),
        ("unlock\n", "line 1 is not TOML"),
    ],
)
def test_each_fault_of_the_file_is_one_line(locked: games.Place, text: str, said: str) -> None:
    path = settings(locked, text)
    told = locked.run("resolve", "GAME")
    games.one_line(told)
    assert (told.code, said in told.text, str(path) in told.text) == (2, True, True), told.text


def test_settings_that_others_can_read_are_not_used(locked: games.Place) -> None:
    settings(locked, unlock("cat", str(locked.path / "one")), 0o644)
    assert "chmod 600" in locked.run("resolve", "GAME").text


def test_an_email_on_standard_input_is_not_the_commands(locked: games.Place, monkeypatch: pytest.MonkeyPatch) -> None:
    key = locked.home / "keys" / "acting.key"
    root = keys.unlock_key(key.read_text(), PHRASE)
    monkeypatch.undo()  # a process of its own takes its half second
    key.write_text(keys.lock_key(root, PHRASE))
    command = f"cat > /dev/null; cat {locked.path / 'one'}"
    settings(locked, unlock("sh", "-c", command))
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pbem", "receive", str(locked.game), "-"],
        input="From: x@example.org\nSubject: hello\n\nwithout a code\n",
        env=locked.process_env(), text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert "it has no code of a game" in done.stdout, done


def test_the_recovery_key_is_not_unlocked_so(locked: games.Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lies elsewhere, and its passphrase may be another."""
    settings(locked, unlock("cat", str(locked.path / "one")))
    recovery = locked.home / "keys" / "recovery.key"
    moved = recovery.rename(locked.path / "recovery.key")
    told = locked.run("amend", "GAME", "keys", "--recover", str(moved), "--reason", "lost")
    assert "there is no terminal" in told.text
    monkeypatch.setenv("PBEM_NEW_PASSPHRASE_FILE", phrase(locked, "two", OTHER))
    said = locked.done("key", "passphrase")
    assert f"{locked.home / 'home.toml'} must print the new passphrase" in said
    unlock_key_file.cache_clear()
    assert "what the command in" in locked.run("resolve", "GAME").text
