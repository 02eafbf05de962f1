"""A save as a command does it, to be killed: loads nothing but pbem.disk."""

from pathlib import Path

from pbem.disk.folder import GameFolder
from pbem.disk.home import Home

OLD, NEW = {"red": b"red 0"}, {"blue": b"blue 1" * 50, "red": b"red 1"}
STATE = b"state 1" * 100
GAME = "abcdefgh"


def save(root: Path) -> None:
    """What a command does: finish what a killed one left, then save link 1 unless it is there."""
    game, home = GameFolder(root), Home(root.parent / "home")
    with game.lock():
        newest = game.list_state_numbers()[-1]
        if newest == 1:
            home.write_mark(GAME, 1, "head1")
            game.repair_newest(game.read_state(1) or b"")
        game.remove_leftovers(newest)
        if newest == 0:
            game.commit(1, STATE, NEW, lambda: home.write_mark(GAME, 1, "head1"))
