"""``wall A5``: one single wall. Source: CC-10, CC-12, CC-15, CC-17."""

from pbem.engine.chang_cheng import board, reservations
from pbem.engine.chang_cheng.asked import Possible
from pbem.engine.chang_cheng.layout import KINDS, Layout, members
from pbem.engine.chang_cheng.state import Card, Draft, Play, Public, new, put
from pbem.engine.decision import Refusal
from pbem.engine.event import ALL, event, plain_event
from pbem.engine.hidden import seen


def wall_refused(public: Public, numbers: tuple[int, ...]) -> Refusal | None:
    """Why it may not go there now; None if it may."""
    if public.asked.can.walls >> numbers[0] & 1:
        return None
    return _why_no_wall(public, numbers)


def _why_no_wall(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """In words, why it may not."""
    square, colour = numbers[0], public.colour
    taken = square_refused(public, square, for_wall_of=colour)
    if taken is not None:
        return taken
    if not public.supply(colour):
        return Refusal("CC-10", "you have no single wall left")
    layout = public.layout
    if public.stage == "second":
        here = layout.provinces[public.where]
        if public.first == "wall":
            text = f"the two walls must stand in different provinces, not both in {here}"
            return Refusal("CC-10", text)
        return Refusal("CC-10", f"after a card in {here} the wall must stand in {here}")
    text = f"after a wall on {layout.squares[square]} no second wall could follow"
    return Refusal("CC-12", f"{text} in another province, and an action must be completed")


def square_refused(public: Public, square: int, for_wall_of: int | None) -> Refusal | None:
    """Why nothing may go on a square: it is taken, or a tower reserves it (CC-15).

    ``for_wall_of``: the colour of a single wall, which its own tower's square is free for.
    """
    name = public.layout.squares[square]
    if public.taken >> square & 1:
        return Refusal("CC-10", f"{name} is taken already")
    for colour, reserved in enumerate(public.reserve):
        if reserved >> square & 1 and colour != for_wall_of:
            owner = public.rules.colours[colour]
            return Refusal("CC-15", f"{name} is reserved for a single wall of {owner}")
    return None


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
    facts = (
        ("region", table.layout.regions[region]),
        ("counter", str(play.threat[place])),
        ("slot", slot),
    )
    play.log.append(plain_event("observed", "CC-53", facts, opens=((ALL, slot),)))


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
    reservations.reserve_afresh(table)
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


def double_refused(public: Public, numbers: tuple[int, ...]) -> Refusal | None:
    """Why it may not go there now; None if it may."""
    if public.asked.can.doubles >> numbers[0] & 1:
        return None
    return _why_no_double(public, numbers)


def _why_no_double(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """In words, why it may not."""
    if public.double[public.colour]:
        return Refusal("CC-10", "you have placed your double wall already")
    for square in numbers:
        refused = square_refused(public, square, for_wall_of=None)
        if refused is not None:
            return refused
    if public.turns == 1:
        return Refusal("CC-11", "the first turn of the game is one single wall and nothing else")
    text = "a double wall is an action of its own: this turn has begun with another"
    return Refusal("CC-10", text)


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


def tower_refused(public: Public, numbers: tuple[int, ...]) -> Refusal | None:
    """Why it may not stand there now, with this reservation named or none; None if it may."""
    can = public.asked.can
    if (can.towers if len(numbers) == 1 else can.choosing) >> numbers[0] & 1:
        return None
    return _why_no_tower(public, numbers)


def _why_no_tower(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """In words, why it may not."""
    square = numbers[0]
    if public.tower[public.colour]:
        return Refusal("CC-10", "you have placed your tower already")
    refused = square_refused(public, square, for_wall_of=None)
    if refused is not None:
        return refused
    name = public.layout.squares[square]
    if any((tower << 1 | tower >> 1) >> square & 1 for tower in public.tower):
        return Refusal("CC-14", f"{name} is next to another tower")
    if public.turns == 1:
        return Refusal("CC-11", "the first turn of the game is one single wall and nothing else")
    if public.stage == "second":
        text = "a tower is an action of its own: this turn has begun with another"
        return Refusal("CC-10", text)
    if len(numbers) == 2 and not public.rules.edition.reserve_named:
        text = f"no square is named: what a tower keeps is seen from the wall; write `tower {name}`"
        return Refusal("CC-15", text)
    if len(numbers) == 2:
        text = f"on {name} there is no choice of the square to reserve: write `tower {name}`"
        return Refusal("CC-15", text)
    left, right = (public.layout.reserving(square, step) for step in (-1, 1))
    return Refusal("CC-15", f"say which square it reserves: `{left}` or `{right}`")


def place_tower(play: Play, numbers: tuple[int, ...]) -> None:
    """Place it; it reserves the square named, or the one empty square beside it (CC-15)."""
    table = play.table
    layout, colour = table.layout, table.colour
    square = 1 << numbers[0]
    named = 1 << numbers[1] if len(numbers) == 2 else _only_neighbour(table, square)
    table.tower = put(table.tower, colour, square)
    table.taken |= square
    if table.rules.edition.reserve_named:
        table.reserve = put(table.reserve, colour, named)
    else:
        if reservations.neighbours_of(table, square, table.taken):
            table.keepers = (*table.keepers, colour)
        reservations.reserve_afresh(table)
    reserved = table.reserve[colour]
    facts = {"colour": table.rules.colours[colour], "square": layout.squares[numbers[0]]}
    if reserved:
        facts["reserves"] = layout.squares[reserved.bit_length() - 1]
    play.log.append(event("tower", "CC-15" if reserved else "CC-10", facts))
    look(play, numbers[:1])


def _only_neighbour(public: Public, square: int) -> int:
    """The one free square beside it, 0 if none or if the colour has no single wall (CC-16)."""
    if not public.supply(public.colour):
        return 0
    return (square << 1 | square >> 1) & free_squares(public)


def card_refused(public: Public, numbers: tuple[int, ...], hand: int) -> Refusal | None:
    """Why this card may not lie there now; None if it may. ``hand`` is the asking seat's own."""
    kind, province = numbers
    if hand >> kind & 1 and public.asked.can.cards >> province & 1:
        return None
    return _why_no_card(public, numbers, hand)


def _why_no_card(public: Public, numbers: tuple[int, ...], hand: int) -> Refusal:
    """In words, why it may not."""
    kind, province = numbers
    name = public.layout.provinces[province]
    if not hand >> kind & 1:
        return Refusal("CC-10", f"you do not hold the {KINDS[kind]} any more")
    if public.scored >> province & 1:
        return Refusal("CC-10", f"{name} is completed: no card can go there")
    if public.turns == 1:
        return Refusal("CC-11", "the first turn of the game is one single wall and nothing else")
    if public.stage == "second":
        if public.first == "wall":
            text = "after a single wall only a second wall can follow (a card goes before its wall)"
            return Refusal("CC-10", text)
        return Refusal(
            "CC-10", f"the two cards must lie in different provinces, not both in {name}"
        )
    return Refusal("CC-12", f"after a card in {name} nothing could follow to complete the action")


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
