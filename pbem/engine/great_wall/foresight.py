"""How a seat stands, its default order, and other States behind its View.

``guess`` fills what the seat does not know at random, with everything that could be there.
Playing on from a View as it is: turn.py, ``foresee``.
Source: decision 0001; R-2; P2.
"""

from pbem.engine.great_wall.parts import KINDS, NAMES, RESERVE, WHOLE_DECK, Site, cards_of, hand_of
from pbem.engine.great_wall.state import Public, State, View
from pbem.engine.hidden import Below, mixed

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


def default_line(view: View) -> str:
    public = view.public
    if public.site >= 0:
        site, name = public.sites[public.site], NAMES[public.site]
        oldest = site.in_play(public.seat)[0]
        return f"take {name} {max(site.free)} on {oldest + 1}"
    if public.decks[public.seat]:
        return "draw"
    lowest = cards_of(view.hand)[0]
    opened = next(i for i, site in enumerate(public.sites) if site.free)
    return f"play {NAMES[opened]} {KINDS[lowest]}"


def guess(view: View, below: Below) -> State:
    public = view.public
    decks, hands = [], []
    for colour in range(len(public.decks)):
        drawn, played = view.drawn, public.played[colour]
        if colour != view.seat:  # what it has played, and a hand of any of the others
            hand = mixed(cards_of(WHOLE_DECK - played), below)[: public.held[colour]]
            drawn = mixed((*cards_of(played), *hand), below)
        rest = cards_of(WHOLE_DECK - hand_of(drawn))
        decks.append((*drawn, *mixed(rest, below)[: public.decks[colour]]))
        hands.append(hand_of(drawn) - played)
    return State(public, tuple(decks), tuple(hands), mixed(_markers_left(public), below))


def _markers_left(public: Public) -> tuple[int, ...]:
    """The markers that have not been seen: all know which there are (GW-2)."""
    left = [int(value) for value in RESERVE]
    seen = [value for won in public.won for value in won]
    seen += [value for value in public.discarded for _ in range(2)]
    for site in public.sites:
        seen += [*site.free, *([site.marker] if site.marked >= 0 else [])]
    for value in seen:
        left.remove(value)
    return tuple(left[: public.left])
