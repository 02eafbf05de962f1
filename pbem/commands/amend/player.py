"""``pbem amend DIR player``: who plays at a seat, how he is reached and known."""

from typing import Annotated

import typer

from pbem.chain.ruling_row import reason_of
from pbem.clock import now
from pbem.commands.amend.ruling import WHY, facts, notes, told
from pbem.commands.arguments import Directory, DryRun
from pbem.result import Result
from pbem.services.amend.player import Wanted, reach, reseat
from pbem.services.session.address_book import with_address
from pbem.services.session.newest import seat_of
from pbem.services.session.session import Session, open_session


def run(
    directory: Directory,
    seat: Annotated[
        str, typer.Argument(metavar="SEAT", help="The seat: its colour, or its player's name.")
    ],
    name: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Who plays there from now on. `pbem people` has addresses."
        ),
    ] = "",
    address: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="The player's email address. No one else sees it."),
    ] = "",
    language: Annotated[
        str,
        typer.Option(metavar="CODE", help="The language of the player's emails, for example en."),
    ] = "",
    known: Annotated[
        str,
        typer.Option(
            metavar="HOW", help="How the player is identified: reply, password, typed or key."
        ),
    ] = "",
    key: Annotated[
        str, typer.Option(metavar="KEY", help="The player's public key (with --known key).")
    ] = "",
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help=f"{WHY} Required once the game is dealt.")
    ] = "",
    dry_run: DryRun = False,
) -> Result:
    """Change who plays at a seat, or how they are reached and identified.

    All players read of it, but not the address. Before the deal you can change only address,
    language and password, and nobody else reads of it.
    """
    session = open_session(directory, now())
    if name:
        way = f"--address ADDRESS (--name '{name},' keeps the address as it is)"
        found = name if address else with_address(session.home, name, way)
        name, _, listed = found.partition(",")
        address = address or listed.strip()
    wanted = Wanted(seat_of(session.link, seat), name, address, language, known.lower(), key)
    if not session.link.dealt:
        return _reached(*reach(session, wanted, dry_run), wanted, dry_run)
    return told(reseat(session, wanted, reason_of(reason), dry_run))


def _reached(session: Session, what: tuple[str, ...], wanted: Wanted, dry_run: bool) -> Result:
    """Before the deal: nobody else is told."""
    who = session.link.player(wanted.seat).shown
    changed = " and ".join("password" if one == "known" else one for one in what)
    done = "would change (nothing was changed)" if dry_run else "changed, in desk/ alone"
    lines = [f"{session.label}: {who}: {changed} {done}; nobody else is told"]
    if wanted.address and not dry_run:
        lines.append(f"  the email to {who} is in desk/outbox again")
    return Result(facts(session, session.link.n, dry_run), "\n".join([*lines, *notes(session)]))
