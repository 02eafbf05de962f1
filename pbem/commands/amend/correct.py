"""``pbem amend DIR correct FIELD=NEW…``: corrects wrong facts of a state."""

from typing import Annotated

from typer import Argument

from pbem.chain.ruling_row import check_reason
from pbem.chain.rulings.correct import parse_correction
from pbem.clock import now
from pbem.commands.amend.ruling import Reason, amend_result
from pbem.commands.arguments import Directory, DryRun
from pbem.result import Result
from pbem.services.amend.ruling import correct


def run(
    directory: Directory,
    change_texts: Annotated[
        list[str],
        Argument(
            metavar="FIELD=NEW...",
            help="squares.A5='red single', turn=7, or a hidden slot: 2/threat/07=3 (see pbem show --json, --secret).",
        ),
    ],
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Correct facts of the public position, or hidden items. Nothing is dealt again.

    pbem does not print hidden values. Pending orders become void.
    """
    corrections = [parse_correction(text) for text in change_texts]
    return amend_result(correct(directory, now(), corrections, check_reason(reason), dry_run))
