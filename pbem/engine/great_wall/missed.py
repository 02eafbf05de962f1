"""The order given for a missed turn, where the referee chose ``missed=default``. Source: R-2."""

from pbem.engine.great_wall.parts import KINDS, NAMES, cards_of
from pbem.engine.great_wall.state import View


def default(view: View) -> str:
    """The order R-2 names for the question put to the View's seat, one of ``legal``."""
    public = view.public
    if public.site >= 0:
        site, name = public.sites[public.site], NAMES[public.site]
        oldest = site.in_play(public.seat)[0]
        return f"take {name} {max(site.free)} on {oldest + 1}"
    if public.decks[public.seat]:
        return "draw"
    lowest = cards_of(view.hand)[0]
    opened = next(i for i, site in enumerate(public.sites) if site.free)
    return f"play {NAMES[opened]} {KINDS[lowest]}"
