"""``pbem amend DIR keys``: hands a game over to another referee, or replaces a lost key."""

from pathlib import Path
from typing import Annotated

from typer import Option

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
        Path | None, Option("--to", metavar="FILE", help="The line of `pbem key show --export`.")
    ] = None,
    recovery_key_file: Annotated[
        Path | None, Option("--recover", metavar="FILE", help="The recovery key. Then your keys sign the game.")
    ] = None,
    referee: Annotated[str, Option(metavar="NAME,ADDRESS", help="The new referee, and where players reply to.")] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Hand a game over to another referee, or replace a lost key with the recovery key.

    The old key can no longer sign, but can still read everything it could read before. All players
    read the new referee's name and how to check it. The address is only in their own emails.
    """
    if (new_key_file is None) == (recovery_key_file is None):  # both or neither
        raise BadInput("keys/either", "choose either --to or --recover", EITHER_HINT)
    checked_reason = check_reason(reason)
    new_referee = parse_person(referee, "the new referee") if referee else None
    if recovery_key_file is not None:
        return amend_result(recover_keys(directory, now(), recovery_key_file, new_referee, checked_reason, dry_run))
    return amend_result(hand_over(directory, now(), new_key_file or Path(), new_referee, checked_reason, dry_run))
