"""States and Views of Great Wall as plain data, one row of text a thing; names of facts.

Law: decode(encode(state)) == state; the rows name sites and cards, so a person can read them.
A card that was played is not opened: its place in the deck would tell when it was drawn. So the
slots of a deck stay hidden, and a hand is what has been drawn less what has been played.
Source: FORMAT.md, "The position of great-wall"; docs/SPECIFICATION.md section 7.
"""

import functools
from collections.abc import Mapping
from typing import Any

from pbem.engine.decision import whole
from pbem.engine.great_wall import parts
from pbem.engine.great_wall.legal import now_asked
from pbem.engine.great_wall.opening import rules_of
from pbem.engine.great_wall.state import NOBODY, Public, State, View
from pbem.engine.hidden import Hidden
from pbem.engine.settings import Config, EncodedState, reading

#: what facts are called, for who corrects; a number in braces is a word of the row
TITLES = {
    "seats": "the turn order",
    "dealt": "the state of the deal",
    "sites": "the sites",
    "sites.*": "the free markers of {0}",
    "cards": "the cards on the sites",
    "cards.*": "card {1} on {0}",
    "cards.*.1": "the number of a card on {0}",
    "cards.*.2": "whose card {1} on {0} is",
    "cards.*.3": "the kind of card {1} on {0}",
    "cards.*.over": "the card that card {1} on {0} covers",
    "cards.*.marker": "the marker on card {1} on {0}",
    "colours": "the cards and markers of the players",
    "colours.*": "the cards and markers of {0}",
    "colours.*.deck": "the number of cards in the deck of {0}",
    "colours.*.hand": "the number of cards in the hand of {0}",
    "colours.*.played": "the cards that {0} has played",
    "colours.*.won": "the markers that {0} has won",
    "drawn": "the number of markers that have left the reserve",
    "reserve": "the number of markers in the reserve",
    "discarded": "the markers that left the game in pairs",
    "turn": "the number of the turn",
    "seat": "whose turn it is",
    "stage": "what is asked now",
    "site": "the site whose marker is to be taken",
    "caller": "who has called the last turn",
    "ended_by": "the rule that ended the game",
    "seat=": "a colour that plays",
    "stage=": "`examine`, `second`, `third`, `final` or `over`",
    "sites.*=": "`free=` and its markers with commas and no blanks, or `closed`",
    "colours.*.won=": "markers with commas and no blanks, or `-`",
}

#: words of a row that a correction may name: their numbers, from 0
FIELD_NAMES = {"cards.*.number": "1", "cards.*.owner": "2", "cards.*.kind": "3"}

#: questions whose kind alone says little to who waits for the answer
QUESTIONS = {
    "second": "first of two actions",
    "third": "second of two actions",
    "marker": "marker at {about}",
}


MARKER = 99  #: the highest marker that a row may name


def numbers_text(values: tuple[int, ...]) -> str:
    """``5,3``; ``-`` for none."""
    return ",".join(str(value) for value in values) or "-"


def numbers_from(text: str) -> tuple[int, ...]:
    """Read ``numbers_text`` back."""
    return () if text == "-" else tuple(whole(part, MARKER) for part in text.split(","))


def hand_text(hand: int) -> str:
    """Cards by kind: ``wall:2,noble:1``; ``-`` for none."""
    found = [(word, parts.number_of(hand, kind)) for kind, word in enumerate(parts.KINDS)]
    return ",".join(f"{word}:{number}" for word, number in found if number) or "-"


def hand_from(text: str) -> int:
    """Read ``hand_text`` back; ValueError for more cards of a kind than a deck has."""
    hand = 0
    for part in () if text == "-" else text.split(","):
        word, number = part.split(":")
        kind = parts.KINDS.index(word)
        if parts.number_of(hand, kind):
            raise ValueError(part)
        hand += whole(number, parts.IN_DECK[kind], 1) * parts.one_card(kind)
    return hand


def named(row: str) -> dict[str, str]:
    """The ``name=value`` parts of a row."""
    return dict(part.split("=", 1) for part in row.split(" ") if "=" in part)


def card_rows(name: str, site: parts.Site, seats: tuple[str, ...]) -> list[str]:
    """``S1 1 blue wall marker=7``, ``S1 2 green dragon over=3``: every card there, oldest first."""
    rows = []
    for i, card in enumerate(site.cards):
        over = f" over={card.over + 1}" if card.over >= 0 else ""
        marker = f" marker={site.marker}" if i == site.marked else ""
        rows.append(f"{name} {i + 1} {seats[card.colour]} {parts.KINDS[card.kind]}{over}{marker}")
    return rows


