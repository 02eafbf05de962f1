"""Describes sites and hand as plain data, for one seat, and the sites as lines of text.

Law: everything here is made from a View. Source: GW-5, GW-33, docs/DESIGN.md "A report".
"""

from collections.abc import Mapping
from typing import Any

from pbem.engine.great_wall import parts, sentences
from pbem.engine.great_wall.sentences import count_text
from pbem.engine.great_wall.state import Public, View
from pbem.engine.row import merge_equal_lines, say


def describe(view: View) -> dict[str, Any]:
    """Return what everybody sees, then the seat's own cards and markers."""
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
    """Describe a card. ``over`` and ``covered_by`` are numbers of cards, from 1; 0 means none."""
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


def board_text(described: Mapping[str, Any]) -> list[str]:
    """Return the lines of each site with its cards and influence, then of each player's holdings."""
    lines = [line for site in described["sites"] for line in _site_lines(site)]
    players = described["players"]
    lines += merge_equal_lines([player["seat"] for player in players], [_holdings_text(player) for player in players])
    lines.append(str(say(sentences.RESERVE, markers=count_text(described["reserve"], "marker"))))
    if described["discarded"]:
        pairs = ", ".join(str(say(sentences.PAIR, value=value)) for value in described["discarded"])
        lines.append(str(say(sentences.DISCARDED, pairs=pairs)))
    return lines


def _site_lines(site: Mapping[str, Any]) -> list[str]:
    """Return lines for a site's markers, its cards by number, and the influence of each colour."""
    if not site["free"]:
        return [str(say(sentences.SITE_CLOSED, site=site["name"]))]
    lines = [_markers_line(site)]
    lines += [_card_line(card) for card in site["cards"]]
    if site["noble"]:
        lines.append(sentences.NOBLE_IN_PLAY)
    return lines + [_influence_line(colour) for colour in site["reckoned"]]


def _markers_line(site: Mapping[str, Any]) -> str:
    name, free, cards = site["name"], site["free"], site["cards"]
    if len(free) == 1:
        marked = next(card for card in cards if card["marker"])
        values = {"free": free[0], "marker": marked["marker"], "card": marked["number"]}
        return str(say(sentences.SITE_MARKED, site=name, **values))
    return str(say(sentences.SITE_FREE if cards else sentences.SITE_EMPTY, site=name, low=free[0], high=free[-1]))


def _card_line(card: Mapping[str, Any]) -> str:
    """Write the line of a card. A covered card has no marker and is not a dragon (GW-25, GW-26)."""
    if card["over"]:
        text = sentences.DRAGON_MARKED if card["marker"] else sentences.DRAGON
    elif card["covered_by"]:
        text = sentences.CARD_COVERED
    else:
        text = sentences.CARD_MARKED if card["marker"] else sentences.CARD
    return str(say(text, **card))


def _influence_line(colour: Mapping[str, Any]) -> str:
    """Write how a colour's influence adds up: ``  blue -1 = 3 walls 3 - marker 4``."""
    sum_text = ""
    for part in colour["made"]:
        if sum_text:
            sum_text += " - " if part["worth"] < 0 else " + "
        cards = part["kind"] if part["number"] == 1 else count_text(part["number"], part["kind"])
        sum_text += f"{cards} {abs(part['worth'])}"
    return str(say(sentences.INFLUENCE, seat=colour["seat"], total=colour["total"], sum=sum_text))


def _holdings_text(player: Mapping[str, Any]) -> str:
    cards, markers = count_text(player["hand"], "card"), count_text(player["won"], "marker")
    text = sentences.HOLDINGS_OF_CALLER if player["called"] else sentences.HOLDINGS
    return str(say(text, cards=cards, deck=player["deck"], markers=markers))
