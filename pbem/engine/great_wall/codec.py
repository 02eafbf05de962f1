"""Converts States and Views of Great Wall to plain data and back; titles of the facts.

Laws: decode(encode(state)) == state. A row is the text of one fact, such as ``S1 1 blue wall``. Rows
name sites and cards, so people can read them. The slot of a played card stays hidden, because its
place in the deck would tell when the card was drawn. So a hand is what a seat has drawn minus what
it has played.
Source: FORMAT.md, "The position of great-wall"; docs/SPECIFICATION.md section 7.
"""

import functools
from collections.abc import Mapping
from typing import Any

from pbem.engine.decision import parse_whole_number
from pbem.engine.great_wall import parts
from pbem.engine.great_wall.legal import derive_question
from pbem.engine.great_wall.opening import rules_of
from pbem.engine.great_wall.state import NO_QUESTION, Public, State, View
from pbem.engine.hidden import Hidden
from pbem.engine.settings import Config, EncodedState, reading

#: titles of facts, and with "=" at the end of the key their possible values. Referees read them when
#: they correct a position. {0} is the first word of a row, {1} the second
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
    "drawn": "the number of markers that have left the supply",
    "reserve": "the number of markers in the supply",
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

#: names that corrections have for words of a row, with the number of the word, from 0
FIELD_NAMES = {"cards.*.number": "1", "cards.*.owner": "2", "cards.*.kind": "3"}

#: what other players read while they wait for the answer, where the kind of question is not clear enough
QUESTIONS = {"second": "first of two actions", "third": "second of two actions", "marker": "marker at {about}"}


MAX_MARKER = 99  #: the highest marker that a row may name


def format_numbers(values: tuple[int, ...]) -> str:
    """Write numbers as ``5,3``, or ``-`` for none."""
    return ",".join(str(value) for value in values) or "-"


def parse_numbers(text: str) -> tuple[int, ...]:
    """Reverse ``format_numbers``."""
    return () if text == "-" else tuple(parse_whole_number(part, MAX_MARKER) for part in text.split(","))


def format_hand(hand: int) -> str:
    """Write a hand as ``wall:2,noble:1``, or ``-`` if it is empty."""
    counts = [(word, parts.count_in_hand(hand, kind)) for kind, word in enumerate(parts.KINDS)]
    return ",".join(f"{word}:{number}" for word, number in counts if number) or "-"


def parse_hand(text: str) -> int:
    """Reverse ``format_hand``; raise ValueError for a kind that is there twice, or too often for a deck."""
    hand = 0
    for part in () if text == "-" else text.split(","):
        word, number = part.split(":")
        kind = parts.KINDS.index(word)
        if parts.count_in_hand(hand, kind):
            raise ValueError(part)
        hand += parse_whole_number(number, parts.DECK_COUNTS[kind], 1) * parts.one_card(kind)
    return hand


def parse_fields(row: str) -> dict[str, str]:
    """Return the ``name=value`` parts of a row."""
    return dict(part.split("=", 1) for part in row.split(" ") if "=" in part)


def card_rows(name: str, site: parts.Site, seats: tuple[str, ...]) -> list[str]:
    """Return a row for each card of a site: ``S1 1 blue wall marker=7``, ``S1 2 green dragon over=3``."""
    rows = []
    for i, card in enumerate(site.cards):
        over_text = f" over={card.covered_card + 1}" if card.covered_card >= 0 else ""
        marker_text = f" marker={site.marker}" if i == site.marked_card else ""
        rows.append(f"{name} {i + 1} {seats[card.colour]} {parts.KINDS[card.kind]}{over_text}{marker_text}")
    return rows


def parse_sites(data: Mapping[str, Any], seats: tuple[str, ...]) -> tuple[parts.Site, ...]:
    """Read the rows of sites and cards; raise ValueError if they contradict each other."""
    names = [str(row).split(" ")[0] for row in data["sites"]]
    if names != list(parts.SITE_NAMES[: len(names)]):
        raise ValueError("sites")
    rows: dict[str, list[str]] = {name: [] for name in names}
    for row in data["cards"]:
        name, number, card_row = str(row).split(" ", 2)
        rows[name].append(card_row)
        if parse_whole_number(number) != len(rows[name]):
            raise ValueError(row)
    free_by_site = [parse_numbers(parse_fields(row).get("free", "-")) for row in data["sites"]]
    pairs = zip(free_by_site, names, strict=True)
    return tuple(_parse_site(free, tuple(rows[name]), seats) for free, name in pairs)


