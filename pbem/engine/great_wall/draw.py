"""``draw``: one card from one's own deck. Source: GW-20, GW-22."""

from pbem.engine.decision import Refusal
from pbem.engine.event import Event
from pbem.engine.great_wall.order import Order
from pbem.engine.great_wall.parts import one
from pbem.engine.great_wall.play import Play, put
from pbem.engine.great_wall.state import Public
from pbem.engine.hidden import seen


def refused(public: Public, order: Order, hand: int) -> Refusal | None:  # noqa: ARG001
    """Why no card may be drawn now; None if one may."""
    if public.decks[public.seat]:
        return None
    return Refusal("GW-22", "your deck is empty: you must play")


def do(play: Play, order: Order) -> None:  # noqa: ARG001  (all orders are carried out alike)
    """Draw it: the seat alone learns which it is."""
    table = play.table
    colour = table.seat
    deck = play.decks[colour]
    place = len(deck) - table.decks[colour]
    seat, slot = table.rules.seats[colour], table.rules.slot(table.rules.deck(colour), place)
    play.log.append(Event("drew", "GW-20", (("seat", seat), ("slot", slot)), opens=((seat, slot),)))
    play.hands = put(play.hands, colour, seen(play.hands[colour]) + one(seen(deck[place])))
    table.decks = put(table.decks, colour, table.decks[colour] - 1)
    table.held = put(table.held, colour, table.held[colour] + 1)
