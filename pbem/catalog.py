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

ENTRY_POINT_GROUP = "pbem.games"
BUILT_IN = {"chang-cheng": "pbem.engine.chang_cheng:GAME", "great-wall": "pbem.engine.great_wall:GAME"}


def game_names() -> tuple[str, ...]:
    """Every game installed, built-in ones first, without importing any."""
    return (*BUILT_IN, *sorted({entry.name for entry in _plugin_entries()}))


def load(kind: str) -> "Game":
    """The game of that name. Raises BadInput with the way out."""
    if kind in BUILT_IN:
        module, _, name = BUILT_IN[kind].partition(":")
        return cast("Game", getattr(import_module(module), name))
    entry = _find_plugin(kind)
    try:
        game = cast("Game", entry.load())
        declared_kind = game.kind
    except Exception as error:
        raise _broken_plugin_error(entry, f"cannot be loaded: {_load_failure_text(error)}") from None
    if declared_kind != kind:
        raise _broken_plugin_error(entry, f"calls itself {declared_kind!r}")
    return game


def load_with_rules(kind: str, rules_version: str, hint: str) -> "Game":
    """The game, which must know these rulings (decision 0006); Refused with the hint if not."""
    game = load(kind)
    if rules_version not in game.rulings:
        supported_versions = " and ".join(game.rulings)
        text = f"this game is played by the rulings of {rules_version}, this pbem has those of {supported_versions}"
        raise Refused("game/rulings", text, hint)
    return game


def distribution(kind: str) -> tuple[str, str]:
    """Name and version of the package a game comes from; both are pinned in its genesis."""
    return ("pbem", __version__) if kind in BUILT_IN else _package_and_version(_find_plugin(kind))


def read_rules(kind: str) -> str:
    """RULES.md of a game: its rules in words.

    It lies beside the game's package, which does no I/O.
    """
    module = BUILT_IN[kind].partition(":")[0] if kind in BUILT_IN else _find_plugin(kind).module
    try:
        with open(_path_beside_package(module, "RULES.md"), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        raise OurFault("game/no-rules", f"the game {kind!r} comes without its RULES.md", "install it again") from None


def read_word_tables(kind: str) -> tuple[str, str]:
    """The words of players, as TOML: of every game, and of one; "" where a game has none."""
    module = BUILT_IN[kind].partition(":")[0] if kind in BUILT_IN else _find_plugin(kind).module
    tables = []
    for package in ("pbem.notation", module):
        path = _path_beside_package(package, "words.toml")
        if not os.path.isfile(path):
            tables.append("")
            continue
        with open(path, encoding="utf-8") as file:
            tables.append(file.read())
    return tables[0], tables[1]


def template_folders(kind: str) -> tuple[str, ...]:
    """The folders of templates a plug-in brings along, for render; none for a built-in game."""
    if kind in BUILT_IN:
        return ()
    folder = _path_beside_package(_find_plugin(kind).module, "templates")
    return (folder,) if os.path.isdir(folder) else ()


def _path_beside_package(module: str, name: str) -> str:
    """Where a file beside the package of a game lies; empty if that is not on a drive."""
    from importlib.util import find_spec

    spec = find_spec(module)
    return os.path.join(os.path.dirname(spec.origin), name) if spec and spec.origin else ""


def _plugin_entries() -> "list[EntryPoint]":
    from importlib.metadata import entry_points

    return [entry for entry in entry_points(group=ENTRY_POINT_GROUP) if entry.name not in BUILT_IN]


def _find_plugin(kind: str) -> "EntryPoint":
    entries = [entry for entry in _plugin_entries() if entry.name == kind]
    if not entries:
        raise BadInput("game/unknown", f"there is no game {kind!r}", _suggest_names(kind))
    if len({_package_and_version(entry) for entry in entries}) > 1:
        owners = " and ".join(sorted(_package_and_version(entry)[0] for entry in entries))
        raise BadInput("game/ambiguous", f"{owners} both bring a game {kind!r}", "uninstall one of them with pip")
    return entries[0]


def _suggest_names(kind: str) -> str:
    from difflib import get_close_matches

    similar_names = get_close_matches(kind.lower(), game_names())
    return f"did you mean {' or '.join(similar_names)}?" if similar_names else "pbem games"


def _package_and_version(entry: "EntryPoint") -> tuple[str, str]:
    return (entry.dist.name, entry.dist.version) if entry.dist else ("unknown", "unknown")


def _load_failure_text(error: Exception) -> str:
    shows_message = isinstance(error, ImportError | AttributeError | SyntaxError)
    return f"{type(error).__name__}: {error}" if shows_message else type(error).__name__


def is_traceback_wanted() -> bool:
    """Whether a fault is to be printed, as who writes a game needs it: PBEM_TRACEBACK=1."""
    return os.environ.get("PBEM_TRACEBACK") == "1"


def unexpected_fault(error: Exception, rerun_hint: str) -> OurFault:
    """Whose fault it is, its type and place, never a value, which may be somebody's hidden card.

    A plug-in's, if its code was at work or an object of it lacks something; else ours. ``rerun_hint``
    says how to have it printed.
    """
    plugins_by_package = {entry.module.partition(".")[0]: entry for entry in _plugin_entries()}
    owner_module = type(getattr(error, "obj", None)).__module__  # whose method is missing
    blamed_plugin, location, trace = (plugins_by_package.get(owner_module.partition(".")[0]), "?", error.__traceback__)
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        package = module.partition(".")[0]
        blamed_plugin = plugins_by_package.get(package, blamed_plugin)
        location = f"{module}, line {trace.tb_lineno}" if package in {"pbem", *plugins_by_package} else location
        trace = trace.tb_next
    description = f"{type(error).__name__} in {location}"
    description += f", there is no {error.name!r}" if isinstance(error, AttributeError) else ""
    culprit, recipient = "our fault", "us"
    if blamed_plugin:
        culprit, recipient = (
            f"the fault of {blamed_plugin.name!r} from {' '.join(_package_and_version(blamed_plugin))}",
            "its authors",
        )
    hint = f"{rerun_hint}, and send {recipient} what it prints"
    return OurFault("fault/unexpected", f"this is {culprit}: {description}", hint)


def _broken_plugin_error(entry: "EntryPoint", problem: str) -> BadInput:
    name, version = _package_and_version(entry)
    return BadInput(
        "game/broken", f"the game {entry.name!r} from {name} {version} {problem}", f"pip install --upgrade {name}"
    )
