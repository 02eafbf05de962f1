"""``pbem amend DIR note``: something that all players read."""

from typing import Annotated

import typer

from pbem.chain.ruling_row import reason_of
from pbem.chain.rulings.kind import NOTE
from pbem.clock import now
from pbem.commands.amend.ruling import told
from pbem.commands.arguments import Directory, DryRun
from pbem.result import Result
from pbem.services.amend.ruling import note


def run(
    directory: Directory,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text for all players to read.")],
    dry_run: DryRun = False,
) -> Result:
    """Tell all players something, for the record: pbem amend DIR note TEXT."""
    way = f'pbem amend {directory} note "The next turn waits until Monday"'
    ruling = NOTE.ruling(reason_of(text, "a note needs its text", way))
    return told(note(directory, now(), ruling, dry_run))
