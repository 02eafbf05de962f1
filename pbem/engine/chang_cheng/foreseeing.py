"""Playing on from a View, and other States behind the same View.

``imagine`` makes a State with holes where the seat knows nothing; the same rules run on it and stop
at a hole (Unseen). ``twin`` fills the holes at random with everything that could be there.
Source: decision 0001; notation.md ("as far as the player's View can tell"); P2.
"""

from collections.abc import Callable

from pbem.engine.chang_cheng.parts import ALL_KINDS, PILE, REPUTATION, THREAT, members
from pbem.engine.chang_cheng.state import Public, State, View
from pbem.engine.chang_cheng.turn import apply
from pbem.engine.chang_cheng.view import view_of
from pbem.engine.hidden import Unseen

#: a number from 0 to bound - 1; the caller's chance
Below = Callable[[int], int]


def imagine(view: View) -> State:
    """The State as this seat knows it, with holes."""
    return State(view.public, view.kinds, view.threat, (None,) * PILE)


def foresee(view: View, line: str) -> View | None:
    """The seat's View after its own legal order; None where it cannot tell."""
    try:
        after = apply(imagine(view), line, link=0).state
    except Unseen:
        return None
    return view_of(after, view.seat)


def twin(state: State, seat: int | None, below: Below) -> State:
    """Another State that gives ``seat`` the same View, drawn from all there are."""
    public = state.public
    known = view_of(state, seat)
    threat = _fill(known.threat, THREAT, below)
    drawn = tuple(state.reputation[: len(public.reputation)])
    rest = tuple(None for _ in range(PILE - len(drawn)))
    reputation = _fill((*drawn, *rest), REPUTATION, below)
    kinds = list(known.kinds)
    for colour in range(len(public.rules.colours)):
        if seat is None or public.rules.seat_of[colour] != seat:
            _other_cards(public, colour, kinds, below)
    return State(public, tuple(kinds), threat, reputation)


def _fill(known: tuple[int | None, ...], pile: tuple[str, ...], below: Below) -> tuple[int, ...]:
    """The holes of a pile, filled with what is left of it in a drawn order."""
    left = [int(value) for value in pile]
    for value in known:
        if value is not None:
            if value in left:
                left.remove(value)
            elif left:  # a script may bring counters that no box holds
                left.pop()
    return tuple(value if value is not None else left.pop(below(len(left))) for value in known)


def _other_cards(public: Public, colour: int, kinds: list[int | None], below: Below) -> None:
    """Face-down cards of a colour: any of the kinds that have not been turned up."""
    left = list(members(ALL_KINDS & ~public.out[colour]))
    for i, card in enumerate(public.cards):
        if card.colour == colour:
            kinds[i] = left.pop(below(len(left)))
