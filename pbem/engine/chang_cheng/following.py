"""Whether a second wall can follow a first one, where the first changes the wall for the second.

Where boards join at once, and what towers keep is looked at afresh, the first wall of two may open
squares or bar them.
Source: CC-12, CC-15, CC-31.
"""

from pbem.engine.chang_cheng import board, reservations
from pbem.engine.chang_cheng.parts import members
from pbem.engine.chang_cheng.state import Public


def with_a_second(public: Public, squares: int) -> int:
    """Of the squares open to a colour, those after which a second wall has a place."""
    found = 0
    for province in public.layout.province_set:
        here, elsewhere = squares & province, squares & ~province
        if elsewhere.bit_count() > len(public.keepers):  # a tower can bar one square at most
            found |= here
        else:
            for square in members(here):
                if _second_after(public, 1 << square, province, elsewhere):
                    found |= 1 << square
    return found


def _second_after(public: Public, square: int, province: int, elsewhere: int) -> bool:
    """Whether, with this square taken, a wall could stand outside its province."""
    taken = public.taken | square
    if not province & ~taken and board.joins_with(public, public.emperors + 1):
        return True
    reserve = reservations.kept(public, taken)
    barred = sum(kept for colour, kept in enumerate(reserve) if colour != public.colour)
    return bool(elsewhere & ~barred)
