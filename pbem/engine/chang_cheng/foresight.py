"""What follows from one View: questions to come, default orders, prospects, possible States.

Not allowed here: playing on from a View (turn.py, ``foresee``).
Source: decision 0001; R-2; P2.
"""

from pbem.engine.chang_cheng.layout import (
    ALL_KINDS,
    BUILDER,
    FLOOD,
    KIND_NUMBER,
    KINDS,
    MANDARIN,
    MASTER_BUILDER,
    TRAITOR,
    WARRIOR,
    Placements,
    members,
)
from pbem.engine.chang_cheng.legal import legal
from pbem.engine.chang_cheng.scoring import seat_scores
from pbem.engine.chang_cheng.state import UNKNOWN_PILE, Public, Scoring, State, View
from pbem.engine.decision import Soon
from pbem.engine.hidden import Below
from pbem.engine.row import Row

ALMOST_FULL = 2  # a province with so many empty squares can be completed in one turn
#: kinds of cards that ask their player something when their province is complete
ASKING_KINDS = (WARRIOR, TRAITOR, FLOOD, BUILDER, MANDARIN)
MAX_PROPOSED_SWAPS = 8  #: of a mandarin; if there are more, none is proposed


def soon(view: View) -> tuple[Soon, ...]:
    """Return questions about the seat's cards in provinces that are nearly complete, the fullest first."""
    public = view.public
    if public.stage == "over":
        return ()
    upcoming: list[Soon] = []
    for card, kind in zip(public.cards, view.kinds, strict=True):
        empty = (public.layout.province_set[card.province] & ~public.occupied).bit_count()
        is_own = view.seat is not None and public.rules.seat_of[card.colour] == view.seat
        if is_own and kind in ASKING_KINDS and 0 < empty <= ALMOST_FULL:
            name = public.layout.provinces[card.province]
            row = Row("card", {"province": name, "kind": KINDS[kind], "empty": empty})
            upcoming.append(Soon(name, row, KINDS[kind], _list_sensible_orders(view, card.province, kind)))
    return tuple(sorted(upcoming, key=lambda question: question.row.facts["empty"]))


def may_ask(view: View, name: str, line: str) -> bool:
    """Return whether the seat has a face-down card of the kind that ``line`` names in this province (CC-21)."""
    public = view.public
    province = public.layout.province_number.get(name)
    kind = KIND_NUMBER.get(line.split(maxsplit=1)[0])
    return any(
        card.province == province and card_kind == kind and public.rules.seat_of[card.colour] == view.seat
        for card, card_kind in zip(public.cards, view.kinds, strict=True)
    )


def _list_sensible_orders(view: View, province: int, kind: int) -> tuple[str, ...]:
    """Every answer of a card that does not harm its own player alone."""
    if kind == FLOOD:
        return ("flood +2", "flood -2")
    if kind == BUILDER:
        return ("builder wall", "builder value")
    if kind == WARRIOR:
        own_kinds = {
            own_kind for card, own_kind in zip(view.public.cards, view.kinds, strict=True) if card.province == province
        }
        return tuple(f"warrior {KINDS[other]}" for other in range(len(KINDS)) if other not in own_kinds)
    if kind == TRAITOR:
        return _list_traitor_orders(view, province)
    return _list_swaps(view, province)


def _list_traitor_orders(view: View, province: int) -> tuple[str, ...]:
    """Break a wall of somebody else there, or take a counter away beside it."""
    public, layout = view.public, view.public.layout
    squares = layout.province_set[province] & ~public.broken
    breaks = [f"traitor break {layout.squares[square]}" for square in members(squares & _walls_of_others(view))]
    regions = [region for region in layout.bordering_regions(province) if public.threat_places[region] >= 0]
    return (*breaks, *(f"traitor counter {layout.regions[region]}" for region in regions))


