"""How well a seat stands, as a guess for bots that look ahead.

Counted in tenths of a point: markers won are certain, one on a card is nearly so, a free one goes
to whoever is ahead when he examines. Source: GW-11, GW-32.
"""

from pbem.engine.great_wall.site import Site
from pbem.engine.great_wall.state import View

WON, PLACED, FREE, CARD = 10, 7, 5, 4  #: tenths: of a marker's value; of a point a card in hand
CLEAR_LEAD = 4  #: influence by which a lead is as good as safe


def prospects(view: View) -> int:
    """By how much the View's seat leads the best other one, in tenths of a point."""
    public = view.public
    tenths = [WON * sum(won) for won in public.won]
    if not public.ended_by:
        for site in public.sites:
            for colour, expected in _expected(site):
                tenths[colour] += expected
        tenths = [n + CARD * cards for n, cards in zip(tenths, public.held, strict=True)]
    own = tenths.pop(view.seat or 0)
    return own - max(tenths)


def _expected(site: Site) -> list[tuple[int, int]]:
    """What a site promises, and to whom."""
    found = []
    if site.marked >= 0:
        found.append((site.cards[site.marked].colour, PLACED * site.marker))
    standing = [(number, c) for c, number in enumerate(site.influence) if number is not None]
    standing.sort(reverse=True)
    if not standing or not site.free:
        return found
    lead = standing[0][0] - standing[1][0] if len(standing) > 1 else CLEAR_LEAD
    share = min(lead, CLEAR_LEAD) + (1 if lead else 0)
    found.append((standing[0][1], FREE * max(site.free) * share // (CLEAR_LEAD + 1)))
    return found
