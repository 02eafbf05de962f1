"""``pbem games``: what is installed, and the options of each game."""

from typing import TYPE_CHECKING, Any

from pbem import catalog
from pbem.engine.settings import MISSED, Option
from pbem.play.deadlines.option_names import CLOCK
from pbem.result import Result

if TYPE_CHECKING:
    from pbem.engine.game import Game


def run() -> Result:
    """List the games installed here, with their players, seats and options."""
    found = [catalog.load(kind) for kind in catalog.names()]
    text = "\n\n".join(["\n".join(_lines(game)) for game in found] + ["\n".join(_clock())])
    clock = [_option(one) for one in CLOCK]
    return Result({"games": [_data(game) for game in found], "clock": clock}, text)


def _data(game: "Game") -> dict[str, Any]:
    package, version = catalog.distribution(game.kind)
    return {
        "kind": game.kind,
        "title": game.title,
        "credits": game.credits,
        "players": list(game.players),
        "seats": list(game.seats),
        "rulings": game.rulings[0],
        "package": package,
        "version": version,
        # what players are told of a value stands in their invitation
        "options": [_option(one) for one in (*game.options, MISSED)],
    }


def _option(one: Option) -> dict[str, str]:
    return {key: value for key, value in one._asdict().items() if key != "said"}


def _lines(game: "Game") -> list[str]:
    low, high = game.players
    lines = [
        f"{game.kind}: {game.title}, {game.credits}, {low} to {high} players",
        f"  seats: {', '.join(game.seats)}",
    ]
    for one in (*game.options, MISSED):
        lines.append(f"  --option {one.name}={one.default}  {one.text} ({one.ruling})")
        lines.append(f"      allowed: {one.allowed}")
    return lines


def _clock() -> list[str]:
    lines = ["deadlines, for every game (docs/CLOCK.md):"]
    return [
        *lines,
        *(f"  --option {one.name}={one.default}  {one.text}: {one.allowed}" for one in CLOCK),
    ]
