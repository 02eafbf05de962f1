"""Influence: what a colour's cards in play at a site are worth, less the marker placed there.

Source: GW-10, GW-12, GW-23, GW-24.
"""

from pbem.engine.great_wall import guard, noble
from pbem.engine.great_wall.parts import GUARD, WORTH

#: cards in play: (colour, kind) each
InPlay = list[tuple[int, int]]


def influence(in_play: InPlay, owner: int, marker: int, colours: int) -> tuple[int | None, ...]:
    """By colour; None for one that has no card in play (GW-12).

    ``owner`` is the colour that has placed ``marker`` on a card of its own, -1 for none.
    """
    found: list[int | None] = [None] * colours
    each = noble.EACH if noble.reigns(in_play) else 0
    guards = [0] * colours
    for colour, kind in in_play:
        found[colour] = (found[colour] or 0) + (each or WORTH[kind])
        if kind == GUARD and not each:
            guards[colour] += 1
    for colour, number in enumerate(guards):
        if number:
            found[colour] = (found[colour] or 0) + guard.worth(number)
    if owner >= 0:
        found[owner] = (found[owner] or 0) - marker
    return tuple(found)


def made_of(in_play: InPlay, colour: int) -> tuple[tuple[int, int, int], ...]:
    """How a colour's cards add up: (kind, how many, what they are worth together) for each kind."""
    each = noble.EACH if noble.reigns(in_play) else 0
    kinds = [kind for whose, kind in in_play if whose == colour]
    return tuple(
        (kind, kinds.count(kind), _together(kind, kinds.count(kind), each))
        for kind in sorted(set(kinds))
    )


def _together(kind: int, number: int, each: int) -> int:
    if kind == GUARD and not each:
        return guard.worth(number)
    return number * (each or WORTH[kind])
