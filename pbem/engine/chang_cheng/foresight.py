"""What a seat may be asked soon, how it stands, its default, and other States behind its View.

``guess`` fills what the seat does not know at random, with everything that could be there.
Playing on from a View as it is: turn.py, ``foresee``.
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

ALMOST_FULL = 2  # empty squares that one turn can fill: two walls, or a double
#: an answer of each kind of card that can be given before anybody knows what will lie there
ANSWER_BY_KIND = {
    WARRIOR: "warrior mandarin",
    TRAITOR: "traitor break",
    FLOOD: "flood +2",
    BUILDER: "builder wall",
    MANDARIN: "mandarin none",
}


def soon(view: View) -> tuple[Soon, ...]:
    """The own cards that lie where at most two squares are empty; fewest empty ones first."""
    public = view.public
    upcoming: list[tuple[int, Soon]] = []
    if public.stage == "over":
        return ()
    for card, kind in zip(public.cards, view.kinds, strict=True):
        empty = (public.layout.province_set[card.province] & ~public.occupied).bit_count()
        is_own = view.seat is not None and public.rules.seat_of[card.colour] == view.seat
        if is_own and kind in ANSWER_BY_KIND and 0 < empty <= ALMOST_FULL:
            order = _traitor_order(public, card.province) if kind == TRAITOR else ANSWER_BY_KIND[kind]
            name = public.layout.provinces[card.province]
            row = Row("card", {"province": name, "kind": KINDS[kind], "empty": empty})
            upcoming.append((empty, Soon(name, row, order)))
    return tuple(question for _, question in sorted(upcoming, key=lambda pair: pair[0]))


def may_ask(view: View, name: str, line: str) -> bool:
    """Whether an own card of this kind lies in this province (CC-21)."""
    public, province = view.public, view.public.layout.province_number.get(name)
    kind = KIND_NUMBER.get(line.split(maxsplit=1)[0])
    return any(
        card.province == province and card_kind == kind and public.rules.seat_of[card.colour] == view.seat
        for card, card_kind in zip(public.cards, view.kinds, strict=True)
    )


def _traitor_order(public: Public, province: int) -> str:
    """The leftmost wall there that can be broken; else the counter beside it."""
    layout = public.layout
    walls = layout.province_set[province] & ~public.broken & sum(public.single)
    if walls:
        return f"traitor break {layout.squares[(walls & -walls).bit_length() - 1]}"
    regions_with_counter = [
        region for region in layout.bordering_regions(province) if public.threat_places[region] >= 0
    ]
    return f"traitor counter {layout.regions[regions_with_counter[0]]}" if regions_with_counter else "traitor none"


UNITS_PER_POINT = 100
EXPECTED_THREAT = 3  # what a counter takes that one has not seen: the mean of the pile
EXTRA_WALLS = {BUILDER: 1, MASTER_BUILDER: 2}  # walls that an own card can add in the majority (CC-25)


def prospects(view: View) -> int:
    """The points by which the View's seat leads the best other one, and may yet."""
    public = view.public
    own_seat = public.rules.seats[view.seat or 0]
    points = {seat: number * UNITS_PER_POINT for seat, number in seat_scores(public)}
    if not public.ended_by:
        expectations = _expect_from_provinces(view), _expect_from_regions(view)
        for colour, seat in enumerate(public.rules.seat_of):
            if seat >= 0:
                points[public.rules.seats[seat]] += sum(expected[colour] for expected in expectations)
    return points.pop(own_seat) - max(points.values())


def _expect_from_provinces(view: View) -> list[int]:
    """By colour, what it may win in provinces that are not scored yet."""
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
    """By colour, what the Mongols may take."""
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
            if not public.tower[colour] & squares:  # a tower keeps its colour safe there
                worth[colour] += colour_loss
    return worth


