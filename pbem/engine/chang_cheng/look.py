"""Who places a wall, a double or a tower learns the threat counters of its regions.

With the event Observers everybody does. Source: CC-17, CC-53.
"""

from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.event import ALL, plain_event


def look(play: Play, squares: tuple[int, ...]) -> None:
    """The seat on turn looks at the counters of the regions that ``squares`` touch."""
    table = play.table
    show = _turn_up if "D" in table.rules.events else _look_at
    region = table.layout.region_of[squares[0]]
    show(play, region)
    if len(squares) > 1 and table.layout.region_of[squares[1]] != region:
        show(play, table.layout.region_of[squares[1]])


def _look_at(play: Play, region: int) -> None:
    """It learns the value, unless it knows it or all do; a counter that is gone shows nothing."""
    table = play.table
    seat, place = table.seat, table.threat[region]
    looked = table.looked[seat]
    if place < 0 or looked >> place & 1 or table.turned[place] is not None:
        return
    rules = table.rules
    table.looked = put(table.looked, seat, looked | 1 << place)
    name, slot = rules.seats[seat], rules.slot("threat", place)
    facts = (("seat", name), ("region", table.layout.regions[region]), ("slot", slot))
    play.log.append(plain_event("looked", "CC-17", facts, opens=((name, slot),)))


def _turn_up(play: Play, region: int) -> None:
    """All see the counter from now on. In an imagined State nobody may know its value."""
    table = play.table
    place = table.threat[region]
    if place < 0 or table.turned[place] is not None:
        return
    table.turned = put(table.turned, place, play.threat[place])
    slot = table.rules.slot("threat", place)
    facts = (
        ("region", table.layout.regions[region]),
        ("counter", str(play.threat[place])),
        ("slot", slot),
    )
    play.log.append(plain_event("observed", "CC-53", facts, opens=((ALL, slot),)))
