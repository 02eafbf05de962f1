"""What a shell offers where Tab is pressed: games' folders, seats and players, rule numbers.

What lives here: what completes a word, by its metavar. What must never be here: a secret, a change
of a game. Laws: a shell may carry out what it is offered, so no sign that means something to one
gets there; completing never fails; where nothing can be read, the shell offers files.
Source: docs/DESIGN.md "Command line".
"""

import inspect
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

Suggest = Callable[[list[str], str], Iterable[str]]  #: the words of the line, the word so far
_HARMLESS = re.compile("[A-Za-z0-9._/@-]+")  #: in each shell; players choose their names


def _suggest_games(_: list[str], typed: str) -> Iterable[str]:
    parent = typed.rpartition("/")[0]
    root = Path(parent or ("/" if typed.startswith("/") else "."))
    return [str(game.root) for game in find_games(root)[0]]


def _suggest_seats(words: list[str], _: str) -> Iterable[str]:
    folder = next(game for word in words if (game := GameFolder(Path(word))).is_game())
    people = read_newest(folder, trusted_key(folder, open_home())).record.people
    return [person.seat for person in people] + [person.name for person in people]


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
    """Give each parameter of a command what completes it, by its metavar."""
    for parameter in parameters:
        for option in getattr(parameter.annotation, "__metadata__", ()):
            if option.metavar in SUGGESTIONS:
                option.autocompletion = _autocompletion(SUGGESTIONS[option.metavar], words)


def _autocompletion(suggest: Suggest, words: list[str]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        with suppress(PbemError, OSError, LookupError, StopIteration):
            suggestions = suggest([word for word in words if word], incomplete)
            matching = (suggestion for suggestion in suggestions if suggestion.lower().startswith(incomplete.lower()))
            return [suggestion for suggestion in matching if _HARMLESS.fullmatch(suggestion)]
        return []

    return complete
