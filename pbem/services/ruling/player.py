"""Another player at a seat, or another way to reach or identify them: before the deal and after.

What lives here: what ``pbem amend DIR player`` does. What must never be here: the ruling
(moderator/ruling/fields.py); before the deal, a change of a state.
Laws: no choice is left after the genesis: who plays and what identifies them stay until the deal;
a ruling stands in a dealt state or in the one that closes.
Source: FORMAT.md "Rulings"; P8; docs/SPECIFICATION.md section 5 (genesis; `rulings`: dealt,
closed).
"""

from typing import NamedTuple

from pbem.errors import BadInput, Refused
from pbem.moderator.chain.identified import PASSWORD, Way
from pbem.moderator.report.players import Players
from pbem.moderator.ruling.amendment import seated
from pbem.moderator.ruling.fields import Wanted, changed, counting_anew, people, replaced, ruling_of
from pbem.services.opening.new_game import tell_one, with_new
from pbem.services.post import write_reports
from pbem.services.ruling.ruling import Amended, Planned, ruled, void
from pbem.services.session.session import Session
from pbem.services.writing import check_acting, writing


class Reached(NamedTuple):
    """What is other, or would be, for a player who is invited."""

    session: Session
    wanted: Wanted
    what: tuple[str, ...]
    dry_run: bool


def reseat(session: Session, wanted: Wanted, reason: str, dry_run: bool) -> Amended:
    """In a game that is dealt: a ruling, told to all but the address."""

    def plan(session: Session) -> Planned:
        _check_seat(session, wanted.seat)
        what = changed(session.link, wanted)
        one = replaced(session.link, wanted, what)
        _warn(session, wanted, one.way)
        if not dry_run:
            session = _keep(session, people(session.players, wanted, one), wanted)
        new = frozenset({wanted.seat} if one.since == session.link.n + 1 else ())
        hands = void(session, new)
        if one.key != session.link.player(wanted.seat).key:
            hands[wanted.seat] = counting_anew(hands[wanted.seat])
        return session, seated(session.position, one, ruling_of(wanted, what, reason)), hands

    return ruled(session, plan, dry_run)


def _warn(session: Session, wanted: Wanted, way: Way) -> None:
    """What the referee must still do, so that the new player can play and the old one cannot."""
    if wanted.name and not wanted.identified and (way.password or way.key):
        session.notes.append(
            f"{wanted.seat} is still identified by the {way.name} of the player before; if "
            f"{wanted.name} is somebody else: pbem amend {session.folder.root} player "
            f'{wanted.seat} --known reply (or password) --reason "…"'
        )
    if wanted.identified == PASSWORD.name:
        session.notes.append(
            f"the new password stands in desk/outbox/password-{wanted.seat}.eml and nowhere else: "
            "send that mail, then delete it"
        )


def reach(session: Session, wanted: Wanted, dry_run: bool) -> Reached:
    """Another way to reach a player who is invited; his mail goes out to him again."""
    check_acting(session)
    _check_seat(session, wanted.seat)
    what = changed(session.link, wanted)
    _refuse_settled(session, wanted)
    before = session.players.seats[wanted.seat].address
    found = people(session.players, wanted, session.link.player(wanted.seat))
    if not dry_run:
        with writing(session) as session:
            session = _keep(session, found, wanted)
            if wanted.address:
                digits = "".join(c for c in session.time if c.isdigit())
                write_reports(session, again=wanted.seat, mark=digits)
    _notes(session, wanted, before)
    return Reached(session, wanted, what, dry_run)


def _refuse_settled(session: Session, wanted: Wanted) -> None:
    """The name, and what identifies a player, are in the genesis."""
    link, where = session.link, session.folder.root
    again = wanted.identified == PASSWORD.name == link.player(wanted.seat).identified
    if not wanted.name and (not wanted.identified or again):
        return
    raise Refused(
        "player/settled",
        "who plays, and how each is identified, is settled in the invitation until the deal",
        f"pbem amend {where} close --reason TEXT, then pbem new NEW --after {where} with another "
        "--player or --known; or change it when it is dealt",
    )


def _notes(session: Session, wanted: Wanted, before: str) -> None:
    """What the referee must still know, or do."""
    seat, moved = wanted.seat, wanted.address and before not in ("", wanted.address)
    if moved:
        session.notes.append(
            f"the mail that went to {before} is still good: whoever has it can answer for {seat}"
        )
    if wanted.identified:
        session.notes.append(
            f"the new password stands in desk/outbox/password-{seat}.eml and nowhere else: send "
            "that mail, then delete it"
        )
    elif moved and session.link.player(seat).way.password:
        session.notes.append("its password went there too: --known password makes another")


def _check_seat(session: Session, seat: str) -> None:
    """BadInput ``players/seat``."""
    seats = session.link.setup.seats
    if seat not in seats:
        raise BadInput(
            "players/seat",
            f"there is no seat {seat[:40]!r} in this game",
            f"seats are: {', '.join(seats)}",
        )


def _keep(session: Session, found: Players, wanted: Wanted) -> Session:
    """Before the link: its reports go to the new address. Typed again after a kill, it goes on."""
    if wanted.identified == PASSWORD.name:
        found = _with_password(session, found, wanted.seat)
    return session.with_players(found)


def _with_password(session: Session, found: Players, seat: str) -> Players:
    """A fresh password, which nobody is told but its player, by mail."""
    if not found.seats[seat].address:
        raise Refused(
            "known/no-address",
            f"the password of {seat} cannot reach its player: it is sent by email alone",
            "--address ADDRESS",
        )
    one, word = with_new(found.seats[seat])
    found = found._replace(seats={**found.seats, seat: one})
    tell_one(session.folder, session.link.game, found, seat, word, session.time)
    return found
