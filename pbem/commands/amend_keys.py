"""``pbem amend DIR keys``: another referee goes on, or a lost key is replaced."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.amend import Directory, DryRun, Reason, told
from pbem.errors import BadInput
from pbem.moderator.chain.ruling import reason_of
from pbem.moderator.report.players import person
from pbem.result import Result
from pbem.services.ruling.keys import hand_over, recover_keys

WAYS = "--to FILE hands over with your key; --recover FILE replaces it with the recovery key"


def run(
    directory: Directory,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to", metavar="FILE", help="What the new one's pbem key show --export says."
        ),
    ] = None,
    recover: Annotated[
        Path | None,
        typer.Option(
            "--recover",
            metavar="FILE",
            help="The recovery key; it appoints the keys of this machine.",
        ),
    ] = None,
    referee: Annotated[
        str,
        typer.Option(
            metavar="NAME,ADDRESS", help="Who is referee from now on: players answer there."
        ),
    ] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Hand a game over to another referee's key, or replace a lost one with the recovery key.

    The game's secret is wrapped anew to the keys in force. Who held the old key signs no more; what
    he knows he knows. All players read who the new referee is (the name; the address in their own
    mails alone), and how to check it.
    """
    if (to is None) == (recover is None):
        raise BadInput("keys/either", "which of the two: hand over, or recover?", WAYS)
    why, new = reason_of(reason), person(referee, "the new referee") if referee else None
    if recover is not None:
        return told(recover_keys(directory, now(), recover, new, why, dry_run))
    return told(hand_over(directory, now(), to or Path(), new, why, dry_run))
