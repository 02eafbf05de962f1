"""Views of Chang Cheng as plain data, for view files. Nobody but its seat may have one.

Law: decode_view(encode_view(view)) == view. Source: FORMAT.md, "View file".
"""

from collections.abc import Mapping
from typing import Any

from pbem.engine.chang_cheng.codec import (
    WRONG,
    decode_public,
    encode_public,
    known_rows,
    mask_of,
    names_in,
    pile,
    unreadable,
)
from pbem.engine.chang_cheng.parts import KINDS
from pbem.engine.chang_cheng.state import View
from pbem.engine.settings import Config


def encode_view(view: View) -> dict[str, Any]:
    """The View of one seat; nobody else may have it."""
    public = view.public
    return {
        "seat": "" if view.seat is None else public.rules.seats[view.seat],
        "hand": [
            f"{public.rules.colours[colour]} {names_in(KINDS, hand)}"
            for colour, hand in enumerate(view.hands)
            if hand is not None
        ],
        "mine": [
            f"{card.slot} {KINDS[kind]}"
            for card, kind in zip(public.cards, view.kinds, strict=True)
            if kind is not None
        ],
        "known": known_rows(view.threat),
        "table": encode_public(public),
    }


def decode_view(config: Config, data: Mapping[str, Any]) -> View:
    """Read ``encode_view`` back; BadInput ``view/unreadable`` where the data is none."""
    try:
        public = decode_public(config, data["table"])
        mine = dict(row.split() for row in data["mine"])
        threat = pile(data["known"])
        seat = public.rules.seats.index(data["seat"]) if data["seat"] else None
        kinds = tuple(KINDS.index(mine[c.slot]) if c.slot in mine else None for c in public.cards)
        held = {name: mask_of(KINDS, kinds) for name, kinds in (r.split() for r in data["hand"])}
        hands = tuple(held.get(name) for name in public.rules.colours)
    except WRONG as error:
        raise unreadable("view", error) from error
    return View(public, seat, hands, kinds, threat)
