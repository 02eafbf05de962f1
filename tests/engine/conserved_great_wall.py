"""Great Wall's own law of its State: no card or marker comes from nowhere, and none is lost."""

from pbem.engine.great_wall.codec import misfit
from pbem.engine.great_wall.parts import DECK, DRAGON, KINDS, RESERVE_MARKERS, Site, hand_of, hand_size, make_site
from pbem.engine.great_wall.state import State


def conserved(state: State) -> str | None:
    """The broken law in words, or None."""
    return _markers(state) or _cards(state) or _sites(state) or misfit(state) or None


def _markers(state: State) -> str | None:
    """Every marker is free, on a card, won, discarded or in the reserve (GW-2, GW-3)."""
    public = state.public
    found = [value for won in public.won_markers for value in won]
    found += [value for value in public.discarded_pairs for _ in range(2)]
    for site in public.sites:
        found += [*site.free_markers, *([site.marker] if site.marked_card >= 0 else [])]
    if len(found) != public.drawn_markers or len(state.reserve) != public.reserve_size:
        return "all see another number of markers than there is"
    if sorted(map(str, (*found, *state.reserve))) != sorted(RESERVE_MARKERS):
        return "the markers are not those of the box"
    if public.discarded_pairs and len(public.rules.seats) != 2:
        return "a pair went out of a game of more than two (GW-3)"
    return None


def _cards(state: State) -> str | None:
    """Each colour's twenty cards: in its deck, its hand, or played (GW-1)."""
    public = state.public
    for colour, seat in enumerate(public.rules.seats):
        deck = [kind for kind in state.decks[colour] if kind is not None]
        hand = state.hands[colour] or 0
        if sorted(KINDS[kind] for kind in deck) != sorted(DECK):
            return f"{seat}'s deck is not the twenty cards"
        drawn = deck[: len(deck) - public.deck_sizes[colour]]
        if hand_of(drawn) != hand + public.played_cards[colour]:
            return f"{seat} holds and has played other cards than it has drawn"
        if hand_size(hand) != public.hand_sizes[colour]:
            return f"{seat} holds another number of cards than all see"
        lying = sum(card.colour == colour for site in public.sites for card in site.cards)
        if lying > hand_size(public.played_cards[colour]):
            return f"{seat} has more cards at the sites than it has played"
    return None


def _sites(state: State) -> str | None:
    """Two markers or none, one on a card at most; covers as GW-25 and GW-26 have them."""
    colours = len(state.public.rules.seats)
    for site in state.public.sites:
        if site != make_site(site.free_markers, site.cards, site.marked_card, site.marker, colours):
            return "a site's influence is not what its cards come to"
        if len(site.free_markers) + (site.marked_card >= 0) != (2 if site.free_markers else 0):
            return "a site has not two markers, and is not closed"
        wrong = _covers(site)
        if wrong:
            return wrong
    return None


def _covers(site: Site) -> str | None:
    over = [card.covered_card for card in site.cards if card.covered_card >= 0]
    if len(set(over)) != len(over):
        return "a card is covered twice"
    if any(site.cards[at].kind == DRAGON or at == site.marked_card for at in over):
        return "a dragon, or a card with a marker, is covered"
    if any(card.covered_card >= 0 and card.kind != DRAGON for card in site.cards):
        return "a card that is no dragon covers another"
    return None
