"""How one game is played: its options as the switches that rules read.

What lives here: making ``Rules`` from the settled options and from what was drawn.
Source: CC-1, CC-60, CC-61, R-3.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pbem.engine.chang_cheng.box import boards_allowed, counters_of
from pbem.engine.chang_cheng.editions import edition_of
from pbem.engine.chang_cheng.parts import NEUTRAL, NEUTRALS, SINGLES
from pbem.engine.chang_cheng.state import Rules
from pbem.engine.settings import Config


@lru_cache(maxsize=64)
def rules_of(config: Config, seats: tuple[str, ...], events: str, dealt: int) -> Rules:
    """The Rules of a game with its seats in turn order, and its events as drawn."""
    own = [own_colours(config, seat) for seat in seats]
    owner = [seat for seat, colours in zip(seats, own, strict=True) for _ in colours]
    colours = [colour for some in own for colour in some]
    walls = [SINGLES] * len(colours)
    neutral = -1
    if config.option("variant") == NEUTRAL:
        neutral = len(colours)
        colours, owner, walls = [*colours, NEUTRAL], [*owner, ""], [*walls, NEUTRALS]
    seat_of = tuple(seats.index(name) if name else -1 for name in owner)
    reputation, threat = counters_of(config.option("counters"))
    return Rules(
        seats=seats,
        colours=tuple(colours),
        seat_of=seat_of,
        owner=tuple(owner),
        own=tuple(tuple(c for c, s in enumerate(seat_of) if s == i) for i in range(len(seats))),
        blank=(None,) * len(colours),
        walls=tuple(walls),
        neutral=neutral,
        boards=boards_allowed(len(seats)),
        dealt=dealt,
        edition=edition_of(config.option("edition"), config.rulings),
        events=events,
        reputation=reputation,
        threat=threat,
    )


def own_colours(config: Config, seat: str) -> tuple[str, ...]:
    """The colours of a seat, the one it is named by first (CC-61)."""
    for pair in config.option("pairs").split(","):
        names = pair.split("+")
        if seat in names:
            return (seat, *(name for name in names if name != seat))
    return (seat,)


def events_of(config: Config, deal: Mapping[str, Sequence[str]]) -> str:
    """The letters of the events in play, chosen or drawn."""
    text = config.option("events")
    if text.startswith("drawn-"):
        return "".join(sorted(deal["events"][: int(text[-1])]))
    return "" if text in ("", "none") else text.replace(",", "")
