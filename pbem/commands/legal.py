"""``pbem legal``: lists the legal orders."""

from typing import Annotated

from typer import Option

from pbem.chain.state_record import CLOSED
from pbem.clock import now
from pbem.commands.arguments import Directory
from pbem.result import Result
from pbem.services.session.newest import find_seat, not_dealt_error
from pbem.services.session.session import open_session


def run(
    directory: Directory,
    player: Annotated[str, Option(metavar="SEAT", help="Only this seat or player. Default: all who must answer.")] = "",
) -> Result:
    """List the legal orders, one per line.

    Keep them to yourself, because they may show a player's cards.
    """
    session = open_session(directory, now())
    seat = find_seat(session.record, player) if player else ""
    data = {"game": session.record.game, "n": session.record.n, "legal": {}, "choices": {}}
    if not session.record.is_dealt:
        return Result(data, not_dealt_error(session.record).as_line(), 1)
    if session.record.phase == CLOSED:
        return Result(data, f"This game was closed with state {session.record.n}.", 1)
    game, state = session.game, session.position.state
    asked_seats = [question.seat for question in game.questions(game.view(state, None))]
    seats = [seat] if seat else asked_seats
    orders_by_seat = {seat: list(game.legal(game.view(state, seat))) for seat in seats}
    questions_by_seat = {seat: game.ask(game.view(state, seat)) for seat in seats}
    choices = {
        seat: [{"order": choice.order, "rest": list(choice.rest)} for choice in seat_question.choices]
        for seat, seat_question in questions_by_seat.items()
        if seat_question is not None
    }
    names = {person.seat: person.label for person in session.record.people}
    data |= {"legal": orders_by_seat, "choices": choices}
    if len(orders_by_seat) == 1:
        lines = next(iter(orders_by_seat.values()))
    else:
        lines = [f"{names[seat]}: {line}" for seat, orders in orders_by_seat.items() for line in orders]
    text = "\n".join(lines) or _no_orders_text([names[asked_seat] for asked_seat in asked_seats], names.get(seat, ""))
    return Result(data, text, 0 if lines else 1)


def _no_orders_text(asked_names: list[str], player_name: str) -> str:
    if not asked_names:
        return "The game is over."
    return f"{player_name} has nothing to decide now. It waits for {', '.join(asked_names)}."
