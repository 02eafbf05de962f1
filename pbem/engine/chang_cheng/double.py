"""``double A5 A6``: the double wall. Source: CC-10, CC-15, CC-18."""

from pbem.engine.chang_cheng.look import look
from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.chang_cheng.state import Public
from pbem.engine.chang_cheng.wall import square_refused
from pbem.engine.decision import Refusal
from pbem.engine.event import event


def refused(public: Public, numbers: tuple[int, ...]) -> Refusal | None:
    """Why it may not go there now; None if it may."""
    if public.asked.can.doubles >> numbers[0] & 1:
        return None
    return _why_not(public, numbers)


def _why_not(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """In words, why it may not."""
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


def do(play: Play, numbers: tuple[int, ...]) -> None:
    """Place it, and score a point for each province and each region it touches (CC-18)."""
    table = play.table
    layout, colour = table.layout, table.colour
    squares = 1 << numbers[0] | 1 << numbers[1]
    provinces = len({layout.province_of[square] for square in numbers})
    regions = len({layout.region_of[square] for square in numbers})
    facts: dict[str, str | int] = {
        "colour": table.rules.colours[colour],
        "left": layout.squares[numbers[0]],
        "right": layout.squares[numbers[1]],
        "provinces": provinces,
        "regions": regions,
    }
    points = provinces + regions
    play.log.append(event("double", "CC-18", facts, points=((table.rules.owner[colour], points),)))
    table.double = put(table.double, colour, squares)
    table.taken |= squares
    table.scores = put(table.scores, colour, table.scores[colour] + points)
    look(play, numbers)
