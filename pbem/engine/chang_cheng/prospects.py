"""How well a seat stands, as far as it knows. For bots that look ahead; no rule reads it.

A province, or region, counts the more the fuller it is: what will come of an empty one nobody
knows. Whoever leads in it is taken to win it. All worths are hundredths of a point.
Source: CC-27, CC-42, CC-43.
"""

from pbem.engine.chang_cheng.ending import seat_scores
from pbem.engine.chang_cheng.parts import BUILDER, MASTER_BUILDER
from pbem.engine.chang_cheng.state import Public, View

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
    mine = points.pop(own)
    return mine - max(points.values())


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
