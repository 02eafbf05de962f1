"""Who places a wall, a double or a tower learns the threat counters of its regions.

Source: CC-17.
"""

from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.event import Event


def look(play: Play, squares: tuple[int, ...]) -> None:
    """The seat on turn looks at the counters of the regions that ``squares`` touch."""
    table = play.table
    region = table.layout.region_of[squares[0]]
    _look_at(play, region)
    if len(squares) > 1 and table.layout.region_of[squares[1]] != region:
        _look_at(play, table.layout.region_of[squares[1]])


def _look_at(play: Play, region: int) -> None:
    """It learns the value, unless it knows it or all do; a counter that is gone shows nothing."""
    table = play.table
    seat, place = table.seat, table.threat[region]
    looked = table.looked[seat]
    if place < 0 or looked >> place & 1 or table.turned[place] is not None:
        return
    table.looked = put(table.looked, seat, looked | 1 << place)
    name, slot = table.rules.seats[seat], table.rules.slot("threat", place)
    facts = (("seat", name), ("region", table.layout.regions[region]), ("slot", slot))
    play.log.append(Event("looked", "CC-17", facts, opens=((name, slot),)))
