"""Places walls, towers, cards, neutral walls and boards, and finds where they may go.

Sets of squares and of provinces are whole numbers (state.py). So ``set << 1 | set >> 1`` are the
neighbours of a set, and ``set & (set - 1)`` is not 0 exactly if the set has two members or more.
An action may have two steps: two walls (WW), two cards (CC), or a card and a wall (CW).

Not allowed here: why something may not go there (refusals.py).
Source: CC-3, CC-6, CC-10 to CC-18, CC-28, CC-30, CC-31, CC-60.
"""

from pbem.engine.chang_cheng.layout import (
    EMPERORS_PER_BOARD,
    KINDS,
    Layout,
    Placements,
    join_board,
    layout_of,
    members,
)
from pbem.engine.chang_cheng.state import Card, Draft, NeutralZone, Play, Public
from pbem.engine.decision import ALL, event, event_from_texts
from pbem.engine.hidden import seen
from pbem.engine.table import new_tuple, replace_item


def place_wall(play: Play, square_number: int) -> None:
    """Place a single wall. Its tower stops reserving if the wall uses the square or is the last (CC-16)."""
    table = play.table
    square, colour = 1 << square_number, table.colour
    reserved = table.reserve[colour]
    if reserved and (reserved == square or table.supply(colour) == 1):
        table.reserve = replace_item(table.reserve, colour, 0)
    table.single = replace_item(table.single, colour, table.single[colour] | square)
    table.occupied |= square
    facts = (("colour", table.rules.colours[colour]), ("square", table.layout.squares[square_number]))
    play.log.append(event_from_texts("wall", "CC-10", facts))
    look_at_counter(play, square_number)


def look_at_counter(play: Play, square_number: int) -> None:
    """Show a region's threat counter to the current seat (CC-17), or with event D to everybody (CC-53)."""
    table = play.table
    region = table.layout.region_of[square_number]
    if "D" in table.rules.events:
        _turn_up(play, region)
    else:
        _look_at(play, region)


def _look_at(play: Play, region: int) -> None:
    """Let the current seat see the counter, unless the seat knows it already or the counter is gone."""
    table = play.table
    seat, place = table.seat, table.threat_places[region]
    looked = table.looked[seat]
    if place < 0 or looked >> place & 1 or table.face_up_threats[place] is not None:
        return
    rules = table.rules
    table.looked = replace_item(table.looked, seat, looked | 1 << place)
    name, slot = rules.seats[seat], rules.slot("threat", place)
    facts = (("seat", name), ("region", table.layout.regions[region]), ("slot", slot))
    play.log.append(event_from_texts("looked", "CC-17", facts, opens=((name, slot),)))


def _turn_up(play: Play, region: int) -> None:
    """Turn the counter face up, unless it is or is gone. In an imagined State its value may be unknown."""
    table = play.table
    place = table.threat_places[region]
    if place < 0 or table.face_up_threats[place] is not None:
        return
    table.face_up_threats = replace_item(table.face_up_threats, place, play.threat[place])
    slot = table.rules.slot("threat", place)
    name, value = table.layout.regions[region], str(play.threat[place])
    facts = (("region", name), ("counter", value), ("slot", slot))
    play.log.append(event_from_texts("observed", "CC-53", facts, opens=((ALL, slot),)))


def free_squares(public: Public) -> int:
    """Return the squares for doubles and towers: empty and not reserved (CC-15)."""
    return public.layout.all_squares & ~(public.occupied | sum(public.reserve))  # no square is reserved twice


def first_placements(public: Public, colour: int) -> Placements:
    """Return the first steps of a colour's complete actions, or if there are none, of partial ones (CC-12)."""
    free = free_squares(public)
    free_for_wall = free | public.reserve[colour]  # a single wall may use its own tower's square (CC-15)
    if public.turns == 1:  # CC-11: only a single wall
        return Placements(walls=free_for_wall)
    hand_size, supply = public.hand_sizes[colour], public.supply(colour)
    squares = free_for_wall if supply else 0
    # a full province has been scored by now, so this excludes full ones
    provinces = public.layout.all_provinces & ~public.scored_provinces if hand_size else 0
    walls = squares_with_second(public, colour, squares) if supply >= 2 else 0  # WW
    cards = provinces
    has_two_provinces = provinces & (provinces - 1)
    if hand_size < 2 or not has_two_provinces:  # CC is impossible, so a wall must follow in the province (CW)
        cards = provinces & public.layout.provinces_touching(squares)
    doubles = 0 if public.double[colour] else free & (free >> 1)
    towers = towers_with_choice = 0
    if not public.tower[colour]:
        placed_towers = sum(public.tower)
        towers = free & ~(placed_towers << 1 | placed_towers >> 1)  # CC-14
        # without a wall left a tower reserves nothing (CC-16), so there is no choice
        if supply and public.rules.edition.reserve_named:  # CC-15
            towers_with_choice = towers & (free << 1) & (free >> 1)
            towers &= ~towers_with_choice
    if walls or cards or doubles or towers or towers_with_choice:
        return new_tuple(Placements, (walls, cards, doubles, towers, towers_with_choice, True))
    return Placements(walls=squares, cards=provinces)  # CC-12: a partial action


