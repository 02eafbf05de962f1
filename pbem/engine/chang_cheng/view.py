"""What a seat sees, field by field, from nothing.

Law: a fact of State that is not copied here by name is invisible.
Source: CC-7, CC-17.
"""

from pbem.engine.chang_cheng.parts import members
from pbem.engine.chang_cheng.state import State, View, new


def view_of(state: State, seat: int | None) -> View:
    """The View of a seat, or of a spectator (None), who sees what all see and nothing else."""
    public = state.public
    if seat is None:
        return new(
            View, (public, None, public.rules.blank, (None,) * len(public.cards), public.turned)
        )
    own = public.rules.own[seat]
    kinds = [
        kind if card.colour in own else None
        for card, kind in zip(public.cards, state.kinds)  # noqa: B905  (strict costs a third more)
    ]
    hands, blank = state.hands, public.rules.blank
    first, end = own[0], own[-1] + 1  # the colours of a seat stand side by side
    known = blank[:first] + hands[first:end] + blank[end:]
    return new(View, (public, seat, known, tuple(kinds), _counters(state, seat)))


def _counters(state: State, seat: int) -> tuple[int | None, ...]:
    """The threat counters that this seat has looked at, and those turned up for all."""
    looked = state.public.looked[seat]
    if not looked:
        return state.public.turned
    known, threat = list(state.public.turned), state.threat
    for place in members(looked):
        known[place] = threat[place]
    return tuple(known)
