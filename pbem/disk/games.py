"""Games among folders: finding those that there are, making the folder of a new one.

What must never be here: what is in a game's folder (folder.py). The law: a new game is there whole,
or not at all.
Source: docs/DESIGN.md "One game's folder", P8.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.disk import system
from pbem.disk.folder import GameFolder
from pbem.disk.system import os_errors, shown
from pbem.errors import BadInput, PbemError, Refused

#: the way out where no game is found
NO_GAMES = "name the folder of a game, or make a game with `pbem new`"
LEVELS = 4  #: how deep games are looked for


def refuse_no_folder(
    path: Path, hint: str = "name the folder of a game; `pbem status` lists them"
) -> None:
    """Raises BadInput ``game/no-folder`` unless a folder, of whatever, lies there."""
    if not system.is_folder(path):
        raise BadInput("game/no-folder", f"{path} is not a folder", hint)


def was_moved(old: Path, real: Path) -> bool:
    """Whether ``real`` may be what lay at ``old``: nothing lies there any longer, as far as the
    folder above it can be read, or a link to it does.
    """
    try:
        return old.resolve() == real or old.name not in os.listdir(old.parent)
    except OSError:
        return False


def find_games(root: Path) -> tuple[list[GameFolder], list[str]]:
    """The games in ``root``, sorted by path, and a line for each folder that could not be read.

    ``root`` itself if it is a game, else what lies in it, ``LEVELS`` folders deep; hidden folders
    are passed over.
    Raises BadInput if ``root`` is missing, not a folder or unreadable.
    """
    refuse_no_folder(root, "name the folder of a game, or a folder of games")
    with os_errors("look into", root):
        os.listdir(root)
    GameFolder(root)
    notes: list[str] = []
    return _games(root, LEVELS, notes), notes


@contextmanager
def new_folder(root: Path) -> Iterator[GameFolder]:
    """A folder to fill for a new game, which takes its name at the end, whole or not at all; an
    empty one of that name may be there already.

    Raises Refused ``game/folder-in-use`` if anything is in it, ``game/inside`` if it would lie in
    the folder of another game, BadInput if it cannot be made.
    """
    for above in root.resolve().parents:
        if system.look(above / "game.toml"):
            message = f"{shown(root)} lies inside the game {shown(above)}"
            raise Refused("game/inside", message, "name a folder outside every game")
    with system.filled(root) as temp:
        game = GameFolder(temp)
        with game.lock():
            yield game


def _games(folder: Path, levels: int, notes: list[str]) -> list[GameFolder]:
    try:
        game = GameFolder(folder)
    except BadInput as error:
        notes.append(f"passed over: {error.line()}")
        return []
    try:
        found = system.look(folder, follow=levels == LEVELS)  # a link is passed over, but for root
        if found is None or not stat.S_ISDIR(found.st_mode):
            return []
        if game.is_game():
            return [game]
        names = system.list_names(folder) if levels else []
    except PbemError as error:
        notes.append(f"passed over: {error.line()}")
        return []
    inside = [folder / name for name in names if not name.startswith(".")]
    return [game for below in inside for game in _games(below, levels - 1, notes)]