def squares_with_second(public: Public, colour: int, squares: int) -> int:
    """Return those of ``squares`` where a first wall leaves a place for a second in another province."""
    if public.rules.edition.reserve_named and squares:  # a wall does not affect other provinces
        layout = public.layout
        leftmost = (squares & -squares).bit_length() - 1
        are_in_several_provinces = squares & ~layout.province_set[layout.province_of[leftmost]]
        return squares if are_in_several_provinces else 0
    squares_found = 0
    is_older_rule = public.rules.edition.second_reckoned
    second_follows = _second_wall_follows_2026_11 if is_older_rule else _second_wall_follows
    for number, province in enumerate(public.layout.province_set):
        inside, elsewhere = squares & province, squares & ~province
        if elsewhere.bit_count() > len(public.keepers):  # more squares than the towers can reserve
            squares_found |= inside
        elif inside:
            harmless = 0 if is_older_rule else _harmless_squares(public, inside, province)
            squares_found |= harmless if elsewhere else 0
            for square in members(inside & ~harmless):
                if second_follows(public, colour, 1 << square, number, elsewhere):
                    squares_found |= 1 << square
    return squares_found


def _harmless_squares(public: Public, squares: int, province: int) -> int:
    """Return the ``squares`` of a province that are not beside a tower; 0 if it has only one empty square."""
    empty = province & ~public.occupied
    has_two_empty = empty & (empty - 1)
    towers = sum([public.tower[colour] for colour in public.keepers])
    return squares & ~(towers << 1 | towers >> 1) if has_two_empty else 0


def _second_wall_follows(public: Public, colour: int, square: int, province: int, _: int) -> bool:
    """Return whether a second wall has a place after a wall of this colour on this square."""
    table = public.draft()
    table.colour, table.first_step, table.first_province = colour, "wall", province
    table.single = replace_item(table.single, colour, table.single[colour] | square)
    table.occupied |= square
    is_full = not table.layout.province_set[province] & ~table.occupied
    if not is_full or not board_joins(table, table.emperors + 1):
        return _has_second_wall(table)
    longer_tables = [table.draft(), table.draft()]
    for longer_table, side in zip(longer_tables, ("left", "right"), strict=True):
        lengthen_wall(longer_table, side)
    return any(map(_has_second_wall, longer_tables))  # the player chooses the side, so either one will do


def _has_second_wall(table: Draft) -> bool:
    """Update what towers reserve on this table, and return whether a second wall has a place."""
    update_reserves(table)
    return bool(second_placements(table).walls)


def _second_wall_follows_2026_11(public: Public, colour: int, square: int, province: int, elsewhere: int) -> bool:
    """Do the same by the rules of 2026-11, which look only at ``elsewhere``, squares that were free before."""
    occupied, colour = public.occupied | square, public.colour
    is_full = not public.layout.province_set[province] & ~occupied
    if is_full and board_joins(public, public.emperors + 1):
        return True
    reserved = reserved_squares(public, occupied)
    return bool(elsewhere & ~(sum(reserved) - reserved[colour]))


def second_placements(public: Public) -> Placements:
    """Return what may be placed as the second step of an action: WW, CC or CW (CC-10)."""
    colour, layout = public.colour, public.layout
    squares = free_squares(public) | public.reserve[colour] if public.supply(colour) else 0
    province_squares = layout.province_set[public.first_province]
    if public.first_step == "wall":
        return new_tuple(Placements, (squares & ~province_squares, 0, 0, 0, 0, True))
    closed_provinces = public.scored_provinces | 1 << public.first_province
    cards = layout.all_provinces & ~closed_provinces if public.hand_sizes[colour] else 0
    return new_tuple(Placements, (squares & province_squares, cards, 0, 0, 0, True))


