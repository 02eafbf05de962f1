"""Whether a second wall can follow a first one, where the first changes the wall for the second.

Where boards join at once, and what towers keep is looked at afresh, the first wall of two may open
squares or bar them. So it is tried out.
Source: CC-12, CC-15, CC-16, CC-31.
"""

from pbem.engine.chang_cheng import board, reservations
from pbem.engine.chang_cheng.parts import members
from pbem.engine.chang_cheng.play import put
from pbem.engine.chang_cheng.possible import second_step
from pbem.engine.chang_cheng.state import Draft, Public


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
