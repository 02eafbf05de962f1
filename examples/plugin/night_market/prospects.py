"""How well a seat stands, as far as it knows. For bots that look ahead; no rule reads it."""

from night_market.scoring import scores
from night_market.state import View

POINT = 100  # of a bot's scale: so that expectations are whole numbers too


def prospects(view: View) -> int:
    """Its lead; its chance of the lot, if its bid is in; and what it has left to bid."""
    public, at = view.public, view.at
    points = dict(scores(public))
    own = points.pop(view.seat or "")
    left = sum(public.tokens[at]) - (view.bid or 0)
    return POINT * (own - max(points.values())) + _expected(view) + POINT * left // public.lots


def _expected(view: View) -> int:
    """The worth of the lot, times the chance that nobody bids as much."""
    public, bid = view.public, view.bid
    if bid is None:
        return 0
    chance = POINT
    for at, tokens in enumerate(public.tokens):
        if at != view.at:
            chance = chance * sum(token < bid for token in tokens) // len(tokens)
    return chance * public.goods[-1]
