"""``tower A5``, ``tower A5 reserve A6``: the tower. Source: CC-10, CC-14, CC-15, CC-16."""

from pbem.engine.chang_cheng.log import Log, put
from pbem.engine.chang_cheng.looking import look
from pbem.engine.chang_cheng.possible import Possible, free_squares
from pbem.engine.chang_cheng.state import Public, State
from pbem.engine.chang_cheng.wall import colour_name, reserved_by
from pbem.engine.decision import Refusal
from pbem.engine.event import event


def allowed(can: Possible, numbers: tuple[int, ...]) -> bool:
    """Whether the tower may stand here now, with this reservation named or none."""
    if len(numbers) == 1:
        return bool(can.towers >> numbers[0] & 1)
    return bool(can.choosing >> numbers[0] & 1)


def why_not(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """In words, why it may not."""
    square = numbers[0]
    name = public.layout.squares[square]
    if public.tower[public.active()]:
        return Refusal("CC-10", "you have placed your tower already")
    if public.taken >> square & 1:
        return Refusal("CC-10", f"{name} is taken already")
    holder = reserved_by(public, square)
    if holder is not None:
        return Refusal("CC-15", f"{name} is reserved for a single wall of {colour_name(public, holder)}")
    if any((tower << 1 | tower >> 1) >> square & 1 for tower in public.tower):
        return Refusal("CC-14", f"{name} is next to another tower")
    if public.turns == 1:
        return Refusal("CC-11", "the first turn of the game is one single wall and nothing else")
    if public.stage == "second":
        return Refusal("CC-10", "a tower is an action of its own: this turn has begun with another")
    if len(numbers) == 2:
        return Refusal("CC-15", f"on {name} there is no choice of the square to reserve: write `tower {name}`")
    left, right = public.layout.squares[square - 1], public.layout.squares[square + 1]
    return Refusal(
        "CC-15", f"say which square it reserves: `tower {name} reserve {left}` or `tower {name} reserve {right}`"
    )


def do(state: State, numbers: tuple[int, ...], log: Log) -> State:
    """Place it; it reserves the square named, or the one empty square beside it (CC-15)."""
    public = state.public
    layout, colour = public.layout, public.active()
    square = 1 << numbers[0]
    reserved = 1 << numbers[1] if len(numbers) == 2 else _only_neighbour(public, square)
    facts = {"colour": public.rules.colours[colour], "square": layout.squares[numbers[0]]}
    if reserved:
        facts["reserves"] = layout.squares[reserved.bit_length() - 1]
    log.append(event("tower", "CC-15" if reserved else "CC-10", facts))
    public = public._replace(
        tower=put(public.tower, colour, square),
        taken=public.taken | square,
        reserve=put(public.reserve, colour, reserved),
    )
    return state._replace(public=look(public, square, log))


def _only_neighbour(public: Public, square: int) -> int:
    """The one free square beside it, 0 if none or if the colour has no single wall (CC-16)."""
    if not public.supply(public.active()):
        return 0
    return (square << 1 | square >> 1) & free_squares(public)
