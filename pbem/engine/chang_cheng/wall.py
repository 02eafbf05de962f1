"""``wall A5``: one single wall. Source: CC-10, CC-12, CC-15, CC-17."""

from pbem.engine.chang_cheng.look import look
from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.chang_cheng.state import Public
from pbem.engine.decision import Refusal
from pbem.engine.event import plain_event


def refused(public: Public, numbers: tuple[int, ...]) -> Refusal | None:
    """Why it may not go there now; None if it may."""
    if public.asked.can.walls >> numbers[0] & 1:
        return None
    return _why_not(public, numbers)


def _why_not(public: Public, numbers: tuple[int, ...]) -> Refusal:
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


def do(play: Play, numbers: tuple[int, ...]) -> None:
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
