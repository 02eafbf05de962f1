"""The wall: squares, provinces, regions, their names, and the text of every placing order.

A *strip* is a province or a region: some neighbouring squares of a board. A *line* is the text of an
order, such as ``wall A5``.
A Layout depends only on the boards and their order. Squares are numbered from left to right, across
all boards. So a set of squares is a whole number (bit i = square i), and neighbours differ by one.
BoardLines has the lines of one board, and knows the squares on both sides of it. Tables are stored
by board and not by wall, because there are thousands of walls but only a few dozen BoardLines.
Law: ``parse_order`` reads every line that ``list_lines`` lists.
Source: CC-2, FORMAT.md "Notation".
"""

from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

COLOURS: Final = ("red", "green", "blue", "violet")  # CC-1

SINGLE_WALLS: Final = 14  # of each colour, CC-1
NEUTRAL: Final = "neutral"  # the colour of no player, CC-28
NEUTRAL_WALLS: Final = 12  # CC-60
#: kinds of cards, in the order of CC-21
KINDS: Final = ("warrior", "traitor", "flood", "builder", "master-builder", "mandarin")
WARRIOR, TRAITOR, FLOOD, BUILDER, MASTER_BUILDER, MANDARIN = range(6)
ALL_KINDS: Final = (1 << len(KINDS)) - 1
EMPERORS_PER_BOARD: Final = 3  # CC-30

PILE_SIZE: Final = 15  # counters of each kind, CC-3
REPUTATION_PILE: Final = tuple(str(value) for value in range(5) for _ in range(3))
THREAT_PILE: Final = tuple(str(value) for value in (2, 3, 4) for _ in range(5))

#: names of events by letter, CC-50 to CC-53
EVENT_NAMES: Final = {"A": "Diplomacy", "B": "Dominance", "C": "Imperial reward", "D": "Observers"}

#: the first words of orders (FORMAT.md "Notation")
WORDS: Final = frozenset(
    (
        "wall", "card", "double", "tower", "pass", "board", "warrior", "traitor", "flood",
        "builder", "mandarin", "neutral", "colour",
    )
)  # fmt: skip


class Board(NamedTuple):
    """One side of a board."""

    id: str
    provinces: tuple[int, ...]  #: the number of squares of each province, from left to right
    regions: tuple[int, ...]  #: the number of squares of each region, from left to right


