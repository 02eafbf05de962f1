"""Which orders are possible: lists of them, from public facts and a hand.

What lives here: ``takes`` and ``actions``. Listing, and whether a question is forced, read these.
Lists of plays depend on a site and a hand alone; they are kept, for they are asked for in every
step. Source: GW-11, GW-20 to GW-22, GW-25, GW-26.
"""

from functools import lru_cache

from pbem.engine.great_wall.parts import DRAGON, HORSEMAN, KINDS, NAMES, number_of
from pbem.engine.great_wall.state import Public


def takes(public: Public, site: int) -> tuple[str, ...]:
    """``take S1 7 on 3``: either marker, on any card of one's own in play there (GW-11, GW-26)."""
    here = public.sites[site]
    name = NAMES[site]
    cards = [card + 1 for card in here.in_play(public.seat)]
    return tuple(
        f"take {name} {marker} on {card}" for marker in sorted(set(here.free)) for card in cards
    )


def actions(public: Public, hand: int) -> tuple[str, ...]:
    """Draw, play, or a horseman besides (GW-20, GW-21), with this hand; nothing on closed sites."""
    found: tuple[str, ...] = ("draw",) if public.decks[public.seat] else ()
    horsemen: tuple[str, ...] = ()
    rides, has_dragon = number_of(hand, HORSEMAN), number_of(hand, DRAGON)
    for number, site in enumerate(public.sites):
        if not site.free:
            continue
        found += plays(number, hand)
        if has_dragon:
            found += tuple(
                f"play {NAMES[number]} dragon over {card + 1}" for card in site.coverable()
            )
        if rides:
            horsemen += (f"horseman {NAMES[number]}",)
    return found + horsemen


@lru_cache(maxsize=20_000)  # four sites, and not five thousand hands
def plays(site: int, hand: int) -> tuple[str, ...]:
    """``play S1 guard guard``: one or more cards of one kind (GW-20)."""
    return tuple(
        " ".join(("play", NAMES[site], *(word,) * number))
        for kind, word in enumerate(KINDS)
        for number in range(1, number_of(hand, kind) + 1)
    )
