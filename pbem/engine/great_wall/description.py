"""Sites, hand and standing as plain data, as one seat may see them; and the sites drawn in lines.

Law: everything here is made of a View. Source: GW-5, GW-33, docs/DESIGN.md "A report".
"""

from collections.abc import Mapping
from typing import Any

from pbem.engine.great_wall import parts
from pbem.engine.great_wall.state import Public, View
from pbem.engine.row import merge_equal_lines


def describe(view: View) -> dict[str, Any]:
    """What everybody sees, the seat's own cards and markers, and ``standing``.

    ``standing``: by seat, what the standing shows where that is not its points (GW-33).
    """
    public = view.public
    return {
        "sites": [
            _describe_site(public, name, site) for name, site in zip(parts.SITE_NAMES, public.sites, strict=False)
        ],
        "players": [_describe_player(public, colour) for colour in range(len(public.rules.seats))],
        "reserve": public.reserve_size,
        "discarded": list(public.discarded_pairs),
        "hand": [
            {"kind": word, "number": parts.count_in_hand(view.hand, kind)}
            for kind, word in enumerate(parts.KINDS)
            if parts.count_in_hand(view.hand, kind)
        ],
        "won": list(public.won_markers[view.seat]) if view.seat is not None else [],
        "standing": standing(view),
    }


def _describe_site(public: Public, name: str, site: parts.Site) -> dict[str, Any]:
    reckoning_text = parts.format_reckoning(site, public.rules.seats)
    return {
        "name": name,
        "free": list(site.free_markers),
        "cards": [_describe_card(public, site, number) for number in range(len(site.cards))],
        "noble": parts.has_noble(reckoning_text),
        "reckoned": parts.parse_reckoning(reckoning_text),
    }


def _describe_card(public: Public, site: parts.Site, number: int) -> dict[str, Any]:
    """Cards are counted from 1; 0 for none."""
    card = site.cards[number]
    covering_numbers = [i + 1 for i, other in enumerate(site.cards) if other.covered_card == number]
    return {
        "number": number + 1,
        "seat": public.rules.seats[card.colour],
        "kind": parts.KINDS[card.kind],
        "over": card.covered_card + 1,
        "covered_by": covering_numbers[0] if covering_numbers else 0,
        "marker": site.marker if number == site.marked_card else 0,
    }


def _describe_player(public: Public, colour: int) -> dict[str, Any]:
    return {
        "seat": public.rules.seats[colour],
        "hand": public.hand_sizes[colour],
        "deck": public.deck_sizes[colour],
        "won": len(public.won_markers[colour]),
        "called": colour == public.caller,
    }


def standing(view: View) -> dict[str, str]:
    """GW-33: of others how many markers they have won, not which; at the end all is shown."""
    public = view.public
    if public.rules.open_scores or public.ended_by:
        return {}
    return {
        seat: f"{parts.count_text(len(won), 'marker')}, face down"
        for colour, (seat, won) in enumerate(zip(public.rules.seats, public.won_markers, strict=True))
        if colour != view.seat
    }


def board_text(described: Mapping[str, Any]) -> list[str]:
    """Each site with its cards and what they come to, then what everybody has."""
    lines = [line for site in described["sites"] for line in _site_lines(site)]
    players = described["players"]
    lines += merge_equal_lines([player["seat"] for player in players], [_holdings_text(player) for player in players])
    lines.append(f"In the reserve, face down: {parts.count_text(described['reserve'], 'marker')}.")
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
    return lines + [f"  {_influence_text(colour)}" for colour in site["reckoned"]]


def _card_text(card: Mapping[str, Any]) -> str:
    """``3 blue guard, marker 7``, ``4 green gate, covered by 6``, ``6 red dragon over 4``."""
    text = f"{card['number']} {card['seat']} {card['kind']}"
    if card["over"]:
        text += f" over {card['over']}"
    if card["marker"]:
        text += f", with the marker {card['marker']}"
    return f"{text}, covered by {card['covered_by']}" if card["covered_by"] else text


def _influence_text(colour: Mapping[str, Any]) -> str:
    """``blue -1 = 3 walls 3 - marker 4``."""
    text = ""
    for part in colour["made"]:
        if text:
            text += " - " if part["worth"] < 0 else " + "
        word = part["kind"] if part["number"] == 1 else parts.count_text(part["number"], part["kind"])
        text += f"{word} {abs(part['worth'])}"
    return f"{colour['seat']} {colour['total']} = {text}"


def _holdings_text(player: Mapping[str, Any]) -> str:
    """``4 cards in hand, 11 in the deck, 2 markers won``."""
    called = "; called the last turn" if player["called"] else ""
    return (
        f"{parts.count_text(player['hand'], 'card')} in hand, "
        f"{player['deck']} in the deck, {parts.count_text(player['won'], 'marker')} won{called}"
    )