def place_double(play: Play, left: int, right: int) -> None:
    """Place a double wall, and score a point for each province and each region that it touches (CC-18)."""
    table = play.table
    layout, colour = table.layout, table.colour
    provinces, regions = count_touched(layout, left, right)
    facts: dict[str, str | int] = {
        "colour": table.rules.colours[colour],
        "left": layout.squares[left],
        "right": layout.squares[right],
        "provinces": provinces,
        "regions": regions,
    }
    points = provinces + regions
    play.log.append(event("double", "CC-18", facts, points=((table.rules.owners[colour], points),)))
    squares = 1 << left | 1 << right
    table.double = replace_item(table.double, colour, squares)
    table.occupied |= squares
    table.scores = replace_item(table.scores, colour, table.scores[colour] + points)
    look_at_counter(play, left)
    if regions == 2:
        look_at_counter(play, right)


def count_touched(layout: Layout, left: int, right: int) -> tuple[int, int]:
    """Return how many provinces and regions two squares touch: a double's points (CC-18)."""
    provinces = len({layout.province_of[left], layout.province_of[right]})
    return provinces, len({layout.region_of[left], layout.region_of[right]})


def place_tower(play: Play, square_number: int, named_square: int | None) -> None:
    """Place a tower. It reserves the named square, or the only free neighbour (CC-15)."""
    table = play.table
    layout, colour = table.layout, table.colour
    square = 1 << square_number
    square_to_reserve = 0
    if named_square is not None:
        square_to_reserve = 1 << named_square
    elif table.supply(colour):  # CC-16: without a wall it reserves nothing
        square_to_reserve = (square << 1 | square >> 1) & free_squares(table)
    table.tower = replace_item(table.tower, colour, square)
    table.occupied |= square
    if table.rules.edition.reserve_named:
        table.reserve = replace_item(table.reserve, colour, square_to_reserve)
    else:
        if empty_neighbours(table, square, table.occupied):
            table.keepers = (*table.keepers, colour)
        update_reserves(table)
    reserved = table.reserve[colour]
    facts = {"colour": table.rules.colours[colour], "square": layout.squares[square_number]}
    if reserved:
        facts["reserves"] = layout.squares[reserved.bit_length() - 1]
    play.log.append(event("tower", "CC-15" if reserved else "CC-10", facts))
    look_at_counter(play, square_number)


def place_card(play: Play, kind: int, province: int) -> None:
    """Lay a card face down. Everybody sees its colour and province, but only its owner sees its kind."""
    table = play.table
    colour = table.colour
    colours_with_cards = len(table.hand_sizes) - (1 if table.rules.neutral_colour >= 0 else 0)
    laid_before = len(KINDS) * colours_with_cards - sum(table.hand_sizes)
    card_number = laid_before + 1
    slot = f"{play.link}/card/{card_number:02d}"
    name = table.rules.colours[colour]
    facts = (("colour", name), ("province", table.layout.provinces[province]), ("slot", slot))
    opens = ((table.rules.owners[colour], slot),)
    play.log.append(event_from_texts("card", "CC-10", facts, opens=opens))
    table.hand_sizes = replace_item(table.hand_sizes, colour, table.hand_sizes[colour] - 1)
    table.cards = (*table.cards, new_tuple(Card, (slot, colour, province)))
    play.kinds = (*play.kinds, kind)
    play.hands = replace_item(play.hands, colour, seen(play.hands[colour]) & ~(1 << kind))


def board_joins(public: Public, emperors: int) -> bool:
    """Return whether a board joins after this number of Emperors since the last board (CC-30)."""
    if emperors < EMPERORS_PER_BOARD or not public.box:
        return False
    return len(public.layout.placed) < public.rules.max_boards


def add_board(play: Play, words: list[str]) -> None:
    """Add the next board of the box on the side that the order ``board left`` names, with its counters."""
    table = play.table
    side, board = words[1], table.box[0]
    old_layout = table.layout
    first_place = len(old_layout.provinces)  # the new counters follow those drawn so far
    places = range(first_place, first_place + len(board.provinces))
    reputation = tuple(seen(play.reputation[place]) for place in places)
    threat = tuple(len(old_layout.regions) + i for i in range(len(board.regions)))
    lengthen_wall(table, side)
    if side == "left":
        table.reputation = (*reputation, *table.reputation)
        table.threat_places = (*threat, *table.threat_places)
    else:
        table.reputation = (*table.reputation, *reputation)
        table.threat_places = (*table.threat_places, *threat)
    facts = {
        "seat": table.rules.seats[table.seat],
        "side": side,
        "letter": table.layout.placed[0 if side == "left" else -1].letter,
        "board": board.id,
        "counters": ",".join(str(value) for value in reputation),
    }
    opens = tuple((ALL, table.rules.slot("reputation", place)) for place in places)
    play.log.append(event("board", "CC-31", facts, opens=opens))


