"""Whoever places a wall, a double or a tower learns the threat counters of its regions. Source: CC-17."""

from pbem.engine.chang_cheng.log import Log, put
from pbem.engine.chang_cheng.state import Public
from pbem.engine.event import event


def look(public: Public, squares: int, log: Log) -> Public:
    """The seat on turn looks at the counters of the regions that ``squares`` touch."""
    layout, seat = public.layout, public.seat
    looked = public.looked[seat]
    for region, members in enumerate(layout.region_set):
        place = public.threat[region]
        if members & squares and place >= 0 and not looked >> place & 1 and public.turned[place] < 0:
            looked |= 1 << place
            name = public.rules.seats[seat]
            slot = public.rules.slot("threat", place)
            facts = {"seat": name, "region": layout.regions[region], "slot": slot}
            log.append(event("looked", "CC-17", facts, opens=((name, slot),)))
    if looked == public.looked[seat]:
        return public
    return public._replace(looked=put(public.looked, seat, looked))
