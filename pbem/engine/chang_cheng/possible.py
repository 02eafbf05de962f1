"""What a turn allows now: sets of squares and provinces, from public facts alone.

How many cards a seat holds is public, which ones is not; nothing here asks which. So whether a
question is forced, and whether an action can be completed, is known to everybody.
Law: this is the one check of placing orders: listing, refusing and resolving all read ``Possible``.
Source: CC-10 to CC-16.
"""

from typing import NamedTuple

from pbem.engine.chang_cheng.state import Public


class Possible(NamedTuple):
    """The placing orders open now. All are sets: squares, or provinces for ``cards``."""

    walls: int = 0
    cards: int = 0
    doubles: int = 0  #: left squares
    towers: int = 0  #: squares where it reserves one square or none
    choosing: int = 0  #: squares where it could reserve either neighbour (CC-15)
    complete: bool = False  #: a complete action is possible (CC-12)

    def count(self, held: int) -> int:
        """How many orders these are, with ``held`` cards in hand."""
        return (
            self.walls.bit_count()
            + held * self.cards.bit_count()
            + self.doubles.bit_count()
            + self.towers.bit_count()
            + 2 * self.choosing.bit_count()
        )


NONE = Possible()


def open_squares(public: Public, colour: int) -> int:
    """Empty squares that no other colour's tower reserves: where a single wall may go (CC-15)."""
    barred = public.taken
    for other, square in enumerate(public.reserve):
        if other != colour:
            barred |= square
    return public.layout.full & ~barred


def free_squares(public: Public) -> int:
    """Empty squares that nobody's tower reserves: where doubles and towers may go (CC-15)."""
    barred = public.taken
    for square in public.reserve:
        barred |= square
    return public.layout.full & ~barred


def uncompleted(public: Public) -> int:
    """The provinces with an empty square (CC-20)."""
    found = 0
    empty = ~public.taken
    for i, squares in enumerate(public.layout.province_set):
        if squares & empty:
            found |= 1 << i
    return found


def possible(public: Public) -> Possible:
    """What the seat on turn may place now; NONE when something else is asked."""
    if public.stage == "action":
        return _first_step(public)
    if public.stage == "second":
        return _second_step(public)
    return NONE


def _first_step(public: Public) -> Possible:
    colour = public.active()
    if public.turns == 1:  # CC-11
        return Possible(walls=open_squares(public, colour))
    held = public.held[colour]
    supply = public.supply(colour)
    squares = open_squares(public, colour) if supply else 0
    provinces = uncompleted(public) if held else 0
    layout = public.layout
    spread = layout.touched(layout.province_set, squares)
    walls = squares if supply >= 2 and spread & (spread - 1) else 0  # WW: two provinces
    both = held >= 2 and provinces & (provinces - 1)  # CC: two provinces
    cards = provinces if both else provinces & spread  # CW: the wall in the card's province
    free = free_squares(public)
    doubles = 0 if public.double[colour] else free & (free >> 1)
    towers, choosing = (0, 0) if public.tower[colour] else _towers(public, free, supply)
    if walls or cards or doubles or towers or choosing:
        return Possible(walls, cards, doubles, towers, choosing, complete=True)
    return Possible(walls=squares, cards=provinces)  # CC-12: a partial action


def _towers(public: Public, free: int, supply: int) -> tuple[int, int]:
    """Where a tower may stand (CC-14), apart those where it could reserve either side (CC-15)."""
    near = 0
    for tower in public.tower:
        near |= tower << 1 | tower >> 1
    where = free & ~near
    if not supply:  # CC-16: reserves nothing
        return where, 0
    choosing = where & (free << 1) & (free >> 1)
    return where & ~choosing, choosing


def _second_step(public: Public) -> Possible:
    colour = public.active()
    squares = open_squares(public, colour) if public.supply(colour) else 0
    here = public.layout.province_set[public.where]
    if public.first == "wall":
        return Possible(walls=squares & ~here, complete=True)
    cards = uncompleted(public) & ~(1 << public.where) if public.held[colour] else 0
    return Possible(walls=squares & here, cards=cards, complete=True)
