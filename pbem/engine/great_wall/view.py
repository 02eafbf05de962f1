"""What a seat sees, field by field, from nothing.

Law: a fact of State that is not copied here by name is invisible.
Source: GW-5.
"""

from pbem.engine.great_wall.state import State, View

#: makes a named tuple of its parts in half the time its own constructor takes
new = tuple.__new__


def view_of(state: State, seat: int | None) -> View:
    """The View of a seat, or of a spectator (None), who sees what all see and nothing else."""
    public = state.public
    if seat is None:
        return new(View, (public, None, 0, ()))
    deck = state.decks[seat]
    drawn = deck[: len(deck) - public.decks[seat]]
    return new(View, (public, seat, state.hands[seat] or 0, drawn))