@functools.lru_cache(64)  # the next state has most sites unchanged
def _parse_site(free_markers: tuple[int, ...], rows: tuple[str, ...], seats: tuple[str, ...]) -> parts.Site:
    """Read a site, with the rows of its cards from the seat on; raise ValueError if they contradict each other."""
    cards = []
    marked_card, marker = -1, 0  # no card has a marker
    for i, row in enumerate(rows):
        seat, word = row.split(" ")[:2]
        fields = parse_fields(row)
        covered_card = parse_whole_number(fields["over"], i, 1) - 1 if "over" in fields else -1
        cards.append(parts.Card(seats.index(seat), parts.KINDS.index(word), covered_card))
        if "marker" in fields:
            marked_card, marker = i, parse_whole_number(fields["marker"], MAX_MARKER)
    site = parts.make_site(free_markers, tuple(cards), marked_card, marker, len(seats))
    # a site has two markers, free or on a card; a closed site has neither markers nor cards (GW-3)
    marker_count = len(free_markers) + sum("marker=" in row for row in rows)
    if marker_count != (parts.PAIR_SIZE if free_markers else 0):
        raise ValueError("site")
    is_marker_covered = site.marked_card >= 0 and site.covered_cards >> site.marked_card & 1
    if is_marker_covered or (cards and not free_markers):
        raise ValueError("site")
    return site


def misfit(state: State) -> str:
    """Return a sentence about something impossible at the sites; "" if all is possible."""
    public = state.public
    seat_count = len(public.rules.seats)
    if len(public.sites) != parts.SITE_COUNT[seat_count]:
        return f"{seat_count} players have {parts.SITE_COUNT[seat_count]} sites, not {len(public.sites)}"
    return _find_card_fault(public) or _find_cover_fault(public)


def _find_card_fault(public: Public) -> str:
    """Return a sentence about a card on a site that its colour has not played; "" if there is none."""
    cards_on_sites = [(card.colour, card.kind) for site in public.sites for card in site.cards]
    for colour, kind in sorted(set(cards_on_sites)):
        played = parts.count_in_hand(public.played_cards[colour], kind)
        if cards_on_sites.count((colour, kind)) > played:
            seat, lying_count = public.rules.seats[colour], cards_on_sites.count((colour, kind))
            return f"{seat} has played {parts.KINDS[kind]} {played} times, and {lying_count} would lie there"
    return ""


def _find_cover_fault(public: Public) -> str:
    """Return a sentence about a card covered twice or by no dragon, or a covered dragon (GW-25); or ""."""
    for name, site in zip(parts.SITE_NAMES, public.sites, strict=False):
        covered_cards = [card.covered_card for card in site.cards if card.covered_card >= 0]
        if any(card.covered_card >= 0 and card.kind != parts.DRAGON for card in site.cards):
            return f"at {name} a card that is no dragon would cover another"
        if len(set(covered_cards)) != len(covered_cards) or any(
            site.cards[i].kind == parts.DRAGON for i in covered_cards
        ):
            return f"at {name} a dragon, or a card that is covered, would be covered"
    return ""


STAGES = ("examine", "second", "third", "final", "over")


def encode(state: State) -> EncodedState:
    """Return the State as plain data. The cards of decks and the markers of the reserve are hidden slots.

    A seat knows the slots of the cards that it has drawn, even after playing them.
    """
    public = state.public
    rules = public.rules
    hidden: dict[str, Hidden] = {}
    for colour, deck in enumerate(state.decks):
        owner = frozenset((rules.seats[colour],))
        nobody = frozenset[str]()
        drawn = len(deck) - public.deck_sizes[colour]
        for place, kind in enumerate(deck):
            audience = owner if place < drawn else nobody
            word = parts.KINDS[kind if kind is not None else 0]
            hidden[rules.slot(rules.deck_name(colour), place)] = Hidden(word, audience)
    for place, value in enumerate(state.reserve, public.drawn_markers):
        hidden[rules.slot("reserve", place)] = Hidden(str(value))
    return EncodedState(encode_public(public), hidden)


@reading("position", "great-wall")
def decode(config: Config, public: Mapping[str, Any], values: Mapping[str, str]) -> State:
    """Reverse ``encode``: ``values`` has the value of each hidden slot."""
    table = decode_public(config, public)
    slot, deck = table.rules.slot, table.rules.deck_name
    decks = tuple(
        tuple(parts.KINDS.index(values[slot(deck(colour), i)]) for i in range(_card_count(table, colour)))
        for colour in range(len(table.rules.seats))
    )
    drawn = [kinds[: len(kinds) - deck_size] for kinds, deck_size in zip(decks, table.deck_sizes, strict=True)]
    hands = tuple(_remaining_hand(kinds, played) for kinds, played in zip(drawn, table.played_cards, strict=True))
    reserve = tuple(
        parse_whole_number(values[slot("reserve", table.drawn_markers + i)], MAX_MARKER)
        for i in range(table.reserve_size)
    )
    return State(table, decks, hands, reserve)


def _card_count(public: Public, colour: int) -> int:
    """Return the number of a colour's cards in deck and hand and of those played."""
    return public.deck_sizes[colour] + public.hand_sizes[colour] + parts.hand_size(public.played_cards[colour])


def _remaining_hand(drawn: tuple[int, ...], played: int) -> int:
    """Return the hand, the drawn cards without the played ones; raise ValueError if more were played."""
    for kind in range(len(parts.KINDS)):
        if drawn.count(kind) < parts.count_in_hand(played, kind):
            raise ValueError(parts.KINDS[kind])
    return parts.hand_of(drawn) - played


