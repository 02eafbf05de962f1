"""Another player at a seat, or another way to reach him, as far as the desk goes.

What lives here: what ``pbem amend DIR player`` does before the deal and after. What must never be
here: the ruling (moderator/ruling/player.py). Source: FORMAT.md "Rulings"; P8.
"""

from pbem.errors import BadInput, Refused
from pbem.moderator.report.players import Players
from pbem.moderator.ruling.player import Wanted
from pbem.services.opening.passwords import tell_one, with_new
from pbem.services.session.session import Session


def check_seat(session: Session, seat: str) -> None:
    """BadInput ``players/seat``."""
    seats = session.link.setup.seats
    if seat not in seats:
        raise BadInput(
            "players/seat",
            f"there is no seat {seat[:40]!r} in this game",
            f"seats are: {', '.join(seats)}",
        )


def keep(session: Session, found: Players, wanted: Wanted) -> Session:
    """Before the link: its reports go to the new address. Typed again after a kill, it goes on."""
    if wanted.known == "password":
        found = _with_password(session, found, wanted.seat)
    return session.with_players(found)


def _with_password(session: Session, found: Players, seat: str) -> Players:
    """A fresh password, which nobody is told but its player, by mail."""
    if not found.seats[seat].address:
        raise Refused(
            "known/no-address",
            f"the password of {seat} has no way to its player: it goes out by mail alone",
            "--address ADDRESS",
        )
    one, word = with_new(found.seats[seat])
    found = found._replace(seats={**found.seats, seat: one})
    tell_one(session.folder, session.link.game, found, seat, word, session.time)
    return found
