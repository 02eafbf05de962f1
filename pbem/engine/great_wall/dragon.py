"""``play S1 dragon over 4``: a dragon covers a card, which is then out of play.

Played without ``over`` it is an ordinary card (cards.py). Source: GW-25, GW-26.
"""

from pbem.engine.decision import Refusal
from pbem.engine.great_wall.order import Order
from pbem.engine.great_wall.parts import DRAGON, KINDS, NAMES
from pbem.engine.great_wall.state import Public


def refused(public: Public, order: Order) -> Refusal | None:
    """Why it may not cover that card; None if it may. The rest has been looked at (cards.py)."""
    site = public.sites[order.site]
    if order.card in site.coverable():
        return None
    name, card = NAMES[order.site], order.card
    if card >= len(site.cards):
        return Refusal("GW-25", f"there is no card {card + 1} at {name}")
    if card == site.marked:
        return Refusal("GW-25", f"card {card + 1} at {name} carries a marker")
    if site.cards[card].kind == DRAGON:
        return Refusal("GW-25", f"card {card + 1} at {name} is a dragon itself")
    return Refusal("GW-25", f"card {card + 1} at {name} is covered already")


def covers(public: Public, order: Order) -> list[tuple[str, str]]:
    """What the event says of the card that is covered."""
    card = public.sites[order.site].cards[order.card]
    return [
        ("over", str(order.card + 1)),
        ("owner", public.rules.seats[card.colour]),
        ("covered", KINDS[card.kind]),
    ]
