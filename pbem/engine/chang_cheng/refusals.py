"""Why nothing may be placed there: the reasons behind an order that is not legal.

What must never be here: the check itself (legal.py, ``refused``), which asks for a reason only
where there must be one; a sentence (sentences.py). Source: CC-10 to CC-12, CC-14, CC-15, CC-17.
"""

from typing import Any

from pbem.engine.chang_cheng import sentences
from pbem.engine.chang_cheng.layout import KINDS
from pbem.engine.chang_cheng.state import Public
from pbem.engine.decision import Refusal
from pbem.engine.row import Sentence


def refusal(ruling: str, text: str, **values: Any) -> Refusal:
    """A refusal with its sentence; ``text`` is one of sentences.py."""
    return Refusal(ruling, Sentence(text, values))


def no_wall(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """Why this colour's single wall may not go there."""
    square, colour = numbers[0], public.colour
    taken = square_refused(public, square, for_wall_of=colour)
    if taken is not None:
        return taken
    if not public.supply(colour):
        return refusal("CC-10", sentences.NO_WALL_LEFT)
    layout = public.layout
    if public.stage == "second":
        here = layout.provinces[public.where]
        walls = public.first == "wall"
        text = sentences.WALLS_APART if walls else sentences.WALL_AFTER_CARD
        return refusal("CC-10", text, province=here)
    return refusal("CC-12", sentences.NO_SECOND_WALL, square=layout.squares[square])


def square_refused(public: Public, square: int, for_wall_of: int | None) -> Refusal | None:
    """Why nothing may go on a square: it is taken, or a tower reserves it (CC-15).

    ``for_wall_of``: the colour of a single wall, which its own tower's square is free for.
    """
    name = public.layout.squares[square]
    if public.taken >> square & 1:
        return refusal("CC-10", sentences.TAKEN, square=name)
    for colour, reserved in enumerate(public.reserve):
        if reserved >> square & 1 and colour != for_wall_of:
            owner = public.rules.colours[colour]
            return refusal("CC-15", sentences.RESERVED, square=name, colour=owner)
    return None


def no_double(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """Why its double wall may not."""
    if public.double[public.colour]:
        return refusal("CC-10", sentences.DOUBLE_PLACED)
    for square in numbers:
        refused = square_refused(public, square, for_wall_of=None)
        if refused is not None:
            return refused
    if public.turns == 1:
        return refusal("CC-11", sentences.FIRST_TURN)
    return refusal("CC-10", sentences.DOUBLE_ALONE)


def no_tower(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """Why its tower may not, with this square to reserve or none."""
    square = numbers[0]
    if public.tower[public.colour]:
        return refusal("CC-10", sentences.TOWER_PLACED)
    refused = square_refused(public, square, for_wall_of=None)
    if refused is not None:
        return refused
    name = public.layout.squares[square]
    if any((tower << 1 | tower >> 1) >> square & 1 for tower in public.tower):
        return refusal("CC-14", sentences.TOWERS_APART, square=name)
    if public.turns == 1:
        return refusal("CC-11", sentences.FIRST_TURN)
    if public.stage == "second":
        return refusal("CC-10", sentences.TOWER_ALONE)
    if len(numbers) == 2:
        named = public.rules.edition.reserve_named
        text = sentences.NO_CHOICE if named else sentences.NONE_NAMED
        return refusal("CC-15", text, square=name)
    left, right = (public.layout.reserving(square, step) for step in (-1, 1))
    return refusal("CC-15", sentences.WHICH_SQUARE, left=left, right=right)


def no_card(public: Public, numbers: tuple[int, ...], hand: int) -> Refusal:
    """Why this card may not lie there; ``hand`` is the asking seat's own."""
    kind, province = numbers
    name = public.layout.provinces[province]
    if not hand >> kind & 1:
        return refusal("CC-10", sentences.NOT_HELD, kind=KINDS[kind])
    if public.scored >> province & 1:
        return refusal("CC-10", sentences.COMPLETED, province=name)
    if public.turns == 1:
        return refusal("CC-11", sentences.FIRST_TURN)
    if public.stage == "second":
        walls = public.first == "wall"
        text = sentences.CARD_FIRST if walls else sentences.CARDS_APART
        return refusal("CC-10", text, province=name)
    return refusal("CC-12", sentences.NOTHING_AFTER_CARD, province=name)
