"""Where games are, and where a new one may be put.

What lives here: looking through the folders a referee names. What must never be here: looking into
a game's files. The law: symbolic links are not followed, and one unreadable folder does not hide
the other games. Source: docs/DESIGN.md "Command line" (``status ROOT``, ``receive ROOT``).
"""

import os
from pathlib import Path

from pbem.disk import tree
from pbem.disk.folder import GameFolder
from pbem.disk.system import os_error_in_words, os_errors, shown, sync_folder
from pbem.errors import BadInput, Refused

_LEVELS = 2


def find_games(root: Path) -> tuple[list[GameFolder], list[str]]:
    """The games in ``root``, sorted by path, and a line for each folder that could not be read.

    ``root`` itself if it is a game, else its sub-folders and theirs; hidden ones are passed over.
    Raises BadInput if ``root`` is missing, not a folder or unreadable.
    """
    with os_errors("look into", root):
        os.listdir(root)
    notes: list[str] = []
    return _games(root, _LEVELS, notes), notes


def create_folder(root: Path) -> GameFolder:
    """Makes the folder of a new game, with its parents; an empty one may be there already.

    Raises Refused ``game/folder-in-use`` if anything is in it, BadInput if it cannot be made.
    """
    refuse_in_use(root)
    make_with_parents(root)
    return GameFolder(root)


def refuse_in_use(root: Path) -> None:
    """Raises Refused ``game/folder-in-use`` unless ``root`` is missing or an empty folder."""
    if tree.names(root):
        message = f"{shown(root)} is there already and is not empty"
        raise Refused("game/folder-in-use", message, "name a folder that is not there yet")


def make_with_parents(folder: Path) -> None:
    """Makes a folder and all above it, durably. Raises BadInput or Refused."""
    if folder.is_dir():
        return
    if os.path.lexists(folder):
        message = f"{shown(folder)} is there already and is not a folder"
        raise BadInput("file/not-a-folder", message, "name another")
    if folder.parent != folder:
        make_with_parents(folder.parent)
    with os_errors("make", folder):
        os.mkdir(folder)
    sync_folder(folder.parent)


def _games(folder: Path, levels: int, notes: list[str]) -> list[GameFolder]:
    game = GameFolder(folder)
    if game.is_game():
        return [game]
    if not levels:
        return []
    return [g for below in _folders_in(folder, notes) for g in _games(below, levels - 1, notes)]


def _folders_in(folder: Path, notes: list[str]) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
        found = [folder / n for n in names if not n.startswith(".")]
        return [path for path in found if path.is_dir() and not tree.is_link(os.lstat(path))]
    except OSError as error:
        notes.append(f"passed over: {os_error_in_words(error, 'look into', folder).line()}")
        return []