def _list_swaps(view: View, province: int) -> tuple[str, ...]:
    """Swap a wall of somebody else there with an own wall elsewhere; () if there are too many ways."""
    public, layout = view.public, view.public.layout
    inside = layout.province_set[province]
    swaps = [
        f"mandarin {layout.squares[square]} {layout.squares[own]}"
        for square in members(inside & _walls_of_others(view) & ~public.broken)
        for own in members(_own_walls(view) & ~inside & ~public.broken)
    ]
    return tuple(swaps) if len(swaps) <= MAX_PROPOSED_SWAPS else ()


def _own_walls(view: View) -> int:
    """The squares of the seat's single walls."""
    public = view.public
    return sum(single for single, seat in zip(public.single, public.rules.seat_of, strict=True) if seat == view.seat)


def _walls_of_others(view: View) -> int:
    """The squares of all other single walls, neutral ones too."""
    return sum(view.public.single) & ~_own_walls(view)


UNITS_PER_POINT = 100
EXPECTED_THREAT = 3  # the mean of the pile, for a counter that the seat does not know
EXTRA_WALLS = {BUILDER: 1, MASTER_BUILDER: 2}  # walls that a card can add to the majority count (CC-25)


def prospects(view: View) -> int:
    """Return the seat's lead over the best other seat, in hundredths of points, with expected points."""
    public = view.public
    own_seat = public.rules.seats[view.seat or 0]
    points = {seat: number * UNITS_PER_POINT for seat, number in seat_scores(public)}
    if not public.ended_by:
        from_provinces = _expect_from_provinces(view)
        from_regions = _expect_from_regions(view)
        for colour, owner in enumerate(public.rules.owners):
            if owner:  # not the neutral colour
                points[owner] += from_provinces[colour] + from_regions[colour]
    return points.pop(own_seat) - max(points.values())


def _expect_from_provinces(view: View) -> list[int]:
    """Return, by colour, the hundredths of points that it can expect from provinces."""
    public = view.public
    worth = [0] * len(public.rules.colours)
    for province, squares in enumerate(public.layout.province_set):
        if public.scored_provinces >> province & 1 or not squares & public.occupied:
            continue
        count = public.count_unbroken(squares)
        for card, kind in zip(public.cards, view.kinds, strict=True):
            if card.province == province and kind is not None:
                count[card.colour] += EXTRA_WALLS.get(kind, 0)
        size = squares.bit_count()
        _add_shares(public, squares, count, size + public.reputation[province], worth)
    return worth


def _expect_from_regions(view: View) -> list[int]:
    """Return, by colour, the hundredths of points that it can expect to lose to the Mongols, as negatives."""
    public = view.public
    worth = [0] * len(public.rules.colours)
    for region, squares in enumerate(public.layout.region_set):
        place = public.threat_places[region]
        if place < 0 or not squares & public.occupied:
            continue
        known_value = view.threat[place]
        losses = [0] * len(worth)
        loss = EXPECTED_THREAT if known_value is None else known_value
        _add_shares(public, squares, public.count_unbroken(squares), -loss, losses)
        for colour, colour_loss in enumerate(losses):
            if not public.tower[colour] & squares:  # CC-42: a tower protects its colour there
                worth[colour] += colour_loss
    return worth


def _add_shares(public: Public, squares: int, count: list[int], value: int, worth: list[int]) -> None:
    """Add to ``worth`` what these squares are worth to each leading colour, less while squares are empty."""
    occupied, size = (squares & public.occupied).bit_count(), squares.bit_count()
    most = max(count)
    for colour in range(len(worth)):
        if count[colour] == most:
            worth[colour] += UNITS_PER_POINT * value * occupied * occupied // (size * size)