def lengthen_wall(table: Draft, side: str) -> None:
    """Put the next board beside the wall, and take its three Emperors off the count. No piece moves (CC-2)."""
    board, table.box = table.box[0], table.box[1:]
    table.layout = layout_of(join_board(table.layout.placed, board, side))
    table.emperors -= EMPERORS_PER_BOARD
    if side == "left":
        _move_right(table, sum(board.provinces), len(board.provinces))


def _move_right(table: Draft, square_count: int, province_count: int) -> None:
    """Renumber squares and provinces, because a board has joined at the left end."""
    for field in ("single", "double", "tower", "reserve"):
        setattr(table, field, tuple([mask << square_count for mask in getattr(table, field)]))
    table.broken <<= square_count
    table.occupied <<= square_count
    table.scored_provinces <<= province_count
    table.queue = tuple(province + province_count for province in table.queue)
    if table.first_province >= 0:
        table.first_province += province_count
    if table.neutral_zone is not None:
        table.neutral_zone = table.neutral_zone._replace(provinces=table.neutral_zone.provinces << province_count)
    table.cards = tuple([c._replace(province=c.province + province_count) for c in table.cards])


def empty_neighbours(public: Public, tower: int, occupied: int) -> int:
    """Return the empty squares beside a tower, as a set."""
    return (tower << 1 | tower >> 1) & public.layout.all_squares & ~occupied


def reserved_squares(public: Public, occupied: int) -> tuple[int, ...]:
    """Return, by colour, the square that its tower reserves when these squares are occupied; 0 for none.

    Each tower, in the order placed, reserves its neighbour if only one is empty, unless an earlier
    tower reserves it already.
    """
    reserved = (0,) * len(public.tower)
    reserved_mask = 0
    for colour in public.keepers:
        squares = empty_neighbours(public, public.tower[colour], occupied)
        is_reservable = squares.bit_count() == 1 and not squares & reserved_mask
        if is_reservable and public.supply(colour):
            reserved = replace_item(reserved, colour, squares)
            reserved_mask |= squares
    return reserved


def update_reserves(table: Draft) -> None:
    table.reserve = reserved_squares(table, table.occupied)


def neutral_squares(public: Public) -> int:
    """Return the squares where the neutral wall may go: free, not reserved, and allowed by the action."""
    zone = public.neutral_zone
    if zone is None or not public.supply(public.rules.neutral_colour):
        return 0
    zone_squares = 0
    for province in members(zone.provinces):
        zone_squares |= public.layout.province_set[province]
    free = free_squares(public)
    return free & zone_squares if zone.is_inside else free & ~zone_squares


def neutral_choices(public: Public) -> tuple[str, ...]:
    """Return the orders for the neutral wall: ``neutral none``, and ``neutral A5`` for each square."""
    names, squares = public.layout.squares, members(neutral_squares(public))
    return ("neutral none", *(f"neutral {names[square]}" for square in squares))


def update_neutral_zone(table: Draft, word: str, provinces: int) -> None:
    """Update where the neutral wall may go, after a step of the action in these provinces.

    It needs ``table.first_step`` as it was before this step.
    """
    is_inside = word in ("wall", "card")
    if word == "wall" and table.stage == "second" and table.first_step == "card":
        is_inside = table.rules.edition.neutral_with_wall
    used_provinces = table.neutral_zone.provinces if table.neutral_zone is not None else 0
    table.neutral_zone = NeutralZone(is_inside, used_provinces | provinces)


def place_neutral(play: Play, words: list[str]) -> tuple[int, ...]:
    """Place a neutral wall, or decline. Return the squares that it fills: one, or () if declined."""
    table = play.table
    table.neutral_zone = None
    seat = table.rules.seats[table.seat]
    if words[1] == "none":
        play.log.append(event_from_texts("neutral-none", "CC-60", (("seat", seat),)))
        return ()
    square, colour = table.layout.square_number[words[1]], table.rules.neutral_colour
    table.single = replace_item(table.single, colour, table.single[colour] | 1 << square)
    table.occupied |= 1 << square
    table.skips = 0  # CC-41: something was placed
    play.log.append(event_from_texts("neutral", "CC-60", (("seat", seat), ("square", words[1]))))
    look_at_counter(play, square)
    return (square,)
