"""Points, and who has won. Source: NM-6, NM-9."""

from night_market.state import Public
from pbem.engine.decision import Outcome


def scores(public: Public) -> tuple[tuple[str, int], ...]:
    """By seat, the worth of the goods that it has bought."""
    bought = [0] * len(public.seats)
    for at, worth in zip(public.sold, public.goods, strict=False):  # one lot is up for sale
        if at >= 0:
            bought[at] += worth
    return tuple(zip(public.seats, bought, strict=True))


def leaders(public: Public) -> tuple[str, ...]:
    """The seats with most points (NM-9)."""
    best = max(points for _, points in scores(public))
    return tuple(seat for seat, points in scores(public) if points == best)


def outcome(public: Public) -> Outcome | None:
    """How the game ended; None before the last lot is sold."""
    return Outcome(scores(public), leaders(public), "NM-9") if public.over else None
