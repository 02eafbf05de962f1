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
    Possible,
    members,
)
from pbem.engine.chang_cheng.legal import legal
from pbem.engine.chang_cheng.scoring import seat_scores
from pbem.engine.chang_cheng.state import UNKNOWN, Public, Scoring, State, View
from pbem.engine.decision import Soon
from pbem.engine.hidden import Below
from pbem.engine.row import Row

NEARLY = 2  # empty squares that one turn can fill: two walls, or a double
#: an answer of each kind of card that can be given before anybody knows what will lie there
ANSWERS = {
    WARRIOR: "warrior mandarin",
    TRAITOR: "traitor break",
    FLOOD: "flood +2",
    BUILDER: "builder wall",
    MANDARIN: "mandarin none",
}


def soon(view: View) -> tuple[Soon, ...]:
    """The own cards that lie where at most two squares are empty; fewest empty ones first."""
    public = view.public
    found: list[tuple[int, Soon]] = []
    if public.stage == "over":
        return ()
    for card, kind in zip(public.cards, view.kinds, strict=True):
        empty = (public.layout.province_set[card.province] & ~public.taken).bit_count()
        mine = view.seat is not None and public.rules.seat_of[card.colour] == view.seat
        if mine and kind in ANSWERS and 0 < empty <= NEARLY:
            order = _break(public, card.province) if kind == TRAITOR else ANSWERS[kind]
            name = public.layout.provinces[card.province]
            row = Row("card", {"province": name, "kind": KINDS[kind], "empty": empty})
            found.append((empty, Soon(name, row, order)))
    return tuple(ahead for _, ahead in sorted(found, key=lambda pair: pair[0]))


def may_ask(view: View, name: str, line: str) -> bool:
    """Whether an own card of this kind lies in this province (CC-21)."""
    public, province = view.public, view.public.layout.province_number.get(name)
    kind = KIND_NUMBER.get(line.split(maxsplit=1)[0])
    return any(
        card.province == province and own == kind and public.rules.seat_of[card.colour] == view.seat
        for card, own in zip(public.cards, view.kinds, strict=True)
    )


def _break(public: Public, province: int) -> str:
    """The leftmost wall there that can be broken; else the counter beside it."""
    layout = public.layout
    walls = layout.province_set[province] & ~public.broken & sum(public.single)
    if walls:
        return f"traitor break {layout.squares[(walls & -walls).bit_length() - 1]}"
    beside = [region for region in layout.borders(province) if public.threat[region] >= 0]
    return f"traitor counter {layout.regions[beside[0]]}" if beside else "traitor none"


POINT = 100
THREAT = 3  # what a counter takes that one has not seen: the mean of the pile
EXTRA = {BUILDER: 1, MASTER_BUILDER: 2}  # walls that an own card can add in the majority (CC-25)


def prospects(view: View) -> int:
    """The points by which the View's seat leads the best other one, and may yet."""
    public = view.public
    own = public.rules.seats[view.seat or 0]
    points = {seat: number * POINT for seat, number in seat_scores(public)}
    if not public.ended_by:
        worths = _provinces(view), _regions(view)
        for colour, seat in enumerate(public.rules.seat_of):
            if seat >= 0:
                points[public.rules.seats[seat]] += sum(worth[colour] for worth in worths)
    return points.pop(own) - max(points.values())


def _provinces(view: View) -> list[int]:
    """By colour, what it may win in provinces that are not scored yet."""
    public = view.public
    worth = [0] * len(public.rules.colours)
    for province, squares in enumerate(public.layout.province_set):
        if public.scored >> province & 1 or not squares & public.taken:
            continue
        count = public.unbroken(squares)
        for card, kind in zip(public.cards, view.kinds, strict=True):
            if card.province == province and kind is not None:
                count[card.colour] += EXTRA.get(kind, 0)
        size = squares.bit_count()
        _share(public, squares, count, size + public.reputation[province], worth)
    return worth


