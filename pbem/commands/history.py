"""``pbem history``: shows a game turn by turn."""

from itertools import groupby
from typing import Annotated, Any

from typer import Option

from pbem.chain.clock_words import instant_in_prose
from pbem.clock import now
from pbem.commands.arguments import Directory
from pbem.errors import BadInput
from pbem.result import Result
from pbem.services.chronicle import list_history
from pbem.services.session.newest import find_seat, not_dealt_error
from pbem.services.session.session import open_session


def run(
    directory: Directory,
    player: Annotated[str, Option(metavar="SEAT", help="As this seat or player saw it. Default: a spectator.")] = "",
    show_secret: Annotated[bool, Option("--secret", help="Show all orders in full, also hidden cards.")] = False,
) -> Result:
    """Show a game turn by turn, with times: orders, events and rulings."""
    if player and show_secret:
        raise BadInput("history/options", "--secret shows more than a player saw", "choose either --player or --secret")
    session = open_session(directory, now())
    if not session.record.is_dealt:
        raise not_dealt_error(session.record)
    seat = find_seat(session.record, player) if player else ""
    rows = list_history(session, seat, show_secret)
    data = {"game": session.record.game, "n": session.record.n, "seat": seat, "states": rows}
    lines = [f"{session.game.title}, {session.label}{' (for your eyes only)' if show_secret else ''}"]
    for turn, states in groupby(rows, key=lambda row: row.get("turn", "")):
        lines += ["", f"TURN {turn}" if turn else "LOST"]
        for row in states:
            lines += _state_lines(row, session.record.clock.zone)
    return Result(data, "\n".join(lines))


def _state_lines(row: dict[str, Any], zone: str) -> list[str]:
    """Return a state's orders, events and rulings, or why it was lost."""
    if "lost" in row:
        return [f"State {row['n']}: {row['lost']}"]
    lines = [f"State {row['n']}, {instant_in_prose(row['time'], zone)}"]
    for order in row["orders"]:
        source = f"  ({order['how']})" if order["how"] else ""
        lines.append(f"  {order['player']} ({order['seat']}): {order['order']}{source}")
    lines += [f"  - {text}" for text in row["events"]]
    return [*lines, *(f"  {line}" for text in row["rulings"] for line in text.split("\n"))]
