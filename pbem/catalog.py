"""Finds the installed games, and loads one by name with its rules, words and templates.

Not allowed here: a rule of a game; a stored list of plug-ins.
A plug-in runs with all our rights, so it is imported only when its game is asked for by name. The
built-in games are in a table because importlib.metadata takes as long as a bare interpreter start.
Source: docs/DESIGN.md P9, "Speed".
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
    """Return the names of all installed games, built-in games first, without importing any."""
    return (*BUILT_IN, *sorted({entry.name for entry in _plugin_entries()}))


def load(kind: str) -> "Game":
    """Import and return a game. Raises BadInput ``game/unknown``, ``game/ambiguous`` or ``game/broken``."""
    if kind in BUILT_IN:
        module, _, name = BUILT_IN[kind].partition(":")
        return cast("Game", getattr(import_module(module), name))
    entry = _find_plugin(kind)
    try:
        game = cast("Game", entry.load())
        declared_kind = game.kind
    except Exception as error:  # noqa: BLE001 - whatever a stranger's package does while it is imported
        raise _broken_plugin_error(entry, f"cannot be loaded: {_load_failure_text(error)}") from None
    if declared_kind != kind:
        raise _broken_plugin_error(entry, f"calls itself {declared_kind!r}")
    return game


def load_with_rules(kind: str, rules_version: str, hint: str) -> "Game":
    """Return the game. Raises Refused with ``hint`` if it lacks this version of its rules (decision 0006)."""
    game = load(kind)
    if rules_version not in game.rulings:
        supported_versions = " and ".join(game.rulings)
        text = f"this game is played by the rules of {rules_version}, but this pbem has those of {supported_versions}"
        raise Refused("game/rulings", text, hint)
    return game


def distribution(kind: str) -> tuple[str, str]:
    """Return name and version of the package that has the game. The first state of each game names both."""
    return ("pbem", __version__) if kind in BUILT_IN else _package_and_version(_find_plugin(kind))


def read_rules(kind: str) -> str:
    """Return the game's rules in words: RULES.md beside its package. Raises OurFault if it is missing."""
    try:
        with open(_path_beside_package(_module_name(kind), "RULES.md"), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        raise OurFault("game/no-rules", f"the game {kind!r} comes without its RULES.md", "install it again") from None


def read_word_tables(kind: str) -> tuple[str, str]:
    """Return two TOML texts with the words that players may use: for all games, and for this one ("" for none)."""
    return _read_word_table("pbem.notation"), _read_word_table(_module_name(kind))


def _read_word_table(package: str) -> str:
    path = _path_beside_package(package, "words.toml")
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def template_folders(kind: str) -> tuple[str, ...]:
    """Return a plug-in's own folder of templates. Empty if it has none, and for a built-in game."""
    if kind in BUILT_IN:
        return ()
    folder = _path_beside_package(_find_plugin(kind).module, "templates")
    return (folder,) if os.path.isdir(folder) else ()


def _module_name(kind: str) -> str:
    return BUILT_IN[kind].partition(":")[0] if kind in BUILT_IN else _find_plugin(kind).module


def _path_beside_package(module: str, name: str) -> str:
    """Return the path of a file beside a module, or "" if the module is not a file on a drive."""
    from importlib.util import find_spec

    spec = find_spec(module)
    return os.path.join(os.path.dirname(spec.origin), name) if spec and spec.origin else ""


def _plugin_entries() -> "list[EntryPoint]":
    from importlib.metadata import entry_points

    return [entry for entry in entry_points(group=ENTRY_POINT_GROUP) if entry.name not in BUILT_IN]


def _find_plugin(kind: str) -> "EntryPoint":
    """Return the only plug-in with this game. Raises BadInput if there is none, or more than one package has it."""
    entries = [entry for entry in _plugin_entries() if entry.name == kind]
    if not entries:
        raise BadInput("game/unknown", f"there is no game {kind!r}", _suggest_names(kind))
    if len({_package_and_version(entry) for entry in entries}) > 1:
        owners = " and ".join(sorted(_package_and_version(entry)[0] for entry in entries))
        raise BadInput("game/ambiguous", f"{owners} both have a game {kind!r}", "uninstall one of them with pip")
    return entries[0]


def _suggest_names(kind: str) -> str:
    from difflib import get_close_matches

    similar_names = get_close_matches(kind.lower(), game_names())
    return f"did you mean {' or '.join(similar_names)}?" if similar_names else "pbem games"


def _package_and_version(entry: "EntryPoint") -> tuple[str, str]:
    return (entry.dist.name, entry.dist.version) if entry.dist else ("unknown", "unknown")


def _load_failure_text(error: Exception) -> str:
    # messages of other errors may contain anything
    shows_message = isinstance(error, ImportError | AttributeError | SyntaxError)
    return f"{type(error).__name__}: {error}" if shows_message else type(error).__name__


def is_traceback_wanted() -> bool:
    """Return whether the author of a game has set PBEM_TRACEBACK=1."""
    return os.environ.get("PBEM_TRACEBACK") == "1"


def unexpected_fault(error: Exception, rerun_hint: str) -> OurFault:
    """Return the error to show for an exception that nobody expected, with its type, location and culprit.

    A plug-in is to blame if its code is in the traceback, or if its object lacks a method. Values are
    never shown, because they may be hidden cards. ``rerun_hint`` says how to print the traceback.
    """
    plugins_by_package = {entry.module.partition(".")[0]: entry for entry in _plugin_entries()}
    module_of_object = type(getattr(error, "obj", None)).__module__  # of an AttributeError
    blamed_plugin = plugins_by_package.get(module_of_object.partition(".")[0])
    location = "?"  # the innermost line of code in pbem or a plug-in
    trace = error.__traceback__
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        package = module.partition(".")[0]
        blamed_plugin = plugins_by_package.get(package, blamed_plugin)
        if package in {"pbem", *plugins_by_package}:
            location = f"{module}, line {trace.tb_lineno}"
        trace = trace.tb_next
    description = f"{type(error).__name__} in {location}"
    description += f", there is no {error.name!r}" if isinstance(error, AttributeError) else ""
    culprit = "our fault"
    recipient = "us"
    if blamed_plugin:
        culprit = f"the fault of {blamed_plugin.name!r} from {' '.join(_package_and_version(blamed_plugin))}"
        recipient = "its authors"
    hint = f"{rerun_hint}, and send {recipient} what it prints"
    return OurFault("fault/unexpected", f"this is {culprit}: {description}", hint)


def _broken_plugin_error(entry: "EntryPoint", problem: str) -> BadInput:
    name, version = _package_and_version(entry)
    return BadInput(
        "game/broken", f"the game {entry.name!r} from {name} {version} {problem}", f"pip install --upgrade {name}"
    )
