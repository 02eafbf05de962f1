"""``pbem amend DIR player``: changes who plays at a seat, and how pbem reaches and identifies them."""

from typing import Annotated

from typer import Argument, Option

from pbem.chain.ruling_row import check_reason
from pbem.clock import now
from pbem.commands.amend.ruling import REASON_HELP, amend_result, base_document, note_lines
from pbem.commands.arguments import Directory, DryRun
from pbem.engine.row import join_with_and
from pbem.result import Result
from pbem.services.amend.player import PlayerChange, change_dealt_player, change_invited_player
from pbem.services.session.address_book import add_known_address
from pbem.services.session.newest import find_seat
from pbem.services.session.session import Session, open_session


def run(
    directory: Directory,
    seat: Annotated[str, Argument(metavar="SEAT", help="The seat: its colour, or its player's name.")],
    name: Annotated[str, Option(metavar="NAME", help="The new player. Your address book may have the address.")] = "",
    address: Annotated[str, Option(metavar="ADDRESS", help="The player's email address. No one else sees it.")] = "",
    language: Annotated[str, Option(metavar="CODE", help="The language of the player's emails, for example en.")] = "",
    auth: Annotated[str, Option(metavar="HOW", help="Authentication: reply, password, typed or key.")] = "",
    key: Annotated[str, Option(metavar="KEY", help="The player's public key (with --auth key).")] = "",
    reason: Annotated[str, Option(metavar="TEXT", help=f"{REASON_HELP} Required once the game is dealt.")] = "",
    dry_run: DryRun = False,
) -> Result:
    """Change who plays at a seat, or how they are reached and identified.

    All players read the change, but not the address. Before the deal you can change only address,
    language and password, and only that player is informed.
    """
    session = open_session(directory, now())
    if name:
        hint = f"--address ADDRESS (--name '{name},' keeps the address as it is)"
        name_and_address = name if address else add_known_address(session.home, name, hint)
        name, _, listed_address = name_and_address.partition(",")
        address = address or listed_address.strip()
    seat_change = PlayerChange(find_seat(session.record, seat), name, address, language, auth.lower(), key)
    if not session.record.is_dealt:
        return _reach_result(*change_invited_player(session, seat_change, dry_run), seat_change, dry_run)
    return amend_result(change_dealt_player(session, seat_change, check_reason(reason), dry_run))


def _reach_result(session: Session, fields: tuple[str, ...], seat_change: PlayerChange, dry_run: bool) -> Result:
    """Return the result before the deal, when other players are not informed."""
    player_name = session.record.player(seat_change.seat).label
    fields_text = join_with_and(["password" if field == "known" else field for field in fields])
    lines = [
        f"{session.label}: {player_name}: {fields_text} would change (nothing was changed); "
        "other players are not informed"
        if dry_run
        else f"{session.label}: {player_name}: {fields_text} changed, only in desk/; other players are not informed"
    ]
    if seat_change.address and not dry_run:
        lines.append(f"  the email to {player_name} is in desk/outbox again")
    return Result(base_document(session, session.record.n, dry_run), "\n".join([*lines, *note_lines(session)]))
