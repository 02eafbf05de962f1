"""``pbem legal``: the legal orders now."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.clock import now
from pbem.errors import BadInput
from pbem.moderator.chain.link import CLOSED
from pbem.result import Result
from pbem.services.session.newest import not_dealt
from pbem.services.session.session import open_session


def run(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A game's folder.")],
    player: Annotated[
        str, typer.Option(metavar="SEAT", help="For this seat; else for whom it waits.")
    ] = "",
) -> Result:
    """List the legal orders now, one a line. They may tell what is in a hand: for the referee."""
    session = open_session(directory, now())
    seats = session.link.setup.seats
    if player and player.lower() not in seats:
        raise BadInput(
            "players/seat",
            f"there is no seat {player!r} in this game",
            f"seats are: {', '.join(seats)}",
        )
    if not session.link.dealt:
        nothing = {"game": session.link.game, "n": session.link.n, "legal": {}, "choices": {}}
        return Result(nothing, not_dealt(session.link).line(), 1)
    if session.link.phase == CLOSED:
        nothing = {"game": session.link.game, "n": session.link.n, "legal": {}, "choices": {}}
        return Result(nothing, f"This game was closed with state {session.link.n}.", 1)
    game, state = session.game, session.position.state
    asked = [question.seat for question in game.questions(game.view(state, None))]
    wanted = [player.lower()] if player else asked
    found = {seat: list(game.legal(game.view(state, seat))) for seat in wanted}
    asking = {seat: game.ask(game.view(state, seat)) for seat in wanted}
    choices = {
        seat: [{"order": one.order, "rest": list(one.rest)} for one in said.choices]
        for seat, said in asking.items()
        if said is not None
    }
    data = {"game": session.link.game, "n": session.link.n, "legal": found, "choices": choices}
    if len(found) == 1:
        lines = next(iter(found.values()))
    else:
        lines = [f"{seat}: {line}" for seat, orders in found.items() for line in orders]
    return Result(data, "\n".join(lines) or _nothing(asked, player), 0 if lines else 1)


def _nothing(asked: list[str], player: str) -> str:
    if not asked:
        return "The game is over."
    return f"There is nothing for {player.lower()} to decide now: it waits for {', '.join(asked)}."
