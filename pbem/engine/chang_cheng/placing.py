"""What is put on the table: walls, towers, cards, neutral walls, and the board that joins.

What must never be here: why something may not go there (refusals.py).
Source: CC-3, CC-6, CC-10 to CC-18, CC-28, CC-30, CC-31, CC-60.
"""

from pbem.engine.chang_cheng.layout import EMPERORS, KINDS, Possible, joined, layout_of, members
from pbem.engine.chang_cheng.state import Card, Draft, Near, Play, Public
from pbem.engine.decision import ALL, event, plain_event
from pbem.engine.hidden import seen
from pbem.engine.table import new, put


def place_wall(play: Play, numbers: tuple[int, ...]) -> None:
    """Place it. What its own tower keeps is used up by it, or lost with the last wall (CC-16)."""
    table = play.table
    square, colour = 1 << numbers[0], table.colour
    reserved = table.reserve[colour]
    if reserved and (reserved == square or table.supply(colour) == 1):
        table.reserve = put(table.reserve, colour, 0)
    table.single = put(table.single, colour, table.single[colour] | square)
    table.taken |= square
    name = table.layout.squares[numbers[0]]
    facts = (("colour", table.rules.colours[colour]), ("square", name))
    play.log.append(plain_event("wall", "CC-10", facts))
    look(play, numbers)


def look(play: Play, squares: tuple[int, ...]) -> None:
    """The seat on turn looks at the counters of the regions that ``squares`` touch."""
    table = play.table
    show = _turn_up if "D" in table.rules.events else _look_at
    region = table.layout.region_of[squares[0]]
    show(play, region)
    if len(squares) > 1 and table.layout.region_of[squares[1]] != region:
        show(play, table.layout.region_of[squares[1]])


def _look_at(play: Play, region: int) -> None:
    """It learns the value, unless it knows it or all do; a counter that is gone shows nothing."""
    table = play.table
    seat, place = table.seat, table.threat[region]
    looked = table.looked[seat]
    if place < 0 or looked >> place & 1 or table.turned[place] is not None:
        return
    rules = table.rules
    table.looked = put(table.looked, seat, looked | 1 << place)
    name, slot = rules.seats[seat], rules.slot("threat", place)
    facts = (("seat", name), ("region", table.layout.regions[region]), ("slot", slot))
    play.log.append(plain_event("looked", "CC-17", facts, opens=((name, slot),)))


def _turn_up(play: Play, region: int) -> None:
    """All see the counter from now on. In an imagined State nobody may know its value."""
    table = play.table
    place = table.threat[region]
    if place < 0 or table.turned[place] is not None:
        return
    table.turned = put(table.turned, place, play.threat[place])
    slot = table.rules.slot("threat", place)
    name, value = table.layout.regions[region], str(play.threat[place])
    facts = (("region", name), ("counter", value), ("slot", slot))
    play.log.append(plain_event("observed", "CC-53", facts, opens=((ALL, slot),)))


def free_squares(public: Public) -> int:
    """Empty squares that nobody's tower reserves: where doubles and towers may go (CC-15)."""
    return public.layout.full & ~(public.taken | sum(public.reserve))  # no square is kept twice


def first_step(public: Public, colour: int) -> Possible:
    """What a colour may place first in a turn: what a complete action can begin with, if any."""
    free = free_squares(public)
    own = free | public.reserve[colour]  # a single wall may go where its own tower keeps (CC-15)
    if public.turns == 1:  # CC-11
        return Possible(walls=own)
    held, supply = public.held[colour], public.supply(colour)
    squares = own if supply else 0
    provinces = public.layout.all_provinces & ~public.scored if held else 0  # full ones are scored
    walls = with_a_second(public, colour, squares) if supply >= 2 else 0  # WW
    cards = provinces
    if held < 2 or not provinces & (provinces - 1):  # no CC: the wall must follow there (CW)
        cards = provinces & public.layout.touched(squares)
    doubles = 0 if public.double[colour] else free & (free >> 1)  # D
    towers = choosing = 0
    if not public.tower[colour]:  # T
        others = sum(public.tower)
        towers = free & ~(others << 1 | others >> 1)  # CC-14
        if supply and public.rules.edition.reserve_named:  # CC-15; without, CC-16: reserves nothing
            choosing = towers & (free << 1) & (free >> 1)
            towers &= ~choosing
    if walls or cards or doubles or towers or choosing:
        return new(Possible, (walls, cards, doubles, towers, choosing, True))
    return Possible(walls=squares, cards=provinces)  # CC-12: a partial action


