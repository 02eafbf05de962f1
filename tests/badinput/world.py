"""A referee's machine with four games on it, built once and copied for every case.

north  red Ann, blue Bob; Ann has answered once, so her first code is stale; it waits for Bob
south  red Cat, green Dan, blue Eve; at the first question; no default orders
west   red Ann, blue Bob; it waits for red to say what the flood in AP1 does
round  red Ann, blue Bob; not dealt yet, nobody has answered the invitation
"""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem import cli

TIME = "1795255200"  # 2026-11-21T10:00:00Z
OPTIONS = ("--option", "boards=1a,4b,2a,3a")  # AP1 has the squares A1 to A3
# red fills AP1 with a flood in it: the game then asks red what the flood does
WEST = (
    ("red", "wall A1"),
    ("blue", "card builder BP1"),
    ("blue", "wall B1"),
    ("red", "card flood AP1"),
    ("red", "wall A2"),
    ("blue", "wall B5"),
    ("blue", "wall A5"),
    ("red", "wall A3"),
)


class World(NamedTuple):
    """Where everything lies, and the names a case may use in braces."""

    root: Path
    names: dict[str, str]

    @property
    def games(self) -> Path:
        return self.root / "games"


def build(root: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Everything, through the command line."""
    settle_in(root, monkeypatch)
    games = root / "games"
    os.mkdir(games)
    ask("key", "new")
    two = ("--player", "red=Ann,ann@example.org", "--player", "blue=Bob,bob@example.org")
    host = ("--game", "chang-cheng", "--referee", "Pat,pat@example.net")
    ask("new", "--deal", str(games / "north"), *host, *two, *OPTIONS)
    three = [f"--player={who}" for who in ("red=Cat,cat@example.org", "green=Dan", "blue=Eve")]
    ask("new", "--deal", str(games / "south"), *host, *three, *OPTIONS)
    ask("new", "--deal", str(games / "west"), *host, *two, *OPTIONS, "--option", "missed=default")
    names = {"stale": code(games / "north", "red"), "secret": secret(games / "north")}
    play(games / "north", "red", "wall A5")
    for seat, order in WEST:
        play(games / "west", seat, order)
    for game in ("north", "south", "west"):
        names[game] = code(games / game, "blue" if game == "north" else "red")
        names[f"{game}_id"] = view_line(games / game, "red", "game")
    ask("new", str(games / "round"), *host, *two, *OPTIONS)
    invitation = (games / "round/desk/reports/0000/red.txt").read_text(encoding="utf-8")
    names["round"] = invitation.split("[pbem ")[1][:9]
    names["key"] = (games / "north" / "game.toml").read_text("utf-8").rpartition('key = "')[2][:22]
    names["ann"] = code(games / "north", "red")
    return World(root, names)


def settle_in(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in this folder, with its keys, at a fixed time."""
    monkeypatch.setenv("PBEM_HOME", str(root / "home"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TIME)
    monkeypatch.chdir(root)


def copy(world: World, to: Path) -> World:
    """The same world in another place."""
    shutil.copytree(world.root, to, symlinks=True, dirs_exist_ok=True)
    return World(to, world.names)


def ask(*words: str) -> None:
    assert cli.run(list(words)) == 0, words


def play(game: Path, seat: str, order: str) -> None:
    """One order by mail, and its resolution."""
    mail = game.parent.parent / "mail.txt"
    mail.write_text(f"{order}\n[pbem {code(game, seat)}]\n", encoding="utf-8")
    ask("receive", str(game), str(mail))
    ask("resolve", str(game))
    mail.unlink()


def view_line(game: Path, seat: str, key: str) -> str:
    """What a player's newest view file has for a key."""
    newest = max((game / "desk" / "reports").iterdir())
    for line in (newest / f"{seat}.view.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{key} = "):
            return line.split('"')[1]
    raise AssertionError(key)


def code(game: Path, seat: str) -> str:
    return view_line(game, seat, "code")


def secret(game: Path) -> str:
    return (game / "desk" / "secret").read_text(encoding="ascii").strip()
