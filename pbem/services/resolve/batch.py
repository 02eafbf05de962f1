"""Several games on one command line, each tried whatever becomes of the others.

What lives here: opening all that were named, doing one thing to each, what became of each.
What must never be here: what is done to a game.
Law: what was done to one game is told even if the next one cannot be opened.
Source: docs/DESIGN.md "Command line"; docs/JSON.md "resolve".
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pbem.disk.folder import GameFolder, find_games
from pbem.errors import BadInput, OurFault, PbemError
from pbem.services.session.keys import the_home, the_key
from pbem.services.session.session import Session

Told = tuple[dict[str, Any], str]  #: of one game, as a document and in words


class Tried(NamedTuple):
    """A game's folder, and the game; or why it could not be opened."""

    root: Path
    opened: Session | PbemError
    alone: bool = False  #: the one folder that was typed: nobody needs to be told which

    def named(self, error: PbemError) -> PbemError:
        """The same error, with the folder of the game it is about."""
        if self.alone or str(self.root) in error.message:
            return error
        return type(error)(error.code, f"{self.root}: {error.message}", error.hint)


class Outcome(NamedTuple):
    """What became of one game: what is told of it, or why nothing was done."""

    root: Path
    came: Told | PbemError


def opened(roots: Sequence[Path], time: str) -> tuple[list[Tried], list[str]]:
    """Every game that is named or lies in a folder that is named, once each, in this order."""
    place = the_home()
    key, found, notes = the_key(place), dict[Path, Tried](), list[str]()
    for root in roots:
        try:
            folders, said = _folders(root)
            notes += said
        except PbemError as error:
            found[root] = Tried(root, error)
            continue
        for folder in folders:
            real = folder.root.resolve()
            if real in found:
                continue
            try:
                found[real] = Tried(folder.root, Session(folder, place, key, time))
            except PbemError as error:
                found[real] = Tried(folder.root, error)
    games = list(found.values())
    if len(games) == 1 and games[0].root == roots[0]:
        games = [games[0]._replace(alone=True)]
    return games, notes


def _folders(root: Path) -> tuple[list[GameFolder], list[str]]:
    """The games in a folder; a folder without any is opened itself, which says what is wrong."""
    folders, notes = find_games(root)
    return folders or [GameFolder(root)], notes


def check_all(games: Sequence[Tried], look: Callable[[Session], None]) -> None:
    """Look at all that are open before anything is done to any; what ``look`` raises is raised."""
    for game in games:
        try:
            if not isinstance(game.opened, PbemError):
                look(game.opened)
        except PbemError as error:
            raise game.named(error) from error


def one_by_one(games: Sequence[Tried], act: Callable[[Session], Told]) -> list[Outcome]:
    """What became of each game. Of one alone its error is raised."""
    found = [Outcome(game.root, _one(game, act)) for game in games]
    if len(found) == 1 and isinstance(found[0].came, PbemError):
        raise games[0].named(found[0].came)
    return found


def _one(game: Tried, act: Callable[[Session], Told]) -> Told | PbemError:
    if isinstance(game.opened, PbemError):
        return game.opened
    try:
        return act(game.opened)
    except PbemError as error:
        return error
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return BadInput("file/unusable", reason, "check the rights and the disk")
    except Exception as error:  # what the others became is still told
        if os.environ.get("PBEM_TRACEBACK") == "1":
            raise
        what = f"this is our fault: {type(error).__name__}"
        hint = f"PBEM_TRACEBACK=1 pbem resolve {game.root}, and send us what it prints"
        return OurFault("fault/unexpected", what, hint)
