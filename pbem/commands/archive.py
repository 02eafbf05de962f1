"""``pbem archive``: a game as one file, as proof."""

from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.arguments import Directory, Output
from pbem.disk.whole import refuse_dash
from pbem.result import Result
from pbem.services.prove.archive import archive_game


def run(
    directory: Directory,
    output: Output,
    unfinished: Annotated[
        bool,
        typer.Option("--unfinished", help="Also write a game that is not over. This proves less."),
    ] = False,
) -> Result:
    """Write a game that is over into one file, for anyone to audit.

    It holds no address, email or password. Of a game that is over it shows
    every order that was waiting, used or not.
    """
    refuse_dash(output, "an archive", f"-o {directory.name}.tar")
    found = archive_game(directory, output, now(), unfinished)
    lines = [f"Game {found.audit.game}, states 0 to {found.audit.last}, written to {output}."]
    number = len(found.audit.rulings)
    lines += [f"It holds {number} of your rulings."] if number else []
    lines += [
        "Anyone may have it and check it:"
        if found.over
        else "The game is not over: this proves neither deal nor orders nor hidden items yet.",
        *([f"    pbem audit {output}"] if found.over else []),
        *(f"note: {note}" for note in found.notes),
    ]
    answer = {"file": str(output), "game": found.audit.game, "last": found.audit.last}
    return Result(answer | {"finished": found.over, "notes": found.notes}, "\n".join(lines))
