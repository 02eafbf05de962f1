"""Estimates a seat's position from what it knows, for bots. No rule uses it."""

from night_market.scoring import scores
from night_market.state import View

POINT = 100  # a point on the scale of bots, so that expectations are whole numbers


def prospects(view: View) -> int:
    """Its lead, what it expects from its bid, and the tokens that it has left."""
    public, at = view.public, view.at
    points = dict(scores(public))
    own = points.pop(view.seat or "")
    tokens_left = sum(public.tokens[at]) - (view.bid or 0)
    return POINT * (own - max(points.values())) + _expected(view) + POINT * tokens_left // public.lots


def _expected(view: View) -> int:
    """The worth of the lot, multiplied by the chance that nobody bids as much."""
    public, bid = view.public, view.bid
    if bid is None:
        return 0
    chance = POINT
    for at, tokens in enumerate(public.tokens):
        if at != view.at:
            chance = chance * sum(token < bid for token in tokens) // len(tokens)
    return chance * public.goods[-1]
