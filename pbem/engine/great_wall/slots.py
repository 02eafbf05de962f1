"""What a hidden thing is called in words, and what the piles hold: for audits and corrections.

Source: codec.py, for the slots; docs/SPECIFICATION.md section 7.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.great_wall.parts import KINDS

if TYPE_CHECKING:
    from pbem.engine.great_wall.state import State


def slot_words(_public: Mapping[str, Any], slot: str) -> str:
    """``card 6 of red's deck``, ``marker 12 of the reserve``, in the order they are drawn."""
    kind, *rest = slot.split("/")[1:] or [""]
    if not rest or not re.fullmatch("[0-9]{1,4}", rest[-1]):
        return ""
    number = int(rest[-1]) + 1
    if kind == "deck":
        return f"card {number} of {rest[0]}'s deck"
    return f"marker {number} of the reserve" if kind == "reserve" else ""


def piles_now(state: "State") -> dict[str, tuple[str, ...]]:
    """What decks and reserve were made of, wherever it is now. Secrecy: the moderator's alone."""
    public = state.public
    found = {
        public.rules.deck(colour): tuple(KINDS[kind or 0] for kind in deck)
        for colour, deck in enumerate(state.decks)
    }
    seen = [value for site in public.sites for value in site.free]
    seen += [site.marker for site in public.sites if site.marked >= 0]
    seen += [value for won in public.won for value in won]
    seen += [value for value in public.discarded for _ in range(2)]  # a pair each (GW-3)
    return found | {"reserve": tuple(str(value) for value in (*seen, *state.reserve))}
