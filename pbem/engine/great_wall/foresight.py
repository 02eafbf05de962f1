"""What follows from one View: default orders, prospects, possible States.

Not allowed here: playing on from a View (turn.py, ``foresee``).
Source: decision 0001; R-2; P2.
"""

from pbem.engine.great_wall.parts import KINDS, RESERVE_MARKERS, SITE_NAMES, WHOLE_DECK, Site, cards_of, hand_of
from pbem.engine.great_wall.state import Public, State, View
from pbem.engine.hidden import Below, shuffle_with

# how much of a marker's value a seat can expect, in tenths
WON_TENTHS = 10  #: of a marker that it has won
PLACED_TENTHS = 7  #: of a marker on its card
FREE_TENTHS = 5  #: at most, of a free marker where it leads
CARD_TENTHS = 4  #: what a card in hand is worth, in tenths of a point
CLEAR_LEAD = 4  #: a lead in influence that is nearly safe


def prospects(view: View) -> int:
    """Return the seat's lead over the best other seat, in tenths of points, with expected points."""
    public = view.public
    tenths = [WON_TENTHS * sum(won) for won in public.won_markers]
    if not public.ended_by:
        for site in public.sites:
            _add_expectations(tenths, site)
        tenths = [n + CARD_TENTHS * cards for n, cards in zip(tenths, public.hand_sizes, strict=True)]
    own_tenths = tenths.pop(view.seat or 0)
    return own_tenths - max(tenths)


def _add_expectations(tenths: list[int], site: Site) -> None:
    """Add to ``tenths`` what the owner of a site's marked card and the leader can expect there."""
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
    """Return the order that pbem plays for a missed turn (R-2): a marker, else a draw, else the first card."""
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
    """Return a State in which the seat has exactly this View, with all unknown values drawn by ``below``."""
    public = view.public
    decks: list[tuple[int, ...]] = []
    hands: list[int] = []
    for colour in range(len(public.deck_sizes)):
        played = public.played_cards[colour]
        if colour == view.seat:
            drawn = view.drawn_kinds
        else:  # the hand may be any cards that the colour has not played
            hand = shuffle_with(cards_of(WHOLE_DECK - played), below)[: public.hand_sizes[colour]]
            drawn = shuffle_with((*cards_of(played), *hand), below)
        deck_cards = cards_of(WHOLE_DECK - hand_of(drawn))
        decks.append((*drawn, *shuffle_with(deck_cards, below)[: public.deck_sizes[colour]]))
        hands.append(hand_of(drawn) - played)
    return State(public, tuple(decks), tuple(hands), shuffle_with(_unseen_markers(public), below))


def _unseen_markers(public: Public) -> tuple[int, ...]:
    """Return the markers of the reserve, which nobody has seen: all that exist (GW-2) without those seen."""
    remaining = [int(value) for value in RESERVE_MARKERS]
    seen_markers = [value for won in public.won_markers for value in won]
    seen_markers += [value for value in public.discarded_pairs for _ in range(2)]
    for site in public.sites:
        seen_markers += site.free_markers
        if site.marked_card >= 0:
            seen_markers.append(site.marker)
    for value in seen_markers:
        remaining.remove(value)
    return tuple(remaining[: public.reserve_size])
