"""Which games are installed, and loading one of them.

What must never be here: a rule of a game, a list of plug-ins kept anywhere.
Laws: a game is imported only when it is asked for by name, because it runs with all our rights; who
made it can always be told. The built-in games stand in a table (held equal to pyproject.toml by a
test), since importing importlib.metadata costs a bare interpreter start. Source: docs/DESIGN.md P9,
"Speed".
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, cast

from pbem import __version__
from pbem.errors import BadInput, OurFault, Refused

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from pbem.engine.game import Game

GROUP = "pbem.games"
BUILT_IN = {
    "chang-cheng": "pbem.engine.chang_cheng:GAME",
    "great-wall": "pbem.engine.great_wall:GAME",
}


def names() -> tuple[str, ...]:
    """Every game installed, built-in ones first, without importing any."""
    return (*BUILT_IN, *sorted({entry.name for entry in _plugins()}))


def load(kind: str) -> "Game":
    """The game of that name. Raises BadInput with the way out."""
    if kind in BUILT_IN:
        module, _, name = BUILT_IN[kind].partition(":")
        return cast("Game", getattr(import_module(module), name))
    entry = _plugin(kind)
    try:
        game = cast("Game", entry.load())
        found = game.kind
    except Exception as error:  # noqa: BLE001 (whatever a stranger's package does while it is imported)
        raise _broken(entry, f"cannot be loaded: {_reason(error)}") from None
    if found != kind:
        raise _broken(entry, f"calls itself {found!r}")
    return game


def playing(kind: str, rulings: str, hint: str) -> "Game":
    """The game, which must know these rulings (decision 0006); Refused with the hint if not."""
    game = load(kind)
    if rulings not in game.rulings:
        known = " and ".join(game.rulings)
        text = f"this game is played by the rulings of {rulings}, this pbem has those of {known}"
        raise Refused("game/rulings", text, hint)
    return game


def distribution(kind: str) -> tuple[str, str]:
    """Name and version of the package a game comes from; both are pinned in its genesis."""
    return ("pbem", __version__) if kind in BUILT_IN else _origin(_plugin(kind))


def rules(kind: str) -> str:
    """RULES.md of a game: its rules in words.

    It lies beside the game's package, which does no I/O.
    """
    module = BUILT_IN[kind].partition(":")[0] if kind in BUILT_IN else _plugin(kind).module
    try:
        with open(_beside(module, "RULES.md"), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        raise OurFault(
            "game/no-rules", f"the game {kind!r} comes without its RULES.md", "install it again"
        ) from None


def word_tables(kind: str) -> tuple[str, str]:
    """The words of players, as TOML: of every game, and of one; "" where a game has none."""
    module = BUILT_IN[kind].partition(":")[0] if kind in BUILT_IN else _plugin(kind).module
    found = []
    for place in ("pbem.notation", module):
        path = _beside(place, "words.toml")
        if not os.path.isfile(path):
            found.append("")
            continue
        with open(path, encoding="utf-8") as file:
            found.append(file.read())
    return found[0], found[1]


def templates(kind: str) -> tuple[str, ...]:
    """The folders of templates a plug-in brings along, for render; none for a built-in game."""
    if kind in BUILT_IN:
        return ()
    folder = _beside(_plugin(kind).module, "templates")
    return (folder,) if os.path.isdir(folder) else ()


def _beside(module: str, name: str) -> str:
    """Where a file beside the package of a game lies; empty if that is not on a drive."""
    from importlib.util import find_spec

    spec = find_spec(module)
    return os.path.join(os.path.dirname(spec.origin), name) if spec and spec.origin else ""


def _plugins() -> "list[EntryPoint]":
    from importlib.metadata import entry_points

    return [entry for entry in entry_points(group=GROUP) if entry.name not in BUILT_IN]


def _plugin(kind: str) -> "EntryPoint":
    found = [entry for entry in _plugins() if entry.name == kind]
    if not found:
        raise BadInput("game/unknown", f"there is no game {kind!r}", _nearest(kind))
    if len({_origin(entry) for entry in found}) > 1:
        owners = " and ".join(sorted(_origin(entry)[0] for entry in found))
        raise BadInput(
            "game/ambiguous",
            f"{owners} both bring a game {kind!r}",
            "uninstall one of them with pip",
        )
    return found[0]


def _nearest(kind: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(kind.lower(), names())
    return f"did you mean {' or '.join(near)}?" if near else "pbem games"


def _origin(entry: "EntryPoint") -> tuple[str, str]:
    return (entry.dist.name, entry.dist.version) if entry.dist else ("unknown", "unknown")


def _reason(error: Exception) -> str:
    said = isinstance(error, ImportError | AttributeError | SyntaxError)
    return f"{type(error).__name__}: {error}" if said else type(error).__name__


def traceback_wanted() -> bool:
    """Whether a fault is to be printed, as who writes a game needs it: PBEM_TRACEBACK=1."""
    return os.environ.get("PBEM_TRACEBACK") == "1"


def fault(error: Exception, again: str) -> OurFault:
    """Whose fault it is, its type and place, never a value, which may be somebody's hidden card.

    A plug-in's, if its code was at work or an object of it lacks something; else ours. ``again``
    says how to have it printed.
    """
    games = {entry.module.partition(".")[0]: entry for entry in _plugins()}
    lacking = type(getattr(error, "obj", None)).__module__  # whose method is missing
    blamed, place, trace = games.get(lacking.partition(".")[0]), "?", error.__traceback__
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        top = module.partition(".")[0]
        blamed = games.get(top, blamed)
        place = f"{module}, line {trace.tb_lineno}" if top in {"pbem", *games} else place
        trace = trace.tb_next
    what = f"{type(error).__name__} in {place}"
    what += f", there is no {error.name!r}" if isinstance(error, AttributeError) else ""
    whose, to = "our fault", "us"
    if blamed:
        whose, to = f"the fault of {blamed.name!r} from {' '.join(_origin(blamed))}", "its authors"
    hint = f"{again}, and send {to} what it prints"
    return OurFault("fault/unexpected", f"this is {whose}: {what}", hint)


def _broken(entry: "EntryPoint", what: str) -> BadInput:
    name, version = _origin(entry)
    return BadInput(
        "game/broken",
        f"the game {entry.name!r} from {name} {version} {what}",
        f"pip install --upgrade {name}",
    )
