"""Points, and who has won. Source: NM-6, NM-9."""

from night_market.state import Public
from pbem.engine.decision import Outcome


def scores(public: Public) -> tuple[tuple[str, int], ...]:
    """What the goods are worth that each seat has bought; everybody may know."""
    bought = [0] * len(public.seats)
    for at, worth in zip(public.sold, public.goods, strict=False):  # one lot is up for sale
        if at >= 0:
            bought[at] += worth
    return tuple(zip(public.seats, bought, strict=True))


def leaders(public: Public) -> tuple[str, ...]:
    """Most points, all tied (NM-9)."""
    best = max(points for _, points in scores(public))
    return tuple(seat for seat, points in scores(public) if points == best)


def outcome(public: Public) -> Outcome | None:
    """How it ended; None before the last lot is sold."""
    return Outcome(scores(public), leaders(public), "NM-9") if public.over else None
