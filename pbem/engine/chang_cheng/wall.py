"""``wall A5``: one single wall. Source: CC-10, CC-12, CC-15, CC-17."""

from pbem.engine.chang_cheng.log import Log, put
from pbem.engine.chang_cheng.looking import look
from pbem.engine.chang_cheng.possible import Possible
from pbem.engine.chang_cheng.state import Public, State
from pbem.engine.decision import Refusal
from pbem.engine.event import event


def allowed(can: Possible, numbers: tuple[int, ...]) -> bool:
    """Whether a wall may go on this square now."""
    return bool(can.walls >> numbers[0] & 1)


def why_not(public: Public, numbers: tuple[int, ...]) -> Refusal:
    """In words, why it may not."""
    square, colour = numbers[0], public.active()
    layout = public.layout
    name = layout.squares[square]
    if public.taken >> square & 1:
        return Refusal("CC-10", f"{name} is taken already")
    holder = reserved_by(public, square)
    if holder not in (None, colour):
        return Refusal("CC-15", f"{name} is reserved for a single wall of {colour_name(public, holder)}")
    if not public.supply(colour):
        return Refusal("CC-10", "you have no single wall left")
    if public.stage == "second":
        here = layout.provinces[public.where]
        if public.first == "wall":
            return Refusal("CC-10", f"the two walls must stand in different provinces, not both in {here}")
        return Refusal("CC-10", f"after a card in {here} the wall must stand in {here}")
    return Refusal("CC-12", f"after a wall on {name} no second wall could follow in another province")


def reserved_by(public: Public, square: int) -> int | None:
    """The colour whose tower reserves a square."""
    for colour, reserved in enumerate(public.reserve):
        if reserved >> square & 1:
            return colour
    return None


def colour_name(public: Public, colour: int | None) -> str:
    """The colour's name; "nobody" for None."""
    return "nobody" if colour is None else public.rules.colours[colour]


def do(state: State, numbers: tuple[int, ...], log: Log) -> State:
    """Place it. Its own tower's reservation ends when it stands there, or with the last wall (CC-16)."""
    public = state.public
    square = 1 << numbers[0]
    colour = public.active()
    single = put(public.single, colour, public.single[colour] | square)
    reserve = public.reserve
    if reserve[colour] and (reserve[colour] == square or public.supply(colour) == 1):
        reserve = put(reserve, colour, 0)
    log.append(
        event(
            "wall", "CC-10", {"colour": public.rules.colours[colour], "square": public.layout.squares[numbers[0]]}
        )
    )
    public = public._replace(single=single, reserve=reserve, taken=public.taken | square)
    return state._replace(public=look(public, square, log))
