"""``card flood AP2``: one card, face down. Source: CC-10, CC-12."""

from pbem.engine.chang_cheng.parts import KINDS
from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.chang_cheng.state import Card, Public, new
from pbem.engine.decision import Refusal
from pbem.engine.event import plain_event
from pbem.engine.hidden import seen


def refused(public: Public, numbers: tuple[int, ...], hand: int) -> Refusal | None:
    """Why this card may not lie there now; None if it may. ``hand`` is the asking seat's own."""
    kind, province = numbers
    if hand >> kind & 1 and public.asked.can.cards >> province & 1:
        return None
    return _why_not(public, numbers, hand)


def _why_not(public: Public, numbers: tuple[int, ...], hand: int) -> Refusal:
    """In words, why it may not."""
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


def do(play: Play, numbers: tuple[int, ...]) -> None:
    """Lay it down: all see whose card lies where, nobody else sees which."""
    table = play.table
    kind, province = numbers
    colour = table.colour
    played = len(KINDS) * (len(table.held) - (table.rules.neutral >= 0)) - sum(table.held) + 1
    slot = f"{play.link}/card/{played:02d}"
    name = table.rules.colours[colour]
    facts = (("colour", name), ("province", table.layout.provinces[province]), ("slot", slot))
    opens = ((table.rules.owner[colour], slot),)
    play.log.append(plain_event("card", "CC-10", facts, opens=opens))
    table.held = put(table.held, colour, table.held[colour] - 1)
    table.cards = (*table.cards, new(Card, (slot, colour, province)))
    play.kinds = (*play.kinds, kind)
    play.hands = put(play.hands, colour, seen(play.hands[colour]) & ~(1 << kind))
