"""Board, hand and scores for a report's template, line by line, as one seat may see them.

Law: everything here is made of a View. Source: CC-7, docs/DESIGN.md "A report".
"""

from typing import Any

from pbem.engine.chang_cheng.layout import EVENTS, KINDS, MANDARIN, members
from pbem.engine.chang_cheng.state import Public, View

CARD_TEXT = {
    "warrior": "removes one other card in its province",
    "traitor": "breaks a single wall there, or takes a bordering region's counter away",
    "flood": "its province is worth 2 more or 2 less",
    "builder": "its province is worth 2 more, or counts you one wall more",
    "master-builder": "counts you two walls more",
    "mandarin": "may swap a single wall there with any other",
}
SWAP_ELSEWHERE = "may swap a single wall there with one of another province"


def describe(view: View) -> dict[str, Any]:
    """For a report's template: ``board`` (what everybody sees, in lines), and what the seat
    alone knows.
    """
    return {
        "board": board_lines(view),
        "colours": _own_colours(view),
        "hand": _hand(view),
        "mine": _own_cards(view),
        "known": _known_counters(view),
    }


def board_lines(view: View) -> list[str]:
    """The board from left to right, a line a province and a region, then each colour's pieces."""
    public = view.public
    left = max(0, public.rules.boards - len(public.layout.placed))
    box = [board.id for board in public.box][:left]
    lines = [*_in_play(public), "(province, its counter: its squares)"]
    lines += [_province_line(view, i) for i in range(len(public.layout.provinces))]
    lines += [_region_line(view, i) for i in range(len(public.layout.regions))]
    if box:
        lines.append(
            f"Still in the box: {', '.join(box)}. Emperors since the last board: {public.emperors}."
        )
    return lines + [_colour_line(view, colour) for colour in range(len(public.rules.colours))]


def _in_play(public: Public) -> list[str]:
    """The events, and which colours go together, where there are such."""
    rules = public.rules
    lines = (
        [f"Events: {', '.join(EVENTS[letter] for letter in rules.events)}."] if rules.events else []
    )
    if len(rules.own[0]) > 1:
        pairs = [" and ".join(rules.colours[colour] for colour in own) for own in rules.own]
        lines.append(f"Colours of one player: {'; '.join(pairs)}.")
    return lines


def _province_line(view: View, province: int) -> str:
    public = view.public
    layout = public.layout
    squares = ", ".join(
        f"{layout.squares[i]} {_on_square(view, i)}" for i in members(layout.province_set[province])
    )
    mark = ", scored" if public.scored >> province & 1 else ""
    cards = [public.rules.colours[c.colour] for c in public.cards if c.province == province]
    lying = f"; cards: {', '.join(cards)}" if cards else ""
    return f"{layout.provinces[province]}  {public.reputation[province]:+d}{mark}: {squares}{lying}"


def _on_square(view: View, square: int) -> str:
    public = view.public
    bit = 1 << square
    for colour, name in enumerate(public.rules.colours):
        if public.broken & public.single[colour] & bit:
            return f"{name} (broken)"
        if public.single[colour] & bit:
            return name
        if public.double[colour] & bit:
            return f"{name} double"
        if public.tower[colour] & bit:
            return f"{name} tower"
        if public.reserve[colour] & bit:
            return f"free (kept for {name})"
    return "free"


def _region_line(view: View, region: int) -> str:
    public = view.public
    members_of = members(public.layout.region_set[region])
    first, last = public.layout.squares[members_of[0]], public.layout.squares[members_of[-1]]
    place = public.threat[region]
    if place < 0:
        counter = "no counter"
    elif public.turned[place] is not None:
        counter = f"counter {public.turned[place]}"
    elif view.threat[place] is not None:
        counter = f"counter face down (you know: {view.threat[place]})"
    else:
        counter = "counter face down"
    squares = first if first == last else f"{first} to {last}"
    return f"{public.layout.regions[region]}  {squares}: {counter}"


def _colour_line(view: View, colour: int) -> str:
    """``red: 6 walls, the tower, 1 card; turned up: warrior``."""
    public = view.public
    has = [_number(public.supply(colour), "wall")]
    if len(public.rules.own[0]) > 1:  # a tie is for the best single colour, CC-61
        has.insert(0, _number(public.scores[colour], "point"))
    if colour == public.rules.neutral:
        return f"neutral: {has[0]}"
    has += [] if public.double[colour] else ["the double"]
    has += [] if public.tower[colour] else ["the tower"]
    has.append(_number(public.held[colour], "card"))
    out = [KINDS[kind] for kind in members(public.out[colour])]
    shown = f"; turned up: {', '.join(out)}" if out else ""
    return f"{public.rules.colours[colour]}: {', '.join(has)}{shown}"


def _number(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _hand(view: View) -> list[dict[str, str]]:
    """The cards in the seat's hand; whose they are where it has two colours (CC-61)."""
    return [
        {"kind": f"{_of(view, colour)}{KINDS[kind]}", "text": _does(view, kind)}
        for colour, hand in enumerate(view.hands)
        for kind in members(hand or 0)
    ]


def _does(view: View, kind: int) -> str:
    """One line for a card, as this edition has it."""
    if kind == MANDARIN and view.public.rules.edition.swap_elsewhere:
        return SWAP_ELSEWHERE
    return CARD_TEXT[KINDS[kind]]


def _own_colours(view: View) -> list[str]:
    """The two colours of the View's seat (CC-61); none where a seat has one."""
    rules = view.public.rules
    own = () if view.seat is None else rules.own[view.seat]
    return [rules.colours[colour] for colour in own] if len(own) > 1 else []


def _of(view: View, colour: int) -> str:
    """``blue's `` where the seat has two colours."""
    public = view.public
    two = view.seat is not None and len(public.rules.own[view.seat]) > 1
    return f"{public.rules.colours[colour]}'s " if two else ""


def _own_cards(view: View) -> list[str]:
    return [
        f"{_of(view, card.colour)}{KINDS[kind]} face down in"
        f" {view.public.layout.provinces[card.province]}"
        for card, kind in zip(view.public.cards, view.kinds, strict=True)
        if kind is not None
    ]


def _known_counters(view: View) -> list[str]:
    """Counters this seat has looked at; of those that left the game too (CC-17)."""
    public = view.public
    known = []
    for place, value in enumerate(view.threat):
        if value is None or public.turned[place] is not None:
            continue
        if place in public.threat:
            known.append(f"{public.layout.regions[public.threat.index(place)]} {value}")
        else:
            known.append(f"one taken away {value}")
    return known
