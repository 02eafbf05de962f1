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
from pbem.disk.system import os_errors, printable_path
from pbem.errors import BadInput, PbemError, Refused

#: the way out where no game is found
NO_GAMES_HINT = "name the folder of a game, or make a game with `pbem new`"
SEARCH_DEPTH = 4  #: how deep games are looked for


def refuse_no_folder(path: Path, hint: str = "name the folder of a game; `pbem status` lists them") -> None:
    """Raises BadInput ``game/no-folder`` unless a folder, of whatever, lies there."""
    if not system.is_folder(path):
        raise BadInput("game/no-folder", f"{path} is not a folder", hint)


def was_moved(old_path: Path, real_path: Path) -> bool:
    """Whether ``real_path`` may be what lay at ``old_path``: nothing lies there any longer, as far as the
    folder above it can be read, or a link to it does.
    """
    try:
        return old_path.resolve() == real_path or old_path.name not in os.listdir(old_path.parent)
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
    return _find_games_in(root, SEARCH_DEPTH, notes), notes


@contextmanager
def new_game_folder(root: Path) -> Iterator[GameFolder]:
    """A folder to fill for a new game, which takes its name at the end, whole or not at all; an
    empty one of that name may be there already.

    Raises Refused ``game/folder-in-use`` if anything is in it, ``game/inside`` if it would lie in
    the folder of another game, BadInput if it cannot be made.
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
        folder_stat = system.stat_or_none(folder, follow=levels == SEARCH_DEPTH)  # a link is passed over, but for root
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
