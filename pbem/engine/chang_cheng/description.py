"""Board, hand and what a seat alone knows, as one seat may see them: data, and the drawn board.

Law: everything here is made of a View. Source: CC-7, docs/DESIGN.md "A report", decision 0008.
"""

from collections.abc import Mapping
from typing import Any

from pbem.engine.chang_cheng.layout import EVENTS, KINDS, members
from pbem.engine.chang_cheng.rows import party, played_as
from pbem.engine.chang_cheng.state import Public, View
from pbem.engine.row import each_has


def describe(view: View) -> dict[str, Any]:
    """What everybody sees, then what the View's seat alone knows: nothing for a spectator."""
    public, rules = view.public, view.public.rules
    left = max(0, rules.boards - len(public.layout.placed))
    own = () if view.seat is None else rules.own[view.seat]
    squares = _squares_of(public)
    return {
        "events": [EVENTS[letter] for letter in rules.events],
        "pairs": [[rules.colours[c] for c in pair] for pair in rules.own if len(pair) > 1],
        "provinces": [_province(public, i, squares) for i in range(len(public.layout.provinces))],
        "regions": [_region(view, i) for i in range(len(public.layout.regions))],
        "box": [board.id for board in public.box][:left],
        "emperors": public.emperors,
        "colours": [_colour(view, colour) for colour in range(len(rules.colours))],
        "own": [rules.colours[colour] for colour in own],
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
        "known": _known_counters(view),
    }


def _province(public: Public, province: int, squares: list[dict[str, Any]]) -> dict[str, Any]:
    layout = public.layout
    return {
        "name": layout.provinces[province],
        "reputation": public.reputation[province],
        "scored": bool(public.scored >> province & 1),
        "squares": [squares[i] for i in members(layout.province_set[province])],
        "cards": [public.rules.colours[c.colour] for c in public.cards if c.province == province],
    }


def _squares_of(public: Public) -> list[dict[str, Any]]:
    """``piece`` is "" where one is free; ``kept`` is then the colour whose tower keeps it."""
    free = {"owner": "", "piece": "", "broken": False, "kept": ""}
    found = [{"name": name, **free} for name in public.layout.squares]
    for colour, name in enumerate(public.rules.colours):
        for piece in ("single", "double", "tower"):
            for square in members(getattr(public, piece)[colour]):
                found[square] |= {"owner": name, "piece": piece}
        for square in members(public.broken & public.single[colour]):
            found[square]["broken"] = True
        for square in members(public.reserve[colour] & ~public.taken):
            found[square]["kept"] = name
    return found


def _region(view: View, region: int) -> dict[str, Any]:
    """``counter`` is None where the View's seat does not know it, or there is none."""
    public, place = view.public, view.public.threat[region]
    squares = [public.layout.squares[i] for i in members(public.layout.region_set[region])]
    up = place >= 0 and public.turned[place] is not None
    return {
        "name": public.layout.regions[region],
        "first": squares[0],
        "last": squares[-1],
        "has_counter": place >= 0,
        "face_up": up,
        "counter": None if place < 0 else public.turned[place] if up else view.threat[place],
    }


def _colour(view: View, colour: int) -> dict[str, Any]:
    public = view.public
    neutral = colour == public.rules.neutral
    return {
        **party(public.rules.colours[colour], view),
        "points": public.scores[colour],
        "walls": public.supply(colour),
        "double": not neutral and not public.double[colour],
        "tower": not neutral and not public.tower[colour],
        "cards": public.held[colour],
        "turned_up": [KINDS[kind] for kind in members(public.out[colour])],
    }


def _known_counters(view: View) -> list[dict[str, Any]]:
    """Counters this seat has looked at; ``region`` is "" for those that left the game (CC-17)."""
    public = view.public
    regions = dict(zip(public.threat, public.layout.regions, strict=True))
    return [
        {"region": regions.get(place, ""), "value": value}
        for place, value in enumerate(view.threat)
        if value is not None and public.turned[place] is None
    ]


def board_text(described: Mapping[str, Any]) -> list[str]:
    """The board from left to right, a line a province and a region, then each colour's pieces."""
    events, pairs = ", ".join(described["events"]), map(" and ".join, described["pairs"])
    said = [f"events: {events}"] if events else []
    said += [f"colours of each player: {'; '.join(pairs)}"] if described["pairs"] else []
    lines = [f"{text[0].upper()}{text[1:]}" for text in ["; ".join(said)] if text]
    lines.append("Province, what its counter adds: its squares")
    lines += [_province_line(province) for province in described["provinces"]]
    regions = described["regions"]
    if len({_counter(region) for region in regions}) > 1:
        lines.append("Region, its squares: its counter")
        lines += [f"{x['name']}  {_squares(x)}: {_counter(x)}" for x in regions]
    else:  # at the beginning
        named = [f"{x['name']} {_squares(x)}" for x in regions]
        lines += [f"Regions: {one}" for one in each_has(named, [*map(_counter, regions)])]
    if described["box"]:
        emperors = f"emperors since the last board: {described['emperors']}"
        lines.append(f"In the box: {', '.join(described['box'])}; {emperors}")
    colours, points = described["colours"], bool(described["pairs"])
    return lines + each_has([x["colour"] for x in colours], [_has(x, points) for x in colours])


def _province_line(province: Mapping[str, Any]) -> str:
    squares = ", ".join(f"{square['name']} {_on(square)}" for square in province["squares"])
    scored = ", scored" if province["scored"] else ""
    cards = f"; cards: {', '.join(province['cards'])}" if province["cards"] else ""
    return f"{province['name']}  {province['reputation']:+d}{scored}: {squares}{cards}"


def _on(square: Mapping[str, Any]) -> str:
    if not square["piece"]:
        return f"free (kept for {square['kept']})" if square["kept"] else "free"
    if square["piece"] == "single":
        return f"{square['owner']} (broken)" if square["broken"] else str(square["owner"])
    return f"{square['owner']} {square['piece']}"


def _squares(region: Mapping[str, Any]) -> str:
    first, last = region["first"], region["last"]
    return str(first) if first == last else f"{first} to {last}"


def _counter(region: Mapping[str, Any]) -> str:
    value = region["counter"]
    if not region["has_counter"]:
        return "no counter"
    if region["face_up"]:
        return f"counter {value}"
    return f"counter face down{'' if value is None else f' (you know: {value})'}"


def _has(colour: Mapping[str, Any], points: bool) -> str:
    """``6 walls, the tower, 1 card; turned up: warrior``."""
    has = [_number(colour["points"], "point")] if points else []  # the best colour counts, CC-61
    has.append(_number(colour["walls"], "wall"))
    has += [f"the {piece}" for piece in ("double", "tower") if colour[piece]]
    has += [_number(colour["cards"], "card")] if colour["seat"] else []
    shown = f"; turned up: {', '.join(colour['turned_up'])}" if colour["turned_up"] else ""
    return f"{', '.join(has)}{shown}"


def _number(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
