"""A new game's folder: made whole, or not at all.

What lives here: the guards around the making. What must never be here: what is put into it.
Source: docs/DESIGN.md P8, P11.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pbem.disk import tree
from pbem.disk.folder import GameFolder
from pbem.errors import PbemError, Refused


@contextmanager
def first_here(folder: GameFolder) -> Iterator[None]:
    """Another `pbem new` may have been in this folder while we waited for the lock."""
    if folder.is_game() or folder.desk_file("secret") is not None:
        raise Refused(
            "game/folder-in-use",
            f"{folder.root} is there already and is not empty",
            "name a folder that is not there yet",
        )
    yield


@contextmanager
def no_empty_folders(folder: GameFolder, there: bool) -> Iterator[None]:
    """What fails leaves no folder that was not there before (and none that is in use is
    removed).
    """
    try:
        yield
    except PbemError:
        with suppress(OSError):
            if os.path.lexists(folder.root / "desk"):
                os.rmdir(folder.root / "desk")
            if not there:
                os.rmdir(folder.root)
        raise


@contextmanager
def whole_or_not_at_all(folder: GameFolder, last: int) -> Iterator[None]:
    """What fails before state ``last``, the last one to be made, is saved leaves nothing."""
    try:
        yield
    except PbemError as error:
        if last in folder.numbers():
            hint = f"see to that, then: pbem resolve {folder.root}; it writes what is missing"
            raise Refused(
                "new/unfinished",
                f"the game is {'dealt' if last else 'opened'}, but {error.message}",
                hint,
            ) from error
        with suppress(OSError):
            for name in ("game.toml", "states", "desk"):
                tree.remove_tree(folder.root / name)
        raise
