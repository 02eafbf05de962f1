"""Playing on from a View, and other States behind the same View.

``imagine`` makes a State with holes where the seat knows nothing; the same rules run on it and stop
at a hole (Unseen). ``guess`` fills the holes at random with everything that could be there.
Source: decision 0001; docs/NOTATION.md ("as far as the player's View can tell"); P2.
"""

from collections.abc import Callable

from pbem.engine.chang_cheng.parts import ALL_KINDS, members
from pbem.engine.chang_cheng.state import UNKNOWN, Public, State, View
from pbem.engine.chang_cheng.turn import apply
from pbem.engine.chang_cheng.view import view_of
from pbem.engine.hidden import Unseen

#: a number from 0 to bound - 1; the caller's chance
Below = Callable[[int], int]


def imagine(view: View) -> State:
    """The State as this seat knows it, with holes."""
    return State(view.public, view.kinds, view.threat, UNKNOWN, view.hands)


def foresee(view: View, line: str) -> View | None:
    """The seat's View after its own legal order; None where it cannot tell.

    A counter that the order shows it is still unknown, and a card it lays lies in a slot of link 0:
    neither changes what is asked next, or what is legal then.
    """
    try:
        return view_of(apply(imagine(view), line, link=0).state, view.seat)
    except Unseen:
        return None


def guess(view: View, below: Below) -> State:
    """A State that gives the View's seat just this View: what it does not know, drawn at random."""
    public = view.public
    faces, rules = public.faces(), public.rules
    kinds = list(view.kinds)
    hands = [
        _other_cards(public, colour, kinds, below) if hand is None else hand
        for colour, hand in enumerate(view.hands)
    ]
    return State(
        public,
        tuple(kinds),
        _mixed(rules.threat, view.threat, below),
        _mixed(rules.reputation, (*faces, *UNKNOWN[len(faces) :]), below),
        tuple(hands),
    )


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
