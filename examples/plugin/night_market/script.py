"""Reads and writes scripts, for `pbem script run`. README.md has the format."""

from collections.abc import Mapping, Sequence
from typing import Any

from night_market.setup import configure, worths
from pbem.engine.settings import Config, Script, reading_script
from pbem.errors import BadInput

SEE = "see the example's README.md"


@reading_script(SEE)
def from_script(document: Mapping[str, Any]) -> Script:
    """Read a script; BadInput ``script/…`` says what is wrong."""
    names = {str(player["seat"]): str(player["name"]) for player in document["players"]}
    number = len(document["players"])
    options = {key: str(value) for key, value in document.get("options", {}).items()}
    goods = tuple(str(int(worth)) for worth in document["goods"])
    orders = tuple((str(order["player"]), str(order["order"])) for order in document["orders"])
    if len(names) != number:
        raise BadInput("script/players", "two players have the same seat", SEE)
    config = configure(tuple(names), options)
    expected = worths(int(config.option("lots")))
    if sorted(goods) != sorted(expected):
        text = f"goods are not each of 1 to {len(expected)} once"
        raise BadInput("script/goods", text, "see NM-2")
    return Script(config, {"goods": goods}, names, orders)


def to_script(config: Config, deal: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The facts of a game as a script without orders; players are named by their seats."""
    return {
        "game": "night-market",
        "players": [{"name": seat, "seat": seat} for seat in config.seats],
        "options": {"lots": int(config.option("lots"))},
        "goods": [int(worth) for worth in deal["goods"]],
        "orders": [],
    }