def encode_public(public: Public) -> dict[str, Any]:
    seats = public.rules.seats
    document: dict[str, Any] = {
        "seats": list(seats),
        "dealt": public.rules.deal_state_number,
        "sites": [
            f"{name} free={format_numbers(site.free_markers)}" if site.free_markers else f"{name} closed"
            for name, site in zip(parts.SITE_NAMES, public.sites, strict=False)
        ],
        "cards": [
            row
            for name, site in zip(parts.SITE_NAMES, public.sites, strict=False)
            for row in card_rows(name, site, seats)
        ],
        "colours": [
            f"{seats[c]} deck={public.deck_sizes[c]} hand={public.hand_sizes[c]}"
            f" played={format_hand(public.played_cards[c])} won={format_numbers(public.won_markers[c])}"
            for c in range(len(seats))
        ],
        "drawn": public.drawn_markers,
        "reserve": public.reserve_size,
        "discarded": [str(value) for value in public.discarded_pairs],
        "turn": public.turns,
        "seat": seats[public.seat],
        "stage": public.stage,
    }
    if public.site >= 0:
        document["site"] = parts.SITE_NAMES[public.site]
    if public.caller >= 0:
        document["caller"] = seats[public.caller]
    if public.ended_by:
        document["ended_by"] = public.ended_by
    return document


def decode_public(config: Config, data: Mapping[str, Any]) -> Public:
    """Reverse ``encode_public``. Callers turn the errors of Python for malformed data into BadInput."""
    seats = tuple(data["seats"])
    if sorted(seats) != sorted(config.seats):
        raise ValueError("seats")
    sites = parse_sites(data, seats)
    colours = [parse_fields(row) for row in data["colours"]]
    if [str(row).split(" ")[0] for row in data["colours"]] != list(seats):
        raise ValueError("colours")
    public = Public(
        rules=rules_of(config, seats, parse_whole_number(data["dealt"])),
        sites=sites,
        deck_sizes=tuple(parse_whole_number(colour["deck"], len(parts.DECK)) for colour in colours),
        hand_sizes=tuple(parse_whole_number(colour["hand"], len(parts.DECK)) for colour in colours),
        played_cards=tuple(parse_hand(colour["played"]) for colour in colours),
        won_markers=tuple(parse_numbers(colour["won"]) for colour in colours),
        drawn_markers=parse_whole_number(data["drawn"], len(parts.RESERVE_MARKERS)),
        reserve_size=parse_whole_number(data["reserve"], len(parts.RESERVE_MARKERS)),
        discarded_pairs=tuple(parse_whole_number(value, MAX_MARKER) for value in data["discarded"]),
        seat=seats.index(data["seat"]),
        turns=parse_whole_number(data["turn"]),
        stage=STAGES[STAGES.index(data["stage"])],  # ValueError for any other text
        site=parts.SITE_NAMES.index(data["site"]) if "site" in data else -1,
        caller=seats.index(data["caller"]) if "caller" in data else -1,
        ended_by=str(data.get("ended_by", "")),
        asked=NO_QUESTION,
    )
    _check_stage(public)
    return public.but(asked=derive_question(public))


def _check_stage(public: Public) -> None:
    """Raise ValueError if the stage does not agree with the rest, so that no question would follow."""
    is_examining = public.stage in ("examine", "final")
    site = public.sites[public.site] if public.site >= 0 else None
    can_take_marker = site is not None and site.is_ahead(public.seat) and len(site.free_markers) == parts.PAIR_SIZE
    if is_examining != can_take_marker:
        raise ValueError("site")
    if (public.stage == "over") != bool(public.ended_by):
        raise ValueError("stage")
    if public.stage in ("second", "third") and public.out_of_cards(public.seat):
        raise ValueError("hand")


@reading("position", "great-wall")
def watch(config: Config, public: Mapping[str, Any]) -> View:
    return View(decode_public(config, public), None, 0, ())


def encode_view(view: View) -> dict[str, Any]:
    """Return the View of a seat as plain data, which only that seat may have."""
    public = view.public
    return {
        "seat": "" if view.seat is None else public.rules.seats[view.seat],
        "drawn": [parts.KINDS[kind] for kind in view.drawn_kinds],
        "table": encode_public(public),
    }


@reading("view", "great-wall")
def decode_view(config: Config, data: Mapping[str, Any]) -> View:
    public = decode_public(config, data["table"])
    drawn = tuple(parts.KINDS.index(word) for word in data["drawn"])
    if not data["seat"]:
        return View(public, None, 0, ())
    seat = public.rules.seats.index(data["seat"])
    if len(drawn) != _card_count(public, seat) - public.deck_sizes[seat]:
        raise ValueError("drawn")
    return View(public, seat, _remaining_hand(drawn, public.played_cards[seat]), drawn)
