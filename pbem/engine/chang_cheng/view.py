"""What a seat sees, field by field, from nothing.

Law: a fact of State that is not copied here by name is invisible.
Source: CC-7, CC-17.
"""

from pbem.engine.chang_cheng.parts import PILE
from pbem.engine.chang_cheng.state import State, View, hand_of

NOTHING: tuple[None, ...] = (None,) * PILE


def view_of(state: State, seat: int | None) -> View:
    """The View of a seat, or of a spectator (None)."""
    public = state.public
    if seat is None:
        return View(public, None, 0, (None,) * len(public.cards), _counters(state, 0))
    colour = public.rules.seat_of.index(seat)
    kinds = tuple(
        kind if card.colour == colour else None
        for card, kind in zip(public.cards, state.kinds, strict=True)
    )
    return View(public, seat, hand_of(state, colour), kinds, _counters(state, public.looked[seat]))


def _counters(state: State, looked: int) -> tuple[int | None, ...]:
    """The threat counters that this seat has looked at, and those turned up for all."""
    turned = state.public.turned
    if not looked and max(turned) < 0:
        return NOTHING
    return tuple(
        up if up >= 0 else (value if looked >> i & 1 else None)
        for i, (value, up) in enumerate(zip(state.threat, turned, strict=True))
    )
