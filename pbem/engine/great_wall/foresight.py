"""What follows from one View: default orders, prospects, possible States.

What must never be here: playing on from a View (turn.py, ``foresee``).
Source: decision 0001; R-2; P2.
"""

from pbem.engine.great_wall.parts import KINDS, RESERVE_MARKERS, SITE_NAMES, WHOLE_DECK, Site, cards_of, hand_of
from pbem.engine.great_wall.state import Public, State, View
from pbem.engine.hidden import Below, shuffle_with

#: the expected share, in tenths, of a marker's value: won, on a card, free
WON_TENTHS = 10
PLACED_TENTHS = 7
FREE_TENTHS = 5
CARD_TENTHS = 4  #: what a card in hand is worth, in tenths of a point
CLEAR_LEAD = 4  #: a lead in influence that is nearly safe


def prospects(view: View) -> int:
    """The seat's lead over the best other seat, in tenths of points, with expected points."""
    public = view.public
    tenths = [WON_TENTHS * sum(won) for won in public.won_markers]
    if not public.ended_by:
        for site in public.sites:
            _add_expectations(tenths, site)
        tenths = [n + CARD_TENTHS * cards for n, cards in zip(tenths, public.hand_sizes, strict=True)]
    own_tenths = tenths.pop(view.seat or 0)
    return own_tenths - max(tenths)


def _add_expectations(tenths: list[int], site: Site) -> None:
    """Add what each colour can expect from a site's markers."""
    if site.marked_card >= 0:
        tenths[site.cards[site.marked_card].colour] += PLACED_TENTHS * site.marker
    influences = sorted((number for number in site.influence if number is not None), reverse=True)
    if not influences or not site.free_markers:
        return
    highest, *others = influences
    leader = max(colour for colour, number in enumerate(site.influence) if number == highest)
    lead = highest - others[0] if others else CLEAR_LEAD
    share = min(lead, CLEAR_LEAD) + (1 if lead else 0)
    tenths[leader] += FREE_TENTHS * max(site.free_markers) * share // (CLEAR_LEAD + 1)


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
        if colour != view.seat:  # the hand may be any cards that it has not played
            hand = shuffle_with(cards_of(WHOLE_DECK - played), below)[: public.hand_sizes[colour]]
            drawn = shuffle_with((*cards_of(played), *hand), below)
        deck_cards = cards_of(WHOLE_DECK - hand_of(drawn))
        decks.append((*drawn, *shuffle_with(deck_cards, below)[: public.deck_sizes[colour]]))
        hands.append(hand_of(drawn) - played)
    return State(public, tuple(decks), tuple(hands), shuffle_with(_unseen_markers(public), below))


def _unseen_markers(public: Public) -> tuple[int, ...]:
    """The markers of the reserve that nobody has seen; everybody knows which exist (GW-2)."""
    remaining = [int(value) for value in RESERVE_MARKERS]
    seen_markers = [value for won in public.won_markers for value in won]
    seen_markers += [value for value in public.discarded_pairs for _ in range(2)]
    for site in public.sites:
        seen_markers += [*site.free_markers, *([site.marker] if site.marked_card >= 0 else [])]
    for value in seen_markers:
        remaining.remove(value)
    return tuple(remaining[: public.reserve_size])
