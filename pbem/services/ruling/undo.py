"""An undo in a game's folder: how far it goes, what its link stands on, what each seat is told.

What lives here: the steps that ``pbem amend DIR undo`` and ``pbem resolve`` share, and what is
taken back in words. What must never be here: asking the players (consent.py), printing.
Law: the report of the undo lists for each seat what it has seen in what is undone, and nothing that
another one has seen alone; an order stands there as its reader knows it.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from pbem.moderator.chain.link import Link
from pbem.moderator.chain.position import Position
from pbem.moderator.chain.ruling import Ruling
from pbem.moderator.ruling.amendment import Basis, undone
from pbem.moderator.ruling.undo import Undo, shown_to, undo_last, undo_to
from pbem.moderator.turn.hand import Hand
from pbem.services.ruling.ruling import void
from pbem.services.session.older import at, older
from pbem.services.session.session import Session


def plan_of(session: Session, to: int | None, orders: int | None) -> Undo:
    """How far it goes back."""

    def state_of(n: int) -> Link:
        return older(session, n)

    if to is None:
        return undo_last(session.link, 1 if orders is None else orders, state_of)
    return undo_to(session.link, to, state_of)


def basis_of(session: Session, wanted: Undo, reason: str) -> Basis:
    """What the link of the undo is made of; the older state is verified and opened."""
    target = at(session, older(session, wanted.to))
    ruling = Ruling("undo", (("to", str(wanted.to)),), reason)
    return undone(session.position, target, ruling)


def hands_after(session: Session, wanted: Undo) -> dict[str, Hand]:
    """No orders in hand; every seat's report has what it has seen in the states undone."""
    seats = session.link.setup.seats
    hands = void(session, frozenset(seats))
    games: dict[int, Position] = {}
    for seat in seats:
        told = []
        for link, number in shown_to(wanted, seat):
            if link.n not in games:
                games[link.n] = at(session, link)
            view = session.game.view(games[link.n].state, seat)
            told.append(
                f"Undone, but you have seen it: {session.game.tell(link.events[number], view)}"
            )
        hands[seat] = hands[seat]._replace(notes=(*hands[seat].notes, *told))
    return hands
