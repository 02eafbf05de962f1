"""``pbem show``: the public board."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.commands.result import Result


def run(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A game's folder.")],
    secret: Annotated[
        bool, typer.Option("--secret", help="Show the hidden things too (needs the referee's key).")
    ] = False,
) -> Result:
    """Show the public board, as a spectator sees it."""
    from pbem.commands.newest import newest, refuse_no_game, spectators_view, the_home, trusted_key
    from pbem.disk.folder import GameFolder
    from pbem.render import render

    refuse_no_game(directory)
    link = newest(GameFolder(directory), trusted_key(GameFolder(directory), the_home())).link
    game, view = spectators_view(link)
    names = dict(zip(link.setup.seats, link.setup.names, strict=True))
    waits = [f"{names[one.seat]} ({one.seat})" for one in game.questions(view)]
    outcome = game.outcome(view)
    table = game.describe(view)
    scores = [{"seat": s, "player": names[s], "points": p} for s, p in game.scores(view)]
    hidden = _hidden(directory) if secret else []
    data: dict[str, Any] = {
        "game": link.game,
        "kind": link.setup.kind,
        "n": link.n,
        "time": link.time,
        "waits_for": [one.seat for one in game.questions(view)],
        "over": outcome is not None,
        "scores": dict(game.scores(view)),
        "position": link.position,
    }
    if secret:
        data["hidden"] = hidden
    text = render(
        "show.txt", title=game.title, kind=game.kind, n=link.n, time=link.time, waits=waits,
        winners=[names[s] for s in outcome.winners] if outcome else [],
        table=table, scores=scores, seat="", hidden=hidden, secret=secret,
    )  # fmt: skip
    return Result(data, text)


def _hidden(directory: Path) -> list[dict[str, Any]]:
    """Every hidden value, for the referee who asked for it by name."""
    from pbem.commands.session import open_session

    session = open_session(directory)
    found = session.game.encode(session.position.state).hidden
    return [
        {"slot": slot, "value": one.for_sealing(), "known_to": sorted(one.audience)}
        for slot, one in sorted(found.items())
    ]
