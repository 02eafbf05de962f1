"""``pbem amend DIR note``: something that all players read."""

from typing import Annotated

import typer

from pbem.chain.ruling_row import check_reason
from pbem.chain.rulings.kind import NOTE
from pbem.clock import now
from pbem.commands.amend.ruling import amend_result
from pbem.commands.arguments import Directory, DryRun
from pbem.result import Result
from pbem.services.amend.ruling import add_note


def run(
    directory: Directory,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text for all players to read.")],
    dry_run: DryRun = False,
) -> Result:
    """Tell all players something, for the record: pbem amend DIR note TEXT."""
    hint = f'pbem amend {directory} note "The next turn waits until Monday"'
    ruling = NOTE.make_ruling(check_reason(text, "a note needs its text", hint))
    return amend_result(add_note(directory, now(), ruling, dry_run))
