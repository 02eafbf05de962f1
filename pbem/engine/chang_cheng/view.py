"""What a seat sees, field by field, from nothing.

Law: a fact of State that is not copied here by name is invisible.
Source: CC-7, CC-17.
"""

from pbem.engine.chang_cheng.state import State, View

#: makes a named tuple of its parts in half the time its own constructor takes
new = tuple.__new__


def view_of(state: State, seat: int | None) -> View:
    """The View of a seat, or of a spectator (None), who sees what all see and nothing else."""
    public = state.public
    if seat is None:
        none = (None,) * len(public.rules.colours)
        return new(View, (public, None, none, (None,) * len(public.cards), public.turned))
    own = public.rules.own[seat]
    kinds = [
        kind if card.colour in own else None
        for card, kind in zip(public.cards, state.kinds)  # noqa: B905  (strict costs a third more)
    ]
    hands = [hand if c in own else None for c, hand in enumerate(state.hands)]
    return new(View, (public, seat, tuple(hands), tuple(kinds), _counters(state, seat)))


def _counters(state: State, seat: int) -> tuple[int | None, ...]:
    """The threat counters that this seat has looked at, and those turned up for all."""
    looked = state.public.looked[seat]
    if not looked:
        return state.public.turned
    known = list(state.public.turned)
    while looked:
        place = looked.bit_length() - 1
        known[place] = state.threat[place]
        looked ^= 1 << place
    return tuple(known)
