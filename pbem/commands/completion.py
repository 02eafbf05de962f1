"""Completes words when the user presses Tab: games' folders, seats and players, rule numbers.

Not allowed here: a secret; a change of a game.
A shell may execute a suggestion, so no suggestion has a character with a meaning for a shell.
Completion never fails. Without suggestions the shell offers files.
Source: docs/DESIGN.md "Command line".
"""

import inspect
import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from pbem import catalog
from pbem.disk.folder import GameFolder
from pbem.disk.games import find_games
from pbem.engine.rulebook import list_rule_numbers
from pbem.errors import PbemError
from pbem.services.session.keys import open_home
from pbem.services.session.newest import read_newest, trusted_key

Suggest = Callable[[list[str], str], Iterable[str]]  #: (words of the line, beginning of the last word) to suggestions
_HARMLESS = re.compile("[A-Za-z0-9._/@-]+")  #: in all shells; players choose their own names


def _suggest_games(_: list[str], typed: str) -> Iterable[str]:
    """Return the games in the folder that is typed so far."""
    parent = typed.replace(os.sep, "/").rpartition("/")[0]
    root = Path(parent or ("/" if typed.startswith("/") else "."))
    return [str(game.root) for game in find_games(root)[0]]


def _suggest_seats(words: list[str], _: str) -> Iterable[str]:
    """Return the seats and players of the first game on the line. Raise StopIteration if there is none."""
    folders = (GameFolder(Path(word)) for word in words)
    folder = next(folder for folder in folders if folder.is_game())
    people = read_newest(folder, trusted_key(folder, open_home())).record.people
    return [person.seat for person in people] + [person.name for person in people]


#: by the metavar of a parameter
SUGGESTIONS: dict[str, Suggest] = {
    "DIR": _suggest_games,
    "DIR...": _suggest_games,
    "ROOT": _suggest_games,
    "[ROOT...]": _suggest_games,
    "SEAT": _suggest_seats,
    "GAME": lambda *_: catalog.game_names(),
    "[NUMBER]": lambda words, _: list_rule_numbers(catalog.read_rules(words[1])),
}


def add_completers(parameters: Iterable[inspect.Parameter], words: list[str]) -> None:
    """Set the completer of each parameter of a command, by its metavar. Changes ``parameters``."""
    for parameter in parameters:
        for option in getattr(parameter.annotation, "__metadata__", ()):
            if option.metavar in SUGGESTIONS:
                option.autocompletion = _autocompletion(SUGGESTIONS[option.metavar], words)


def _autocompletion(suggest: Suggest, words: list[str]) -> Callable[[str], list[str]]:
    """Return a completer as Typer calls it: with the beginning of a word. On errors it suggests nothing."""

    def complete(incomplete: str) -> list[str]:
        with suppress(PbemError, OSError, LookupError, StopIteration):
            suggestions = suggest([word for word in words if word], incomplete)
            matching = (suggestion for suggestion in suggestions if suggestion.lower().startswith(incomplete.lower()))
            return [suggestion for suggestion in matching if _HARMLESS.fullmatch(suggestion)]
        return []

    return complete
