"""What an undo takes back, in words, for each reader.

What lives here: the orders that fall and those that count again. What must never be here: how far
an undo goes (moderator/ruling/undo.py). Law: an order stands there as its reader knows it: his own
whole, those of others by their public words.
Source: FORMAT.md "Rulings"; P2.
"""

from typing import NamedTuple

from pbem.crypto.encoding import unb64
from pbem.crypto.hashing import unpae
from pbem.errors import PbemError
from pbem.moderator.chain.link import Entry, Link
from pbem.moderator.chain.ruling import ruling_words
from pbem.moderator.chain.seals import Seals
from pbem.moderator.report.rulings import ruling_in_report
from pbem.moderator.ruling.undo import Undo, undo_between
from pbem.moderator.turn.signatures import order_of
from pbem.services.session.history import older
from pbem.services.session.session import Session

#: orders that the player did not give himself
GIVEN = {"forced": " (the only possible order)", "default": " (by default)"}


class Told(NamedTuple):
    """What an undo does to orders, a line for each, in the order they were played."""

    back: tuple[str, ...] = ()  #: these are taken back
    again: tuple[str, ...] = ()  #: these count again


def told_of(session: Session, wanted: Undo, seat: str) -> Told:
    """In the words of one seat, which knows its own orders whole; "" for everybody."""
    return Told(_lines(session, wanted.links, seat), _lines(session, wanted.again, seat))


def told_in_report(session: Session) -> "tuple[tuple[str, ...], dict[str, Told]]":
    """The rulings of the newest link, and what they undid by reader; empty where it is no undo.

    From the states alone, so that a report can be written again; where one is lost, it says less.
    """
    ruling = session.link.rulings[0] if session.link.rulings else None
    if ruling is None or ruling.name != "undo":
        return (), {}

    def state_of(n: int) -> Link:
        return older(session, n)

    try:
        target = older(session, int(ruling.operand("to")))
        wanted = undo_between(older(session, session.link.n - 1), target, state_of)
    except PbemError:
        return (), {}
    said = tuple(ruling_in_report(one, session.link, target.time) for one in session.link.rulings)
    return said, {seat: told_of(session, wanted, seat) for seat in (*session.link.setup.seats, "")}


def _lines(session: Session, links: tuple[Link, ...], seat: str) -> tuple[str, ...]:
    found = []
    for link in links:
        for number, one in enumerate(link.entries, 1):
            order = _own(session, link, number, one) if one.seat == seat else one.words
            who = f"{link.player(one.seat).name} ({one.seat})"
            found.append(f"{who}: {order}{GIVEN.get(one.source, '')}")
        found += [
            f"the ruling: {ruling_words(one)}" for one in link.rulings if one.name == "correct"
        ]
    return tuple(found)


def _own(session: Session, link: Link, number: int, one: Entry) -> str:
    """A player's own order as he gave it: all others know its public words alone."""
    seals = Seals(session.secret, link.game, link.n, unb64(link.prev, 32))
    return order_of(unpae(seals.open_order(f"{link.n}/order/{number}", one.token))[4].decode())