def sites_from(data: Mapping[str, Any], seats: tuple[str, ...]) -> tuple[parts.Site, ...]:
    """Read the rows of sites and cards back; ValueError where they do not fit each other."""
    names = [str(row).split(" ")[0] for row in data["sites"]]
    if names != list(parts.NAMES[: len(names)]):
        raise ValueError("sites")
    rows: dict[str, list[str]] = {name: [] for name in names}
    for row in data["cards"]:
        name, number, rest = str(row).split(" ", 2)
        rows[name].append(rest)
        if whole(number) != len(rows[name]):
            raise ValueError(row)
    frees = [numbers_from(named(row).get("free", "-")) for row in data["sites"]]
    pairs = zip(frees, names, strict=True)
    return tuple(_site_from(free, tuple(rows[name]), seats) for free, name in pairs)


@functools.lru_cache(64)  # an order changes one site or two, and a chain has every state
def _site_from(free: tuple[int, ...], rows: tuple[str, ...], seats: tuple[str, ...]) -> parts.Site:
    cards, marked, marker = [], -1, 0
    for i, row in enumerate(rows):
        seat, word = row.split(" ")[:2]
        said = named(row)
        over = whole(said["over"], i, 1) - 1 if "over" in said else -1
        cards.append(parts.Card(seats.index(seat), parts.KINDS.index(word), over))
        if "marker" in said:
            marked, marker = i, whole(said["marker"], MARKER)
    site = parts.site_of(free, tuple(cards), marked, marker, len(seats))
    # two markers, free or on a card, or none at all; a closed site has no cards (GW-3, GW-26)
    markers = len(free) + sum("marker=" in row for row in rows)
    on_covered = site.marked >= 0 and site.covered >> site.marked & 1
    if markers != (parts.PAIR if free else 0) or on_covered or (cards and not free):
        raise ValueError("site")
    return site


def misfit(state: State) -> str:
    """What at the sites cannot have come there, in words; "" if all can."""
    public = state.public
    number = len(public.rules.seats)
    if len(public.sites) != parts.SITES[number]:
        return f"{number} players have {parts.SITES[number]} sites, not {len(public.sites)}"
    return _lying(public) or _covers(public)


def _lying(public: Public) -> str:
    """What lies there was played; what was played may be gone with a site that was won."""
    lying = [(card.colour, card.kind) for site in public.sites for card in site.cards]
    for colour, kind in sorted(set(lying)):
        played = parts.number_of(public.played[colour], kind)
        if lying.count((colour, kind)) > played:
            seat, many = public.rules.seats[colour], lying.count((colour, kind))
            return (
                f"{seat} has played {parts.KINDS[kind]} {played} times, and {many} would lie there"
            )
    return ""


def _covers(public: Public) -> str:
    """A dragon covers one card that is none, and no card has two over it (GW-25)."""
    for name, site in zip(parts.NAMES, public.sites, strict=False):
        over = [card.over for card in site.cards if card.over >= 0]
        if any(card.over >= 0 and card.kind != parts.DRAGON for card in site.cards):
            return f"at {name} a card that is no dragon would cover another"
        if len(set(over)) != len(over) or any(site.cards[i].kind == parts.DRAGON for i in over):
            return f"at {name} a dragon, or a card that is covered, would be covered"
    return ""


STAGES = ("examine", "second", "third", "final", "over")


def encode(state: State) -> EncodedState:
    """All that is public in the clear; decks and reserve as hidden slots.

    A card of a deck may be known to its seat once that has drawn it, played or not.
    """
    public = state.public
    rules = public.rules
    hidden: dict[str, Hidden] = {}
    for colour, deck in enumerate(state.decks):
        owner, nobody = frozenset((rules.seats[colour],)), frozenset[str]()
        drawn = len(deck) - public.decks[colour]
        for place, kind in enumerate(deck):
            audience = owner if place < drawn else nobody
            word = parts.KINDS[kind if kind is not None else 0]
            hidden[rules.slot(rules.deck(colour), place)] = Hidden(word, audience)
    for place, value in enumerate(state.reserve, public.drawn):
        hidden[rules.slot("reserve", place)] = Hidden(str(value))
    return EncodedState(encode_public(public), hidden)


@reading("position", "great-wall")
def decode(config: Config, public: Mapping[str, Any], values: Mapping[str, str]) -> State:
    table = decode_public(config, public)
    slot, deck = table.rules.slot, table.rules.deck
    decks = tuple(
        tuple(parts.KINDS.index(values[slot(deck(colour), i)]) for i in range(_size(table, colour)))
        for colour in range(len(table.rules.seats))
    )
    drawn = [kinds[: len(kinds) - left] for kinds, left in zip(decks, table.decks, strict=True)]
    hands = tuple(_hand(kinds, played) for kinds, played in zip(drawn, table.played, strict=True))
    reserve = tuple(
        whole(values[slot("reserve", table.drawn + i)], MARKER) for i in range(table.left)
    )
    return State(table, decks, hands, reserve)


