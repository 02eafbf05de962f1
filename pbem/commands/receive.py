"""``pbem receive``: take what players sent."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.chain.clock import written
from pbem.clock import now
from pbem.commands.arguments import Root
from pbem.disk.games import NO_GAMES
from pbem.disk.mailboxes import saved_in
from pbem.errors import BadInput, PbemError
from pbem.result import Result
from pbem.services.receive.authentication import refuse_typed
from pbem.services.receive.find_game import Games
from pbem.services.receive.receive import take_file
from pbem.services.receive.result import Received, of_nobody
from pbem.services.session.folders import Tried, open_games, undecided_yet
from pbem.services.session.newest import seat_of
from pbem.services.session.session import Session

OTHERS = "state/other-key"  #: of a game that another referee signs
#: what became of an email, by kind of verdict; any other kind is ignored
OUTCOMES = {
    "kept": "accepted",
    "answered": "without orders",
    "refused": "refused",
    "unfinished": "unfinished",
}
#: of a folder without any: what a folder that is no game yet says otherwise
NO_GAME = ("game/none", "game/no-states")


def run(
    root: Root,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Emails saved as files, move files, mbox files, Maildirs, or folders; - is "
            "standard input.",
        ),
    ],
    secret: Annotated[
        bool, typer.Option("--secret", help="Show hidden orders too: which card, which plan.")
    ] = False,
    typed: Annotated[
        str, typer.Option(metavar="SEAT", help="You typed these orders for the player at SEAT.")
    ] = "",
) -> Result:
    """Take players' emails. The code in each says which game and seat it is for.

    All lines of an email are accepted, or none. Each player's receipt goes to desk/outbox.
    """
    sessions, notes, _ = opened([root])
    if typed and len(sessions) == 1:  # told once, and not of each email
        refuse_typed(sessions[0], seat_of(sessions[0].link, typed))
    games = Games(sessions)
    found = [one for name in files for one in _taken(games, name, secret, typed)]
    if not found:
        raise BadInput("receive/none", f"no email came to {', '.join(files)}", "pbem status")
    notes += [f"{session.label}: {note}" for session in sessions for note in session.notes]
    lines = [*map(words, found), *(f"note: {note}" for note in notes)]
    if len(found) > 1:
        lines.append(_counted(found))
    text = "\n".join(lines)
    data = {"files": [received.document() for received in found], "notes": notes}
    return Result(data, text, max(received.exit_code for received in found))


def _taken(games: Games, name: str, secret: bool, typed: str) -> list[Received]:
    """What became of all that lies in what was named."""
    try:
        mails = saved_in(name)
    except PbemError as error:
        return [of_nobody(name, "unreadable", error)]
    return [
        take_file(games, one, secret, typed, "" if when is None else written(when), data)
        for one, data, when in mails
    ]


def words(found: Received) -> str:
    """What became of one file, as the referee reads it."""
    parts = (found.file or repr(found.file), found.who, found.said)
    return "\n".join([": ".join(part for part in parts if part), *found.more])


def _counted(found: list[Received]) -> str:
    """``3 emails: 2 accepted, 1 ignored``."""
    outcomes = [OUTCOMES.get(one.kind, "ignored") for one in found]
    counts = [f"{outcomes.count(what)} {what}" for what in dict.fromkeys(outcomes)]
    return f"{len(found)} emails: {', '.join(counts)}"


def opened(roots: list[Path]) -> tuple[list[Session], list[str], list[PbemError]]:
    """Every game below these folders; one that cannot be opened is named and passed over."""
    games, notes = open_games(roots, now())
    found, failed = usable(games, notes)
    if found and all(game.undecided for game in found):
        raise undecided_yet(found[0].folder.root)
    notes += [undecided_yet(game.folder.root).line() for game in found if game.undecided]
    if not found and failed[0].code in NO_GAME:
        raise BadInput("game/none", f"there is no game in {', '.join(map(str, roots))}", NO_GAMES)
    if not found:
        raise failed[0]
    return found, notes, failed


def usable(games: list[Tried], notes: list[str]) -> tuple[list[Session], list[PbemError]]:
    """Those that are open, and what is wrong with the others, which a line of ``notes`` names."""
    found, failed = list[Session](), list[PbemError]()
    for folder, game in games:
        try:
            if isinstance(game, PbemError):
                raise game
            if not game.codes_secret:
                notes.append(
                    f"{game.label}: its reply codes are lost, so no email counts "
                    f"for it; `pbem resolve {folder}` makes new codes"
                )
            found.append(game)
        except PbemError as error:
            failed.append(error)
            if error.code != OTHERS:
                notes.append(f"{folder.name}: {error.line()}")
    others = sum(error.code == OTHERS for error in failed)
    if others and found:
        number = "1 game" if others == 1 else f"{others} games"
        notes.append(f"pbem passed over {number} of another referee")
    return found, failed
