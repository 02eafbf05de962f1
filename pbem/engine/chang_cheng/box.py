"""The parts in the box: boards, counters, colours, events, and which of them a game uses.

It reads and checks the options about parts, makes the ``Rules`` of a game, and finds what on a
table cannot have come out of the box.
Source: CC-1, CC-3, CC-6, CC-30, CC-31, CC-60, CC-61, R-3; RULES.md "The boards".
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbem.engine.chang_cheng.editions import edition_of
from pbem.engine.chang_cheng.layout import (
    KINDS,
    LETTERS,
    NEUTRAL,
    NEUTRAL_WALLS,
    PILE_SIZE,
    REPUTATION_PILE,
    SINGLE_WALLS,
    STANDARD_SIDES,
    THREAT_PILE,
    Board,
    members,
)
from pbem.engine.chang_cheng.state import Public, Rules, State
from pbem.engine.settings import Config, Pile
from pbem.errors import BadInput

STARTING_BOARDS = 2  # CC-2
MAX_PARTS = 40  # of one board
MAX_SQUARES = 99  # of one board, because names have at most two digits
#: a board's id, which is one word in rows and reports
BOARD_ID = re.compile("[A-Za-z0-9_-]{1,20}")
COUNTERS = re.compile(f"[0-9]{{{PILE_SIZE}}}/[0-9]{{{PILE_SIZE}}}")


def max_boards(seat_count: int) -> int:
    """Return the largest number of boards that can be on the table (CC-30)."""
    return STARTING_BOARDS + (2 if seat_count == 4 else 1)


def format_board(board: Board) -> str:
    """Write a board as one word: ``4b:3,4,4:4,3,4`` (id, sizes of provinces, sizes of regions)."""
    rows = (",".join(str(size) for size in row) for row in (board.provinces, board.regions))
    return ":".join((board.id, *rows))


@lru_cache(maxsize=256)  # all states of a game have the same boards
def parse_board(text: str) -> Board:
    """Read what ``format_board`` writes; raise ValueError with a reason if the text is not a possible board."""
    parts = text.split(":")
    if len(parts) != 3 or not all(re.fullmatch("[0-9]{1,2}(,[0-9]{1,2})*", p) for p in parts[1:]):
        raise ValueError(f"{text[:60]!r} is not a board such as 4b:3,4,4:4,3,4")
    provinces, regions = (tuple(int(size) for size in row.split(",")) for row in parts[1:])
    board = Board(parts[0], provinces, regions)
    fault = find_board_fault(board)
    if fault:
        raise ValueError(fault)
    return board


def find_board_fault(board: Board) -> str:
    """Return a sentence about what is wrong with a board; "" if nothing is."""
    name, provinces, regions = board
    if not BOARD_ID.fullmatch(name):
        return f"{name[:40]!r} cannot be the id of a board: 1 to 20 of A to Z, digits, _ and -"
    if not provinces or not regions or min(*provinces, *regions) < 1:
        return f"board {name!r}: each province and region has at least one square"
    if sum(provinces) != sum(regions):
        sums = f"{sum(provinces)} squares, its regions {sum(regions)}"
        return f"board {name!r}: its provinces have {sums}"
    if len(provinces) + len(regions) > MAX_PARTS or sum(provinces) > MAX_SQUARES:
        return f"board {name!r} is too big: {MAX_SQUARES} squares at most, {MAX_PARTS} parts"
    return ""


def parse_sides(text: str) -> dict[str, Board]:
    """Read the option ``sides``, where "" means the standard set. Return boards by id, or raise BadInput."""
    if not text:
        return STANDARD_SIDES
    try:
        boards = [parse_board(word) for word in text.split()]
    except ValueError as error:
        raise BadInput("boards/shape", str(error), "see pbem rules chang-cheng") from error
    sides: dict[str, Board] = {}
    for board in boards:
        if board.id in sides:
            text = f"two sides are called {board.id!r}"
            raise BadInput("boards/twice", text, "give each its own id")
        sides[board.id] = board
    return sides


def group_by_board(sides: Mapping[str, Board]) -> dict[str, tuple[str, ...]]:
    """Return the ids of each board's sides: ``4a`` and ``4b`` of board ``4``. Any other id is a board of its own."""
    sides_by_board: dict[str, tuple[str, ...]] = {}
    for name in sides:
        board = name[:-1] if len(name) > 1 and name[-1] in "ab" else name
        sides_by_board[board] = (*sides_by_board.get(board, ()), name)
    return sides_by_board


