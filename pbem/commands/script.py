"""``pbem script run``: play a script through the rules."""

import json
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import catalog
from pbem.disk.whole import read_input
from pbem.engine.row import all_of
from pbem.engine.settings import Script
from pbem.errors import BadInput, PbemError
from pbem.play.script import play
from pbem.result import Result

if TYPE_CHECKING:
    from pbem.engine.game import Game

LIMIT = 4 * 1024 * 1024
SEE = "see docs/SCRIPT.md"
MOST = 1000  #: every number in a script is smaller


def run_run(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Scripts (JSON); - is standard input.")
    ],
    legal: Annotated[
        bool, typer.Option("--legal", help="List the legal orders with each step.")
    ] = False,
) -> Result:
    """Play scripts by the rules and print each step. Several files: one document per line.

    A script that is wrong does not stop the others. The exit code is then 2.
    """
    if len(files) == 1:
        only = _one(files[0], legal)
        return Result(only, _told(files[0], only))
    played = [_played(name, legal) for name in files]
    text = "\n".join(said for _, said, _ in played)
    code = max(exit_code for _, _, exit_code in played)
    return Result({}, text, code, tuple(document for document, _, _ in played))


def _played(name: str, legal: bool) -> tuple[dict[str, Any], str, int]:
    """One of several: a script that is wrong does not hide what came of the others."""
    try:
        found = _one(name, legal)
    except PbemError as error:
        what = {"code": error.code, "message": error.message, "hint": error.hint}
        return {"error": what}, error.line(), error.exit_code
    return found, _told(name, found), 0


def _one(name: str, legal: bool) -> dict[str, Any]:
    try:
        text = read_input(name, LIMIT).decode("utf-8-sig")
        document = json.loads(text, parse_int=_number, parse_float=_number, parse_constant=_number)
    except BadInput as error:
        named = error.message if name in error.message else f"{name}: {error.message}"
        raise type(error)(error.code, named, error.hint) from None
    except UnicodeDecodeError:
        raise BadInput("script/encoding", f"{name} is not UTF-8", "save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        where = "too deep or not JSON"
        if isinstance(error, json.JSONDecodeError):
            where = f"line {error.lineno}"
        raise BadInput("script/json", f"{name} is not JSON ({where})", SEE) from None
    if not isinstance(document, dict) or not isinstance(document.get("game"), str):
        raise BadInput("script/shape", f'{name} is not a script: it has no "game"', SEE)
    game = catalog.load(document["game"])
    try:
        return play(game, _script(game, document), legal)
    except PbemError as error:
        message = error.message
        if error.code == "script/shape" and not isinstance(error.__cause__, KeyError):
            message = "a value in it is of another kind than a script has there"
        raise type(error)(error.code, f"{name}: {message}", error.hint) from None


def _script(game: "Game", document: dict[str, Any]) -> Script:
    """As the game reads it, whatever it makes of values of the wrong kind."""
    try:
        found = game.from_script(document)
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        raise BadInput("script/shape", "", SEE) from error
    if len(set(found.names.values())) != len(found.names):
        raise BadInput("script/players", "two players have the same name", SEE)
    return found


def _number(text: str) -> int:
    """Whole and small: what a game's parts are counted by. More would only cost memory."""
    if not re.fullmatch("-?[0-9]{1,3}", text):
        raise BadInput("script/number", f"every number must be whole and below {MOST}", SEE)
    return int(text)


def _told(name: str, found: dict[str, Any]) -> str:
    lines = [f"{name}: {found['game']}, {len(found['steps']) - 1} orders"]
    for number, step in enumerate(found["steps"], 1):
        scores = " ".join(f"{who} {points}" for who, points in step["scores"].items())
        what = f"{step['to_act']}: {step['order'] or '(to act)'}" if step["to_act"] else "over"
        lines.append(f"{number:4} {what}  [{step['legal']} legal; {scores}]")
        lines += [f"       {order}" for order in step.get("orders", ())]
    final = found["final"]
    if found["over"]:
        lines.append(f"won by {all_of(final['winners'])}, ended by {final['ended_by']}")
    return "\n".join(lines)
