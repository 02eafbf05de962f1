"""``pbem receive``: take what players sent."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.clock import now
from pbem.disk.folder import find_games
from pbem.errors import BadInput, PbemError
from pbem.result import Result
from pbem.services.intake.intake import take_file
from pbem.services.intake.known import refuse_typed
from pbem.services.session.keys import the_home, the_key
from pbem.services.session.session import Session


def run(
    root: Annotated[
        Path, typer.Argument(metavar="ROOT", help="A game's folder, or a folder of games.")
    ],
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Move files or mails; - is standard input."),
    ],
    secret: Annotated[
        bool, typer.Option("--secret", help="Print hidden orders in clear: which card, which plan.")
    ] = False,
    typed: Annotated[
        str, typer.Option(metavar="SEAT", help="You typed these orders for the player at SEAT.")
    ] = "",
) -> Result:
    """Take move files or mails: the code in each says which game and seat it is for.

    All lines of a mail are kept, or none; a receipt for the player goes to desk/outbox.
    """
    sessions, notes = open_all(root, now())
    if typed and len(sessions) == 1:
        _check_typed(sessions[0], typed.lower())
    verdicts = [take_file(sessions, name, secret, typed.lower()) for name in files]
    notes += [f"{session.label}: {note}" for session in sessions for note in session.notes]
    data = {"files": [verdict.document() for verdict in verdicts], "notes": notes}
    text = "\n".join([*(each.text() for each in verdicts), *(f"note: {note}" for note in notes)])
    return Result(data, text, max(verdict.exit_code for verdict in verdicts))


def open_all(root: Path, time: str) -> tuple[list["Session"], list[str]]:
    """Every game below a folder; one that cannot be opened is named and passed over."""
    folders, notes = find_games(root)
    place = the_home()
    key = the_key(place)
    found, failed = [], []
    for folder in folders:
        try:
            session = Session(folder, place, key, time)
            if not session.codes_secret:
                notes.append(
                    f"{session.label}: its reply codes are lost, so no mail counts "
                    f"for it: pbem resolve {folder.root} makes new ones"
                )
            found.append(session)
        except PbemError as error:
            failed.append(error)
            notes.append(f"{folder.root.name}: {error.line()}")
    if not found and failed:
        raise failed[0]
    if not found:
        raise BadInput("game/none", f"there is no game in {root}", "pbem new makes one")
    return found, notes


def _check_typed(session: "Session", seat: str) -> None:
    """What the referee types is for one seat of one game, and he may type it."""
    setup = session.link.setup
    if seat not in setup.seats:
        seats = ", ".join(setup.seats)
        raise BadInput(
            "players/seat", f"there is no seat {seat[:20]!r} in this game", f"seats are: {seats}"
        )
    refuse_typed(session, seat)
