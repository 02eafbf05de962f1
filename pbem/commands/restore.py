"""``pbem restore``: bring a backup back."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.chain.ruling_row import reason_of
from pbem.clock import now
from pbem.commands.adopt import decide, shown
from pbem.disk.journal import read_accounts, taken_since
from pbem.disk.whole import refuse_dash
from pbem.errors import BadInput, CannotRead, PbemError
from pbem.result import Result
from pbem.services.amend.ruling import (
    Restored,
    bring_back,
    go_on_with,
    nothing_lost,
    orders_lost,
)
from pbem.services.session.keys import the_home
from pbem.services.session.mark import ruling_emails, ruling_lost
from pbem.services.session.session import Session

DIR = Path("DIR")  #: stands for the folder of each game


def run(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A file that `pbem backup` wrote.")
    ] = None,
    directory: Annotated[
        Path | None,
        typer.Option(
            "--to", metavar="NEW", help="A new folder; without it, the file's name in this folder."
        ),
    ] = None,
    go_on: Annotated[
        Path | None,
        typer.Option("--go-on", metavar="DIR", help="Go on, although newer states are lost."),
    ] = None,
    nothing: Annotated[
        Path | None,
        typer.Option("--nothing-lost", metavar="DIR", help="Go on; no report is of a later state."),
    ] = None,
    unseen: Annotated[
        bool,
        typer.Option(help="With --go-on: this machine never saw the lost states; a player did."),
    ] = False,
    emails: Annotated[
        bool,
        typer.Option(
            "--emails",
            help="With --go-on: no state is lost, but emails that were answered since the backup.",
        ),
    ] = False,
    reason: Annotated[
        str,
        typer.Option(metavar="TEXT", help="Why, for all players to read. Required with --go-on."),
    ] = "",
) -> Result:
    """Bring a backup back into a new folder. From then on the game is played there.

    Nothing of it is fetched, played or sent before you say whether newer states are lost: with
    --nothing-lost, or with --go-on, which tells all players by a ruling.
    """
    if (file is not None or directory is not None) + (go_on is not None) + bool(nothing) > 1:
        why = "choose one of a file to restore, --go-on and --nothing-lost"
        raise BadInput("restore/either", why, "restore the file first, then go on with its folder")
    if go_on is not None:
        return (_without_emails if emails else _go_on)(go_on, reason, unseen, now())
    if reason or unseen or emails:
        option = "--reason" if reason else "--unseen" if unseen else "--emails"
        raise BadInput("restore/reason", f"{option} goes only with --go-on", "leave it out")
    if nothing is not None:
        return _nothing_lost(nothing, now())
    if file is None:
        raise BadInput("restore/file", "no backup was named", "pbem restore FILE")

    refuse_dash(file, "a backup", "pbem restore FILE")
    return _bring_back(file, directory, now())


def _bring_back(file: Path, directory: Path | None, time: str) -> Result:
    target = directory or Path(file.name.partition(".")[0] or "restored")
    games, notes = bring_back(file, target, time)
    alike = dict[str, list[Path]]()  # what is said of many games, once
    number = f"{len(games)} game{'s' if len(games) != 1 else ''}" if games else "the backup is"
    lines = [f"{number} restored to {target}."]
    for root, game in games:
        if isinstance(game, PbemError):
            notes.append(f"{root}: {game.line()}")
            continue
        lines.append(f"  {root}: state {game.n}")
        alike.setdefault(decide(DIR), []).append(root)
        lines += shown(game.adopted)
        if game.seen > game.n:
            notes.append(
                f"{root}: this machine has seen state {game.seen}. If that is lost for good: "
                f"{ruling_lost(root)}"
            )
        else:
            alike.setdefault(ruling_emails(DIR), []).append(root)
    for said, roots in alike.items():
        one = f"{roots[0]}: {said.replace(str(DIR), str(roots[0]))}"
        notes.append(f"each of {len(roots)} games: {said}" if len(roots) > 1 else one)
    good = [(root, game) for root, game in games if not isinstance(game, PbemError)]
    try:
        notes += _post(target, [game for _, game in good])
    except CannotRead as error:
        notes.append(error.line())
    lines += [f"note: {note}" for note in notes]
    rows = [{"dir": str(root)} | game.adopted._asdict() for root, game in good]
    data = {"to": str(target), "games": [str(root) for root, _ in games], "notes": notes}
    return Result(data | {"adopted": rows}, "\n".join(lines))


def _post(target: Path, games: list[Restored]) -> list[str]:
    """What became of emails since the backup, which nobody can see in it."""
    home, day = the_home(), max((game.time[:10] for game in games), default="")
    if not day:
        return []
    again = (
        f"unless a player has a later report, fetch them again: pbem fetch {target} --since {day}"
    )
    by_hand = f"save those from your mailbox, and type `pbem receive {target} FILE...`"
    missing = f"emails that came after this backup (its newest state is of {day}) are not in it"
    if read_accounts(home) is None:
        notes = [f"{missing}; {by_hand}"]
    elif taken := taken_since(home, day):
        known = f"of those since that day this machine has taken {taken}, and fetches none twice"
        notes = [f"{missing}; {known}: {by_hand}", f"those it has not taken: {again}"]
    else:
        notes = [f"{missing}; {again}"]
    if unsent := sum(game.unsent for game in games):
        number = "1 email waits" if unsent == 1 else f"{unsent} emails wait"
        notes.append(
            f"{number} to be sent, as when the backup was made. What you have sent since goes once "
            f"more with `pbem send`, unless you file it first: pbem sent DIR FILE..."
        )
    return notes


def _nothing_lost(directory: Path, time: str) -> Result:
    session = nothing_lost(directory, time)
    return _decided(directory, session, [f"goes on from state {session.link.n}; nothing was lost."])


def _without_emails(directory: Path, reason: str, unseen: bool, time: str) -> Result:
    if unseen:
        way = "--unseen says that states were lost, and their emails with them"
        raise BadInput("restore/either", "choose either --emails or --unseen", way)
    session = orders_lost(directory, reason_of(reason), time)
    n = session.link.n
    said = f"state {n} says that waiting orders were lost; all players read it."
    return _decided(directory, session, [said])


def _go_on(directory: Path, reason: str, unseen: bool, time: str) -> Result:
    session, old = go_on_with(directory, reason_of(reason), time, unseen)
    n = old + 1  # after it there may be a state that waiting orders were lost
    lines = [
        f"goes on from state {old} as state {n}; all players read it.",
        "Anyone who has a report of a lost state sees that it is no longer in this chain.",
    ]
    return _decided(directory, session, lines, n)


def _decided(directory: Path, session: Session, said: list[str], n: int = -1) -> Result:
    """``n``: of the state with the ruling, if it is not the newest."""
    notes, record = session.notes, session.link
    lines = [f"{session.label}: {said[0]}", *said[1:], *(f"note: {note}" for note in notes)]
    data = {
        "dir": str(directory),
        "game": record.game,
        "n": record.n if n < 0 else n,
        "notes": notes,
    }
    return Result(data, "\n".join(lines))
