"""``pbem history``: a game turn by turn."""

from itertools import groupby
from typing import Annotated, Any

import typer

from pbem.chain.clock_words import in_prose
from pbem.clock import now
from pbem.commands.arguments import Directory
from pbem.result import Result
from pbem.services.chronicle import chronicle
from pbem.services.session.newest import not_dealt, seat_of
from pbem.services.session.session import open_session


def run(
    directory: Directory,
    player: Annotated[
        str,
        typer.Option(metavar="SEAT", help="As this seat or player saw it; without it, all of it."),
    ] = "",
) -> Result:
    """Tell a game turn by turn, with times: orders, events and rulings.

    Without --player it shows every order whole. Keep that to yourself.
    """
    session = open_session(directory, now())
    if not session.link.dealt:
        raise not_dealt(session.link)
    seat = seat_of(session.link, player) if player else ""
    rows = chronicle(session, seat)
    data = {"game": session.link.game, "n": session.link.n, "seat": seat, "states": rows}
    lines = [f"{session.game.title}, {session.label}"]
    for turn, states in groupby(rows, key=lambda row: row.get("turn", "")):
        lines += ["", f"TURN {turn}" if turn else "LOST"]
        for row in states:
            lines += _of_state(row, session.link.clock.zone)
    return Result(data, "\n".join(lines))


def _of_state(row: dict[str, Any], zone: str) -> list[str]:
    if "lost" in row:
        return [f"State {row['n']}: {row['lost']}"]
    lines = [f"State {row['n']}, {in_prose(row['time'], zone)}"]
    for one in row["orders"]:
        how = f"  ({one['how']})" if one["how"] else ""
        lines.append(f"  {one['player']} ({one['seat']}): {one['order']}{how}")
    lines += [f"  - {text}" for text in row["events"]]
    return [*lines, *(f"  {line}" for text in row["rulings"] for line in text.split("\n"))]
