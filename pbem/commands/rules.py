"""``pbem rules``: the rules of a game in words."""

from typing import Annotated

import typer

from pbem import catalog
from pbem.engine.rulebook import numbers, paragraph
from pbem.errors import BadInput
from pbem.result import Result


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="See pbem games.")],
    number: Annotated[
        str, typer.Argument(metavar="[NUMBER]", help="A rule's number, for example CC-26.")
    ] = "",
) -> Result:
    """Explain all rules of a game, or a single rule. [R] marks those of pbem's own making."""
    text = catalog.rules(game)
    if not number:
        return Result({"game": game, "numbers": list(numbers(text)), "rules": text}, text)
    wanted = _canonical(number, numbers(text))
    found = paragraph(text, wanted)
    if found is None:
        raise BadInput("rules/number", f"{game} has no rule {number!r}", f"pbem rules {game}")
    return Result({"game": game, "number": wanted, "text": found}, f"{wanted}: {found}")


def _canonical(number: str, known: tuple[str, ...]) -> str:
    """``cc26``, ``CC 26`` and ``26`` are ``CC-26``."""
    letters = "".join(c for c in number if c.isalnum()).upper()
    for one in known:
        plain = one.replace("-", "").upper()
        if letters == plain or (
            letters.isdigit()
            and plain.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == letters
            and not one.startswith("R-")
        ):
            return one
    return number.upper()