def _size(public: Public, colour: int) -> int:
    """All the cards of a colour: in the deck, in hand, played."""
    return public.decks[colour] + public.held[colour] + parts.size_of(public.played[colour])


def _hand(drawn: tuple[int, ...], played: int) -> int:
    """What has been drawn and not been played; ValueError where more was played than drawn."""
    for kind in range(len(parts.KINDS)):
        if drawn.count(kind) < parts.number_of(played, kind):
            raise ValueError(parts.KINDS[kind])
    return parts.hand_of(drawn) - played


def encode_public(public: Public) -> dict[str, Any]:
    seats = public.rules.seats
    document: dict[str, Any] = {
        "seats": list(seats),
        "dealt": public.rules.dealt,
        "sites": [
            f"{name} free={numbers_text(site.free)}" if site.free else f"{name} closed"
            for name, site in zip(parts.NAMES, public.sites, strict=False)
        ],
        "cards": [
            row
            for name, site in zip(parts.NAMES, public.sites, strict=False)
            for row in card_rows(name, site, seats)
        ],
        "colours": [
            f"{seats[c]} deck={public.decks[c]} hand={public.held[c]}"
            f" played={hand_text(public.played[c])} won={numbers_text(public.won[c])}"
            for c in range(len(seats))
        ],
        "drawn": public.drawn,
        "reserve": public.left,
        "discarded": [str(value) for value in public.discarded],
        "turn": public.turns,
        "seat": seats[public.seat],
        "stage": public.stage,
    }
    if public.site >= 0:
        document["site"] = parts.NAMES[public.site]
    if public.caller >= 0:
        document["caller"] = seats[public.caller]
    if public.ended_by:
        document["ended_by"] = public.ended_by
    return document


def decode_public(config: Config, data: Mapping[str, Any]) -> Public:
    """Read ``encode_public`` back; the usual Python errors where it is none (callers translate)."""
    seats = tuple(data["seats"])
    if sorted(seats) != sorted(config.seats):
        raise ValueError("seats")
    sites = sites_from(data, seats)
    colours = [named(row) for row in data["colours"]]
    if [str(row).split(" ")[0] for row in data["colours"]] != list(seats):
        raise ValueError("colours")
    public = Public(
        rules=rules_of(config, seats, whole(data["dealt"])),
        sites=sites,
        decks=tuple(whole(colour["deck"], len(parts.DECK)) for colour in colours),
        held=tuple(whole(colour["hand"], len(parts.DECK)) for colour in colours),
        played=tuple(hand_from(colour["played"]) for colour in colours),
        won=tuple(numbers_from(colour["won"]) for colour in colours),
        drawn=whole(data["drawn"], len(parts.RESERVE)),
        left=whole(data["reserve"], len(parts.RESERVE)),
        discarded=tuple(whole(value, MARKER) for value in data["discarded"]),
        seat=seats.index(data["seat"]),
        turns=whole(data["turn"]),
        stage=STAGES[STAGES.index(data["stage"])],
        site=parts.NAMES.index(data["site"]) if "site" in data else -1,
        caller=seats.index(data["caller"]) if "caller" in data else -1,
        ended_by=str(data.get("ended_by", "")),
        asked=NOBODY,
    )
    _check(public)
    return public.but(asked=now_asked(public))


def _check(public: Public) -> None:
    """ValueError where the stage does not fit the rest: nothing could be asked then."""
    examining = public.stage in ("examine", "final")
    here = public.sites[public.site] if public.site >= 0 else None
    if examining != (here is not None and here.ahead(public.seat) and len(here.free) == 2):
        raise ValueError("site")
    if (public.stage == "over") != bool(public.ended_by):
        raise ValueError("stage")
    if public.stage in ("second", "third") and public.out_of_cards(public.seat):
        raise ValueError("hand")


@reading("position", "great-wall")
def watch(config: Config, public: Mapping[str, Any]) -> View:
    return View(decode_public(config, public), None, 0, ())


def encode_view(view: View) -> dict[str, Any]:
    """The View of one seat; nobody else may have it."""
    public = view.public
    return {
        "seat": "" if view.seat is None else public.rules.seats[view.seat],
        "drawn": [parts.KINDS[kind] for kind in view.drawn],
        "table": encode_public(public),
    }


@reading("view", "great-wall")
def decode_view(config: Config, data: Mapping[str, Any]) -> View:
    public = decode_public(config, data["table"])
    drawn = tuple(parts.KINDS.index(word) for word in data["drawn"])
    if not data["seat"]:
        return View(public, None, 0, ())
    seat = public.rules.seats.index(data["seat"])
    if len(drawn) != _size(public, seat) - public.decks[seat]:
        raise ValueError("drawn")
    return View(public, seat, _hand(drawn, public.played[seat]), drawn)
