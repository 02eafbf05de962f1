"""The position at a glance: who is ahead at each site, who gets a marker next, what is left.

Law: everything here is made from a View. Points that are not public are added up nowhere (GW-33).
Source: GW-10 to GW-14, GW-33; ``Game.standings``.
"""

from typing import Any

from pbem.engine.great_wall import parts, sentences
from pbem.engine.great_wall.sentences import count_text
from pbem.engine.great_wall.state import Public, View
from pbem.engine.great_wall.turn import scores
from pbem.engine.row import Row, say
from pbem.engine.standings import Standings, rank_seats


def standings(view: View) -> Standings:
    """What the View's seat can reckon from the sites, and from its own markers."""
    public = view.public
    places = tuple(_site_row(public, name, site) for name, site in zip(parts.SITE_NAMES, public.sites, strict=False))
    outlook = (Row("last_turn", {"seat": public.rules.seats[public.caller]}),) if public.caller >= 0 else ()
    seats = rank_seats(scores(public), lambda seat: (_holding(public, seat),), hidden_points(view))
    return Standings(seats, places, () if public.ended_by else outlook)


def hidden_points(view: View) -> dict[str, str]:
    """By seat, what is shown in place of points that the View may not know (GW-33).

    Of other players it is the number of their markers. Nothing is hidden at the end.
    """
    public = view.public
    if public.rules.open_scores or public.ended_by:
        return {}
    return {
        seat: str(say(sentences.MARKERS_FACE_DOWN, markers=count_text(len(won), "marker")))
        for colour, (seat, won) in enumerate(zip(public.rules.seats, public.won_markers, strict=True))
        if colour != view.seat
    }


def _holding(public: Public, seat: str) -> Row:
    colour = public.rules.seats.index(seat)
    facts = {
        "markers": len(public.won_markers[colour]),
        "hand": public.hand_sizes[colour],
        "deck": public.deck_sizes[colour],
    }
    return Row("cards", facts)


def _site_row(public: Public, name: str, site: parts.Site) -> Row:
    """``influence``: the players at the site, the strongest first. ``next``: "" if nobody is ahead there."""
    seats = public.rules.seats
    present = [(seat, number) for seat, number in zip(seats, site.influence, strict=True) if number is not None]
    ranked = sorted(present, key=lambda seat_and_number: -seat_and_number[1])
    facts: dict[str, Any] = {
        "name": name,
        "free": list(site.free_markers),
        "influence": [{"seat": seat, "number": number} for seat, number in ranked],
        "next": "",
    }
    ahead = next((colour for colour in range(len(seats)) if site.is_ahead(colour)), None)
    if ahead is None or not site.free_markers or public.ended_by:
        return Row("site", facts)
    facts["seat"] = seats[ahead]
    if len(site.free_markers) == parts.PAIR_SIZE:
        return Row("site", {**facts, "next": "takes"})
    other = seats[site.cards[site.marked_card].colour]
    return Row("site", {**facts, "next": "wins", "marker": site.free_markers[0], "other": other, "placed": site.marker})
