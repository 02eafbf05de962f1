"""``pbem amend DIR clock | extend | pause | resume``: a game's deadlines."""

from typing import Annotated

from typer import Argument, Option

from pbem.chain.ruling_row import check_reason
from pbem.clock import now
from pbem.commands.amend.ruling import Reason, amend_result
from pbem.commands.arguments import Directory, DryRun
from pbem.errors import BadInput
from pbem.play.deadlines.options import parse_absence, parse_span
from pbem.result import Result
from pbem.services.amend import clock
from pbem.services.open.plan import parse_options
from pbem.services.session.newest import find_seat
from pbem.services.session.session import open_session


def run_clock(
    directory: Directory,
    assignments: Annotated[list[str], Argument(metavar="NAME=VALUE...", help="turn=3d, bank=7d … NAME= removes it.")],
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Change the deadlines of a game, or begin or end them: pbem amend DIR clock turn=4d.

    See docs/REFEREE.md for all names. Current questions keep their deadlines.
    """
    for assignment in assignments:
        if "=" not in assignment:
            raise BadInput("clock/name", f"{assignment[:60]!r} is not NAME=VALUE", "for example turn=4d")
    options, checked_reason = parse_options(assignments), check_reason(reason)
    return amend_result(clock.change_clock(open_session(directory, now()), options, checked_reason, dry_run))


def run_extend(
    directory: Directory,
    extra_time: Annotated[str, Option("--by", metavar="SPAN", help="2d, 12h or 1d12h.")] = "",
    player: Annotated[str, Option("--player", metavar="SEAT", help="Only this player's deadline.")] = "",
    absence: Annotated[str, Option("--absent", metavar="DAYS", help="Days of absence, 2026-12-24..2027-01-03.")] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Give more time: pbem amend DIR extend --by 2d. Deadlines only move later."""
    session = open_session(directory, now())
    seat = find_seat(session.record, player) if player else ""
    if bool(extra_time) == bool(absence) or (absence and not seat):
        hint = "--by 2d; or --player SEAT --absent 2026-12-24..2027-01-03"
        raise BadInput("clock/either", "say how much more time", hint)
    checked_reason = check_reason(reason)
    if absence:
        return amend_result(clock.mark_absent(session, seat, parse_absence(absence), checked_reason, dry_run))
    return amend_result(clock.extend_deadlines(session, seat, parse_span("--by", extra_time), checked_reason, dry_run))


def run_pause(
    directory: Directory,
    duration: Annotated[str, Option("--for", metavar="SPAN", help="7d, at most 30d.")],
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Stop the clock of a game for some days. All deadlines move by as much."""
    session = open_session(directory, now())
    until = clock.time_after_hours(session, parse_span("--for", duration))
    return amend_result(clock.pause(session, until, check_reason(reason), dry_run))


def run_resume(directory: Directory, reason: Reason = "", dry_run: DryRun = False) -> Result:
    """End a pause early. Deadlines move back by the unused part of the pause."""
    return amend_result(clock.resume(open_session(directory, now()), check_reason(reason), dry_run))
