"""Is what lies at the sites made of what was played? For corrections and their audit alone.

What lives here: ``misfit``. What must never be here: a rule of play; a hidden value: all that is
looked at is public, and so is what is said of it.
Source: GW-1, GW-2, GW-20, GW-25; found by a review: cards at a site were corrected to cards that
their colour had not played.
"""

from typing import TYPE_CHECKING

from pbem.engine.great_wall.parts import DRAGON, KINDS, NAMES, SITES, number_of

if TYPE_CHECKING:
    from pbem.engine.great_wall.state import Public, State


def misfit(state: "State") -> str:
    """What at the sites cannot have come there, in words; "" if all can."""
    public = state.public
    number = len(public.rules.seats)
    if len(public.sites) != SITES[number]:
        return f"{number} players have {SITES[number]} sites, not {len(public.sites)}"
    return _lying(public) or _covers(public)


def _lying(public: "Public") -> str:
    """What lies there was played; what was played may be gone with a site that was won."""
    lying = [(card.colour, card.kind) for site in public.sites for card in site.cards]
    for colour, kind in sorted(set(lying)):
        played = number_of(public.played[colour], kind)
        if lying.count((colour, kind)) > played:
            seat, many = public.rules.seats[colour], lying.count((colour, kind))
            return f"{seat} has played {KINDS[kind]} {played} times, and {many} would lie there"
    return ""


def _covers(public: "Public") -> str:
    """A dragon covers one card that is none, and no card has two over it (GW-25)."""
    for name, site in zip(NAMES, public.sites, strict=False):
        over = [card.over for card in site.cards if card.over >= 0]
        if any(card.over >= 0 and card.kind != DRAGON for card in site.cards):
            return f"at {name} a card that is no dragon would cover another"
        if len(set(over)) != len(over) or any(site.cards[i].kind == DRAGON for i in over):
            return f"at {name} a dragon, or a card that is covered, would be covered"
    return ""