def _regions(view: View) -> list[int]:
    """By colour, what the Mongols may take."""
    public = view.public
    worth = [0] * len(public.rules.colours)
    for region, squares in enumerate(public.layout.region_set):
        place = public.threat[region]
        if place < 0 or not squares & public.taken:
            continue
        known = view.threat[place]
        found = [0] * len(worth)
        loss = THREAT if known is None else known
        _share(public, squares, public.unbroken(squares), -loss, found)
        for colour, lost in enumerate(found):
            if not public.tower[colour] & squares:  # a tower keeps its colour safe there
                worth[colour] += lost
    return worth


def _share(public: Public, squares: int, count: list[int], value: int, worth: list[int]) -> None:
    """Add the value to every colour that leads there, less while squares are empty."""
    taken, size = (squares & public.taken).bit_count(), squares.bit_count()
    most = max(count)
    for colour in range(len(worth)):
        if count[colour] == most:
            worth[colour] += POINT * value * taken * taken // (size * size)


def default_line(view: View) -> str:
    public = view.public
    if public.stage == "board":
        return "board right"
    if public.stage in ("neutral", "colour"):
        return public.asked.lines[0]  # no neutral wall; the colour the seat is named by, if it can
    if public.scoring is not None and public.stage == "card":
        return _for_card(public, public.scoring, legal(view))
    can = public.asked.can
    where = can.towers | can.choosing
    left = where & -where  # the leftmost tower; with a choice the right-hand square comes last
    for some in (
        Possible(walls=can.walls),
        Possible(towers=can.towers & left, choosing=can.choosing & left),
        Possible(doubles=can.doubles),
        Possible(cards=can.cards),  # by province from the left, kinds rising
    ):
        lines = public.layout.listed(some, view.hand())
        if lines:
            return lines[-1] if some.choosing else lines[0]
    return "pass"


def _for_card(public: Public, scoring: Scoring, lines: tuple[str, ...]) -> str:
    """What becomes of a card whose owner is silent."""
    kind, colour = scoring.cards[0]
    seat = public.rules.seat_of[colour]
    if kind == WARRIOR:  # the highest card not his own, else his highest; cards lie in rising order
        owners = [public.rules.seat_of[owner] for _, owner in scoring.cards[1:]]
        others = [i for i, owner in enumerate(owners) if owner != seat]
        return lines[others[-1]] if others else lines[-1]
    if kind == TRAITOR and lines[0].startswith("traitor break "):
        own = sum(public.single[colour] for colour in public.rules.own[seat])
        squares = [public.layout.number[line.split()[2]] for line in lines]
        of_others = [line for line, at in zip(lines, squares, strict=True) if not own >> at & 1]
        return of_others[0] if of_others else lines[0]
    return lines[0]  # the leftmost counter, flood +2, builder value, mandarin none


def guess(view: View, below: Below) -> State:
    public = view.public
    faces, rules = public.faces(), public.rules
    kinds = list(view.kinds)
    hands = [
        _other_cards(public, colour, kinds, below) if hand is None else hand
        for colour, hand in enumerate(view.hands)
    ]
    threat = _mixed(rules.threat, view.threat, below)
    reputation = _mixed(rules.reputation, (*faces, *UNKNOWN[len(faces) :]), below)
    return State(public, tuple(kinds), threat, reputation, tuple(hands))


def _mixed(
    pile: tuple[str, ...], known: tuple[int | None, ...], below: Below
) -> tuple[int | None, ...]:
    """The pile with its unknown counters in a drawn order: all know which counters there are."""
    left = [int(value) for value in pile]
    for value in known:
        if value in left:  # in a script there may be counters that are not in the box
            left.remove(value)
    return tuple(left.pop(below(len(left))) if seen is None else seen for seen in known)


def _other_cards(public: Public, colour: int, kinds: list[int | None], below: Below) -> int:
    """A colour's face-down cards: any kinds that have not been turned up. Gives what is in hand."""
    if colour == public.rules.neutral:  # it has no cards
        return 0
    left = list(members(ALL_KINDS & ~public.out[colour]))
    for i, card in enumerate(public.cards):
        if card.colour == colour:
            kinds[i] = left.pop(below(len(left)))
    return sum(1 << kind for kind in left)
