"""``pbem script run``: play a script through the rules."""

from typing import Annotated, Any

import typer

from pbem.commands.result import Result
from pbem.errors import BadInput

LIMIT = 4 * 1024 * 1024


def run_run(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Scripts (JSON); - is standard input.")],
    legal: Annotated[bool, typer.Option("--legal", help="With each step, the list of legal orders.")] = False,
) -> Result:
    """Play scripts through the rules and print each step. Several files: one document a line."""
    documents = [_one(name, legal) for name in files]
    text = "\n".join(_told(name, found) for name, found in zip(files, documents, strict=True))
    if len(documents) == 1:
        return Result(documents[0], text)
    return Result({}, text, lines=tuple(documents))


def _one(name: str, legal: bool) -> dict[str, Any]:
    import json

    from pbem import catalog
    from pbem.disk.reading import read_input
    from pbem.errors import PbemError
    from pbem.moderator.scripting import play

    try:
        document = json.loads(read_input(name, LIMIT).decode("utf-8"))
    except UnicodeDecodeError:
        raise BadInput("script/encoding", f"{name} is not UTF-8", "save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "too deep or not JSON"
        raise BadInput("script/json", f"{name} is not JSON ({where})", "see rules/script.md") from None
    if not isinstance(document, dict) or not isinstance(document.get("game"), str):
        raise BadInput("script/shape", f'{name} is no script: it has no "game"', "see rules/script.md")
    game = catalog.load(document["game"])
    try:
        return play(game, game.from_script(document), legal)
    except PbemError as error:
        raise type(error)(error.code, f"{name}: {error.message}", error.hint) from None


def _told(name: str, found: dict[str, Any]) -> str:
    lines = [f"{name}: {found['game']}, {len(found['steps']) - 1} orders"]
    for number, step in enumerate(found["steps"], 1):
        scores = " ".join(f"{who} {points}" for who, points in step["scores"].items())
        what = f"{step['to_act']}: {step['order'] or '(to act)'}" if step["to_act"] else "over"
        lines.append(f"{number:4} {what}  [{step['legal']} legal; {scores}]")
        lines += [f"       {order}" for order in step.get("orders", ())]
    final = found["final"]
    if found["over"]:
        lines.append(f"won by {' and '.join(final['winners'])}, ended by {final['ended_by']}")
    return "\n".join(lines)
