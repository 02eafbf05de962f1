"""How a seat stands, its default order, and other States behind its View.

``guess`` fills what the seat does not know at random, with everything that could be there.
Playing on from a View as it is: turn.py, ``foresee``.
Source: decision 0001; R-2; P2.
"""

from pbem.engine.great_wall.parts import KINDS, RESERVE_MARKERS, SITE_NAMES, WHOLE_DECK, Site, cards_of, hand_of
from pbem.engine.great_wall.state import Public, State, View
from pbem.engine.hidden import Below, shuffle_with

WON_TENTHS, PLACED_TENTHS, FREE_TENTHS, CARD_TENTHS = (
    10,
    7,
    5,
    4,
)  #: tenths: of a marker's value; of a point a card in hand
CLEAR_LEAD = 4  #: influence by which a lead is as good as safe


def prospects(view: View) -> int:
    """By how much the View's seat leads the best other one, in tenths of a point."""
    public = view.public
    tenths = [WON_TENTHS * sum(won) for won in public.won_markers]
    if not public.ended_by:
        for site in public.sites:
            for colour, expected in _expect_from_site(site):
                tenths[colour] += expected
        tenths = [n + CARD_TENTHS * cards for n, cards in zip(tenths, public.hand_sizes, strict=True)]
    own_tenths = tenths.pop(view.seat or 0)
    return own_tenths - max(tenths)


def _expect_from_site(site: Site) -> list[tuple[int, int]]:
    """What a site promises, and to whom."""
    expectations = []
    if site.marked_card >= 0:
        expectations.append((site.cards[site.marked_card].colour, PLACED_TENTHS * site.marker))
    ranking = [(number, c) for c, number in enumerate(site.influence) if number is not None]
    ranking.sort(reverse=True)
    if not ranking or not site.free_markers:
        return expectations
    lead = ranking[0][0] - ranking[1][0] if len(ranking) > 1 else CLEAR_LEAD
    share = min(lead, CLEAR_LEAD) + (1 if lead else 0)
    expectations.append((ranking[0][1], FREE_TENTHS * max(site.free_markers) * share // (CLEAR_LEAD + 1)))
    return expectations


def default_line(view: View) -> str:
    public = view.public
    if public.site >= 0:
        site, name = public.sites[public.site], SITE_NAMES[public.site]
        oldest = site.cards_in_play(public.seat)[0]
        return f"take {name} {max(site.free_markers)} on {oldest + 1}"
    if public.deck_sizes[public.seat]:
        return "draw"
    lowest = cards_of(view.hand)[0]
    first_open = next(i for i, site in enumerate(public.sites) if site.free_markers)
    return f"play {SITE_NAMES[first_open]} {KINDS[lowest]}"


def guess(view: View, below: Below) -> State:
    public = view.public
    decks, hands = [], []
    for colour in range(len(public.deck_sizes)):
        drawn, played = view.drawn_kinds, public.played_cards[colour]
        if colour != view.seat:  # what it has played, and a hand of any of the others
            hand = shuffle_with(cards_of(WHOLE_DECK - played), below)[: public.hand_sizes[colour]]
            drawn = shuffle_with((*cards_of(played), *hand), below)
        deck_cards = cards_of(WHOLE_DECK - hand_of(drawn))
        decks.append((*drawn, *shuffle_with(deck_cards, below)[: public.deck_sizes[colour]]))
        hands.append(hand_of(drawn) - played)
    return State(public, tuple(decks), tuple(hands), shuffle_with(_unseen_markers(public), below))


def _unseen_markers(public: Public) -> tuple[int, ...]:
    """The markers that have not been seen: all know which there are (GW-2)."""
    remaining = [int(value) for value in RESERVE_MARKERS]
    seen_markers = [value for won in public.won_markers for value in won]
    seen_markers += [value for value in public.discarded_pairs for _ in range(2)]
    for site in public.sites:
        seen_markers += [*site.free_markers, *([site.marker] if site.marked_card >= 0 else [])]
    for value in seen_markers:
        remaining.remove(value)
    return tuple(remaining[: public.reserve_size])
