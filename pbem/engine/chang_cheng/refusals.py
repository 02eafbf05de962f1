"""Why nothing may be placed there, in words: the reasons behind an order that is not legal.

What must never be here: the check itself (legal.py, ``refused``), which asks for a reason only
where there must be one. Source: CC-10 to CC-12, CC-14, CC-15, CC-17.
"""

from pbem.engine.chang_cheng.layout import KINDS
from pbem.engine.chang_cheng.state import Public
from pbem.engine.decision import Refusal


def no_wall(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """Why this colour's single wall may not go there."""
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


def no_double(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """Why its double wall may not."""
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


def no_tower(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """Why its tower may not, with this square to reserve or none."""
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


def no_card(public: Public, numbers: tuple[int, ...], hand: int) -> Refusal:
    """Why this card may not lie there; ``hand`` is the asking seat's own."""
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
