"""The first action: a seat examines how it stands, site by site.

Source: GW-10 to GW-14.
"""

from pbem.engine.event import Event
from pbem.engine.great_wall.parts import NAMES
from pbem.engine.great_wall.play import Play, put
from pbem.engine.great_wall.reckoning import reckoning
from pbem.engine.great_wall.reserve import open_site

BOTH = 2


def examine(play: Play, first: int) -> bool:
    """Go through the sites from ``first`` on, in number order; whether that is done.

    Not done: the seat has to choose a marker (``table.site``), or no free marker is left.
    A site completed here gets a pair without cards: nobody is ahead there (GW-14).
    """
    table = play.table
    for number in range(first, len(table.sites)):
        site = table.sites[number]
        if not site.free or not site.ahead(table.seat):
            continue
        if len(site.free) == BOTH:
            table.site = number
            return False
        _win(play, number)
        if no_free_marker(play):
            return False
    return True


def no_free_marker(play: Play) -> bool:
    """Every site closed, and so the reserve empty (GW-30)."""
    return not any(site.free for site in play.table.sites)


def _win(play: Play, number: int) -> None:
    """The last free marker is won, and so is the one on a card; a new pair is drawn (GW-11)."""
    table = play.table
    site = table.sites[number]
    winner, other = table.seat, site.cards[site.marked].colour
    names = table.rules.seats
    facts = (
        ("seat", names[winner]),
        ("site", NAMES[number]),
        ("marker", str(site.free[0])),
        ("other", names[other]),
        ("placed", str(site.marker)),
        ("made", reckoning(table, number)),
    )
    points = ((names[winner], site.free[0]), (names[other], site.marker))
    play.log.append(Event("won", "GW-11", facts, points))
    for colour, marker in ((winner, site.free[0]), (other, site.marker)):
        table.won = put(table.won, colour, (*table.won[colour], marker))
    open_site(play, number)
