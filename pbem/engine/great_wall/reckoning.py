"""How each colour's influence at a site comes about, as one fact of an event.

``blue:wall.2.2+gate.1.2+marker.1.-4,green:guard.2.3``: kind, how many, what they are worth
together. Words are made of it elsewhere. Source: GW-10, P10.
"""

from pbem.engine.great_wall.parts import KINDS
from pbem.engine.great_wall.site import made_of
from pbem.engine.great_wall.state import Public


def reckoning(public: Public, site: int) -> str:
    """Every colour in play at a site; ``-`` where there is none."""
    here = public.sites[site]
    in_play = [
        (card.colour, card.kind) for i, card in enumerate(here.cards) if not here.covered >> i & 1
    ]
    owner = here.cards[here.marked].colour if here.marked >= 0 else -1
    parts = []
    for colour, seat in enumerate(public.rules.seats):
        if here.influence[colour] is None:
            continue
        made = [f"{KINDS[kind]}.{n}.{worth}" for kind, n, worth in made_of(in_play, colour)]
        if colour == owner:
            made.append(f"marker.1.{-here.marker}")
        parts.append(f"{seat}:{'+'.join(made)}")
    return ",".join(parts) or "-"
