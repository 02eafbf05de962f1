"""``pbem amend DIR correct FIELD=NEW…``: what a state says is wrong, and is put right."""

from typing import Annotated

import typer

from pbem.moderator.chain.ruling import reason_of
from pbem.moderator.ruling.correction import change_of, correction_basis
from pbem.result import Result
from pbem.services.ruling.ruling import Directory, DryRun, Planned, Reason, rule, void
from pbem.services.session.session import Session


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
    """Correct facts of the public position, or hidden values; nothing is dealt again.

    A hidden value is never printed. Orders written before count no more.
    """
    wanted = [change_of(text) for text in changes]
    why = reason_of(reason)

    def plan(session: Session) -> Planned:
        seats = frozenset(session.link.setup.seats)
        return correction_basis(session.position, wanted, why), void(session, seats)

    return rule(directory, plan, dry_run)