def parse_boards(text: str, sides: Mapping[str, Board]) -> tuple[str, ...]:
    """Return the sides that the option ``boards`` names; raise BadInput unless it has one side of each board."""
    ids = tuple(part.strip() for part in text.replace(" ", ",").split(",") if part.strip())
    side_names = ", ".join(sides)
    for board in ids:
        if board not in sides:
            text = f"there is no board side {board!r}"
            raise BadInput("option/boards", text, f"sides are: {side_names}")
    board_of_side = {name: board for board, names in group_by_board(sides).items() for name in names}
    if sorted(board_of_side[board] for board in ids) != sorted(set(board_of_side.values())):
        text = f"boards={text!r} does not name each of the {len(set(board_of_side.values()))} boards once"
        raise BadInput("option/boards", text, f"one side of each: {side_names}")
    return ids


def check_boards(boards: str, sides: Mapping[str, Board], seat_count: int) -> None:
    """Raise BadInput for a set of boards that is too small or may need too many counters (CC-31)."""
    allowed = max_boards(seat_count)
    sides_by_board = group_by_board(sides)
    if len(sides_by_board) < allowed:
        text = f"{len(sides_by_board)} boards are too few: {seat_count} players may come to {allowed}"
        raise BadInput("boards/few", text, "give more boards (CC-30)")
    if boards != "drawn":
        check_counters([sides[board] for board in boards.split(",")], seat_count)
        return
    for part in ("provinces", "regions"):  # any boards and sides may be drawn, also those with the most parts
        counts = [max(len(getattr(sides[side], part)) for side in names) for names in sides_by_board.values()]
        _check_counter_count(sum(sorted(counts)[-allowed:]), part)


def check_counters(boards: Sequence[Board], seat_count: int) -> None:
    """Raise BadInput for boards that may need more counters of a kind than there are (CC-31)."""
    boards_in_play = boards[: max_boards(seat_count)]
    for part in ("provinces", "regions"):
        _check_counter_count(sum(len(getattr(board, part)) for board in boards_in_play), part)


def _check_counter_count(number: int, part: str) -> None:
    if number > PILE_SIZE:
        text = f"these boards can have {number} {part}, but there are {PILE_SIZE} counters for them"
        raise BadInput("boards/counters", text, "take boards with fewer of them (CC-31)")


