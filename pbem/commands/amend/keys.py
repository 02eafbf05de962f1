"""``pbem amend DIR keys``: another referee goes on, or a lost key is replaced."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.chain.ruling_row import reason_of
from pbem.clock import now
from pbem.commands.amend.ruling import Reason, told
from pbem.commands.arguments import Directory, DryRun
from pbem.errors import BadInput
from pbem.report.players import person
from pbem.result import Result
from pbem.services.amend.keys import hand_over, recover_keys

WAYS = "to hand the game over, give --to FILE; to replace a lost key, give --recover FILE"


def run(
    directory: Directory,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            metavar="FILE",
            help="The other referee's line, as `pbem key show --export` prints it.",
        ),
    ] = None,
    recover: Annotated[
        Path | None,
        typer.Option(
            "--recover",
            metavar="FILE",
            help="The file of the recovery key. It puts the keys of this machine in force.",
        ),
    ] = None,
    referee: Annotated[
        str,
        typer.Option(
            metavar="NAME,ADDRESS", help="The new referee, and the address that players answer to."
        ),
    ] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Hand a game over to another referee, or replace a lost key with the recovery key.

    The old key signs nothing from then on, but its referee keeps what they know. All players read
    the new referee's name and how to check it; the address is only in their own emails.
    """
    if (to is None) == (recover is None):
        raise BadInput("keys/either", "choose either --to or --recover", WAYS)
    why, new = reason_of(reason), person(referee, "the new referee") if referee else None
    if recover is not None:
        return told(recover_keys(directory, now(), recover, new, why, dry_run))
    return told(hand_over(directory, now(), to or Path(), new, why, dry_run))