STANDARD_SIDES: Final = {
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


class Placements(NamedTuple):
    """The legal placing orders, as sets of squares (``cards``: a set of provinces)."""

    walls: int = 0
    cards: int = 0
    doubles: int = 0  #: the left squares of double walls
    towers: int = 0  #: squares where a tower reserves one square or none
    towers_with_choice: int = 0  #: squares where a tower can reserve either neighbour (CC-15)
    can_complete: bool = False  #: a complete action is possible (CC-12)

    def count_orders(self, hand_size: int) -> int:
        """Return the number of these orders, with ``hand_size`` cards in hand."""
        return (
            self.walls.bit_count()
            + hand_size * self.cards.bit_count()
            + self.doubles.bit_count()
            + self.towers.bit_count()
            + 2 * self.towers_with_choice.bit_count()
        )


NO_PLACEMENTS = Placements()


@lru_cache(maxsize=4096)  # most sets occur again: the squares of a province, for example
def members(mask: int) -> tuple[int, ...]:
    """Return the members of a set, in rising order: of ``0b1101``, ``(0, 2, 3)``."""
    numbers = []
    while mask:
        lowest_bit = mask & -mask
        numbers.append(lowest_bit.bit_length() - 1)
        mask ^= lowest_bit
    return tuple(numbers)


MAX_CACHED_LISTS = 4096  # in one table; eleven squares have 2048 sets, a referee's own board may have more


class LineTable(dict[int, tuple[str, ...]]):
    """Maps a set of numbers to the lines of its members.

    Each list is made when it is first needed. As a dictionary, the table returns it later without
    running Python code.
    """

    def __init__(self, lines: tuple[str, ...]) -> None:
        super().__init__()
        self._lines = lines

    def __missing__(self, numbers: int) -> tuple[str, ...]:
        if len(self) >= MAX_CACHED_LISTS:
            self.clear()
        self[numbers] = lines = tuple([self._lines[i] for i in members(numbers)])
        return lines


#: boards with the same names share their tables
line_table = lru_cache(maxsize=512)(LineTable)


class CardStrides(dict[int, int]):
    """Maps a set of provinces to the factor that turns a set of kinds into a set of card orders.

    The order for a card has the number 6 * province + kind. So for each province the set of kinds is
    shifted by six bits, and a multiplication does this for all provinces at once.
    """

    def __missing__(self, provinces: int) -> int:
        self[provinces] = sum(1 << len(KINDS) * province for province in members(provinces))
        return self[provinces]


class BoardLines:
    """The lines of one board in its place. ``square_before`` and ``square_after`` adjoin it; "" at an end."""

    def __init__(
        self, squares: tuple[str, ...], provinces: tuple[str, ...], square_before: str, square_after: str
    ) -> None:
        neighbours = (square_before, *squares, square_after)
        own_positions = range(1, len(squares) + 1)
        self.square_count = len(squares)
        self.square_mask = (1 << len(squares)) - 1
        self.province_count = len(provinces)
        self.province_mask = (1 << len(provinces)) - 1
        self.walls = line_table(tuple(f"wall {name}" for name in squares))
        self.towers = line_table(tuple(f"tower {name}" for name in squares))
        self.left_towers = line_table(
            tuple(f"tower {neighbours[i]} reserve {neighbours[i - 1]}" for i in own_positions)
        )
        self.right_towers = line_table(
            tuple(f"tower {neighbours[i]} reserve {neighbours[i + 1]}" for i in own_positions)
        )
        self.doubles = line_table(tuple(f"double {neighbours[i]} {neighbours[i + 1]}" for i in own_positions))
        self.cards = line_table(tuple(f"card {kind} {name}" for name in provinces for kind in KINDS))
        self.strides = CardStrides()


#: walls share the lines of a board that has the same names and neighbours
board_lines = lru_cache(maxsize=256)(BoardLines)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
KIND_NUMBER = {word: kind for kind, word in enumerate(KINDS)}


class PlacedBoard(NamedTuple):
    """A board on the table and its letter."""

    letter: str
    board: Board


class PlacingOrder(NamedTuple):
    """A placing order in numbers, legal or not."""

    word: str  #: wall, card, double or tower
    squares: tuple[int, ...] = ()  #: of a tower: its square, then the one it reserves, if named
    kind: int = -1  #: of a card
    province: int = -1  #: of a card


class Layout:
    """The wall: names of its parts, and the sets that rules ask for."""

    def __init__(self, placed: tuple[PlacedBoard, ...]) -> None:
        board_names = [names_of(letter, board) for letter, board in placed]
        self.placed = placed
        self.squares: tuple[str, ...] = tuple(chain.from_iterable(names.squares for names in board_names))
        self.provinces: tuple[str, ...] = tuple(chain.from_iterable(names.provinces for names in board_names))
        self.regions: tuple[str, ...] = tuple(chain.from_iterable(names.regions for names in board_names))
        self.size = len(self.squares)
        self.all_squares = (1 << self.size) - 1
        self.all_provinces = (1 << len(self.provinces)) - 1
        self.province_set, self.province_of = _number_strips([p.board.provinces for p in placed])
        self.region_set, self.region_of = _number_strips([p.board.regions for p in placed])
        self.square_number = {name: i for i, name in enumerate(self.squares)}
        self.province_number = {name: i for i, name in enumerate(self.provinces)}
        self.region_number = {name: i for i, name in enumerate(self.regions)}
        self._boards = _lines_of_boards(board_names)
        self._parsed_orders: dict[str, PlacingOrder] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.placed == other.placed

    def __hash__(self) -> int:
        return hash(self.placed)

    def tower_line(self, square: int, step: int) -> str:
        """Return ``tower A5 reserve A6``: the reserved square is ``step`` (1 or -1) away. Both must exist."""
        return f"tower {self.squares[square]} reserve {self.squares[square + step]}"

    def list_lines(self, placements: Placements, hand: int) -> tuple[str, ...]:
        """Return every order of ``placements``, with the kinds in ``hand``: walls, cards, doubles, towers.

        Speed matters, because every step needs this list. So there is one pass over the boards: what
        belongs to a board is looked up in its tables, then shifted out of the sets.
        """
        walls, cards, doubles, towers, towers_with_choice, _ = placements
        wall_lines: tuple[str, ...] = ()
        card_lines: tuple[str, ...] = ()
        double_lines: tuple[str, ...] = ()
        tower_lines: tuple[str, ...] = ()
        for board in self._boards:
            size, mask = board.square_count, board.square_mask
            if walls:
                wall_lines += board.walls[walls & mask]
                walls >>= size
            if cards:
                card_lines += board.cards[hand * board.strides[cards & board.province_mask]]
                cards >>= board.province_count
            if doubles:
                double_lines += board.doubles[doubles & mask]
                doubles >>= size
            if towers:
                tower_lines += board.towers[towers & mask]
                towers >>= size
            if towers_with_choice:
                tower_lines += (
                    board.left_towers[towers_with_choice & mask] + board.right_towers[towers_with_choice & mask]
                )
                towers_with_choice >>= size
        return wall_lines + card_lines + double_lines + tower_lines

    def provinces_touching(self, squares: int) -> int:
        """Return the provinces that have one of these squares, as a set."""
        return sum([1 << i for i, province in enumerate(self.province_set) if province & squares])

    def bordering_regions(self, province: int) -> tuple[int, ...]:
        """Return the regions that share a square with a province, from left to right."""
        province_squares = self.province_set[province]
        return tuple(region for region, squares in enumerate(self.region_set) if squares & province_squares)

    def parse_order(self, line: str) -> PlacingOrder | None:
        """Parse a canonical line, legal or not; None if it is not a placing order on this wall."""
        order = self._parsed_orders.get(line)
        if order is None:
            order = self._parse_line(line)
            if order is not None:  # other texts would let the cache grow without limit
                self._parsed_orders[line] = order
        return order

    def _parse_line(self, line: str) -> PlacingOrder | None:
        """Parse a line without the cache of ``parse_order``."""
        word, names = _split_line(line)
        if word == "card":
            kind_name, province_name = names
            kind, province = KIND_NUMBER.get(kind_name), self.province_number.get(province_name)
            return None if kind is None or province is None else PlacingOrder(word, (), kind, province)
        square_number = self.square_number
        squares = tuple([square_number[name] for name in names if name in square_number])
        if not names or len(squares) != len(names):
            return None
        if len(squares) == 2 and squares[1] - squares[0] not in SECOND_SQUARE_STEPS[word]:
            return None
        return PlacingOrder(word, squares)


#: by first word, the distances that are possible from the first square to the second
SECOND_SQUARE_STEPS = {"double": (1,), "tower": (1, -1)}


@lru_cache(maxsize=4096)  # the same few hundred lines occur on every wall
def _split_line(line: str) -> tuple[str, tuple[str, ...]]:
    """Split a placing order: ``tower A5 reserve A6`` is ``("tower", ("A5", "A6"))``; ("", ()) for other texts."""
    word, *names = line.split(" ")
    if word == "tower" and len(names) == 3 and names[1] == "reserve":
        return word, (names[0], names[2])
    name_count = {"wall": 1, "card": 2, "double": 2, "tower": 1}.get(word, -1)
    return (word, tuple(names)) if len(names) == name_count else ("", ())


class BoardNames(NamedTuple):
    """The names on one board, from left to right."""

    squares: tuple[str, ...]
    provinces: tuple[str, ...]
    regions: tuple[str, ...]


@lru_cache(maxsize=256)
def names_of(letter: str, board: Board) -> BoardNames:
    """Return the names on a board that has this letter."""
    return BoardNames(
        tuple(f"{letter}{i + 1}" for i in range(sum(board.provinces))),
        tuple(f"{letter}P{i + 1}" for i in range(len(board.provinces))),
        tuple(f"{letter}M{i + 1}" for i in range(len(board.regions))),
    )


def _number_strips(sizes: list[tuple[int, ...]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Number the squares of provinces (or of regions) from left to right; ``sizes`` has them by board.

    Return the squares of each strip as a set, and the number of the strip of each square. For example,
    ``[(2, 1)]`` gives ``(0b011, 0b100)`` and ``(0, 0, 1)``.
    """
    squares_of_strip: list[int] = []
    strip_of_square: list[int] = []
    for size in chain.from_iterable(sizes):
        squares_of_strip.append((1 << size) - 1 << len(strip_of_square))
        strip_of_square += [len(squares_of_strip) - 1] * size
    return tuple(squares_of_strip), tuple(strip_of_square)


def _lines_of_boards(board_names: list[BoardNames]) -> tuple[BoardLines, ...]:
    """Return the lines of each board, which depend on the squares on both sides of it."""
    squares_before = ["", *(names.squares[-1] for names in board_names[:-1])]
    squares_after = [*(names.squares[0] for names in board_names[1:]), ""]
    return tuple(
        board_lines(names.squares, names.provinces, before, after)
        for names, before, after in zip(board_names, squares_before, squares_after, strict=True)
    )


#: the steps of a game share one Layout until a board joins
layout_of = lru_cache(maxsize=1024)(Layout)


def join_board(placed: tuple[PlacedBoard, ...], board: Board, side: str) -> tuple[PlacedBoard, ...]:
    """Return the boards with a new one on one ``side``; it gets the next letter (FORMAT.md "Notation")."""
    new_board = PlacedBoard(LETTERS[len(placed)], board)
    return (new_board, *placed) if side == "left" else (*placed, new_board)
