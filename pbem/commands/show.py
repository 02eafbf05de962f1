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
    from pbem.moderator.standing import standing

    refuse_no_game(directory)
    link = newest(GameFolder(directory), trusted_key(GameFolder(directory), the_home())).link
    game, view = spectators_view(link)
    names = dict(zip(link.setup.seats, link.names, strict=True))
    waits = [f"{names[one.seat]} ({one.seat})" for one in game.questions(view)]
    outcome = game.outcome(view)
    rows = standing(game, view)
    hidden = _hidden(directory) if secret else []
    data: dict[str, Any] = {
        "game": link.game,
        "kind": link.setup.kind,
        "n": link.n,
        "time": link.time,
        "waits_for": [one.seat for one in game.questions(view)],
        "over": outcome is not None,
        "scores": {one.seat: one.points for one in rows if one.points is not None},
        "standing": {one.seat: one.text for one in rows},
        "position": link.position,
    }
    if secret:
        data["hidden"] = hidden
    won = [names[seat] for seat in outcome.winners] if outcome else []
    lines = [f"{game.title}, state {link.n} of {link.time}"]
    lines += [
        f"The game is over. {' and '.join(won)} won."
        if won
        else f"It waits for {', '.join(waits)}."
    ]
    lines += ["", "THE BOARD", *game.describe(view)["board"], "", "SCORES"]
    lines += [f"{names[one.seat]} ({one.seat}): {one.text}" for one in rows]
    if secret:
        lines += ["", "HIDDEN (for the referee's eyes)", *map(_hidden_line, hidden)]
    return Result(data, "\n".join(lines))


def _hidden_line(one: dict[str, Any]) -> str:
    known = f", known to {', '.join(one['known_to'])}" if one["known_to"] else ""
    return f"{one['slot']}: {one['value']}{known}"


def _hidden(directory: Path) -> list[dict[str, Any]]:
    """Every hidden value, for the referee who asked for it by name."""
    from pbem.commands.session import open_session

    session = open_session(directory)
    found = session.game.encode(session.position.state).hidden
    return [
        {"slot": slot, "value": one.for_sealing(), "known_to": sorted(one.audience)}
        for slot, one in sorted(found.items())
    ]
