"""``pbem script run``: plays a game that is written as a script."""

import json
import re
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from typer import Argument, Option

from pbem import catalog
from pbem.disk.whole import read_input
from pbem.engine.row import join_with_and
from pbem.engine.settings import Script
from pbem.errors import BadInput, PbemError
from pbem.play.script import play_script
from pbem.result import Result

if TYPE_CHECKING:
    from pbem.engine.game import Game

MAX_FILE_SIZE = 4 * 1024 * 1024
FORMAT_HINT = "see FORMAT.md (Scripts)"
NUMBER_LIMIT = 1000  #: every number in a script is smaller
TO_ACT, OVER = "(to act)", "over"  #: in place of an order, and of the one who gives it


def run_run(
    files: Annotated[list[str], Argument(metavar="FILE...", help="Scripts (JSON). - is standard input.")],
    list_legal: Annotated[bool, Option("--legal", help="List the legal orders with each step.")] = False,
) -> Result:
    """Play scripts by the rules and show each step. With several files, --json prints one line for each.

    A wrong script does not stop the others. The exit code is then 2.
    """
    if len(files) == 1:
        document = _play_file(files[0], list_legal)
        return Result(document, _summary_text(files[0], document))
    results = [_play_or_error(name, list_legal) for name in files]
    text = "\n".join(result.text for result in results)
    code = max(result.exit_code for result in results)
    return Result({}, text, code, tuple(result.document for result in results))


class ScriptResult(NamedTuple):
    """The result of one of several scripts."""

    document: dict[str, Any]  #: for ``--json``
    text: str
    exit_code: int = 0


def _play_or_error(name: str, list_legal: bool) -> ScriptResult:
    try:
        document = _play_file(name, list_legal)
    except PbemError as error:
        error_document = {"code": error.code, "message": error.message, "hint": error.hint}
        return ScriptResult({"error": error_document}, error.as_line(), error.exit_code)
    return ScriptResult(document, _summary_text(name, document))


def _play_file(name: str, list_legal: bool) -> dict[str, Any]:
    """Play the script in a file. Return each step, and how the game ended. Errors name the file."""
    try:
        text = read_input(name, MAX_FILE_SIZE).decode("utf-8-sig")
        document = json.loads(text, parse_int=_small_integer, parse_float=_small_integer, parse_constant=_small_integer)
    except BadInput as error:
        named_message = error.message if name in error.message else f"{name}: {error.message}"
        raise type(error)(error.code, named_message, error.hint) from None
    except UnicodeDecodeError:
        raise BadInput("script/encoding", f"{name} is not UTF-8", "save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        reason = "too deep or not JSON"
        if isinstance(error, json.JSONDecodeError):
            reason = f"line {error.lineno}"
        raise BadInput("script/json", f"{name} is not JSON ({reason})", FORMAT_HINT) from None
    if not isinstance(document, dict) or not isinstance(document.get("game"), str):
        raise BadInput("script/shape", f'{name} is not a script: it has no "game"', FORMAT_HINT)
    game = catalog.load(document["game"])
    try:
        return play_script(game, _read_script(game, document), list_legal)
    except PbemError as error:
        message = error.message
        if error.code == "script/shape" and not isinstance(error.__cause__, KeyError):
            message = "a value in it has the wrong type"
        raise type(error)(error.code, f"{name}: {message}", error.hint) from None


def _read_script(game: "Game", document: dict[str, Any]) -> Script:
    """Read the script with the game's own reader. Raises BadInput ``script/shape`` if a value has the wrong type."""
    try:
        script = game.from_script(document)
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        raise BadInput("script/shape", "", FORMAT_HINT) from error
    if len(set(script.names.values())) != len(script.names):
        raise BadInput("script/players", "two players have the same name", FORMAT_HINT)
    return script


def _small_integer(text: str) -> int:
    """Parse a number. Raises BadInput ``script/number`` if it is not whole or is large, which would waste memory."""
    if not re.fullmatch("-?[0-9]{1,3}", text):
        raise BadInput("script/number", f"every number must be whole and below {NUMBER_LIMIT}", FORMAT_HINT)
    return int(text)


def _summary_text(name: str, document: dict[str, Any]) -> str:
    lines = [f"{name}: {document['game']}, {len(document['steps']) - 1} orders"]
    for step_number, step in enumerate(document["steps"], 1):
        scores = " ".join(f"{player} {points}" for player, points in step["scores"].items())
        step_text = f"{step['to_act']}: {step['order'] or TO_ACT}" if step["to_act"] else OVER
        lines.append(f"{step_number:4} {step_text}  [{step['legal']} legal; {scores}]")
        lines += [f"       {order}" for order in step.get("orders", ())]
    final = document["final"]
    if document["over"]:
        lines.append(f"won by {join_with_and(final['winners'])}, ended by {final['ended_by']}")
    return "\n".join(lines)
