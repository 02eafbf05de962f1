"""``play S1 guard guard``: one or more cards of one kind on one site.

What lives here: what every card does that is played from a hand, a horseman besides and a dragon
over another card too. Source: GW-20, GW-22.
"""

from pbem.engine.decision import Refusal
from pbem.engine.event import Event
from pbem.engine.great_wall import dragon
from pbem.engine.great_wall.order import Order
from pbem.engine.great_wall.parts import KINDS, NAMES, number_of, one
from pbem.engine.great_wall.play import Play, put
from pbem.engine.great_wall.site import Card
from pbem.engine.great_wall.state import Public
from pbem.engine.hidden import seen


def refused(public: Public, order: Order, hand: int) -> Refusal | None:
    """Why these cards may not be played there now; None if they may."""
    if order.site >= len(public.sites):
        return Refusal("GW-2", f"there is no {NAMES[order.site]} in this game")
    if not public.sites[order.site].free:
        return Refusal("GW-22", f"{NAMES[order.site]} is closed: nothing can be played there")
    has = number_of(hand, order.kind)
    if has < order.number:
        return Refusal("GW-20", _too_few(order, has))
    if order.card >= 0:
        return dragon.refused(public, order)
    return None


def _too_few(order: Order, has: int) -> str:
    word = KINDS[order.kind]
    if not has:
        return f"you have no {word} in hand"
    return f"you have {has} {word}{'' if has == 1 else 's'} in hand, not {order.number}"


def do(play: Play, order: Order) -> None:
    """Put them down, each after the cards that lie there; all see which they are."""
    lay(play, order, "played", "GW-20")


def lay(play: Play, order: Order, kind: str, ruling: str) -> None:
    """The cards leave the hand and lie on the site.

    Their slots stay sealed: a place in the deck would tell when the card was drawn (P5).
    """
    table = play.table
    colour, at = table.seat, order.site
    site = table.sites[at]
    first = len(site.cards) + 1
    facts = [
        ("seat", table.rules.seats[colour]),
        ("site", NAMES[at]),
        ("kind", KINDS[order.kind]),
        ("number", str(order.number)),
        ("first", str(first)),
    ]
    if order.card >= 0:
        facts += dragon.covers(table, order)
    play.log.append(Event(kind, ruling, tuple(facts)))
    taken = order.number * one(order.kind)
    play.hands = put(play.hands, colour, seen(play.hands[colour]) - taken)
    table.held = put(table.held, colour, table.held[colour] - order.number)
    table.played = put(table.played, colour, table.played[colour] + taken)
    laid = (Card(colour, order.kind, order.card),) * order.number
    table.sites = put(table.sites, at, site.with_cards(laid))
