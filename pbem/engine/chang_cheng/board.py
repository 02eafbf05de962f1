"""``board left``, ``board right``: a new board joins, with its counters. Source: CC-3, CC-6, CC-30, CC-31."""

from pbem.engine.chang_cheng.layout import joined, layout_of
from pbem.engine.chang_cheng.log import Log
from pbem.engine.chang_cheng.parts import EMPERORS
from pbem.engine.chang_cheng.state import Public, State
from pbem.engine.event import ALL, event
from pbem.engine.hidden import seen

CHOICES = ("board left", "board right")


def due(public: Public) -> bool:
    """Whether a board is to be added now (CC-30)."""
    allowed = len(public.layout.placed) < public.rules.boards
    return public.emperors >= EMPERORS and bool(public.box) and allowed


def do(state: State, words: list[str], log: Log) -> State:
    """Add the next board; everything on the wall keeps its place (CC-2)."""
    public = state.public
    side, board = words[1], public.box[0]
    provinces, regions = len(board.provinces), len(board.regions)
    placed = joined(public.layout.placed, board, side)
    layout = layout_of(placed)
    drawn = len(public.layout.provinces)
    reputation = tuple(seen(state.reputation[drawn + i]) for i in range(provinces))
    threat = tuple(len(public.layout.regions) + i for i in range(regions))
    letter = placed[0 if side == "left" else -1].letter
    slots = tuple((ALL, public.rules.slot("reputation", drawn + i)) for i in range(provinces))
    facts: dict[str, str | int] = {
        "seat": public.rules.seats[public.seat],
        "side": side,
        "letter": letter,
        "board": board.id,
        "counters": ",".join(str(value) for value in reputation),
    }
    log.append(event("board", "CC-31", facts, opens=slots))
    if side == "left":
        public = _moved_right(public, sum(board.provinces), provinces)
        counters = (*reputation, *public.reputation), (*threat, *public.threat)
    else:
        counters = (*public.reputation, *reputation), (*public.threat, *threat)
    public = public._replace(
        layout=layout,
        box=public.box[1:],
        reputation=counters[0],
        threat=counters[1],
        emperors=public.emperors - EMPERORS,
    )
    return state._replace(public=public)


def _moved_right(public: Public, squares: int, provinces: int) -> Public:
    """Everything counted from the left end moves up by what joined there."""

    def moved(sets: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(one << squares for one in sets)

    return public._replace(
        single=moved(public.single),
        double=moved(public.double),
        tower=moved(public.tower),
        reserve=moved(public.reserve),
        broken=public.broken << squares,
        taken=public.taken << squares,
        scored=public.scored << provinces,
        where=public.where + provinces if public.where >= 0 else -1,
        queue=tuple(province + provinces for province in public.queue),
        cards=tuple(card._replace(province=card.province + provinces) for card in public.cards),
    )