def with_a_second(public: Public, colour: int, squares: int) -> int:
    """Of the squares open to a colour, those after which a second wall has a place elsewhere."""
    if public.rules.edition.reserve_named and squares:  # a wall changes nothing elsewhere
        layout, leftmost = public.layout, (squares & -squares).bit_length() - 1
        return squares if squares & ~layout.province_set[layout.province_of[leftmost]] else 0
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
    if not full or not joins_with(table, table.emperors + 1):
        return _follows(table)
    longer = [table.draft(), table.draft()]
    for wall, side in zip(longer, ("left", "right"), strict=True):
        lengthen(wall, side)  # the side is the player's choice: one of them will do
    return any(map(_follows, longer))


def _follows(table: Draft) -> bool:
    """Whether a second wall has a place now that the wall is as it is."""
    reserve_afresh(table)
    return bool(second_step(table).walls)


def _reckoned(public: Public, colour: int, square: int, province: int, elsewhere: int) -> bool:
    """As 2026-11 had it: only what was open before counts, and it may be of the other colour."""
    taken, colour = public.taken | square, public.colour
    full = not public.layout.province_set[province] & ~taken
    if full and joins_with(public, public.emperors + 1):
        return True
    kept = squares_kept(public, taken)
    return bool(elsewhere & ~(sum(kept) - kept[colour]))


def second_step(public: Public) -> Possible:
    """What may follow the first step: WW, CC or CW (CC-10)."""
    colour, layout = public.colour, public.layout
    squares = free_squares(public) | public.reserve[colour] if public.supply(colour) else 0
    here = layout.province_set[public.where]
    if public.first == "wall":
        return new(Possible, (squares & ~here, 0, 0, 0, 0, True))
    here_or_full = public.scored | 1 << public.where
    cards = layout.all_provinces & ~here_or_full if public.held[colour] else 0
    return new(Possible, (squares & here, cards, 0, 0, 0, True))


def place_double(play: Play, numbers: tuple[int, ...]) -> None:
    """Place it, and score a point for each province and each region it touches (CC-18)."""
    table = play.table
    layout, colour = table.layout, table.colour
    squares = 1 << numbers[0] | 1 << numbers[1]
    provinces = len({layout.province_of[square] for square in numbers})
    regions = len({layout.region_of[square] for square in numbers})
    facts: dict[str, str | int] = {
        "colour": table.rules.colours[colour],
        "left": layout.squares[numbers[0]],
        "right": layout.squares[numbers[1]],
        "provinces": provinces,
        "regions": regions,
    }
    points = provinces + regions
    play.log.append(event("double", "CC-18", facts, points=((table.rules.owner[colour], points),)))
    table.double = put(table.double, colour, squares)
    table.taken |= squares
    table.scores = put(table.scores, colour, table.scores[colour] + points)
    look(play, numbers)


def place_tower(play: Play, numbers: tuple[int, ...]) -> None:
    """Place it; it reserves the square named, or the one empty square beside it (CC-15)."""
    table = play.table
    layout, colour = table.layout, table.colour
    square = 1 << numbers[0]
    named = 0
    if len(numbers) == 2:
        named = 1 << numbers[1]
    elif table.supply(colour):  # CC-16: without a wall it reserves nothing
        named = (square << 1 | square >> 1) & free_squares(table)
    table.tower = put(table.tower, colour, square)
    table.taken |= square
    if table.rules.edition.reserve_named:
        table.reserve = put(table.reserve, colour, named)
    else:
        if neighbours_of(table, square, table.taken):
            table.keepers = (*table.keepers, colour)
        reserve_afresh(table)
    reserved = table.reserve[colour]
    facts = {"colour": table.rules.colours[colour], "square": layout.squares[numbers[0]]}
    if reserved:
        facts["reserves"] = layout.squares[reserved.bit_length() - 1]
    play.log.append(event("tower", "CC-15" if reserved else "CC-10", facts))
    look(play, numbers[:1])


def place_card(play: Play, numbers: tuple[int, ...]) -> None:
    """Lay it down: all see whose card lies where, nobody else sees which."""
    table = play.table
    kind, province = numbers
    colour = table.colour
    played = len(KINDS) * (len(table.held) - (table.rules.neutral >= 0)) - sum(table.held) + 1
    slot = f"{play.link}/card/{played:02d}"
    name = table.rules.colours[colour]
    facts = (("colour", name), ("province", table.layout.provinces[province]), ("slot", slot))
    opens = ((table.rules.owner[colour], slot),)
    play.log.append(plain_event("card", "CC-10", facts, opens=opens))
    table.held = put(table.held, colour, table.held[colour] - 1)
    table.cards = (*table.cards, new(Card, (slot, colour, province)))
    play.kinds = (*play.kinds, kind)
    play.hands = put(play.hands, colour, seen(play.hands[colour]) & ~(1 << kind))


