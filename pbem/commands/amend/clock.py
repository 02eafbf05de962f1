"""``pbem amend DIR clock | extend | pause | resume``: a game's deadlines."""

from typing import Annotated

import typer

from pbem.chain.ruling_row import reason_of
from pbem.clock import now
from pbem.commands.amend.ruling import Reason, told
from pbem.commands.arguments import Directory, DryRun
from pbem.errors import BadInput
from pbem.play.deadlines.options import away, span
from pbem.result import Result
from pbem.services.amend import clock
from pbem.services.open.plan import options_from
from pbem.services.session.newest import seat_of
from pbem.services.session.session import open_session


def run_clock(
    directory: Directory,
    chosen: Annotated[
        list[str],
        typer.Argument(metavar="NAME=VALUE...", help="turn=3d, bank=7d, …; NAME= takes it away."),
    ],
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Change the deadlines of a game, or begin or stop them: pbem amend DIR clock turn=4d.

    See docs/CLOCK.md for all names. A question that is open keeps its deadline.
    """
    if bare := [one for one in chosen if "=" not in one]:
        raise BadInput("clock/name", f"{bare[0][:60]!r} is not NAME=VALUE", "for example turn=4d")
    given, why = options_from(chosen), reason_of(reason)
    return told(clock.another_clock(open_session(directory, now()), given, why, dry_run))


def run_extend(
    directory: Directory,
    by: Annotated[str, typer.Option("--by", metavar="SPAN", help="2d, 12h or 1d12h.")] = "",
    player: Annotated[
        str, typer.Option("--player", metavar="SEAT", help="Only this player's deadline.")
    ] = "",
    absent: Annotated[
        str,
        typer.Option(
            "--absent",
            metavar="DAYS",
            help="In place of --by: the player is away, 2026-12-24..2027-01-03.",
        ),
    ] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Give more time: pbem amend DIR extend --by 2d. No deadline ever moves back."""
    session = open_session(directory, now())
    seat = seat_of(session.link, player) if player else ""
    if bool(by) == bool(absent) or (absent and not seat):
        way = "--by 2d; or --player SEAT --absent 2026-12-24..2027-01-03"
        raise BadInput("clock/either", "say how much more time", way)
    why = reason_of(reason)
    if absent:
        return told(clock.leave(session, seat, away(absent), why, dry_run))
    return told(clock.more_time(session, seat, span("--by", by), why, dry_run))


def run_pause(
    directory: Directory,
    by: Annotated[str, typer.Option("--for", metavar="SPAN", help="7d, at most 30d.")],
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Stop the clock of a game for some days: every deadline moves by as much."""
    session = open_session(directory, now())
    until = clock.until(session, span("--for", by))
    return told(clock.pause(session, until, reason_of(reason), dry_run))


def run_resume(directory: Directory, reason: Reason = "", dry_run: DryRun = False) -> Result:
    """End a pause before its time: deadlines come as much earlier as is left of it."""
    return told(clock.resume(open_session(directory, now()), reason_of(reason), dry_run))
