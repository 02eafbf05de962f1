"""``horseman S2``: a horseman played besides the actions, after the examination and never after
the third action.

As an action itself it is an ordinary card (cards.py). There are two in a deck, so more than two
are never played in a turn. Source: GW-21.
"""

from pbem.engine.great_wall import cards
from pbem.engine.great_wall.cards import refused
from pbem.engine.great_wall.order import Order
from pbem.engine.great_wall.play import Play

__all__ = ["do", "refused"]


def do(play: Play, order: Order) -> None:
    """Put it down; the action is still to come."""
    cards.lay(play, order, "horseman", "GW-21")
