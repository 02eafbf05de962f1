"""``take S1 7 on 3``: one of two free markers, put on one of one's own cards in play there.

Source: GW-11, GW-26.
"""

from pbem.engine.event import Event
from pbem.engine.great_wall.order import Order
from pbem.engine.great_wall.parts import KINDS, NAMES
from pbem.engine.great_wall.play import Play, put
from pbem.engine.great_wall.reckoning import reckoning


def do(play: Play, order: Order) -> None:
    """Put it there; from now on its value counts against its owner at this site (GW-10)."""
    table = play.table
    site = table.sites[order.site]
    facts = (
        ("seat", table.rules.seats[table.seat]),
        ("site", NAMES[order.site]),
        ("marker", str(order.marker)),
        ("card", str(order.card + 1)),
        ("kind", KINDS[site.cards[order.card].kind]),
        ("made", reckoning(table, order.site)),
    )
    play.log.append(Event("took", "GW-11", facts))
    table.sites = put(table.sites, order.site, site.with_marker_on(order.marker, order.card))
    table.site = -1
