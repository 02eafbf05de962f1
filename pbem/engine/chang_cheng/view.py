"""What a seat sees, field by field, from nothing.

Law: a fact of State that is not copied here by name is invisible.
Source: CC-7, CC-17.
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
from pbem.engine.chang_cheng.layout import KINDS, members
from pbem.engine.chang_cheng.state import State, View, new
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


def view_of(state: State, seat: int | None) -> View:
    """The View of a seat, or of a spectator (None), who sees what all see and nothing else."""
    public = state.public
    if seat is None:
        return new(
            View, (public, None, public.rules.blank, (None,) * len(public.cards), public.turned)
        )
    own = public.rules.own[seat]
    kinds = [
        kind if card.colour in own else None
        for card, kind in zip(public.cards, state.kinds)  # noqa: B905  (strict costs a third more)
    ]
    hands, blank = state.hands, public.rules.blank
    first, end = own[0], own[-1] + 1  # the colours of a seat stand side by side
    known = blank[:first] + hands[first:end] + blank[end:]
    return new(View, (public, seat, known, tuple(kinds), _counters(state, seat)))


def _counters(state: State, seat: int) -> tuple[int | None, ...]:
    """The threat counters that this seat has looked at, and those turned up for all."""
    looked = state.public.looked[seat]
    if not looked:
        return state.public.turned
    known, threat = list(state.public.turned), state.threat
    for place in members(looked):
        known[place] = threat[place]
    return tuple(known)
