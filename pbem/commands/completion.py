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
from pbem.engine.rulebook import numbers
from pbem.errors import PbemError
from pbem.services.session.keys import the_home
from pbem.services.session.newest import newest, trusted_key

Offers = Callable[[list[str], str], Iterable[str]]  #: the words of the line, the word so far
_HARMLESS = re.compile("[A-Za-z0-9._/@-]+")  #: in each shell; players choose their names


def _games(_: list[str], typed: str) -> Iterable[str]:
    above = typed.rpartition("/")[0]
    root = Path(above or ("/" if typed.startswith("/") else "."))
    return [str(game.root) for game in find_games(root)[0]]


def _seats(line: list[str], _: str) -> Iterable[str]:
    folder = next(game for word in line if (game := GameFolder(Path(word))).is_game())
    people = newest(folder, trusted_key(folder, the_home())).link.people
    return [one.seat for one in people] + [one.name for one in people]


OFFERS: dict[str, Offers] = {
    "DIR": _games,
    "DIR...": _games,
    "ROOT": _games,
    "[ROOT...]": _games,
    "SEAT": _seats,
    "GAME": lambda *_: catalog.names(),
    "[NUMBER]": lambda line, _: numbers(catalog.rules(line[1])),
}


def with_offers(parameters: Iterable[inspect.Parameter], line: list[str]) -> None:
    """Give each parameter of a command what completes it, by its metavar."""
    for parameter in parameters:
        for info in getattr(parameter.annotation, "__metadata__", ()):
            if info.metavar in OFFERS:
                info.autocompletion = _completer(OFFERS[info.metavar], line)


def _completer(offers: Offers, line: list[str]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        with suppress(PbemError, OSError, LookupError, StopIteration):
            found = offers([word for word in line if word], incomplete)
            mine = (one for one in found if one.lower().startswith(incomplete.lower()))
            return [one for one in mine if _HARMLESS.fullmatch(one)]
        return []

    return complete
