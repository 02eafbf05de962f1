"""Where things are: the chain of squares, its provinces and regions, and every order's spelling.

A Layout depends only on which boards lie in which order; it is made once and kept. Squares are
numbered along the chain from left to right, so a set of squares is a whole number (bit i = square
i), neighbours are one apart across every join, and lists come out from left to right.
Law: whatever ``spelling`` gives, ``Layout.orders`` finds again.
Source: CC-2, notation.md.
"""

from functools import lru_cache
from typing import NamedTuple

from pbem.engine.chang_cheng.parts import KINDS, Board, members

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CHUNK = 11  # squares looked up at a time in the tables of spellings
CHUNK_MASK = (1 << CHUNK) - 1


class Placed(NamedTuple):
    """A board on the table and its letter."""

    letter: str
    board: Board


#: a placing order taken apart: its word, then numbers (squares, kind and province)
Order = tuple[str, tuple[int, ...]]


class Layout:
    """The wall as it lies: names of everything, and the sets that rules ask for."""

    def __init__(self, placed: tuple[Placed, ...]) -> None:
        self.placed = placed
        self.squares: tuple[str, ...] = tuple(
            f"{p.letter}{i + 1}" for p in placed for i in range(sum(p.board.provinces))
        )
        self.size = len(self.squares)
        self.full = (1 << self.size) - 1
        self.number = {name: i for i, name in enumerate(self.squares)}
        self.provinces, self.province_set = _strips(placed, "P")
        self.regions, self.region_set = _strips(placed, "M")
        self.province_number = {name: i for i, name in enumerate(self.provinces)}
        self.region_number = {name: i for i, name in enumerate(self.regions)}
        self.province_of = _whose(self.province_set, self.size)
        self.region_of = _whose(self.region_set, self.size)
        self.borders = tuple(
            tuple(r for r, reg in enumerate(self.region_set) if reg & prov)
            for prov in self.province_set
        )
        self.orders: dict[str, Order] = _placing_orders(self)
        self._walls = _Spellings([f"wall {name}" for name in self.squares])
        self._towers = _Spellings([f"tower {name}" for name in self.squares])
        self._lefts = _Spellings([self.reserving(i, i - 1) for i in range(self.size)])
        self._rights = _Spellings([self.reserving(i, i + 1) for i in range(self.size)])
        self._doubles = _Spellings([self.pair(i) for i in range(self.size)])
        self._cards: dict[tuple[int, int], tuple[str, ...]] = {}

    def reserving(self, square: int, reserved: int) -> str:
        """``tower A5 reserve A6``; "" off the wall."""
        if not 0 <= reserved < self.size:
            return ""
        return f"tower {self.squares[square]} reserve {self.squares[reserved]}"

    def pair(self, left: int) -> str:
        """``double A5 A6``, by its left square; "" where it would hang over the end."""
        if left + 1 >= self.size:
            return ""
        return f"double {self.squares[left]} {self.squares[left + 1]}"

    def walls(self, squares: int) -> tuple[str, ...]:
        """``wall …`` for each square of a set, from left to right."""
        return self._walls.of(squares)

    def doubles(self, lefts: int) -> tuple[str, ...]:
        """``double …`` for each left square of a set."""
        return self._doubles.of(lefts)

    def towers(self, plain: int, both: int) -> tuple[str, ...]:
        """``tower …``, and both reservations where the player chooses."""
        if not both:
            return self._towers.of(plain)
        return self._towers.of(plain) + self._lefts.of(both) + self._rights.of(both)

    def cards(self, kinds: int, provinces: int) -> tuple[str, ...]:
        """``card …`` for each kind of a set in each province of a set."""
        found = self._cards.get((kinds, provinces))
        if found is None:
            found = tuple(
                f"card {KINDS[kind]} {self.provinces[province]}"
                for province in members(provinces)
                for kind in members(kinds)
            )
            if len(self._cards) > 4096:  # a long run of random games must not grow for ever
                self._cards.clear()
            self._cards[kinds, provinces] = found
        return found

    def touched(self, sets: tuple[int, ...], squares: int) -> int:
        """Which provinces (or regions) of ``sets`` share a square with ``squares``, as a set."""
        found = 0
        for i, one in enumerate(sets):
            if one & squares:
                found |= 1 << i
        return found


class _Spellings:
    """Spellings of a set of squares, looked up eleven squares at a time."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._chunks: list[dict[int, tuple[str, ...]]] = [{} for _ in range(0, len(lines), CHUNK)]

    def of(self, squares: int) -> tuple[str, ...]:
        found: tuple[str, ...] = ()
        number = 0
        while squares:
            part = squares & CHUNK_MASK
            if part:
                chunk = self._chunks[number]
                lines = chunk.get(part)
                if lines is None:
                    base = number * CHUNK
                    lines = tuple(self._lines[base + i] for i in members(part))
                    chunk[part] = lines
                found += lines
            squares >>= CHUNK
            number += 1
        return found


def _strips(placed: tuple[Placed, ...], kind: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Names and squares of the provinces (``P``) or regions (``M``), from left to right."""
    names: list[str] = []
    sets: list[int] = []
    at = 0
    for letter, board in placed:
        sizes = board.provinces if kind == "P" else board.regions
        for i, size in enumerate(sizes):
            names.append(f"{letter}{kind}{i + 1}")
            sets.append(((1 << size) - 1) << at)
            at += size
    return tuple(names), tuple(sets)


def _whose(sets: tuple[int, ...], size: int) -> tuple[int, ...]:
    return tuple(next(i for i, one in enumerate(sets) if one >> square & 1) for square in range(size))


def _placing_orders(layout: Layout) -> dict[str, Order]:
    """Every spelling of a placing order on this wall, legal or not."""
    table: dict[str, Order] = {}
    for i, name in enumerate(layout.squares):
        table[f"wall {name}"] = ("wall", (i,))
        table[f"tower {name}"] = ("tower", (i,))
        for other in (i - 1, i + 1):
            if 0 <= other < layout.size:
                table[layout.reserving(i, other)] = ("tower", (i, other))
        if i + 1 < layout.size:
            table[layout.pair(i)] = ("double", (i, i + 1))
    for kind, word in enumerate(KINDS):
        for province, name in enumerate(layout.provinces):
            table[f"card {word} {name}"] = ("card", (kind, province))
    return table


@lru_cache(maxsize=64)
def layout_of(placed: tuple[Placed, ...]) -> Layout:
    """The Layout of boards lying in this order."""
    return Layout(placed)


def joined(placed: tuple[Placed, ...], board: Board, side: str) -> tuple[Placed, ...]:
    """The boards with one more at its ``side``; it gets the next letter (notation.md)."""
    new = Placed(LETTERS[len(placed)], board)
    return (new, *placed) if side == "left" else (*placed, new)
