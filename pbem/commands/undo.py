"""An undo in a game's folder: how far it goes, what its link stands on, what each seat is told.

What lives here: the steps that ``pbem amend DIR undo`` and ``pbem resolve`` share, and what is
taken back in words. What must never be here: asking the players (consenting.py), printing.
Law: the report of the undo lists for each seat what it has seen in what is undone, and nothing that
another one has seen alone; an order stands there as its reader knows it.
Source: issue 4; construction.md "Ruling".
"""

from typing import TYPE_CHECKING, NamedTuple

from pbem.commands.ruling import at, older, void
from pbem.moderator import undoing
from pbem.moderator.amending import Basis, undone
from pbem.moderator.rulings import Ruling, words
from pbem.moderator.undoing import Undo

if TYPE_CHECKING:
    from pbem.commands.session import Session
    from pbem.moderator.document import Entry, Link
    from pbem.moderator.hand import Hand
    from pbem.moderator.position import Position

#: orders that the player did not give himself
GIVEN = {"forced": " (the only possible order)", "default": " (by default)"}


def plan_of(session: "Session", to: int | None, orders: int | None) -> Undo:
    """How far it goes back."""

    def state_of(n: int) -> "Link":
        return older(session, n)

    if to is None:
        return undoing.back_by(session.link, 1 if orders is None else orders, state_of)
    return undoing.back_to(session.link, to, state_of)


def basis_of(session: "Session", wanted: Undo, reason: str) -> Basis:
    """What the link of the undo is made of; the older state is verified and opened."""
    target = at(session, older(session, wanted.to))
    ruling = Ruling("undo", (("to", str(wanted.to)),), reason)
    return undone(session.position, target, ruling)


def hands_after(session: "Session", wanted: Undo) -> "dict[str, Hand]":
    """No orders in hand; every seat's report has what it has seen in the states undone."""
    seats = session.link.setup.seats
    hands = void(session, frozenset(seats))
    games: dict[int, Position] = {}
    for seat in seats:
        told = []
        for link, number in undoing.shown_to(wanted, seat):
            if link.n not in games:
                games[link.n] = at(session, link)
            view = session.game.view(games[link.n].state, seat)
            told.append(
                f"Undone, but you have seen it: {session.game.tell(link.events[number], view)}"
            )
        hands[seat] = hands[seat]._replace(notes=(*hands[seat].notes, *told))
    return hands


class Told(NamedTuple):
    """What an undo does to orders, a line for each, in the order they were played."""

    back: tuple[str, ...] = ()  #: these are taken back
    again: tuple[str, ...] = ()  #: these count again


def told_of(session: "Session", wanted: Undo, seat: str) -> Told:
    """In the words of one seat, which knows its own orders whole; "" for everybody."""
    return Told(_lines(session, wanted.links, seat), _lines(session, wanted.again, seat))


def told_in_report(session: "Session") -> "dict[str, Told]":
    """Of the newest link, by reader, where it is an undo; empty where it is none.

    From the states alone, so that a report can be written again; where one is lost, it says less.
    """
    from pbem.errors import PbemError

    ruling = session.link.rulings[0] if session.link.rulings else None
    if ruling is None or ruling.name != "undo":
        return {}

    def state_of(n: int) -> "Link":
        return older(session, n)

    try:
        target = older(session, int(ruling.operand("to")))
        wanted = undoing.between(older(session, session.link.n - 1), target, state_of)
    except PbemError:
        return {}
    return {seat: told_of(session, wanted, seat) for seat in (*session.link.setup.seats, "")}


def _lines(session: "Session", links: "tuple[Link, ...]", seat: str) -> tuple[str, ...]:
    found = []
    for link in links:
        for number, one in enumerate(link.entries, 1):
            order = _own(session, link, number, one) if one.seat == seat else one.words
            who = f"{link.player(one.seat).name} ({one.seat})"
            found.append(f"{who}: {order}{GIVEN.get(one.source, '')}")
        found += [f"the ruling: {words(one)}" for one in link.rulings if one.name == "correct"]
    return tuple(found)


def _own(session: "Session", link: "Link", number: int, one: "Entry") -> str:
    """A player's own order as he gave it: all others know its public words alone."""
    from pbem.crypto.encoding import unb64
    from pbem.crypto.hashing import unpae
    from pbem.moderator.seals import RealSeals
    from pbem.moderator.signed_orders import order_of

    seals = RealSeals(session.secret, link.game, link.n, unb64(link.prev, 32))
    return order_of(unpae(seals.open_order(f"{link.n}/order/{number}", one.token))[4].decode())
