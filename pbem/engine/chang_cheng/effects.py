"""What each kind of card does, and what its owner can choose. Source: CC-21 to CC-26."""

from collections.abc import Callable
from typing import NamedTuple

from pbem.engine.chang_cheng.layout import BUILDER, FLOOD, KINDS, MANDARIN, TRAITOR, WARRIOR, members
from pbem.engine.chang_cheng.state import Play, Public, Scoring
from pbem.engine.decision import event_from_texts
from pbem.engine.table import replace_item


def _log_card(play: Play, scoring: Scoring, kind: str, ruling: str, **facts: str) -> None:
    """Log what the first card did, with its colour and province."""
    table = play.table
    colour = ("colour", table.rules.colours[scoring.cards[0].colour])
    province = ("province", table.layout.provinces[scoring.province])
    play.log.append(event_from_texts(kind, ruling, (colour, province, *facts.items())))


def warrior_choices(_: Public, scoring: Scoring) -> tuple[str, ...]:
    """Return ``warrior flood`` (for a flood) for each other card that is left."""
    return tuple(f"warrior {KINDS[card.kind]}" for card in scoring.cards[1:])


def do_warrior(play: Play, scoring: Scoring, words: list[str]) -> Scoring:
    """Remove the card that the warrior's owner named."""
    table = play.table
    warrior, *other_cards = scoring.cards
    victim = next(card for card in other_cards if KINDS[card.kind] == words[1])
    facts = (
        ("colour", table.rules.colours[warrior.colour]),
        ("kind", words[1]),
        ("victim", table.rules.colours[victim.colour]),
        ("province", table.layout.provinces[scoring.province]),
    )
    play.log.append(event_from_texts("warrior", "CC-23", facts))
    return scoring._replace(cards=tuple(card for card in scoring.cards if card != victim))


def do_warrior_alone(play: Play, scoring: Scoring) -> Scoring:
    """Log that the warrior does nothing, because there is no other card."""
    _log_card(play, scoring, "warrior-alone", "CC-23")
    return scoring


def traitor_choices(public: Public, scoring: Scoring) -> tuple[str, ...]:
    """Return ``traitor counter AM1`` and ``traitor break A5`` for all possible targets, or ``traitor none``."""
    layout = public.layout
    counters = [
        f"traitor counter {layout.regions[region]}"
        for region in layout.bordering_regions(scoring.province)
        if public.threat_places[region] >= 0
    ]
    unbroken = sum(public.single) & ~public.broken & layout.province_set[scoring.province]
    walls = [f"traitor break {layout.squares[square]}" for square in members(unbroken)]
    return (*counters, *walls) or ("traitor none",)


def do_traitor(play: Play, scoring: Scoring, words: list[str]) -> Scoring:
    """Break a wall, or take a counter away without showing it (CC-7)."""
    table = play.table
    if words[1] == "break":
        square = 1 << table.layout.square_number[words[2]]
        owner = next(c for c, squares in enumerate(table.single) if squares & square)
        table.broken |= square
        facts = {"square": words[2], "owner": table.rules.colours[owner]}
    elif words[1] == "counter":
        facts = {"region": words[2]}
        table.threat_places = replace_item(table.threat_places, table.layout.region_number[words[2]], -1)
    else:
        facts = {}
    _log_card(play, scoring, f"traitor-{words[1]}", "CC-24", **facts)
    return scoring


def do_flood(play: Play, scoring: Scoring, words: list[str]) -> Scoring:
    _log_card(play, scoring, "flood", "CC-25", value=words[1])
    return scoring.with_added_value(int(words[1]))


def do_builder(play: Play, scoring: Scoring, words: list[str]) -> Scoring:
    """Add 2 to the province's value, or a wall to the owner's count for the majority."""
    _log_card(play, scoring, "builder", "CC-25", effect=words[1])
    if words[1] == "value":
        return scoring.with_added_value(2)
    return scoring.with_added_walls(scoring.cards[0].colour, 1)


def mandarin_choices(public: Public, scoring: Scoring) -> tuple[str, ...]:
    """Return ``mandarin A5 B7`` for each possible swap, and ``mandarin none``.

    The square in the province comes first, or the left one if both are in it. In some editions the
    other wall must be in another province.
    """
    singles = sum(public.single) & ~public.broken
    province_squares = public.layout.province_set[scoring.province]
    names = public.layout.squares
    squares_inside = members(singles & province_squares)
    squares_outside = members(singles & ~province_squares)
    partners_inside = () if public.rules.edition.swap_elsewhere else squares_inside
    lines = ["mandarin none"]
    for i, square in enumerate(squares_inside):
        prefix = f"mandarin {names[square]} "
        lines += [prefix + names[partner] for partner in sorted((*partners_inside[i + 1 :], *squares_outside))]
    return tuple(lines)


def do_mandarin(play: Play, scoring: Scoring, words: list[str]) -> Scoring:
    """Swap two walls, or decline. A swap neither scores a province again nor shows a counter."""
    table = play.table
    colours, number = table.rules.colours, table.layout.square_number
    if words[1] == "none":
        _log_card(play, scoring, "mandarin-none", "CC-26")
        return scoring
    square_a, square_b = 1 << number[words[1]], 1 << number[words[2]]
    owner_a, owner_b = (
        next(c for c, squares in enumerate(table.single) if squares & square) for square in (square_a, square_b)
    )
    owners = {"owner_a": colours[owner_a], "owner_b": colours[owner_b]}
    _log_card(play, scoring, "mandarin", "CC-26", a=words[1], b=words[2], **owners)
    single = list(table.single)
    # each owner loses one square and gets the other; if both are one colour, the second line undoes the first
    single[owner_a] ^= square_a | square_b
    single[owner_b] ^= square_a | square_b
    table.single = tuple(single)
    return scoring


def do_master_builder(play: Play, scoring: Scoring) -> Scoring:
    """Add two walls to the owner's count for the majority."""
    _log_card(play, scoring, "master-builder", "CC-25")
    return scoring.with_added_walls(scoring.cards[0].colour, 2)


class Effect(NamedTuple):
    """The effect of one kind of card: the possible orders, how to carry one out, and the number of the rule."""

    choices: Callable[[Public, Scoring], tuple[str, ...]]
    carry_out: Callable[[Play, Scoring, list[str]], Scoring]
    ruling: str


EFFECTS = {
    WARRIOR: Effect(warrior_choices, do_warrior, "CC-23"),
    TRAITOR: Effect(traitor_choices, do_traitor, "CC-24"),
    FLOOD: Effect(lambda *_: ("flood +2", "flood -2"), do_flood, "CC-25"),
    BUILDER: Effect(lambda *_: ("builder value", "builder wall"), do_builder, "CC-25"),
    MANDARIN: Effect(mandarin_choices, do_mandarin, "CC-26"),
}
