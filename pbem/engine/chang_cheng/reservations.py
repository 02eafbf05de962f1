"""The squares that towers keep, where nothing is named: looked at afresh whenever the wall changes.

Source: CC-15, CC-16. Where the square is named, placing.py and placing.py see to it.
"""

from pbem.engine.chang_cheng.state import Draft, Public, put


def neighbours_of(public: Public, tower: int, taken: int) -> int:
    """The empty squares on both sides of a tower, as a set."""
    return (tower << 1 | tower >> 1) & public.layout.full & ~taken


def kept(public: Public, taken: int) -> tuple[int, ...]:
    """By colour: the square its tower keeps when these squares are taken, 0 for none.

    Tower by tower in the order placed: the one empty square beside it, unless an earlier tower
    keeps that already.
    """
    found = (0,) * len(public.tower)
    barred = 0
    for colour in public.keepers:
        squares = neighbours_of(public, public.tower[colour], taken)
        single = squares and not squares & (squares - 1) and not squares & barred
        if single and public.supply(colour):
            found = put(found, colour, squares)
            barred |= squares
    return found


def reserve_afresh(table: Draft) -> None:
    """See what is kept now."""
    table.reserve = kept(table, table.taken)
