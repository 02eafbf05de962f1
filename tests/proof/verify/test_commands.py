"""A tampered folder: every command that reads a state refuses it and changes nothing. P1."""

import shutil
from typing import Any

import pytest
from durability import games

COMMANDS = {
    "verify": ("verify", "GAME"),
    "status": ("status", "GAME"),
    "show": ("show", "GAME"),
    "legal": ("legal", "GAME"),
    "receive": ("receive", "GAME", "MAIL"),
    "resolve": ("resolve", "GAME"),
    "report": ("report", "GAME", "--player", "red"),
    "dry run": ("resolve", "--dry-run", "GAME"),
    "go on": ("restore", "--go-on", "GAME", "--reason", "no reason"),
}


def changes(raw: bytes) -> list[bytes]:
    """A few of each sort; test_bytes.py has them all."""
    middle = len(raw) // 2
    spots = [0, 9, 30, middle, len(raw) - 140, len(raw) - 100, len(raw) - 3]
    found = [raw[:i] + bytes([raw[i] ^ 1]) + raw[i + 1 :] for i in spots]
    found += [raw[:middle], b"", raw + b"\n", b"\n" + raw, raw.replace(b"\n", b"\r\n"), raw[:-1]]
    return [*found, raw[:middle] + b"\xff" + raw[middle:], b"\0" * 500]


@pytest.mark.attack(
    "make any command accept a changed state", by="not possible: every command refuses it", who="finder"
)
@pytest.mark.parametrize("name", ["game.toml", "newest", "both", "game.toml alone"])
def test_every_command_refuses_a_changed_state(place: Any, name: str, verified_only: list[int]) -> None:
    """Whichever copy of the newest state was changed."""
    newest = place.game / "states" / f"{place.numbers()[-1]:04d}.toml"
    copies = {"game.toml": [place.game / "game.toml"], "newest": [newest]}.get(name, [newest, place.game / "game.toml"])
    mail = place.mail("red", "help")
    if name == "game.toml alone":
        shutil.rmtree(place.game / "states")
        copies = copies[1:]
    for changed in changes(copies[0].read_bytes()):
        kept = [path.read_bytes() for path in copies]
        for path in copies:
            path.write_bytes(changed)
        before = games.fingerprint(place.path)
        for words in COMMANDS.values():
            said = place.run(*(mail if word == "MAIL" else word for word in words))
            assert said.code in (1, 2), (words, said, changed[:40])
            games.one_line(said)
        assert games.fingerprint(place.path) == before
        for path, data in zip(copies, kept, strict=True):
            path.write_bytes(data)
    assert place.run("resolve", "GAME").code == 0 or name == "game.toml alone"
