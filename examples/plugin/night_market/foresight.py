"""Plays on from a View, and draws States that are possible behind it.

``imagine`` makes a State with None for what the seat does not know. The rules stop where they need
such a value. ``guess`` fills them with possible values.
"""

from collections.abc import Callable

from night_market.selling import apply
from night_market.setup import worths
from night_market.state import State, View, view_of
from pbem.engine.hidden import Unseen


def imagine(view: View) -> State:
    """The State as this seat knows it: the goods that are turned up, and its own bid."""
    public = view.public
    hidden = len(worths(public.lots)) - len(public.goods)
    bids = tuple(view.bid if at == view.at else None for at in range(len(public.seats)))
    return State(public, (*public.goods, *(None,) * hidden), bids)


def foresee(view: View, line: str) -> View | None:
    """The seat's View after its own legal order; None after the last bid, which opens all bids."""
    try:
        return view_of(apply(imagine(view), view.seat or "", line, link=0).state, view.seat)
    except Unseen:
        return None


def guess(view: View, below: Callable[[int], int]) -> State:
    """Draw any State that gives the View's seat exactly this View."""
    public = view.public
    left = [int(worth) for worth in worths(public.lots) if int(worth) not in public.goods]
    hidden = tuple(left.pop(below(len(left))) for _ in range(len(left)))
    bids: list[int | None] = []
    for at, (slot, tokens) in enumerate(zip(public.slots, public.tokens, strict=True)):
        if slot and at != view.at:
            bids.append(tokens[below(len(tokens))])
        else:
            bids.append(view.bid if at == view.at else None)
    return State(public, (*public.goods, *hidden), tuple(bids))
