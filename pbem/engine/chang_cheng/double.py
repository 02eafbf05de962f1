"""``double A5 A6``: the double wall. Source: CC-10, CC-15, CC-18."""

from pbem.engine.chang_cheng.log import Log, put
from pbem.engine.chang_cheng.looking import look
from pbem.engine.chang_cheng.possible import Possible
from pbem.engine.chang_cheng.state import Public, State
from pbem.engine.chang_cheng.wall import colour_name, reserved_by
from pbem.engine.decision import Refusal
from pbem.engine.event import event


def allowed(can: Possible, numbers: tuple[int, ...]) -> bool:
    """Whether the double may lie on these two squares now."""
    return bool(can.doubles >> numbers[0] & 1)


def why_not(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """In words, why it may not."""
    if public.double[public.active()]:
        return Refusal("CC-10", "you have placed your double wall already")
    for square in numbers:
        name = public.layout.squares[square]
        if public.taken >> square & 1:
            return Refusal("CC-10", f"{name} is taken already")
        holder = reserved_by(public, square)
        if holder is not None:
            return Refusal("CC-15", f"{name} is reserved for a single wall of {colour_name(public, holder)}")
    if public.turns == 1:
        return Refusal("CC-11", "the first turn of the game is one single wall and nothing else")
    return Refusal("CC-10", "a double wall is an action of its own: this turn has begun with another")


def do(state: State, numbers: tuple[int, ...], log: Log) -> State:
    """Place it, and score a point for each province and each region it touches (CC-18)."""
    public = state.public
    layout, colour = public.layout, public.active()
    squares = 1 << numbers[0] | 1 << numbers[1]
    provinces = layout.touched(layout.province_set, squares)
    regions = layout.touched(layout.region_set, squares)
    points = provinces.bit_count() + regions.bit_count()
    name = public.rules.colours[colour]
    facts = {
        "colour": name,
        "left": layout.squares[numbers[0]],
        "right": layout.squares[numbers[1]],
        "provinces": provinces.bit_count(),
        "regions": regions.bit_count(),
    }
    log.append(event("double", "CC-18", facts, points=((name, points),)))
    public = public._replace(
        double=put(public.double, colour, squares),
        taken=public.taken | squares,
        scores=put(public.scores, colour, public.scores[colour] + points),
    )
    return state._replace(public=look(public, squares, log))
