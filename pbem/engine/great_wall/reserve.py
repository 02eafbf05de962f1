"""The reserve of markers: a pair opens a site. Source: GW-2, GW-3."""

from pbem.engine.event import ALL, Event
from pbem.engine.great_wall.parts import NAMES
from pbem.engine.great_wall.site import new_site
from pbem.engine.great_wall.state import Play, put
from pbem.engine.hidden import seen

PAIR = 2


def open_site(play: Play, site: int) -> None:
    """Lay a new pair at a site, face up; with the reserve empty the site is closed (GW-3)."""
    table = play.table
    pair: tuple[int, ...] = ()
    while table.left >= PAIR and not pair:
        pair = _draw_pair(play, site)
    if not pair:
        play.log.append(Event("closed", "GW-3", (("site", NAMES[site]),)))
    table.sites = put(table.sites, site, new_site(pair, len(table.rules.seats)))


def _draw_pair(play: Play, site: int) -> tuple[int, ...]:
    """Two markers from the reserve; with two players an equal pair goes out of the game (GW-3)."""
    table = play.table
    slot = table.rules.slot
    first, other = (seen(value) for value in play.reserve[:PAIR])
    opens = tuple((ALL, slot("reserve", table.drawn + i)) for i in range(PAIR))
    play.reserve = play.reserve[PAIR:]
    table.drawn += PAIR
    table.left -= PAIR
    if first == other and len(table.rules.seats) == 2:
        table.discarded = (*table.discarded, first)
        facts: tuple[tuple[str, str], ...] = (("site", NAMES[site]), ("value", str(first)))
        play.log.append(Event("discarded", "GW-3", facts, opens=opens))
        return ()
    facts = (("site", NAMES[site]), ("one", str(first)), ("other", str(other)))
    play.log.append(Event("pair", "GW-2", facts, opens=opens))
    return (first, other)
