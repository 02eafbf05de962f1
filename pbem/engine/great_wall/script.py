"""Scripts: a game as facts and orders (docs/SCRIPT.md)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.great_wall.parts import COLOURS, DECK, RESERVE, SITES
from pbem.engine.great_wall.setup import configure
from pbem.engine.settings import Config, Script
from pbem.engine.strict import reading_script
from pbem.errors import BadInput

SEE = "see docs/SCRIPT.md"


@reading_script()
def from_script(document: Mapping[str, Any]) -> Script:
    """Read a script; BadInput ``script/…`` says where it is wrong."""
    players = [_text(name) for name in document["players"]]
    options = _options(dict(document.get("options", {})))
    decks = {str(name): tuple(map(_text, deck)) for name, deck in document["decks"].items()}
    reserve = tuple(str(int(value)) for value in document["reserve"])
    orders = tuple((str(o["player"]), str(o["order"])) for o in document["orders"])
    if len(players) not in SITES:
        raise BadInput("script/players", f"{len(players)} players, not 2 to 5", SEE)
    if len(set(players)) != len(players):
        raise BadInput("script/players", "two players have the same name", SEE)
    seats = COLOURS[: len(players)]
    config = configure(seats, options)
    if set(decks) != set(players):
        raise BadInput("script/decks", "there is not one deck for each player", SEE)
    _check_pile("the reserve", reserve, RESERVE, "GW-2")
    deal = {"reserve": reserve}
    for seat, name in zip(seats, players, strict=True):
        _check_pile(f"the deck of {name!r}", decks[name], DECK, "GW-1")
        deal[f"deck/{seat}"] = decks[name]
    return Script(config, deal, dict(zip(seats, players, strict=True)), orders)


def _text(value: Any) -> str:
    """A text; anything else is a mistake of the script."""
    if not isinstance(value, str):
        raise TypeError(type(value).__name__)
    return value


def _options(given: dict[str, Any]) -> dict[str, str]:
    """Flags are true and false in a script."""
    flags = {True: "yes", False: "no"}
    return {
        str(key): flags[value] if isinstance(value, bool) else str(value)
        for key, value in given.items()
    }


def _check_pile(what: str, pile: Sequence[str], right: Sequence[str], ruling: str) -> None:
    """The first thing there are too many or too few of."""
    has, wanted = Counter(pile), Counter(right)
    for thing in sorted({*has, *wanted}):
        if has[thing] != wanted[thing]:
            raise BadInput(
                "script/pile",
                f"{what} has {thing[:20]!r} {has[thing]} times, not {wanted[thing]}",
                f"{len(right)} in all, see {ruling}",
            )


def to_script(config: Config, deal: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The facts of a game as a script without orders; players are named by their seats."""
    seats = list(deal.get("seats", config.seats))
    return {
        "game": "great-wall",
        "players": seats,
        "options": {"open_scores": config.option("open_scores") == "yes"},
        "decks": {seat: list(deal[f"deck/{seat}"]) for seat in seats},
        "reserve": [int(value) for value in deal["reserve"]],
        "orders": [],
    }
