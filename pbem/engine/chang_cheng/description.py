"""Describes board, hand and a seat's secrets as plain data, and the board as lines of text.

Law: everything here is made from a View. Source: CC-7, docs/DESIGN.md "A report", decision 0008.
"""

from collections.abc import Mapping
from typing import Any

from pbem.engine.chang_cheng import sentences
from pbem.engine.chang_cheng.layout import EVENT_NAMES, KINDS, members
from pbem.engine.chang_cheng.rows import party, played_as
from pbem.engine.chang_cheng.state import Public, View
from pbem.engine.row import merge_equal_lines, say


def describe(view: View) -> dict[str, Any]:
    """Return what everybody sees, and what only the View's seat knows: ``hand``, ``mine`` and ``known``."""
    public = view.public
    rules = public.rules
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
        "full": points_when_full(public, province),
        "scored": bool(public.scored_provinces >> province & 1),
        "squares": [squares[i] for i in members(layout.province_set[province])],
        "cards": [public.rules.colours[c.colour] for c in public.cards if c.province == province],
    }


def points_when_full(public: Public, province: int) -> int:
    """Return what a province brings when its free squares have unbroken walls; cards can change it (CC-27)."""
    return (public.layout.province_set[province] & ~public.broken).bit_count() + public.reputation[province]


def _describe_squares(public: Public) -> list[dict[str, Any]]:
    """Describe every square. ``piece`` is "" if it is empty; ``kept`` is the colour whose tower reserves it."""
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
    """Describe a region. ``counter`` is None if it has none or the View's seat does not know it."""
    public, place = view.public, view.public.threat_places[region]
    squares = members(public.layout.region_set[region])
    face_up_value = public.face_up_threats[place] if place >= 0 else None
    known_value = view.threat[place] if place >= 0 else None
    return {
        "name": public.layout.regions[region],
        "first": public.layout.squares[min(squares)],
        "last": public.layout.squares[max(squares)],
        "has_counter": place >= 0,
        "face_up": face_up_value is not None,
        "counter": known_value if face_up_value is None else face_up_value,
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
    """Describe the counters that this seat has looked at; ``region`` is "" if one left the game (CC-17)."""
    public = view.public
    regions = dict(zip(public.threat_places, public.layout.regions, strict=True))
    return [
        {"region": regions.get(place, ""), "value": value}
        for place, value in enumerate(view.threat)
        if value is not None and public.face_up_threats[place] is None
    ]


def board_text(described: Mapping[str, Any]) -> list[str]:
    """Return the lines of the board: events, provinces and regions from left to right, colours' pieces."""
    lines = _game_lines(described)
    lines.append(sentences.PROVINCES)
    lines += [_province_line(province) for province in described["provinces"]]
    lines += _region_lines(described["regions"])
    if described["box"]:
        boards = ", ".join(described["box"])
        lines.append(str(say(sentences.BOX, boards=boards, emperors=described["emperors"])))
    colours, show_points = described["colours"], bool(described["pairs"])
    return lines + merge_equal_lines(
        [colour["colour"] for colour in colours], [_holdings_text(colour, show_points) for colour in colours]
    )


def _game_lines(described: Mapping[str, Any]) -> list[str]:
    """Return a line with the events and the colours of each player, or no line if there are neither."""
    events = ", ".join(described["events"])
    pairs = "; ".join(map(" and ".join, described["pairs"]))
    if events and pairs:
        return [str(say(sentences.EVENTS_AND_PAIRS, events=events, pairs=pairs))]
    if events:
        return [str(say(sentences.EVENTS, events=events))]
    return [str(say(sentences.PAIRS, pairs=pairs))] if pairs else []


def _province_line(province: Mapping[str, Any]) -> str:
    cards = ", ".join(province["cards"])
    if province["scored"]:
        text = sentences.PROVINCE_SCORED_WITH_CARDS if cards else sentences.PROVINCE_SCORED
    else:
        text = sentences.PROVINCE_WITH_CARDS if cards else sentences.PROVINCE
    squares = ", ".join(_square_text(square) for square in province["squares"])
    return str(say(text, name=province["name"], full=province["full"], squares=squares, cards=cards))


def _square_text(square: Mapping[str, Any]) -> str:
    if square["piece"] == "single":
        text = sentences.SINGLE_BROKEN if square["broken"] else sentences.SINGLE
    elif square["piece"]:
        text = sentences.DOUBLE if square["piece"] == "double" else sentences.TOWER
    else:
        text = sentences.FREE_RESERVED if square["kept"] else sentences.FREE
    return str(say(text, **square))


def _region_lines(regions: list[Mapping[str, Any]]) -> list[str]:
    """Return a heading and a line for each region, or one line for all if their counters read the same."""
    counters = [_counter_text(region) for region in regions]
    if len(set(counters)) == 1:
        names = [f"{region['name']} {_squares_text(region)}" for region in regions]
        return [str(say(sentences.ALL_REGIONS, regions=", ".join(names), counter=counters[0]))]
    return [sentences.REGIONS, *map(_region_line, regions)]


def _region_line(region: Mapping[str, Any]) -> str:
    squares, counter = _squares_text(region), _counter_text(region)
    return str(say(sentences.REGION, name=region["name"], squares=squares, counter=counter))


def _squares_text(region: Mapping[str, Any]) -> str:
    first, last = region["first"], region["last"]
    return str(first) if first == last else str(say(sentences.SQUARES, first=first, last=last))


def _counter_text(region: Mapping[str, Any]) -> str:
    value = region["counter"]
    if not region["has_counter"]:
        return sentences.COUNTER_NONE
    if region["face_up"]:
        return str(say(sentences.COUNTER, value=value))
    return sentences.COUNTER_HIDDEN if value is None else str(say(sentences.COUNTER_KNOWN, value=value))


def _holdings_text(colour: Mapping[str, Any], show_points: bool) -> str:
    """Write what a colour has left: ``6 walls, the tower, 1 card; turned up: warrior``."""
    holdings = [_count_text(colour["points"], "point")] if show_points else []  # can break a tie, CC-61
    holdings.append(_count_text(colour["walls"], "wall"))
    if colour["double"]:
        holdings.append(sentences.THE_DOUBLE)
    if colour["tower"]:
        holdings.append(sentences.THE_TOWER)
    if colour["seat"]:
        holdings.append(_count_text(colour["cards"], "card"))
    holdings_text = ", ".join(holdings)
    if not colour["turned_up"]:
        return holdings_text
    return str(say(sentences.TURNED_UP, holdings=holdings_text, cards=", ".join(colour["turned_up"])))


def _count_text(number: int, noun: str) -> str:
    """Write ``1 wall`` or ``2 walls``."""
    singular, plural = sentences.COUNTS[noun]
    return str(say(singular if number == 1 else plural, number=number))
