"""``pbem legal``: the legal orders now."""

from typing import Annotated

import typer

from pbem.chain.state_record import CLOSED
from pbem.clock import now
from pbem.commands.arguments import Directory
from pbem.result import Result
from pbem.services.session.newest import not_dealt, seat_of
from pbem.services.session.session import open_session


def run(
    directory: Directory,
    player: Annotated[
        str,
        typer.Option(
            metavar="SEAT",
            help="For this seat or player; without it, for those whom the game waits for.",
        ),
    ] = "",
) -> Result:
    """List the legal orders, one per line.

    Keep them to yourself: they may show what is in a hand.
    """
    session = open_session(directory, now())
    seat = seat_of(session.link, player) if player else ""
    data = {"game": session.link.game, "n": session.link.n, "legal": {}, "choices": {}}
    if not session.link.dealt:
        return Result(data, not_dealt(session.link).line(), 1)
    if session.link.phase == CLOSED:
        return Result(data, f"This game was closed with state {session.link.n}.", 1)
    game, state = session.game, session.position.state
    asked = [question.seat for question in game.questions(game.view(state, None))]
    wanted = [seat] if seat else asked
    found = {seat: list(game.legal(game.view(state, seat))) for seat in wanted}
    asking = {seat: game.ask(game.view(state, seat)) for seat in wanted}
    choices = {
        seat: [{"order": one.order, "rest": list(one.rest)} for one in said.choices]
        for seat, said in asking.items()
        if said is not None
    }
    names = {one.seat: one.shown for one in session.link.people}
    data |= {"legal": found, "choices": choices}
    if len(found) == 1:
        lines = next(iter(found.values()))
    else:
        lines = [f"{names[seat]}: {line}" for seat, orders in found.items() for line in orders]
    text = "\n".join(lines) or _nothing([names[one] for one in asked], names.get(seat, ""))
    return Result(data, text, 0 if lines else 1)


def _nothing(asked: list[str], who: str) -> str:
    if not asked:
        return "The game is over."
    return f"There is nothing for {who} to decide now. It waits for {', '.join(asked)}."
