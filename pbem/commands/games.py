"""``pbem games``: the installed games and their options."""

from typing import TYPE_CHECKING, Any

from pbem import catalog
from pbem.engine.settings import SHARED_OPTIONS, Option
from pbem.play.deadlines.option_names import CLOCK_OPTION_NAMES, CLOCK_OPTIONS
from pbem.result import Result

if TYPE_CHECKING:
    from pbem.engine.game import Game


def run() -> Result:
    """List the games installed here, with their players, seats and options."""
    games = [catalog.load(kind) for kind in catalog.game_names()]
    text = "\n\n".join(["\n".join(_game_lines(game)) for game in games] + ["\n".join(_clock_lines())])
    clock = [_option_document(option) for option in CLOCK_OPTIONS]
    return Result({"games": [_game_document(game) for game in games], "clock": clock}, text)


def _game_document(game: "Game") -> dict[str, Any]:
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
        "options": [_option_document(option) for option in (*game.options, *SHARED_OPTIONS)],
    }


def _option_document(option: Option) -> dict[str, str]:
    """Return an option for ``--json``. What reports say about it is left out."""
    return {key: value for key, value in option._asdict().items() if key != "said"}


def _game_lines(game: "Game") -> list[str]:
    low, high = game.players
    lines = [f"{game.kind}: {game.title}, {game.credits}, {low} to {high} players", f"  seats: {', '.join(game.seats)}"]
    for option in (*game.options, *SHARED_OPTIONS):
        if option.name in CLOCK_OPTION_NAMES:
            continue  # it is listed below, once for all games
        rule = f" ({option.ruling})" if option.ruling else ""
        lines.append(f"  --option {option.name}={option.default}  {option.text}{rule}")
        lines.append(f"      allowed: {option.allowed}")
    return lines


def _clock_lines() -> list[str]:
    return [
        "deadlines, for every game (docs/REFEREE.md):",
        *(f"  --option {option.name}={option.default}  {option.text}: {option.allowed}" for option in CLOCK_OPTIONS),
    ]