def default_line(view: View) -> str:
    """Return the order that pbem plays for a missed turn (R-2): of an action, the first possible one below."""
    public = view.public
    if public.stage == "board":
        return "board right"
    if public.stage in ("neutral", "colour"):
        return public.asked.lines[0]  # no neutral wall; the seat's first colour that can act
    if public.scoring is not None and public.stage == "card":
        return _default_card_order(public, public.scoring, legal(view))
    placements = public.asked.placements
    tower_squares = placements.towers | placements.towers_with_choice
    leftmost = tower_squares & -tower_squares
    for candidates in (
        Placements(walls=placements.walls),
        Placements(towers=placements.towers & leftmost, towers_with_choice=placements.towers_with_choice & leftmost),
        Placements(doubles=placements.doubles),
        Placements(cards=placements.cards),
    ):
        lines = public.layout.list_lines(candidates, view.hand())
        if lines:
            # a tower with a choice has two lines: the last one reserves the square on its right
            return lines[-1] if candidates.towers_with_choice else lines[0]
    return "pass"


def _default_card_order(public: Public, scoring: Scoring, lines: tuple[str, ...]) -> str:
    """Return the one of ``lines``, the legal orders for the first card, that pbem plays for a missed turn."""
    first_card, *other_cards = scoring.cards
    seat = public.rules.seat_of[first_card.colour]
    if first_card.kind == WARRIOR:  # remove another player's last card, or else the owner's last
        owners = [public.rules.seat_of[card.colour] for card in other_cards]
        foreign_lines = [line for line, owner in zip(lines, owners, strict=True) if owner != seat]
        return (foreign_lines or lines)[-1]
    if first_card.kind == TRAITOR and lines[0].startswith("traitor break "):  # another player's wall if possible
        own_walls = sum(public.single[colour] for colour in public.rules.colours_by_seat[seat])
        squares = [public.layout.square_number[line.split()[2]] for line in lines]
        foreign_lines = [line for line, square in zip(lines, squares, strict=True) if not own_walls >> square & 1]
        return (foreign_lines or lines)[0]
    return lines[0]  # the leftmost counter, flood +2, builder value, mandarin none


def guess(view: View, below: Below) -> State:
    """Return a State in which the seat has exactly this View, with all unknown values drawn by ``below``.

    The unknown values are the face-down cards and hands of other seats' colours, and the counters
    that the seat has not seen.
    """
    public = view.public
    kinds = list(view.kinds)
    hands: list[int] = []
    for colour, known_hand in enumerate(view.hands):
        if known_hand is not None:
            hands.append(known_hand)
            continue
        drawn_kinds, hand = _draw_cards(public, colour, below)
        hands.append(hand)
        for card_index, kind in drawn_kinds.items():
            kinds[card_index] = kind
    drawn_reputation = public.reputation_in_draw_order()
    known_reputation = (*drawn_reputation, *UNKNOWN_PILE[len(drawn_reputation) :])
    return State(
        public=public,
        kinds=tuple(kinds),
        threat=_fill_pile(public.rules.threat, view.threat, below),
        reputation=_fill_pile(public.rules.reputation, known_reputation, below),
        hands=tuple(hands),
    )


def _fill_pile(pile: tuple[str, ...], known: tuple[int | None, ...], below: Below) -> tuple[int | None, ...]:
    """Replace each None in ``known``, the values by place, with a counter drawn from the rest of ``pile``."""
    remaining = [int(value) for value in pile]
    for value in known:
        if value in remaining:  # a script may have other counters than the box
            remaining.remove(value)
    return tuple(remaining.pop(below(len(remaining))) if known_value is None else known_value for known_value in known)


def _draw_cards(public: Public, colour: int, below: Below) -> tuple[dict[int, int], int]:
    """Draw the kinds of a colour's face-down cards. Return them by index in ``public.cards``, and its hand."""
    if colour == public.rules.neutral_colour:
        return {}, 0
    remaining = list(members(ALL_KINDS & ~public.kinds_out[colour]))
    drawn_kinds = {}
    for card_index, card in enumerate(public.cards):
        if card.colour == colour:
            drawn_kinds[card_index] = remaining.pop(below(len(remaining)))
    return drawn_kinds, sum(1 << kind for kind in remaining)