def parse_counters(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return both piles of the option ``counters``: ``15 digits/15 digits``, or "" for the standard ones."""
    if not text:
        return REPUTATION_PILE, THREAT_PILE
    if not COUNTERS.fullmatch(text):
        text = f"counters={text[:60]!r} is not {PILE_SIZE} digits, a slash and {PILE_SIZE} digits"
        raise BadInput("option/counters", text, "give reputation/threat, one digit for each counter (CC-3)")
    reputation, threat = text.split("/")
    return tuple(reputation), tuple(threat)


def box_piles(config: Config) -> tuple[Pile, ...]:
    """Return the piles to draw from: counters, and if the option says so, boards and their sides."""
    reputation, threat = parse_counters(config.option("counters"))
    piles = [Pile("reputation", reputation), Pile("threat", threat)]
    if config.option("boards") == "drawn":
        sides_by_board = group_by_board(parse_sides(config.option("sides")))
        piles.append(Pile("boards", tuple(sides_by_board)))
        piles += [Pile(f"side/{board}", names) for board, names in sides_by_board.items()]
    return tuple(piles)


def boards_of(config: Config, deal: Mapping[str, Sequence[str]]) -> tuple[Board, ...]:
    """Return the boards in the order in which they join."""
    if "layout" in deal:  # the deal of a script has whole boards
        return tuple(parse_board(text) for text in deal["layout"])
    sides = parse_sides(config.option("sides"))
    if config.option("boards") != "drawn":
        return tuple(sides[board] for board in config.option("boards").split(","))
    return tuple(sides[deal[f"side/{board}"][0]] for board in deal["boards"])


def slot_words(public: Mapping[str, Any], slot: str) -> str:
    """Return the name of a hidden thing, such as ``the threat counter of AM1``, from a position's rows; or ""."""
    state_number, _, pile_and_place = slot.partition("/")
    kind, _, place = pile_and_place.rpartition("/")
    number = int(place) if re.fullmatch("[0-9]{1,4}", place) else 0
    key = {"threat": "regions", "reputation": "provinces", "card": "cards"}.get(kind, "")
    rows = [str(row).split(" ") for row in public.get(key, ())]
    if kind == "threat":
        descriptions = (f"the threat counter of {row[0]}" for row in rows if row[-1] == str(number))
        return next(descriptions, f"threat counter {number + 1} of the pile")
    if kind == "reputation":
        fallback = f"reputation counter {number + 1} of the pile"
        return f"the counter of {rows[number][0]}" if number < len(rows) else fallback
    if kind == "card":
        descriptions = (f"{row[1]}'s card in {row[-1]}" for row in rows if row[0] == slot)
        return next(descriptions, f"a card laid in state {state_number}")
    return ""


def piles_now(state: State) -> dict[str, tuple[str, ...]]:
    """Return all counters, boards and cards, wherever they are now. Only the moderator may see them."""
    public = state.public
    boards = (*(placed.board for placed in public.layout.placed), *public.box)
    piles = {
        "threat": tuple(map(str, state.threat)),
        "reputation": tuple(map(str, state.reputation)),
        "box of boards": tuple(map(format_board, boards)),
    }
    for colour, name in enumerate(public.rules.colours):
        face_down_cards = [
            KINDS[kind or 0] for card, kind in zip(public.cards, state.kinds, strict=True) if card.colour == colour
        ]
        hand = state.hands[colour] or 0
        cards = [*face_down_cards, *(KINDS[kind] for kind in members(hand | public.kinds_out[colour]))]
        # "?" for each card too many or too few in the hand, for example if a correction laid a card twice
        discrepancy = abs(hand.bit_count() - public.hand_sizes[colour])
        piles[f"{name}'s cards"] = (*cards, *["?"] * discrepancy)
    return piles


@lru_cache(maxsize=64)
def rules_of(config: Config, seats: tuple[str, ...], events: str, deal_state_number: int) -> Rules:
    """Make the Rules of a game, from its options, its seats in turn order and the letters of its events."""
    colours_by_seat = [colours_of_seat(config, seat) for seat in seats]
    owners = [seat for seat, colours in zip(seats, colours_by_seat, strict=True) for _ in colours]
    colours = [colour for seat_colours in colours_by_seat for colour in seat_colours]
    walls = [SINGLE_WALLS] * len(colours)
    neutral = -1
    if config.option("variant") == NEUTRAL:
        neutral = len(colours)
        colours, owners, walls = [*colours, NEUTRAL], [*owners, ""], [*walls, NEUTRAL_WALLS]
    seat_of = tuple(seats.index(name) if name else -1 for name in owners)
    reputation, threat = parse_counters(config.option("counters"))
    return Rules(
        seats=seats,
        colours=tuple(colours),
        seat_of=seat_of,
        owners=tuple(owners),
        colours_by_seat=tuple(tuple(c for c, s in enumerate(seat_of) if s == i) for i in range(len(seats))),
        unknown_hands=(None,) * len(colours),
        wall_counts=tuple(walls),
        neutral_colour=neutral,
        max_boards=max_boards(len(seats)),
        deal_state_number=deal_state_number,
        edition=edition_of(config.option("edition"), config.rulings),
        events=events,
        reputation=reputation,
        threat=threat,
    )


def colours_of_seat(config: Config, seat: str) -> tuple[str, ...]:
    """Return the colours of a seat: first its own name, then the other one of its pair, if any (CC-61)."""
    for pair in config.option("pairs").split(","):
        names = pair.split("+")
        if seat in names:
            return (seat, *(name for name in names if name != seat))
    return (seat,)


def events_of(config: Config, deal: Mapping[str, Sequence[str]]) -> str:
    """Return the letters of the events in play, chosen or drawn; "" for none."""
    text = config.option("events")
    if text.startswith("drawn-"):
        return "".join(sorted(deal["events"][: int(text[-1])]))
    return "" if text in ("", "none") else text.replace(",", "")


def misfit(state: State) -> str:
    """Return a sentence about something on the table that the box cannot give; "" if all is possible."""
    public = state.public
    letters = sorted(placed.letter for placed in public.layout.placed)
    if letters != list(LETTERS[: len(letters)]):  # a board gets the next letter when it joins
        return f"the boards would be lettered {', '.join(letters)}"
    return _find_piece_fault(public) or _find_region_fault(public) or _find_looked_fault(public)


def remember(state: State, now: State) -> State:
    """Return ``state`` with the threat counters that are face down in it, but that seats have seen by ``now``.

    The new State has them in ``looked``, because players remember what they saw.
    """
    old_public, current_public = state.public, now.public
    face_down_places = [
        place for place in range(len(old_public.layout.regions)) if old_public.face_up_threats[place] is None
    ]
    turned_up_since = sum(1 << place for place in face_down_places if current_public.face_up_threats[place] is not None)
    face_down_mask = sum(1 << place for place in face_down_places)
    mask_pairs = zip(old_public.looked, current_public.looked, strict=True)
    looked_masks = tuple(
        old_mask | current_mask & face_down_mask | turned_up_since for old_mask, current_mask in mask_pairs
    )
    return state._replace(public=old_public.but(looked=looked_masks))


def _find_piece_fault(public: Public) -> str:
    """Return a sentence about a colour that has too many or impossible pieces; "" if there is none."""
    for colour, name in enumerate(public.rules.colours):
        if public.supply(colour) < 0:
            walls, placed_walls = public.rules.wall_counts[colour], public.single[colour].bit_count()
            return f"{name} has {walls} single walls, and {placed_walls} would lie there"
        tower, double = public.tower[colour], public.double[colour]
        if public.rules.neutral_colour == colour and tower | double:
            return f"{name} has neither tower nor double wall, and one would lie there"
        if tower.bit_count() > 1:
            return f"{name} has one tower, and {tower.bit_count()} would stand there"
        if double and (double.bit_count() != 2 or not double & double << 1):
            return f"{name} has one double wall, on two squares side by side"
    return ""


def _find_region_fault(public: Public) -> str:
    """Return a sentence about a region whose counter is neither the one drawn for it nor gone (CC-24); or ""."""
    names = public.layout.regions
    regions_in_draw_order = sorted(range(len(names)), key=lambda i: (names[i][0], i))  # by board letter
    for place, region in enumerate(regions_in_draw_order):
        if public.threat_places[region] not in (place, -1):
            return f"region {names[region]} has the counter drawn for it ({place}), or none (gone)"
    return ""


def _find_looked_fault(public: Public) -> str:
    """Return a sentence about a seat that has looked at a counter not drawn yet; "" if there is none."""
    drawn_count = len(public.layout.regions)
    for seat, mask in zip(public.rules.seats, public.looked, strict=True):
        if mask >> drawn_count:
            place = members(mask)[-1]
            return f"{seat} cannot have looked at counter {place}: {drawn_count} are drawn, from 0 on"
    return ""
