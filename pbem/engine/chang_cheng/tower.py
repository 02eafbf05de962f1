"""``tower A5``, ``tower A5 reserve A6``: the tower. Source: CC-10, CC-14, CC-15, CC-16."""

from pbem.engine.chang_cheng import reservations
from pbem.engine.chang_cheng.look import look
from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.chang_cheng.possible import free_squares
from pbem.engine.chang_cheng.state import Public
from pbem.engine.chang_cheng.wall import square_refused
from pbem.engine.decision import Refusal
from pbem.engine.event import event


def refused(public: Public, numbers: tuple[int, ...]) -> Refusal | None:
    """Why it may not stand there now, with this reservation named or none; None if it may."""
    can = public.asked.can
    if (can.towers if len(numbers) == 1 else can.choosing) >> numbers[0] & 1:
        return None
    return _why_not(public, numbers)


def _why_not(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """In words, why it may not."""
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


def do(play: Play, numbers: tuple[int, ...]) -> None:
    """Place it; it reserves the square named, or the one empty square beside it (CC-15)."""
    table = play.table
    layout, colour = table.layout, table.colour
    square = 1 << numbers[0]
    named = 1 << numbers[1] if len(numbers) == 2 else _only_neighbour(table, square)
    table.tower = put(table.tower, colour, square)
    table.taken |= square
    if table.rules.edition.reserve_named:
        table.reserve = put(table.reserve, colour, named)
    else:
        if reservations.beside(table, square, table.taken):
            table.keepers = (*table.keepers, colour)
        reservations.afresh(table)
    reserved = table.reserve[colour]
    facts = {"colour": table.rules.colours[colour], "square": layout.squares[numbers[0]]}
    if reserved:
        facts["reserves"] = layout.squares[reserved.bit_length() - 1]
    play.log.append(event("tower", "CC-15" if reserved else "CC-10", facts))
    look(play, numbers[:1])


def _only_neighbour(public: Public, square: int) -> int:
    """The one free square beside it, 0 if none or if the colour has no single wall (CC-16)."""
    if not public.supply(public.colour):
        return 0
    return (square << 1 | square >> 1) & free_squares(public)
