"""The order given for a missed turn, where the referee chose ``missed=default``. Source: R-2."""

from pbem.engine.chang_cheng.asked import Possible
from pbem.engine.chang_cheng.legal import legal
from pbem.engine.chang_cheng.parts import TRAITOR, WARRIOR
from pbem.engine.chang_cheng.state import Public, Scoring, View


def default(view: View) -> str:
    """The order R-2 names for the question put to the View's seat, one of ``legal``."""
    public = view.public
    if public.stage == "board":
        return "board right"
    if public.stage in ("neutral", "colour"):
        return public.asked.lines[0]  # no neutral wall; the colour the seat is named by, if it can
    if public.scoring is not None and public.stage == "card":
        return _for_card(public, public.scoring, legal(view))
    can = public.asked.can
    for some in (
        Possible(walls=can.walls),
        _leftmost_tower(can),
        Possible(doubles=can.doubles),
        Possible(cards=can.cards),  # by province from the left, kinds rising
    ):
        lines = public.layout.listed(some, view.hand())
        if lines:
            return lines[-1] if some.choosing else lines[0]
    return "pass"


def _leftmost_tower(can: Possible) -> Possible:
    """The leftmost tower; where there is a choice the right-hand square comes last."""
    where = can.towers | can.choosing
    left = where & -where
    return Possible(towers=can.towers & left, choosing=can.choosing & left)


def _for_card(public: Public, scoring: Scoring, lines: tuple[str, ...]) -> str:
    """What becomes of a card whose owner is silent."""
    kind, colour = scoring.cards[0]
    seat = public.rules.seat_of[colour]
    if kind == WARRIOR:  # the highest card not his own, else his highest; cards lie in rising order
        others = [
            i
            for i, (_, owner) in enumerate(scoring.cards[1:])
            if public.rules.seat_of[owner] != seat
        ]
        return lines[others[-1]] if others else lines[-1]
    if kind == TRAITOR and lines[0].startswith("traitor break "):
        own = sum(public.single[colour] for colour in public.rules.own[seat])
        squares = [public.layout.number[line.split()[2]] for line in lines]
        of_others = [line for line, at in zip(lines, squares, strict=True) if not own >> at & 1]
        return of_others[0] if of_others else lines[0]
    return lines[0]  # the leftmost counter, flood +2, builder value, mandarin none
