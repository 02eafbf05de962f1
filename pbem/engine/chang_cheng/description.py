"""Board, hand and what a seat alone knows, as one seat may see them: data, and the drawn board.

Law: everything here is made of a View. Source: CC-7, docs/DESIGN.md "A report", decision 0008.
"""

from collections.abc import Mapping
from typing import Any

from pbem.engine.chang_cheng.layout import EVENT_NAMES, KINDS, members
from pbem.engine.chang_cheng.rows import party, played_as
from pbem.engine.chang_cheng.state import Public, View
from pbem.engine.row import merge_equal_lines


def describe(view: View) -> dict[str, Any]:
    """What everybody sees, then what the View's seat alone knows: nothing for a spectator."""
    public, rules = view.public, view.public.rules
    boards_to_come = max(0, rules.max_boards - len(public.layout.placed))
    own_colours = () if view.seat is None else rules.colours_by_seat[view.seat]
    squares = _describe_squares(public)
    return {
        "events": [EVENT_NAMES[letter] for letter in rules.events],
        "pairs": [[rules.colours[c] for c in pair] for pair in rules.colours_by_seat if len(pair) > 1],
        "provinces": [_describe_province(public, i, squares) for i in range(len(public.layout.provinces))],
        "regions": [_describe_region(view, i) for i in range(len(public.layout.regions))],
        "box": [board.id for board in public.box][:boards_to_come],
        "emperors": public.emperors,
        "colours": [_describe_colour(view, colour) for colour in range(len(rules.colours))],
        "own": [rules.colours[colour] for colour in own_colours],
        "swap_elsewhere": rules.edition.swap_elsewhere,
        "hand": [
            {"kind": KINDS[kind], "colour": played_as(view, colour)}
            for colour, hand in enumerate(view.hands)
            for kind in members(hand or 0)
        ],
        "mine": [
            {
                "kind": KINDS[kind],
                "colour": played_as(view, card.colour),
                "province": public.layout.provinces[card.province],
            }
            for card, kind in zip(public.cards, view.kinds, strict=True)
            if kind is not None
        ],
        "known": _describe_known_counters(view),
    }


def _describe_province(public: Public, province: int, squares: list[dict[str, Any]]) -> dict[str, Any]:
    layout = public.layout
    return {
        "name": layout.provinces[province],
        "reputation": public.reputation[province],
        "scored": bool(public.scored_provinces >> province & 1),
        "squares": [squares[i] for i in members(layout.province_set[province])],
        "cards": [public.rules.colours[c.colour] for c in public.cards if c.province == province],
    }


def _describe_squares(public: Public) -> list[dict[str, Any]]:
    """``piece`` is "" where one is free; ``kept`` is then the colour whose tower keeps it."""
    free_square = {"owner": "", "piece": "", "broken": False, "kept": ""}
    squares = [{"name": name, **free_square} for name in public.layout.squares]
    for colour, name in enumerate(public.rules.colours):
        for piece in ("single", "double", "tower"):
            for square in members(getattr(public, piece)[colour]):
                squares[square] |= {"owner": name, "piece": piece}
        for square in members(public.broken & public.single[colour]):
            squares[square]["broken"] = True
        for square in members(public.reserve[colour] & ~public.occupied):
            squares[square]["kept"] = name
    return squares


def _describe_region(view: View, region: int) -> dict[str, Any]:
    """``counter`` is None where the View's seat does not know it, or there is none."""
    public, place = view.public, view.public.threat_places[region]
    squares = [public.layout.squares[i] for i in members(public.layout.region_set[region])]
    is_face_up = place >= 0 and public.face_up_threats[place] is not None
    return {
        "name": public.layout.regions[region],
        "first": squares[0],
        "last": squares[-1],
        "has_counter": place >= 0,
        "face_up": is_face_up,
        "counter": None if place < 0 else public.face_up_threats[place] if is_face_up else view.threat[place],
    }


