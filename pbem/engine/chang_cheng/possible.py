"""What a turn allows now: sets of squares and provinces, from public facts alone.

How many cards a seat holds is public, which ones is not; nothing here asks which. So whether a
question is forced, and whether an action can be completed, is known to everybody.
Law: this is the one check of placing orders: listing, refusing and carrying out all read the
``Possible`` that is made here when the question comes up.
Whether a second wall can follow a first one is tried out: where boards join at once, and what
towers keep is looked at afresh, the first wall of two may open squares or bar them.
Source: CC-10 to CC-16, CC-31.
"""

from pbem.engine.chang_cheng import board, reservations
from pbem.engine.chang_cheng.asked import Possible
from pbem.engine.chang_cheng.layout import Layout
from pbem.engine.chang_cheng.parts import members
from pbem.engine.chang_cheng.play import put
from pbem.engine.chang_cheng.state import Draft, Public, new


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


def first_step(public: Public, colour: int) -> Possible:
    """What a colour may place first in a turn: what a complete action can begin with, if any."""
    if public.turns == 1:  # CC-11
        return Possible(walls=open_squares(public, colour))
    held, supply = public.held[colour], public.supply(colour)
    free = free_squares(public)
    squares = free | public.reserve[colour] if supply else 0
    provinces = uncompleted(public) if held else 0
    walls = _with_a_second(public, colour, squares) if supply >= 2 else 0  # WW
    cards = provinces
    if held < 2 or not provinces & (provinces - 1):  # no CC: the wall must follow there (CW)
        cards = provinces & public.layout.touched(squares)
    doubles = 0 if public.double[colour] else free & (free >> 1)  # D
    towers, choosing = (0, 0) if public.tower[colour] else _towers(public, free, supply)  # T
    if walls or cards or doubles or towers or choosing:
        return new(Possible, (walls, cards, doubles, towers, choosing, True))
    return Possible(walls=squares, cards=provinces)  # CC-12: a partial action


def _with_a_second(public: Public, colour: int, squares: int) -> int:
    """The squares for a first wall after which a second could stand in another province."""
    if public.rules.edition.reserve_named:
        return squares if in_two_provinces(public.layout, squares) else 0

    return with_a_second(public, colour, squares)


def _towers(public: Public, free: int, supply: int) -> tuple[int, int]:
    """Where a tower may stand (CC-14), apart those where it could reserve either side (CC-15)."""
    towers = sum(public.tower)
    where = free & ~(towers << 1 | towers >> 1)
    if not supply or not public.rules.edition.reserve_named:  # CC-16: reserves nothing
        return where, 0
    choosing = where & (free << 1) & (free >> 1)
    return where & ~choosing, choosing


def with_a_second(public: Public, colour: int, squares: int) -> int:
    """Of the squares open to a colour, those after which a second wall has a place."""
    found, older = 0, public.rules.edition.second_reckoned
    follows = _reckoned if older else _tried
    for number, province in enumerate(public.layout.province_set):
        here, elsewhere = squares & province, squares & ~province
        if elsewhere.bit_count() > len(public.keepers):  # a tower can bar one square at most
            found |= here
        elif here:
            quiet = 0 if older else _quiet(public, here, province)
            found |= quiet if elsewhere else 0
            for square in members(here & ~quiet):
                if follows(public, colour, 1 << square, number, elsewhere):
                    found |= 1 << square
    return found


def _quiet(public: Public, squares: int, province: int) -> int:
    """Those of them where a wall changes nothing elsewhere: beside no tower, completing nothing."""
    empty = province & ~public.taken
    towers = sum([public.tower[colour] for colour in public.keepers])
    return squares & ~(towers << 1 | towers >> 1) if empty & (empty - 1) else 0


def _tried(public: Public, colour: int, square: int, province: int, _: int) -> bool:
    """Whether a second wall has a place once a wall of this colour stands on this square."""
    table = public.draft()
    table.colour, table.first, table.where = colour, "wall", province
    table.single = put(table.single, colour, table.single[colour] | square)
    table.taken |= square
    full = not table.layout.province_set[province] & ~table.taken
    if not full or not board.joins_with(table, table.emperors + 1):
        return _follows(table)
    longer = [table.draft(), table.draft()]
    for one, side in zip(longer, ("left", "right"), strict=True):
        board.lengthen(one, side)  # the side is the player's choice: one will do
    return any(map(_follows, longer))


def _follows(table: Draft) -> bool:
    """Whether a second wall has a place now that the wall is as it is."""
    reservations.afresh(table)
    return bool(second_step(table).walls)


def _reckoned(public: Public, colour: int, square: int, province: int, elsewhere: int) -> bool:
    """As 2026-11 had it: only what was open before counts, and it may be of the other colour."""
    taken, colour = public.taken | square, public.colour
    full = not public.layout.province_set[province] & ~taken
    if full and board.joins_with(public, public.emperors + 1):
        return True
    kept = reservations.kept(public, taken)
    return bool(elsewhere & ~(sum(kept) - kept[colour]))


def second_step(public: Public) -> Possible:
    """What may follow the first step: WW, CC or CW (CC-10)."""
    colour, layout = public.colour, public.layout
    squares = open_squares(public, colour) if public.supply(colour) else 0
    here = layout.province_set[public.where]
    if public.first == "wall":
        return new(Possible, (squares & ~here, 0, 0, 0, 0, True))
    cards = uncompleted(public) & ~(1 << public.where) if public.held[colour] else 0
    return new(Possible, (squares & here, cards, 0, 0, 0, True))
