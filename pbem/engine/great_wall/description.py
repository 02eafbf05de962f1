"""Sites, hand and standing for a report's template, line by line, as one seat may see them.

Law: everything here is made of a View. Source: GW-5, GW-33, docs/DESIGN.md "A report".
"""

from typing import Any

from pbem.engine.great_wall.parts import KINDS, NAMES, number_of
from pbem.engine.great_wall.site import Site, beside_noble, counted, joined, reckoned, reckoning
from pbem.engine.great_wall.state import Public, View

CARD_TEXT = {
    "wall": "counts 1",
    "gate": "counts 2",
    "watchtower": "counts 3",
    "guard": "your first at a site counts 1, the second 2, and so on",
    "horseman": "counts 2; may be played besides, before either action",
    "noble": "counts 1, and every other card at its site counts 1 too",
    "dragon": "counts 1; may cover a card at its site, which is then out of play",
}


def describe(view: View) -> dict[str, Any]:
    """For a report's template: ``board`` (what everybody sees, in lines), the seat's own cards.

    ``standing``: by seat, what the standing shows where that is not its points (GW-33).
    """
    public = view.public
    return {
        "heading": "THE SITES",
        "board": board_lines(public),
        "hand": [
            {"kind": _in_hand(number_of(view.hand, kind), word), "text": CARD_TEXT[word]}
            for kind, word in enumerate(KINDS)
            if number_of(view.hand, kind)
        ],
        "won": [str(value) for value in public.won[view.seat]] if view.seat is not None else [],
        "standing": standing(view),
    }


def _in_hand(number: int, word: str) -> str:
    return word if number == 1 else counted(number, word)


def standing(view: View) -> dict[str, str]:
    """GW-33: of others how many markers they have won, not which; at the end all is shown."""
    public = view.public
    if public.rules.open_scores or public.ended_by:
        return {}
    return {
        seat: f"{counted(len(won), 'marker')}, face down"
        for colour, (seat, won) in enumerate(zip(public.rules.seats, public.won, strict=True))
        if colour != view.seat
    }


def board_lines(public: Public) -> list[str]:
    """Each site with its cards and what they come to, then what everybody has."""
    lines = [
        line
        for name, site in zip(NAMES, public.sites, strict=False)
        for line in _site_lines(public, name, site)
    ]
    lines += [_colour_line(public, colour) for colour in range(len(public.rules.seats))]
    lines.append(f"In the reserve, face down: {counted(public.left, 'marker')}.")
    if public.discarded:
        pairs = joined([f"{value} and {value}" for value in public.discarded])
        lines.append(f"Pairs that left the game: {pairs}.")
    return lines


def _site_lines(public: Public, name: str, site: Site) -> list[str]:
    """``S1  markers 4, 7``, its cards by number, how each colour stands."""
    if not site.free:
        return [f"{name}  closed"]
    markers = f"markers {site.free[0]} and {site.free[-1]}"
    if len(site.free) == 1:
        markers = f"marker {site.free[0]} free, {site.marker} on card {site.marked + 1}"
    lines = [f"{name}  {markers}{'' if site.cards else '; no cards'}"]
    lines += [f"  {_card(public, site, i)}" for i in range(len(site.cards))]
    made = reckoning(public.sites[NAMES.index(name)], public.rules.seats)
    if beside_noble(made):
        lines.append("  a noble is in play: each card counts 1")
    return lines + [f"  {line}" for line in reckoned(made)]


def _card(public: Public, site: Site, at: int) -> str:
    """``3 blue guard (marker 7)``, ``4 green gate, covered by 6``, ``6 red dragon over 4``."""
    card = site.cards[at]
    text = f"{at + 1} {public.rules.seats[card.colour]} {KINDS[card.kind]}"
    if card.over >= 0:
        text += f" over {card.over + 1}"
    if at == site.marked:
        text += f", with the marker {site.marker}"
    if site.covered >> at & 1:
        by = next(i for i, other in enumerate(site.cards) if other.over == at)
        text += f", covered by {by + 1}"
    return text


def _colour_line(public: Public, colour: int) -> str:
    """``red: 4 cards in hand, 11 in the deck``."""
    called = "; called the last turn" if colour == public.caller else ""
    won = counted(len(public.won[colour]), "marker")
    return (
        f"{public.rules.seats[colour]}: {counted(public.held[colour], 'card')} in hand, "
        f"{public.decks[colour]} in the deck, {won} won{called}"
    )
