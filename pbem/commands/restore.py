"""``pbem restore``: bring a backup back."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.clock import now
from pbem.disk.reading import refuse_dash
from pbem.errors import BadInput, PbemError
from pbem.moderator.chain.ruling import reason_of
from pbem.result import Result
from pbem.services.ruling.ruling import bring_back, go_on_with


def run(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="What pbem backup wrote.")
    ] = None,
    directory: Annotated[
        Path | None,
        typer.Option("--to", metavar="NEW", help="A new folder; else the file's name, here."),
    ] = None,
    go_on: Annotated[
        Path | None,
        typer.Option(
            "--go-on",
            metavar="DIR",
            help="Go on with this game though newer states of it are lost.",
        ),
    ] = None,
    reason: Annotated[
        str,
        typer.Option(metavar="TEXT", help="Why, for all players to read. Required with --go-on."),
    ] = "",
) -> Result:
    """Bring a backup back into a new folder; with --go-on, go on from it by a ruling told to
    all.
    """
    if go_on is not None:
        if file is not None or directory is not None:
            raise BadInput(
                "restore/either",
                "either restore a file or go on with a folder, not both at once",
                "pbem restore FILE, then pbem restore --go-on DIR --reason TEXT",
            )
        return _go_on(go_on, reason, now())
    if file is None:
        raise BadInput("restore/file", "which backup?", "pbem restore FILE")
    if reason:
        raise BadInput("restore/reason", "a reason belongs to --go-on", "leave it out")

    refuse_dash(file, "a backup", "pbem restore FILE")
    return _bring_back(file, directory, now())


def _bring_back(file: Path, directory: Path | None, time: str) -> Result:
    target = directory or Path(file.name.partition(".")[0] or "restored")
    games, notes = bring_back(file, target, time)
    lines = [f"{len(games)} game{'s' if len(games) != 1 else ''} restored to {target}."]
    for root, game in games:
        if isinstance(game, PbemError):
            notes.append(f"{root}: {game.line()}")
            continue
        lines.append(f"  {root}: state {game.n}")
        if game.seen > game.n:
            notes.append(
                f"{root}: this machine has seen state {game.seen} of it. If that is lost for good: "
                f'pbem restore --go-on {root} --reason "…"'
            )
    lines += [f"note: {note}" for note in notes]
    data = {"to": str(target), "games": [str(root) for root, _ in games], "notes": notes}
    return Result(data, "\n".join(lines))


def _go_on(directory: Path, reason: str, time: str) -> Result:
    session, old = go_on_with(directory, reason_of(reason), time)
    n = session.link.n
    lines = [
        f"{session.label}: goes on from state {old} as state {n}; all players are told.",
        "Whoever holds a report of the lost states sees that they are not in this chain any more.",
        *(f"note: {note}" for note in session.notes),
    ]
    data = {"dir": str(directory), "game": session.link.game, "n": n, "notes": session.notes}
    return Result(data, "\n".join(lines))
