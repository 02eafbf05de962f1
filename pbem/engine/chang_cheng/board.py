"""``board left``, ``board right``: a new board joins, with its counters.

Source: CC-3, CC-6, CC-30, CC-31.
"""

from pbem.engine.chang_cheng.layout import EMPERORS, joined, layout_of
from pbem.engine.chang_cheng.state import Card, Draft, Play, Public, new
from pbem.engine.event import ALL, event
from pbem.engine.hidden import seen

CHOICES = ("board left", "board right")


def due(public: Public) -> bool:
    """Whether a board is to be added now (CC-30)."""
    return joins_with(public, public.emperors)


def joins_with(public: Public, emperors: int) -> bool:
    """Whether a board is added when there are so many Emperors since the last one (CC-30)."""
    if emperors < EMPERORS or not public.box:
        return False
    return len(public.layout.placed) < public.rules.boards


def do(play: Play, words: list[str]) -> None:
    """Add the next board, with its counters."""
    table = play.table
    side, board = words[1], table.box[0]
    before = table.layout
    first = len(before.provinces)  # counters drawn so far: the new ones follow in their pile
    places = range(first, first + len(board.provinces))
    reputation = tuple(seen(play.reputation[place]) for place in places)
    threat = tuple(len(before.regions) + i for i in range(len(board.regions)))
    lengthen(table, side)
    if side == "left":
        table.reputation = (*reputation, *table.reputation)
        table.threat = (*threat, *table.threat)
    else:
        table.reputation = (*table.reputation, *reputation)
        table.threat = (*table.threat, *threat)
    facts = {
        "seat": table.rules.seats[table.seat],
        "side": side,
        "letter": table.layout.placed[0 if side == "left" else -1].letter,
        "board": board.id,
        "counters": ",".join(str(value) for value in reputation),
    }
    opens = tuple((ALL, table.rules.slot("reputation", place)) for place in places)
    play.log.append(event("board", "CC-31", facts, opens=opens))


def lengthen(table: Draft, side: str) -> None:
    """Put the next board beside the wall; everything on the wall keeps its place (CC-2)."""
    board, table.box = table.box[0], table.box[1:]
    table.layout = layout_of(joined(table.layout.placed, board, side))
    table.emperors -= EMPERORS
    if side == "left":
        _move_right(table, sum(board.provinces), len(board.provinces))


def _move_right(table: Draft, squares: int, provinces: int) -> None:
    """Everything counted from the left end moves up by what joined there."""

    def moved(sets: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([counted << squares for counted in sets])

    table.single = moved(table.single)
    table.double = moved(table.double)
    table.tower = moved(table.tower)
    table.reserve = moved(table.reserve)
    table.broken <<= squares
    table.taken <<= squares
    table.scored <<= provinces
    table.queue = tuple(province + provinces for province in table.queue)
    if table.where >= 0:
        table.where += provinces
    if table.neutral is not None:
        table.neutral = table.neutral._replace(provinces=table.neutral.provinces << provinces)
    table.cards = tuple(
        [new(Card, (c.slot, c.colour, c.province + provinces)) for c in table.cards]
    )
