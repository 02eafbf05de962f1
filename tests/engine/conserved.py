"""Chang Cheng's own law of its State: no piece, card or counter comes from nowhere."""

from pbem.engine.chang_cheng.box import misfit
from pbem.engine.chang_cheng.layout import ALL_KINDS, NEUTRAL_WALLS, PILE_SIZE, SINGLE_WALLS
from pbem.engine.chang_cheng.state import Public, State


def conserved(state: State) -> str | None:
    """The broken law in words, or None."""
    public = state.public
    broken = _pieces(public) or _kept_unnamed(public) or _cards(state) or _counters(state)
    return broken or misfit(state) or None  # what a correction is refused for, no play comes to


def _pieces(public: Public) -> str | None:
    taken = 0
    for colour, name in enumerate(public.rules.colours):
        squares = (public.single[colour], public.double[colour], public.tower[colour])
        walls = NEUTRAL_WALLS if name == "neutral" else SINGLE_WALLS
        if squares[0].bit_count() > walls or squares[2].bit_count() > 1:
            return f"{name} has more walls or towers than there are"
        if name == "neutral" and (squares[1] or squares[2] or public.scores[colour]):
            return "neutral has a double, a tower or points"
        double = squares[1]
        if double and (double.bit_count() != 2 or not double & double << 1):
            return f"{name}'s double does not lie on two neighbouring squares"
        for piece in squares:
            if taken & piece:
                return f"{name} stands on a square that is taken"
            taken |= piece
        if public.reserve[colour] & taken or (public.reserve[colour] and not public.tower[colour]):
            return f"a square is kept for {name} that is taken, or without a tower"
        if public.reserve[colour] and not public.supply(colour):
            return f"a square is kept for {name}, who has no single wall (CC-16)"
    if taken != public.occupied or taken & ~public.layout.all_squares:
        return "the squares taken are not those with a piece"
    towers = sum(public.tower)
    return "two towers stand side by side (CC-14)" if towers & towers << 1 else None


def _kept_unnamed(public: Public) -> str | None:
    """CC-15, hu, square by square: what lies beside a tower and is the only one, is kept."""
    if public.rules.edition.reserve_named:
        return None
    barred: set[int] = set()
    for colour in range(len(public.tower)):
        if public.reserve[colour] and colour not in public.keepers:
            return "a square is kept for a tower that had no empty neighbour"
    for colour in public.keepers:
        at = public.tower[colour].bit_length() - 1
        sides = [s for s in (at - 1, at + 1) if 0 <= s < public.layout.size]
        empty = [s for s in sides if not public.occupied >> s & 1]
        keeps = len(empty) == 1 and empty[0] not in barred and public.supply(colour) > 0
        if public.reserve[colour] != (1 << empty[0] if keeps else 0):
            return f"the tower of {public.rules.colours[colour]} keeps another square (CC-15)"
        barred |= set(empty) if keeps else set()
    return None


def _cards(state: State) -> str | None:
    public = state.public
    for colour, name in enumerate(public.rules.colours):
        if name == "neutral":
            if state.hands[colour] or public.hand_sizes[colour]:
                return "neutral holds cards"
            continue
        lying = [k for c, k in zip(public.cards, state.kinds, strict=True) if c.colour == colour]
        kinds = [kind for kind in lying if kind is not None]
        hand = state.hands[colour] or 0
        if hand.bit_count() != public.hand_sizes[colour]:
            return f"{name} holds another number of cards than all see"
        total = hand.bit_count() + len(kinds) + public.kinds_out[colour].bit_count()
        if total != ALL_KINDS.bit_count() or hand | public.kinds_out[colour] | _set(kinds) != ALL_KINDS:
            return f"{name} does not have each card once"
    if any(public.scored_provinces >> card.province & 1 for card in public.cards):
        return "a card lies in a province that has been scored"
    return None


def _set(kinds: list[int]) -> int:
    return sum(1 << kind for kind in kinds)


def _counters(state: State) -> str | None:
    public = state.public
    if sorted(map(str, state.threat)) != sorted(public.rules.threat):
        return "the threat counters are not those of the box"
    if sorted(map(str, state.reputation)) != sorted(public.rules.reputation):
        return "the reputation counters are not those of the box"
    places = [place for place in public.threat_places if place >= 0]
    if len(set(places)) != len(places) or any(place >= PILE_SIZE for place in places):
        return "a threat counter lies in two regions"
    full = public.layout.all_provinces & ~public.scored_provinces & ~sum(1 << p for p in public.queue)
    if public.scoring is None and any(
        full >> i & 1 and not squares & ~public.occupied for i, squares in enumerate(public.layout.province_set)
    ):
        return "a province is full and was not scored (CC-20)"
    return None
