"""Finding games among folders, and making the folder of a new game.

Not allowed here: what a game's folder contains (folder.py).
Law: a new game is complete or does not exist.
Source: docs/DESIGN.md "One game's folder", P8.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.disk import system
from pbem.disk.folder import GameFolder
from pbem.disk.system import os_errors, printable_path
from pbem.errors import BadInput, PbemError, Refused

#: what to do if no game is found
NO_GAMES_HINT = "name the folder of a game, or make a game with `pbem new`"
SEARCH_DEPTH = 4  #: how many levels of folders are searched


def refuse_no_folder(path: Path, hint: str = "name the folder of a game; `pbem status` lists them") -> None:
    """Raise BadInput ``game/no-folder`` unless ``path`` is a folder."""
    if not system.is_folder(path):
        raise BadInput("game/no-folder", f"{path} is not a folder", hint)


def was_moved(old_path: Path, real_path: Path) -> bool:
    """Whether ``real_path`` may be what was at ``old_path``. That is so if ``old_path`` is now
    missing, as far as its folder can be read, or links to it.
    """
    try:
        return old_path.resolve() == real_path or old_path.name not in os.listdir(old_path.parent)
    except OSError:
        return False


def find_games(root: Path) -> tuple[list[GameFolder], list[str]]:
    """Return the games in ``root``, sorted by path, and a note on each folder that cannot be read.
    That is ``root`` itself if it is a game, else the games up to ``SEARCH_DEPTH`` levels below it,
    except in hidden folders. Raises BadInput if ``root`` is missing, not a folder or unreadable.
    """
    refuse_no_folder(root, "name the folder of a game, or a folder of games")
    with os_errors("look into", root):
        os.listdir(root)
    GameFolder(root)
    notes: list[str] = []
    return _find_games_in(root, SEARCH_DEPTH, notes), notes


@contextmanager
def new_game_folder(root: Path) -> Iterator[GameFolder]:
    """Yield a folder for a new game, which gets its name at the end, complete or not at all. Raises
    Refused ``game/folder-in-use`` if ``root`` is not empty, ``game/inside`` if it is inside another
    game, BadInput if it cannot be made.
    """
    for parent in root.resolve().parents:
        if system.stat_or_none(parent / "game.toml"):
            message = f"{printable_path(root)} is inside the game {printable_path(parent)}"
            raise Refused("game/inside", message, "name a folder outside every game")
    with system.folder_to_fill(root) as temp:
        game = GameFolder(temp)
        with game.lock():
            yield game


def _find_games_in(folder: Path, levels: int, notes: list[str]) -> list[GameFolder]:
    try:
        game = GameFolder(folder)
    except BadInput as error:
        notes.append(f"skipped: {error.as_line()}")
        return []
    try:
        folder_stat = system.stat_or_none(folder, follow=levels == SEARCH_DEPTH)  # ignore links, but not for root
        if folder_stat is None or not stat.S_ISDIR(folder_stat.st_mode):
            return []
        if game.is_game():
            return [game]
        names = system.list_names(folder) if levels else []
    except PbemError as error:
        notes.append(f"skipped: {error.as_line()}")
        return []
    subfolders = [folder / name for name in names if not name.startswith(".")]
    return [game for subfolder in subfolders for game in _find_games_in(subfolder, levels - 1, notes)]
