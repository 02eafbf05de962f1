"""``pbem amend DIR note``, ``close``, ``player``: rulings that leave the position as it is."""

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.commands.result import Result
from pbem.commands.ruling import Directory, DryRun, Planned, Reason, kept, rule, void
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.commands.session import Session
    from pbem.moderator.players import Players


def run_note(
    directory: Directory,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What all players shall read.")],
    dry_run: DryRun = False,
) -> Result:
    """Tell all players something, in the chain: pbem amend DIR note TEXT."""
    from pbem.moderator.amending import standing
    from pbem.moderator.rulings import Ruling, reason_of

    ruling = Ruling("note", (), reason_of(text))
    return rule(directory, lambda s: (standing(s.position, ruling), kept(s.hands)), dry_run)


def run_close(directory: Directory, reason: Reason = "", dry_run: DryRun = False) -> Result:
    """Close a game for good and open its secret, so that all can check it."""
    from pbem.moderator.amending import closed
    from pbem.moderator.rulings import Ruling, reason_of

    ruling = Ruling("close", (), reason_of(reason))

    def plan(session: "Session") -> Planned:
        return closed(session.position, ruling), kept(session.hands)

    return rule(directory, plan, dry_run)


def run_player(
    directory: Directory,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="Whose place it is.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="Who plays there from now on.")] = "",
    address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="His mail address (shown to nobody).")
    ] = "",
    language: Annotated[str, typer.Option(metavar="CODE", help="His language, such as de.")] = "",
    known: Annotated[
        str, typer.Option(metavar="HOW", help="How he is known: reply, password, typed or key.")
    ] = "",
    key: Annotated[
        str, typer.Option(metavar="KEY", help="His public key (with --known key).")
    ] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Change who plays at a seat, or how he is reached and known; told to all but the address."""
    from pbem.moderator.amending import seated
    from pbem.moderator.replacing import Wanted, changed, people, replaced, ruling_of
    from pbem.moderator.rulings import reason_of

    wanted = Wanted(seat.lower(), name, address, language, known.lower(), key)
    why = reason_of(reason)

    def plan(session: "Session") -> Planned:
        _check_seat(session, wanted.seat)
        what = changed(session.link, wanted)
        one = replaced(session.link, wanted, what)
        if not dry_run:
            _keep(session, people(session.players, wanted, one))
        new = frozenset({wanted.seat} if one.since == session.link.n + 1 else ())
        return seated(session.position, one, ruling_of(wanted, what, why)), void(session, new)

    return rule(directory, plan, dry_run)


def _check_seat(session: "Session", seat: str) -> None:
    seats = session.link.setup.seats
    if seat not in seats:
        raise BadInput(
            "players/seat",
            f"there is no seat {seat[:40]!r} in this game",
            f"seats are: {', '.join(seats)}",
        )


def _keep(session: "Session", found: "Players") -> None:
    """Before the link: its reports go to the new address. Typed again after a kill, it goes on."""
    from pbem.commands.session import PLAYERS
    from pbem.moderator.players import encode

    session.folder.put_desk_file(PLAYERS, encode(found))
    session.__dict__["players"] = found
