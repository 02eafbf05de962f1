"""``card flood AP2``: one card, face down. Source: CC-10, CC-12."""

from pbem.engine.chang_cheng.log import Log, put
from pbem.engine.chang_cheng.parts import KINDS
from pbem.engine.chang_cheng.possible import Possible
from pbem.engine.chang_cheng.state import Card, Public, State
from pbem.engine.decision import Refusal
from pbem.engine.event import event


def allowed(can: Possible, numbers: tuple[int, ...], hand: int) -> bool:
    """Whether this card may lie in this province now."""
    kind, province = numbers
    return bool(hand >> kind & 1 and can.cards >> province & 1)


def why_not(public: Public, numbers: tuple[int, ...], hand: int) -> Refusal:
    """In words, why it may not. ``hand`` is the asking seat's own."""
    kind, province = numbers
    layout = public.layout
    name = layout.provinces[province]
    if not hand >> kind & 1:
        return Refusal("CC-10", f"you do not hold {KINDS[kind]} any more")
    if not layout.province_set[province] & ~public.taken:
        return Refusal("CC-10", f"{name} is completed: no card can go there")
    if public.turns == 1:
        return Refusal("CC-11", "the first turn of the game is one single wall and nothing else")
    if public.stage == "second":
        if public.first == "wall":
            return Refusal("CC-10", "after a single wall only a second wall can follow (a card goes before its wall)")
        return Refusal("CC-10", f"the two cards must lie in different provinces, not both in {name}")
    return Refusal("CC-12", f"after a card in {name} nothing could follow to complete the action")


def do(state: State, numbers: tuple[int, ...], log: Log, link: int) -> State:
    """Lay it down: all see whose card lies where, nobody else sees which."""
    public = state.public
    kind, province = numbers
    colour = public.active()
    played = sum(len(KINDS) - held for held in public.held) + 1  # numbers every card of the game
    slot = f"{link}/card/{played:02d}"
    seat = public.rules.seats[public.seat]
    facts = {"colour": public.rules.colours[colour], "province": public.layout.provinces[province], "slot": slot}
    log.append(event("card", "CC-10", facts, opens=((seat, slot),)))
    public = public._replace(
        held=put(public.held, colour, public.held[colour] - 1),
        cards=(*public.cards, Card(slot, colour, province)),
    )
    return state._replace(public=public, kinds=(*state.kinds, kind))