def _describe_colour(view: View, colour: int) -> dict[str, Any]:
    public = view.public
    is_neutral = colour == public.rules.neutral_colour
    return {
        **party(public.rules.colours[colour], view),
        "points": public.scores[colour],
        "walls": public.supply(colour),
        "double": not is_neutral and not public.double[colour],
        "tower": not is_neutral and not public.tower[colour],
        "cards": public.hand_sizes[colour],
        "turned_up": [KINDS[kind] for kind in members(public.kinds_out[colour])],
    }


def _describe_known_counters(view: View) -> list[dict[str, Any]]:
    """Counters this seat has looked at; ``region`` is "" for those that left the game (CC-17)."""
    public = view.public
    regions = dict(zip(public.threat_places, public.layout.regions, strict=True))
    return [
        {"region": regions.get(place, ""), "value": value}
        for place, value in enumerate(view.threat)
        if value is not None and public.face_up_threats[place] is None
    ]


def board_text(described: Mapping[str, Any]) -> list[str]:
    """The board from left to right, a line a province and a region, then each colour's pieces."""
    events, pairs = ", ".join(described["events"]), map(" and ".join, described["pairs"])
    clauses = [f"events: {events}"] if events else []
    clauses += [f"colours of each player: {'; '.join(pairs)}"] if described["pairs"] else []
    lines = [f"{text[0].upper()}{text[1:]}" for text in ["; ".join(clauses)] if text]
    lines.append("Province, what its counter adds: its squares")
    lines += [_province_line(province) for province in described["provinces"]]
    regions = described["regions"]
    if len({_counter_text(region) for region in regions}) > 1:
        lines.append("Region, its squares: its counter")
        lines += [f"{region['name']}  {_square_range(region)}: {_counter_text(region)}" for region in regions]
    else:  # at the beginning
        region_names = [f"{region['name']} {_square_range(region)}" for region in regions]
        lines += [f"Regions: {line}" for line in merge_equal_lines(region_names, [*map(_counter_text, regions)])]
    if described["box"]:
        emperors = f"emperors since the last board: {described['emperors']}"
        lines.append(f"In the box: {', '.join(described['box'])}; {emperors}")
    colours, show_points = described["colours"], bool(described["pairs"])
    return lines + merge_equal_lines(
        [colour["colour"] for colour in colours], [_holdings_text(colour, show_points) for colour in colours]
    )


def _province_line(province: Mapping[str, Any]) -> str:
    squares = ", ".join(f"{square['name']} {_square_text(square)}" for square in province["squares"])
    scored = ", scored" if province["scored"] else ""
    cards = f"; cards: {', '.join(province['cards'])}" if province["cards"] else ""
    return f"{province['name']}  {province['reputation']:+d}{scored}: {squares}{cards}"


def _square_text(square: Mapping[str, Any]) -> str:
    if not square["piece"]:
        return f"free (kept for {square['kept']})" if square["kept"] else "free"
    if square["piece"] == "single":
        return f"{square['owner']} (broken)" if square["broken"] else str(square["owner"])
    return f"{square['owner']} {square['piece']}"


def _square_range(region: Mapping[str, Any]) -> str:
    first, last = region["first"], region["last"]
    return str(first) if first == last else f"{first} to {last}"


def _counter_text(region: Mapping[str, Any]) -> str:
    value = region["counter"]
    if not region["has_counter"]:
        return "no counter"
    if region["face_up"]:
        return f"counter {value}"
    return f"counter face down{'' if value is None else f' (you know: {value})'}"


def _holdings_text(colour: Mapping[str, Any], show_points: bool) -> str:
    """``6 walls, the tower, 1 card; turned up: warrior``."""
    holdings = [_count_text(colour["points"], "point")] if show_points else []  # the best colour counts, CC-61
    holdings.append(_count_text(colour["walls"], "wall"))
    holdings += [f"the {piece}" for piece in ("double", "tower") if colour[piece]]
    holdings += [_count_text(colour["cards"], "card")] if colour["seat"] else []
    turned_up_text = f"; turned up: {', '.join(colour['turned_up'])}" if colour["turned_up"] else ""
    return f"{', '.join(holdings)}{turned_up_text}"


def _count_text(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
