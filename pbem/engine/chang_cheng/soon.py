"""Cards that may soon be turned up: their owner can say now what they are to do.

Law: made of what all see and of the seat's own cards, so it tells nobody anything.
Source: CC-22; docs/NOTATION.md (`when`).
"""

from pbem.engine.chang_cheng.parts import BUILDER, FLOOD, KINDS, MANDARIN, TRAITOR, WARRIOR
from pbem.engine.chang_cheng.state import Public, View
from pbem.engine.decision import Soon

NEARLY = 2  # empty squares that one turn can fill: two walls, or a double
#: an answer of each kind of card that can be given before anybody knows what will lie there
ANSWERS = {
    WARRIOR: "warrior mandarin",
    TRAITOR: "traitor break",
    FLOOD: "flood +2",
    BUILDER: "builder wall",
    MANDARIN: "mandarin none",
}


def soon(view: View) -> tuple[Soon, ...]:
    """The own cards that lie where at most two squares are empty; fewest empty ones first."""
    public = view.public
    found: list[tuple[int, Soon]] = []
    if public.stage == "over":
        return ()
    for card, kind in zip(public.cards, view.kinds, strict=True):
        empty = (public.layout.province_set[card.province] & ~public.taken).bit_count()
        mine = view.seat is not None and public.rules.seat_of[card.colour] == view.seat
        if mine and kind in ANSWERS and 0 < empty <= NEARLY:
            found.append((empty, _one(public, card.province, kind, empty)))
    return tuple(ahead for _, ahead in sorted(found, key=lambda pair: pair[0]))


def _one(public: Public, province: int, kind: int, empty: int) -> Soon:
    name = public.layout.provinces[province]
    squares = "one square is" if empty == 1 else f"{empty} squares are"
    text = f"{name}: {squares} still empty, and your {KINDS[kind]} lies there."
    order = ANSWERS[kind]
    return Soon(name, text, _break(public, province) if kind == TRAITOR else order)


def _break(public: Public, province: int) -> str:
    """The leftmost wall there that can be broken; else the counter beside it."""
    layout = public.layout
    walls = layout.province_set[province] & ~public.broken & sum(public.single)
    if walls:
        return f"traitor break {layout.squares[(walls & -walls).bit_length() - 1]}"
    beside = [region for region in layout.borders(province) if public.threat[region] >= 0]
    return f"traitor counter {layout.regions[beside[0]]}" if beside else "traitor none"
