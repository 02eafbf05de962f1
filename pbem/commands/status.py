"""``pbem status``: whom each game waits for, and since when."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.commands.result import Result
from pbem.errors import BadInput, PbemError

if TYPE_CHECKING:
    from pbem.disk.folder import GameFolder


def run(
    roots: Annotated[
        list[Path], typer.Argument(metavar="ROOT...", help="Games' folders, or folders of games.")
    ],
) -> Result:
    """Say whom each game waits for, and since when. Needs no secret."""
    from pbem.disk.finding import find_games

    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for root in roots:
        if not root.is_dir():
            raise BadInput(
                "game/no-folder",
                f"{root} is no folder",
                "give the folder of a game, or a folder of games",
            )
        folders, said = find_games(root)
        rows += [_row(folder) for folder in folders]
        notes += said
    if not rows:
        raise BadInput(
            "game/none", f"there is no game in {', '.join(map(str, roots))}", "pbem new makes one"
        )
    text = "\n".join([*(_line(row) for row in rows), *(f"note: {note}" for note in notes)])
    bad = any("error" in row for row in rows)
    return Result({"games": rows, "notes": notes}, text, 1 if bad else 0)


def _row(folder: "GameFolder") -> dict[str, Any]:
    from pbem.commands.newest import newest, spectators_view, the_home, trusted_key
    from pbem.moderator.standing import standing

    row: dict[str, Any] = {"dir": str(folder.root)}
    try:
        link = newest(folder, trusted_key(folder, the_home())).link
        game, view = spectators_view(link)
    except PbemError as error:
        return row | {"error": error.code, "why": error.line()}
    names = dict(zip(link.setup.seats, link.names, strict=True))
    outcome = game.outcome(view)
    waits = [
        {"seat": one.seat, "player": names[one.seat], "question": one.kind}
        for one in game.questions(view)
    ]
    rows = standing(game, view)
    row |= {"game": link.game, "kind": link.setup.kind, "n": link.n, "since": link.time}
    return row | {
        "waits_for": waits,
        "over": outcome is not None,
        "winners": list(outcome.winners) if outcome else [],
        "scores": {one.seat: one.points for one in rows if one.points is not None},
        "standing": {one.seat: one.text for one in rows},
        "unsent": len(folder.outbox()),
    }


def _line(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"{row['dir']}: cannot be read: {row['why']}"
    score = ", ".join(f"{seat} {text}" for seat, text in row["standing"].items())
    if row["over"]:
        state = f"over since {row['since']}, won by {' and '.join(row['winners'])}"
    else:
        waits = ", ".join(
            f"{one['player']} ({one['seat']}, {one['question']})" for one in row["waits_for"]
        )
        state = f"waits for {waits} since {row['since']}"
    number = row["unsent"]
    mails = f"; {number} mail{'s' if number > 1 else ''} in desk/outbox" if number else ""
    return f"{row['dir']}: {row['kind']}, state {row['n']}, {state}; {score}{mails}"
