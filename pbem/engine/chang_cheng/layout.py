"""Where things are: the chain of squares, its provinces and regions, and every order's spelling.

A Layout depends only on which boards lie in which order. Squares are numbered along the chain from
left to right, so a set of squares is a whole number (bit i = square i), neighbours are one apart
across every join, and lists come out from left to right.
A Row is one board as it lies: it knows its own names and the two squares beside it, so lists can
run across a join. A set of squares becomes its list of lines by one look-up; the tables are kept by
board, not by wall, for there are thousands of walls and a few dozen Rows.
Law: whatever is listed here, ``order`` finds again.
Source: CC-2, docs/NOTATION.md.
"""

from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

COLOURS: Final = ("red", "green", "blue", "violet")  # CC-1

SINGLES: Final = 14  # single walls a colour, CC-1
NEUTRAL: Final = "neutral"  # the colour that belongs to nobody, CC-28
NEUTRALS: Final = 12  # its single walls, CC-60
#: in the order of CC-21
KINDS: Final = ("warrior", "traitor", "flood", "builder", "master-builder", "mandarin")
WARRIOR, TRAITOR, FLOOD, BUILDER, MASTER_BUILDER, MANDARIN = range(6)
ALL_KINDS: Final = (1 << len(KINDS)) - 1
EMPERORS: Final = 3  # CC-30

PILE: Final = 15  # counters of a kind, CC-3
REPUTATION: Final = tuple(str(value) for value in range(5) for _ in range(3))
THREAT: Final = tuple(str(value) for value in (2, 3, 4) for _ in range(5))

#: what an event is called, by its letter, CC-50 to CC-53
EVENTS: Final = {"A": "Diplomacy", "B": "Dominance", "C": "Imperial reward", "D": "Observers"}

#: the first words of orders (docs/NOTATION.md)
WORDS: Final = frozenset(
    (
        "wall", "card", "double", "tower", "pass", "board", "warrior", "traitor", "flood",
        "builder", "mandarin", "neutral", "colour",
    )
)  # fmt: skip


class Board(NamedTuple):
    """One side of a board: its name, and the squares of each province and region, left to right."""

    id: str
    provinces: tuple[int, ...]
    regions: tuple[int, ...]


SIDES: Final = {
    side.id: side
    for side in (
        Board("1a", (3, 4, 4), (5, 3, 3)),
        Board("1b", (4, 3, 4), (3, 5, 3)),
        Board("2a", (4, 4, 3), (3, 3, 5)),
        Board("2b", (5, 3, 3), (4, 4, 3)),
        Board("3a", (3, 5, 3), (4, 3, 4)),
        Board("3b", (3, 3, 5), (4, 4, 3)),
        Board("4a", (4, 3, 4), (5, 3, 3)),
        Board("4b", (3, 4, 4), (4, 3, 4)),
    )
}


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
        walls, cards, doubles, towers, choosing, _ = map(int.bit_count, self)
        return walls + held * cards + doubles + towers + 2 * choosing


NOTHING_TO_PLACE = Possible()


