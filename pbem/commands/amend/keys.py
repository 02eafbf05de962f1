"""``pbem amend DIR keys``: another referee goes on, or a lost key is replaced."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.chain.ruling_row import check_reason
from pbem.clock import now
from pbem.commands.amend.ruling import Reason, amend_result
from pbem.commands.arguments import Directory, DryRun
from pbem.errors import BadInput
from pbem.report.players import parse_person
from pbem.result import Result
from pbem.services.amend.keys import hand_over, recover_keys

EITHER_HINT = "to hand the game over, give --to FILE; to replace a lost key, give --recover FILE"


def run(
    directory: Directory,
    new_key_file: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE", help="The other referee's line, as `pbem key show --export` prints it."),
    ] = None,
    recovery_key_file: Annotated[
        Path | None,
        typer.Option(
            "--recover", metavar="FILE", help="The file of the recovery key. It puts the keys of this machine in force."
        ),
    ] = None,
    referee: Annotated[
        str, typer.Option(metavar="NAME,ADDRESS", help="The new referee, and the address that players answer to.")
    ] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Hand a game over to another referee, or replace a lost key with the recovery key.

    The old key signs nothing from then on, but its referee keeps what they know. All players read
    the new referee's name and how to check it; the address is only in their own emails.
    """
    if (new_key_file is None) == (recovery_key_file is None):
        raise BadInput("keys/either", "choose either --to or --recover", EITHER_HINT)
    checked_reason, new_referee = (check_reason(reason), parse_person(referee, "the new referee") if referee else None)
    if recovery_key_file is not None:
        return amend_result(recover_keys(directory, now(), recovery_key_file, new_referee, checked_reason, dry_run))
    return amend_result(hand_over(directory, now(), new_key_file or Path(), new_referee, checked_reason, dry_run))