def joins_with(public: Public, emperors: int) -> bool:
    """Whether a board is added when there are so many Emperors since the last one (CC-30)."""
    if emperors < EMPERORS or not public.box:
        return False
    return len(public.layout.placed) < public.rules.boards


def add_board(play: Play, words: list[str]) -> None:
    table = play.table
    side, board = words[1], table.box[0]
    before = table.layout
    first = len(before.provinces)  # counters drawn so far: the new ones follow in their pile
    places = range(first, first + len(board.provinces))
    reputation = tuple(seen(play.reputation[place]) for place in places)
    threat = tuple(len(before.regions) + i for i in range(len(board.regions)))
    lengthen(table, side)
    if side == "left":
        table.reputation = (*reputation, *table.reputation)
        table.threat = (*threat, *table.threat)
    else:
        table.reputation = (*table.reputation, *reputation)
        table.threat = (*table.threat, *threat)
    facts = {
        "seat": table.rules.seats[table.seat],
        "side": side,
        "letter": table.layout.placed[0 if side == "left" else -1].letter,
        "board": board.id,
        "counters": ",".join(str(value) for value in reputation),
    }
    opens = tuple((ALL, table.rules.slot("reputation", place)) for place in places)
    play.log.append(event("board", "CC-31", facts, opens=opens))


def lengthen(table: Draft, side: str) -> None:
    """Put the next board beside the wall; everything on the wall keeps its place (CC-2)."""
    board, table.box = table.box[0], table.box[1:]
    table.layout = layout_of(joined(table.layout.placed, board, side))
    table.emperors -= EMPERORS
    if side == "left":
        _move_right(table, sum(board.provinces), len(board.provinces))


def _move_right(table: Draft, squares: int, provinces: int) -> None:
    """Everything counted from the left end moves up by what joined there."""
    for what in ("single", "double", "tower", "reserve"):
        setattr(table, what, tuple([counted << squares for counted in getattr(table, what)]))
    table.broken <<= squares
    table.taken <<= squares
    table.scored <<= provinces
    table.queue = tuple(province + provinces for province in table.queue)
    if table.where >= 0:
        table.where += provinces
    if table.neutral is not None:
        table.neutral = table.neutral._replace(provinces=table.neutral.provinces << provinces)
    table.cards = tuple([c._replace(province=c.province + provinces) for c in table.cards])


def neighbours_of(public: Public, tower: int, taken: int) -> int:
    """The empty squares on both sides of a tower, as a set."""
    return (tower << 1 | tower >> 1) & public.layout.full & ~taken


def squares_kept(public: Public, taken: int) -> tuple[int, ...]:
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
    table.reserve = squares_kept(table, table.taken)


def neutral_squares(public: Public) -> int:
    """Where it may go now, as a set: free, reserved by no tower, and where the action allows it."""
    near = public.neutral
    if near is None or not public.supply(public.rules.neutral):
        return 0
    there = 0
    for province in members(near.provinces):
        there |= public.layout.province_set[province]
    free = free_squares(public)
    return free & there if near.inside else free & ~there


def neutral_choices(public: Public) -> tuple[str, ...]:
    """``neutral none`` and a line for each square."""
    names, squares = public.layout.squares, members(neutral_squares(public))
    return ("neutral none", *(f"neutral {names[square]}" for square in squares))


def near_to(table: Draft, word: str, numbers: tuple[int, ...]) -> None:
    """A step of the action says where the neutral wall may go.

    To be called while ``table.first`` still tells whether a card came before a wall.
    """
    whose = table.layout.province_of
    provinces = 1 << numbers[1] if word == "card" else 0
    for square in () if word == "card" else numbers:
        provinces |= 1 << whose[square]
    inside = word in ("wall", "card")
    if word == "wall" and table.stage == "second" and table.first == "card":
        inside = table.rules.edition.neutral_with_wall
    used = table.neutral.provinces if table.neutral is not None else 0
    table.neutral = Near(inside, used | provinces)


def place_neutral(play: Play, words: list[str]) -> tuple[int, ...]:
    """Place it, or decline. Gives the squares that are filled now: one or none."""
    table = play.table
    table.neutral = None
    seat = table.rules.seats[table.seat]
    if words[1] == "none":
        play.log.append(plain_event("neutral-none", "CC-60", (("seat", seat),)))
        return ()
    square, colour = table.layout.number[words[1]], table.rules.neutral
    table.single = put(table.single, colour, table.single[colour] | 1 << square)
    table.taken |= 1 << square
    table.skips = 0  # CC-41: something was placed
    play.log.append(plain_event("neutral", "CC-60", (("seat", seat), ("square", words[1]))))
    look(play, (square,))
    return (square,)