@lru_cache(maxsize=4096)  # what a seat has looked at, the squares of a province: mostly seen before
def members(mask: int) -> tuple[int, ...]:
    """The numbers of the bits set in ``mask``, rising."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


KEPT = 4096  # lists in one table; eleven squares have 2048 sets, a stranger's board may have more


class Lists(dict[int, tuple[str, ...]]):
    """One line for each number; and for each set of numbers, once it was asked for, their list.

    A dictionary itself, so that a list already made is found without a call.
    """

    def __init__(self, lines: tuple[str, ...]) -> None:
        super().__init__()
        self._lines = lines

    def __missing__(self, numbers: int) -> tuple[str, ...]:
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


#: the same Row for every wall in which its names lie so
row_of = lru_cache(maxsize=256)(Row)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
KIND_NUMBER = {word: kind for kind, word in enumerate(KINDS)}


class Placed(NamedTuple):
    """A board on the table and its letter."""

    letter: str
    board: Board


#: a placing order taken apart: its word, then numbers (squares, or kind and province)
Order = tuple[str, tuple[int, ...]]


class Layout:
    """The wall as it lies: names of everything, and the sets that rules ask for."""

    def __init__(self, placed: tuple[Placed, ...]) -> None:
        named = [names_of(letter, board) for letter, board in placed]
        self.placed = placed
        self.squares: tuple[str, ...] = tuple(chain.from_iterable(names[0] for names in named))
        self.provinces: tuple[str, ...] = tuple(chain.from_iterable(names[1] for names in named))
        self.regions: tuple[str, ...] = tuple(chain.from_iterable(names[2] for names in named))
        self.size = len(self.squares)
        self.full = (1 << self.size) - 1
        self.all_provinces = (1 << len(self.provinces)) - 1
        self.province_set, self.province_of = _strips([p.board.provinces for p in placed])
        self.region_set, self.region_of = _strips([p.board.regions for p in placed])
        self.number = {name: i for i, name in enumerate(self.squares)}
        self.province_number = {name: i for i, name in enumerate(self.provinces)}
        self.region_number = {name: i for i, name in enumerate(self.regions)}
        self._rows = _rows(named)
        self._orders: dict[str, Order] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.placed == other.placed

    def __hash__(self) -> int:
        return hash(self.placed)

    def reserving(self, square: int, step: int) -> str:
        """``tower A5 reserve A6``, the kept square one ``step`` away; both must be on the wall."""
        return f"tower {self.squares[square]} reserve {self.squares[square + step]}"

    def listed(self, can: Possible, hand: int) -> tuple[str, ...]:
        """Every order of ``can``, with the kinds in ``hand``: walls, cards, doubles, towers.

        One pass over the boards, for this is done in every step.
        """
        walls, cards, doubles, towers, choosing, _ = can
        a: tuple[str, ...] = ()
        b, c, d = a, a, a
        for row in self._rows:
            size, own = row.size, row.own
            if walls:
                a += row.walls[walls & own]
                walls >>= size
            if cards:
                b += row.cards[hand * row.strides[cards & row.own_provinces]]
                cards >>= row.provinces
            if doubles:
                c += row.doubles[doubles & own]
                doubles >>= size
            if towers:
                d += row.towers[towers & own]
                towers >>= size
            if choosing:
                d += row.lefts[choosing & own] + row.rights[choosing & own]
                choosing >>= size
        return a + b + c + d

    def touched(self, squares: int) -> int:
        """The provinces that have one of these squares, as a set."""
        return sum([1 << i for i, province in enumerate(self.province_set) if province & squares])

    def borders(self, province: int) -> tuple[int, ...]:
        """The regions that share a square with a province, from left to right."""
        here = self.province_set[province]
        return tuple(region for region, squares in enumerate(self.region_set) if squares & here)

    def order(self, line: str) -> Order | None:
        """A placing order taken apart, whether it is legal or not; None where it is none."""
        found = self._orders.get(line)
        if found is None:
            found = self._taken_apart(line)
            if found is not None:  # so there are only as many as there are orders on this wall
                self._orders[line] = found
        return found

    def _taken_apart(self, line: str) -> Order | None:
        word, names = _words(line)
        if word == "card":
            kind, province = KIND_NUMBER.get(names[0]), self.province_number.get(names[1])
            return None if kind is None or province is None else (word, (kind, province))
        number = self.number
        squares = tuple([number[name] for name in names if name in number])
        if not names or len(squares) != len(names):
            return None
        if len(squares) == 2 and squares[1] - squares[0] not in STEPS[word]:
            return None
        return word, squares


#: where the second square may lie, seen from the first
STEPS = {"double": (1,), "tower": (1, -1)}


@lru_cache(maxsize=4096)  # the same few hundred lines are written on every wall
def _words(line: str) -> tuple[str, tuple[str, ...]]:
    """A line as its word and names; no names where it cannot be a placing order."""
    word, *names = line.split(" ")
    if word == "tower" and len(names) == 3 and names[1] == "reserve":
        return word, (names[0], names[2])
    number = {"wall": 1, "card": 2, "double": 2, "tower": 1}.get(word, -1)
    return (word, tuple(names)) if len(names) == number else ("", ())


#: names of one board: squares, provinces, regions
Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


@lru_cache(maxsize=256)
def names_of(letter: str, board: Board) -> Names:
    """What is called how on a board of this letter."""
    return (
        tuple(f"{letter}{i + 1}" for i in range(sum(board.provinces))),
        tuple(f"{letter}P{i + 1}" for i in range(len(board.provinces))),
        tuple(f"{letter}M{i + 1}" for i in range(len(board.regions))),
    )


def _strips(sizes: list[tuple[int, ...]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The squares of each province (or region) as a set, and which one each square is in."""
    sets: list[int] = []
    whose: list[int] = []
    for size in chain.from_iterable(sizes):
        sets.append((1 << size) - 1 << len(whose))
        whose += [len(sets) - 1] * size
    return tuple(sets), tuple(whose)


def _rows(named: list[Names]) -> tuple[Row, ...]:
    """Each board's spellings, with the squares that lie beside it."""
    befores = ["", *(squares[-1] for squares, _, _ in named[:-1])]
    afters = [*(squares[0] for squares, _, _ in named[1:]), ""]
    return tuple(
        row_of(squares, provinces, before, after)
        for (squares, provinces, _), before, after in zip(named, befores, afters, strict=True)
    )


#: kept, for it is the same in every step of a game: all the walls two or three drawn boards make
layout_of = lru_cache(maxsize=1024)(Layout)


def joined(placed: tuple[Placed, ...], board: Board, side: str) -> tuple[Placed, ...]:
    """The boards with one more at its ``side``; it gets the next letter (docs/NOTATION.md)."""
    new = Placed(LETTERS[len(placed)], board)
    return (new, *placed) if side == "left" else (*placed, new)
