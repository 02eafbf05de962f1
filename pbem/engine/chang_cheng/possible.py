"""What a turn allows now: sets of squares and provinces, from public facts alone.

How many cards a seat holds is public, which ones is not; nothing here asks which. So whether a
question is forced, and whether an action can be completed, is known to everybody.
Law: this is the one check of placing orders: listing, refusing and carrying out all read the
``Possible`` that is made here when the question comes up.
Source: CC-10 to CC-16.
"""

from pbem.engine.chang_cheng.asked import Possible
from pbem.engine.chang_cheng.layout import Layout
from pbem.engine.chang_cheng.state import Public, new


def free_squares(public: Public) -> int:
    """Empty squares that nobody's tower reserves: where doubles and towers may go (CC-15)."""
    return public.layout.full & ~(public.taken | sum(public.reserve))  # no square is kept twice


def open_squares(public: Public, colour: int) -> int:
    """Where a single wall of a colour may go: the square its own tower reserves, too (CC-15)."""
    return free_squares(public) | public.reserve[colour]


def uncompleted(public: Public) -> int:
    """The provinces with an empty square: all that are not scored, for full ones are (CC-20)."""
    return public.layout.all_provinces & ~public.scored


def in_two_provinces(layout: Layout, squares: int) -> bool:
    """Whether two of the squares lie in different provinces."""
    if not squares:
        return False
    leftmost = (squares & -squares).bit_length() - 1
    return bool(squares & ~layout.province_set[layout.province_of[leftmost]])


def second_step(public: Public) -> Possible:
    """What may follow the first step: WW, CC or CW (CC-10)."""
    colour, layout = public.colour, public.layout
    squares = open_squares(public, colour) if public.supply(colour) else 0
    here = layout.province_set[public.where]
    if public.first == "wall":
        return new(Possible, (squares & ~here, 0, 0, 0, 0, True))
    cards = uncompleted(public) & ~(1 << public.where) if public.held[colour] else 0
    return new(Possible, (squares & here, cards, 0, 0, 0, True))
