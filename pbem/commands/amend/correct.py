"""``pbem amend DIR correct FIELD=NEW…``: what a state says is wrong, and is put right."""

from typing import Annotated

import typer

from pbem.chain.ruling_row import reason_of
from pbem.chain.rulings.correct import change_of
from pbem.clock import now
from pbem.commands.amend.ruling import Reason, told
from pbem.commands.arguments import Directory, DryRun
from pbem.result import Result
from pbem.services.amend.ruling import correct


def run(
    directory: Directory,
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="FIELD=NEW...",
            help="squares.A5='red single', turn=7, colours.red.hand=3, or a hidden slot: "
            "2/threat/07=3 (see pbem show --json and --secret).",
        ),
    ],
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Correct facts of the public position, or hidden items. Nothing is dealt again.

    Hidden values are not printed. Waiting orders become void.
    """
    wanted = [change_of(text) for text in changes]
    return told(correct(directory, now(), wanted, reason_of(reason), dry_run))
