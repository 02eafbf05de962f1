"""``pbem games``: what is installed."""

from pbem import catalog
from pbem.commands.result import Result


def run() -> Result:
    """List the games installed here, with their numbers of players."""
    found = [(kind, catalog.load(kind)) for kind in catalog.names()]
    data = [
        {"kind": kind, "title": game.title, "players": list(game.players)} for kind, game in found
    ]
    lines = [
        f"{kind:16} {game.title}, {game.players[0]} to {game.players[1]} players"
        for kind, game in found
    ]
    return Result({"games": data}, "\n".join(lines))
