"""Sites, hand and standing as plain data, as one seat may see them; and the sites drawn in lines.

Law: everything here is made of a View. Source: GW-5, GW-33, docs/DESIGN.md "A report".
"""

from collections.abc import Mapping
from typing import Any

from pbem.engine.great_wall import parts
from pbem.engine.great_wall.state import Public, View
from pbem.engine.row import each_has


def describe(view: View) -> dict[str, Any]:
    """What everybody sees, the seat's own cards and markers, and ``standing``.

    ``standing``: by seat, what the standing shows where that is not its points (GW-33).
    """
    public = view.public
    return {
        "sites": [
            _site(public, name, site) for name, site in zip(parts.NAMES, public.sites, strict=False)
        ],
        "players": [_player(public, colour) for colour in range(len(public.rules.seats))],
        "reserve": public.left,
        "discarded": list(public.discarded),
        "hand": [
            {"kind": word, "number": parts.number_of(view.hand, kind)}
            for kind, word in enumerate(parts.KINDS)
            if parts.number_of(view.hand, kind)
        ],
        "won": list(public.won[view.seat]) if view.seat is not None else [],
        "standing": standing(view),
    }


def _site(public: Public, name: str, site: parts.Site) -> dict[str, Any]:
    made = parts.reckoning(site, public.rules.seats)
    return {
        "name": name,
        "free": list(site.free),
        "cards": [_card(public, site, at) for at in range(len(site.cards))],
        "noble": parts.beside_noble(made),
        "reckoned": parts.reckoned(made),
    }


def _card(public: Public, site: parts.Site, at: int) -> dict[str, Any]:
    """Cards are counted from 1; 0 for none."""
    card = site.cards[at]
    by = [i + 1 for i, other in enumerate(site.cards) if other.over == at]
    return {
        "number": at + 1,
        "seat": public.rules.seats[card.colour],
        "kind": parts.KINDS[card.kind],
        "over": card.over + 1,
        "covered_by": by[0] if by else 0,
        "marker": site.marker if at == site.marked else 0,
    }


def _player(public: Public, colour: int) -> dict[str, Any]:
    return {
        "seat": public.rules.seats[colour],
        "hand": public.held[colour],
        "deck": public.decks[colour],
        "won": len(public.won[colour]),
        "called": colour == public.caller,
    }


def standing(view: View) -> dict[str, str]:
    """GW-33: of others how many markers they have won, not which; at the end all is shown."""
    public = view.public
    if public.rules.open_scores or public.ended_by:
        return {}
    return {
        seat: f"{parts.counted(len(won), 'marker')}, face down"
        for colour, (seat, won) in enumerate(zip(public.rules.seats, public.won, strict=True))
        if colour != view.seat
    }


def board_text(described: Mapping[str, Any]) -> list[str]:
    """Each site with its cards and what they come to, then what everybody has."""
    lines = [line for site in described["sites"] for line in _site_lines(site)]
    players = described["players"]
    lines += each_has([player["seat"] for player in players], [_has(player) for player in players])
    lines.append(f"In the reserve, face down: {parts.counted(described['reserve'], 'marker')}.")
    if described["discarded"]:
        pairs = ", ".join(f"{value} and {value}" for value in described["discarded"])
        lines.append(f"Pairs that left the game: {pairs}.")
    return lines


def _site_lines(site: Mapping[str, Any]) -> list[str]:
    """``S1  markers 4 and 7``, its cards by number, how each colour stands."""
    name, free, cards = site["name"], site["free"], site["cards"]
    if not free:
        return [f"{name}  closed"]
    markers = f"markers {free[0]} and {free[-1]}"
    if len(free) == 1:
        placed = next(card for card in cards if card["marker"])
        markers = f"marker {free[0]} free, {placed['marker']} on card {placed['number']}"
    lines = [f"{name}  {markers}{'' if cards else '; no cards'}"]
    lines += [f"  {_card_text(card)}" for card in cards]
    if site["noble"]:
        lines.append("  a noble is in play: each card counts 1")
    return lines + [f"  {_influence(colour)}" for colour in site["reckoned"]]


def _card_text(card: Mapping[str, Any]) -> str:
    """``3 blue guard, marker 7``, ``4 green gate, covered by 6``, ``6 red dragon over 4``."""
    text = f"{card['number']} {card['seat']} {card['kind']}"
    if card["over"]:
        text += f" over {card['over']}"
    if card["marker"]:
        text += f", with the marker {card['marker']}"
    return f"{text}, covered by {card['covered_by']}" if card["covered_by"] else text


def _influence(colour: Mapping[str, Any]) -> str:
    """``blue -1 = 3 walls 3 - marker 4``."""
    text = ""
    for part in colour["made"]:
        if text:
            text += " - " if part["worth"] < 0 else " + "
        word = part["kind"] if part["number"] == 1 else parts.counted(part["number"], part["kind"])
        text += f"{word} {abs(part['worth'])}"
    return f"{colour['seat']} {colour['total']} = {text}"


def _has(player: Mapping[str, Any]) -> str:
    """``4 cards in hand, 11 in the deck, 2 markers won``."""
    called = "; called the last turn" if player["called"] else ""
    return (
        f"{parts.counted(player['hand'], 'card')} in hand, "
        f"{player['deck']} in the deck, {parts.counted(player['won'], 'marker')} won{called}"
    )
