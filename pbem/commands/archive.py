"""``pbem archive``: writes a game into one file, as proof."""

from typing import Annotated

from typer import Option

from pbem.clock import now
from pbem.commands.arguments import Directory, Output
from pbem.disk.whole import refuse_dash
from pbem.result import Result
from pbem.services.prove.archive import archive_game


def run(
    directory: Directory,
    output: Output,
    allow_unfinished: Annotated[bool, Option("--unfinished", help="Also write a game that is not over.")] = False,
) -> Result:
    """Write a game that is over into one file, for anyone to audit.

    It has no addresses, emails or passwords. It shows all pending orders of the game, even those
    that were never played.
    """
    refuse_dash(output, "an archive", f"-o {directory.name}.tar")
    archive = archive_game(directory, output, now(), allow_unfinished)
    lines = [f"Game {archive.audit.game}, states 0 to {archive.audit.last_number}, written to {output}."]
    ruling_count = len(archive.audit.rulings)
    lines += [f"It has {ruling_count} of your rulings."] if ruling_count else []
    lines += [
        "You may give it to anyone. They can check it:"
        if archive.is_finished
        else "The game is not over, so this does not prove the deal, orders or hidden items yet.",
        *([f"    pbem audit {output}"] if archive.is_finished else []),
        *(f"note: {note}" for note in archive.notes),
    ]
    data = {"file": str(output), "game": archive.audit.game, "last": archive.audit.last_number}
    return Result(data | {"finished": archive.is_finished, "notes": archive.notes}, "\n".join(lines))
