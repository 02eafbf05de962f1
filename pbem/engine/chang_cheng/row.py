"""How the orders about one board are spelled, ready to be listed.

What lives here: Row. What must never be here: which orders are legal.
A Row knows its own names and the two squares beside it, so lists can run across a join.
Reason for the tables: a set of squares becomes its list of lines by one look-up. They are kept by
board, not by wall, for there are thousands of walls and a few dozen Rows.
Source: docs/NOTATION.md.
"""

from functools import lru_cache

from pbem.engine.chang_cheng.parts import KINDS, members

KEPT = 4096  # lists in one table; eleven squares have 2048 sets, a stranger's board may have more


class Lists(dict[int, tuple[str, ...]]):
    """One line for each number; and for each set of numbers, once it was asked for, their list.

    A dictionary itself, so that a list already made is found without a call.
    """

    def __init__(self, lines: tuple[str, ...]) -> None:
        super().__init__()
        self._lines = lines

    def __missing__(self, numbers: int) -> tuple[str, ...]:
        """The lines of a set, in rising order."""
        if len(self) >= KEPT:
            self.clear()
        self[numbers] = found = tuple([self._lines[i] for i in members(numbers)])
        return found


#: tables of the same lines are one table, whatever lies beside their board
lists = lru_cache(maxsize=512)(Lists)


class Strides(dict[int, int]):
    """By a set of provinces: what a set of kinds is multiplied by to give its cards' numbers.

    Card number = 6 * province + kind, so each province moves the kinds up by six bits.
    """

    def __missing__(self, provinces: int) -> int:
        self[provinces] = sum(1 << len(KINDS) * province for province in members(provinces))
        return self[provinces]


class Row:
    """One board as it lies: its squares and provinces, and the squares beside it ("" for none)."""

    def __init__(
        self, squares: tuple[str, ...], provinces: tuple[str, ...], before: str, after: str
    ) -> None:
        chain = (before, *squares, after)
        inner = range(1, len(squares) + 1)
        self.size, self.own = len(squares), (1 << len(squares)) - 1
        self.provinces, self.own_provinces = len(provinces), (1 << len(provinces)) - 1
        self.walls = lists(tuple(f"wall {name}" for name in squares))
        self.towers = lists(tuple(f"tower {name}" for name in squares))
        self.lefts = lists(tuple(f"tower {chain[i]} reserve {chain[i - 1]}" for i in inner))
        self.rights = lists(tuple(f"tower {chain[i]} reserve {chain[i + 1]}" for i in inner))
        self.doubles = lists(tuple(f"double {chain[i]} {chain[i + 1]}" for i in inner))
        self.cards = lists(tuple(f"card {kind} {name}" for name in provinces for kind in KINDS))
        self.strides = Strides()


@lru_cache(maxsize=256)
def row_of(squares: tuple[str, ...], provinces: tuple[str, ...], before: str, after: str) -> Row:
    """The Row of these names; the same one for every wall in which they lie so."""
    return Row(squares, provinces, before, after)
