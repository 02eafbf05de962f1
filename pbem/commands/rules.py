"""``pbem rules``: shows the rules of a game."""

from typing import Annotated

from typer import Argument

from pbem import catalog
from pbem.engine.rulebook import find_paragraph, list_rule_numbers
from pbem.errors import BadInput
from pbem.result import Result


def run(
    game: Annotated[str, Argument(metavar="GAME", help="Which game. See pbem games.")],
    number: Annotated[str, Argument(metavar="[NUMBER]", help="A rule's number, for example CC-26.")] = "",
) -> Result:
    """Explain all rules of a game, or a single rule. [R] marks house rules."""
    text = catalog.read_rules(game)
    if not number:
        return Result({"game": game, "numbers": list(list_rule_numbers(text)), "rules": text}, text)
    rule_number = _canonical_number(number, list_rule_numbers(text))
    rule_text = find_paragraph(text, rule_number)
    if rule_text is None:
        raise BadInput("rules/number", f"{game} has no rule {number!r}", f"pbem rules {game}")
    return Result({"game": game, "number": rule_number, "text": rule_text}, f"{rule_number}: {rule_text}")


def _canonical_number(number: str, known_numbers: tuple[str, ...]) -> str:
    """Return a rule's number as the rules spell it: ``CC-26`` for ``cc26``, ``CC 26`` and ``26``.

    A rule for all games, such as ``R-2``, needs its letter. An unknown number comes back in capitals.
    """
    typed = "".join(c for c in number if c.isalnum()).upper()
    for known_number in known_numbers:
        plain = known_number.replace("-", "").upper()
        digits = plain if known_number.startswith("R-") else plain.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        if typed and typed in (plain, digits):
            return known_number
    return number.upper()