def _add_shares(public: Public, squares: int, count: list[int], value: int, worth: list[int]) -> None:
    """Add the value to every colour that leads there, less while squares are empty."""
    occupied, size = (squares & public.occupied).bit_count(), squares.bit_count()
    most = max(count)
    for colour in range(len(worth)):
        if count[colour] == most:
            worth[colour] += UNITS_PER_POINT * value * occupied * occupied // (size * size)


def default_line(view: View) -> str:
    public = view.public
    if public.stage == "board":
        return "board right"
    if public.stage in ("neutral", "colour"):
        return public.asked.lines[0]  # no neutral wall; the colour the seat is named by, if it can
    if public.scoring is not None and public.stage == "card":
        return _default_card_order(public, public.scoring, legal(view))
    placements = public.asked.placements
    tower_squares = placements.towers | placements.towers_with_choice
    leftmost = tower_squares & -tower_squares  # the leftmost tower; with a choice the right-hand square comes last
    for candidates in (
        Placements(walls=placements.walls),
        Placements(towers=placements.towers & leftmost, towers_with_choice=placements.towers_with_choice & leftmost),
        Placements(doubles=placements.doubles),
        Placements(cards=placements.cards),  # by province from the left, kinds rising
    ):
        lines = public.layout.list_lines(candidates, view.hand())
        if lines:
            return lines[-1] if candidates.towers_with_choice else lines[0]
    return "pass"


def _default_card_order(public: Public, scoring: Scoring, lines: tuple[str, ...]) -> str:
    """What becomes of a card whose owner is silent."""
    kind, colour = scoring.cards[0]
    seat = public.rules.seat_of[colour]
    if kind == WARRIOR:  # the highest card not his own, else his highest; cards lie in rising order
        owners = [public.rules.seat_of[owner] for _, owner in scoring.cards[1:]]
        foreign_cards = [i for i, owner in enumerate(owners) if owner != seat]
        return lines[foreign_cards[-1]] if foreign_cards else lines[-1]
    if kind == TRAITOR and lines[0].startswith("traitor break "):
        own_walls = sum(public.single[colour] for colour in public.rules.colours_by_seat[seat])
        squares = [public.layout.square_number[line.split()[2]] for line in lines]
        foreign_lines = [line for line, square in zip(lines, squares, strict=True) if not own_walls >> square & 1]
        return foreign_lines[0] if foreign_lines else lines[0]
    return lines[0]  # the leftmost counter, flood +2, builder value, mandarin none


def guess(view: View, below: Below) -> State:
    public = view.public
    face_up_reputation, rules = public.reputation_in_draw_order(), public.rules
    kinds = list(view.kinds)
    hands = [
        _guess_cards(public, colour, kinds, below) if hand is None else hand for colour, hand in enumerate(view.hands)
    ]
    threat = _fill_pile(rules.threat, view.threat, below)
    reputation = _fill_pile(rules.reputation, (*face_up_reputation, *UNKNOWN_PILE[len(face_up_reputation) :]), below)
    return State(public, tuple(kinds), threat, reputation, tuple(hands))


def _fill_pile(pile: tuple[str, ...], known: tuple[int | None, ...], below: Below) -> tuple[int | None, ...]:
    """The pile with its unknown counters in a drawn order: all know which counters there are."""
    remaining = [int(value) for value in pile]
    for value in known:
        if value in remaining:  # in a script there may be counters that are not in the box
            remaining.remove(value)
    return tuple(remaining.pop(below(len(remaining))) if known_value is None else known_value for known_value in known)


def _guess_cards(public: Public, colour: int, kinds: list[int | None], below: Below) -> int:
    """A colour's face-down cards: any kinds that have not been turned up. Gives what is in hand."""
    if colour == public.rules.neutral_colour:  # it has no cards
        return 0
    remaining = list(members(ALL_KINDS & ~public.kinds_out[colour]))
    for i, card in enumerate(public.cards):
        if card.colour == colour:
            kinds[i] = remaining.pop(below(len(remaining)))
    return sum(1 << kind for kind in remaining)
