"""What a hidden thing is called in words, and what the piles hold: for audits and corrections.

Source: codec.py, for the slots and the rows; docs/SPECIFICATION.md section 7.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.chang_cheng.box import board_text
from pbem.engine.chang_cheng.parts import KINDS, members

if TYPE_CHECKING:
    from pbem.engine.chang_cheng.state import State


def slot_words(public: Mapping[str, Any], slot: str) -> str:
    """``the threat counter of AM1``, ``red's card in AP2``; by the position's own rows."""
    maker, _, rest = slot.partition("/")
    kind, _, place = rest.rpartition("/")
    number = int(place) if re.fullmatch("[0-9]{1,4}", place) else 0
    if kind == "threat":
        rows = (str(row).split(" ") for row in public.get("regions", ()))
        where = [row[0] for row in rows if row[-1] == str(number)]
        if where:
            return f"the threat counter of {where[0]}"
        return f"threat counter {number + 1} of the pile"
    if kind == "reputation":
        provinces = [str(row).split(" ")[0] for row in public.get("provinces", ())]
        if number < len(provinces):
            return f"the counter of {provinces[number]}"
        return f"reputation counter {number + 1} of the pile"
    if kind == "card":
        for row in public.get("cards", ()):
            found = str(row).split(" ")
            if found[0] == slot:
                return f"{found[1]}'s card in {found[-1]}"
        return f"a card laid in state {maker}"
    return ""


def piles_now(state: "State") -> dict[str, tuple[str, ...]]:
    """What both piles hold, hidden or turned up; the boards, on the table and in the box; each
    colour's cards, in hand, lying or out.

    Secrecy: the moderator's alone.
    """
    public = state.public
    found = {
        "threat": tuple(str(value) for value in state.threat),
        "reputation": tuple(str(value) for value in state.reputation),
        "box of boards": tuple(
            board_text(board) for board in (*(p.board for p in public.layout.placed), *public.box)
        ),
    }
    for colour, name in enumerate(public.rules.colours):
        lying = [
            KINDS[kind or 0]
            for card, kind in zip(public.cards, state.kinds, strict=True)
            if card.colour == colour
        ]
        hand = state.hands[colour] or 0
        cards = [*lying, *(KINDS[kind] for kind in members(hand | public.out[colour]))]
        wrong = abs(hand.bit_count() - public.held[colour])  # a card that lies twice, say
        found[f"{name}'s cards"] = (*cards, *["?"] * wrong)
    return found
