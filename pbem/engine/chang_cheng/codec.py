"""Converts States and Views of Chang Cheng to plain data and back; titles of the facts.

Laws: decode(encode(state)) == state. A row is the text of one fact, such as ``A5 red tower``. Rows
name squares and provinces, so people can read them.
Source: FORMAT.md section 6, "The position of chang-cheng".
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.engine.chang_cheng.box import STARTING_BOARDS, format_board, parse_board, rules_of
from pbem.engine.chang_cheng.layout import ALL_KINDS, KINDS, PILE_SIZE, Layout, PlacedBoard, layout_of, members
from pbem.engine.chang_cheng.legal import derive_question
from pbem.engine.chang_cheng.state import (
    NO_QUESTION,
    Card,
    NeutralZone,
    Public,
    Rules,
    Scoring,
    State,
    TurnedCard,
    View,
)
from pbem.engine.decision import MAX_NUMBER, parse_whole_number
from pbem.engine.hidden import Hidden
from pbem.engine.settings import Config, EncodedState, reading

#: titles of facts, and with "=" at the end of the key their possible values. Referees read them when
#: they correct a position. {0} is the first word of a row, {1} the second
TITLES = {
    "seats": "the turn order",
    "boards_allowed": "the number of boards that may be on the table",
    "dealt": "the state of the deal",
    "boards": "the boards on the table",
    "boards.*": "board {0}",
    "box": "the boards in the supply",
    "box.*": "a board in the supply",
    "squares": "the walls",
    "squares.*": "square {0}",
    "squares.*.1": "whose wall is on {0}",
    "squares.*.2": "what is on {0}",
    "provinces": "the provinces",
    "provinces.*": "province {0}",
    "provinces.*.1": "the reputation counter of {0}",
    "regions": "the regions",
    "regions.*": "the threat counter (place in the pile) of {0}",
    "turned": "the threat counters that are turned up",
    "turned.*": "the threat counter at place {0} of the pile, turned up",
    "colours": "points and cards",
    "colours.*": "points and cards of {0}",
    "colours.*.1": "the points of {0}",
    "colours.*.hand": "the number of cards in the hand of {0}",
    "colours.*.out": "the cards of {0} that are out of the game",
    "colours.*.reserve": "the square that the tower of {0} reserves",
    "looked": "who has looked at which threat counters",
    "looked.*": "the threat counters (places in the pile) that {0} has looked at",
    "cards": "the cards that lie face down",
    "cards.*": "the card of {1} that lies face down in {2}",
    "cards.*.1": "whose card it is that lies face down in {2}",
    "cards.*.2": "the province in which a card of {1} lies face down",
    "emperors": "the number of provinces scored since a board joined",
    "turn": "the number of the turn",
    "seat": "whose turn it is",
    "stage": "what is asked now",
    "skips": "the number of turns skipped in a row",
    "events": "the events in play",
    "colour": "the colour that is played this turn",
    "keepers": "the colours whose tower may reserve a square",
    "neutral": "where a neutral wall may go",
    "first": "the first step of this turn",
    "scoring": "the province that is being scored",
    "queue": "the provinces still to be scored",
    "ended_by": "the rule that ended the game",
    "seat=": "a colour that plays",
    "stage=": "`colour`, `action`, `second`, `card`, `board`, `neutral` or `over`",
    "squares.*=": "a colour, then `single`, `double`, `tower` or `broken`; `squares.{0}=` frees it",
    "provinces.*=": "a number from 0 to 9, then `emperor` once it is scored",
    "regions.*=": "a place in the pile, from 0, or `gone`",
    "colours.*.1=": "a whole number",
    "colours.*.hand=": "a number from 0 to 6",
    "colours.*.out=": "kinds of cards with commas and no blanks, or `-`",
    "colours.*.reserve=": "squares with commas and no blanks, or `-`",
}

#: names that corrections have for words of a row, with the number of the word, from 0
FIELD_NAMES = {
    "squares.*.owner": "1",
    "squares.*.wall": "2",
    "provinces.*.reputation": "1",
    "regions.*.threat": "1",
    "colours.*.points": "1",
    "cards.*.owner": "1",
    "cards.*.province": "2",
}

#: what other players read while they wait for the answer, where the kind of question is not clear enough
QUESTIONS = {
    "second": "second wall or card, after the one in {about}",
    "colour": "colour of this turn",
    "board": "place of board {about}",
    "neutral": "neutral wall",
}


PIECES = ("single", "double", "tower")
#: places in a pile of counters, as rows name them
PILE_PLACES = tuple(str(place) for place in range(PILE_SIZE))
MAX_COUNTER_VALUE = 9


def encode(state: State) -> EncodedState:
    """Return the State as plain data. Counters that are not face up, and face-down cards, are hidden slots."""
    public = state.public
    rules = public.rules
    hidden: dict[str, Hidden] = {}
    for place, value in enumerate(state.threat):
        if public.face_up_threats[place] is None:
            audience = (rules.seats[seat] for seat, mask in enumerate(public.looked) if mask >> place & 1)
            hidden[rules.slot("threat", place)] = Hidden(str(value), frozenset(audience))
    for place in range(len(public.reputation), PILE_SIZE):
        hidden[rules.slot("reputation", place)] = Hidden(str(state.reputation[place]))
    for card, kind in zip(public.cards, state.kinds, strict=True):
        owner = frozenset((rules.owners[card.colour],))
        hidden[card.slot] = Hidden(KINDS[kind if kind is not None else 0], owner)
    return EncodedState(encode_public(public), hidden)


@reading("position", "chang-cheng")
def decode(config: Config, public: Mapping[str, Any], values: Mapping[str, str]) -> State:
    """Reverse ``encode``: ``values`` has the value of each hidden slot."""
    table = decode_public(config, public)
    slot = table.rules.slot
    threat = tuple(
        parse_whole_number(values[slot("threat", i)], MAX_COUNTER_VALUE) if face_up_value is None else face_up_value
        for i, face_up_value in enumerate(table.face_up_threats)
    )
    drawn_reputation = table.reputation_in_draw_order()
    hidden_places = range(len(drawn_reputation), PILE_SIZE)
    reputation = (
        *drawn_reputation,
        *(parse_whole_number(values[slot("reputation", i)], MAX_COUNTER_VALUE) for i in hidden_places),
    )
    kinds = tuple(KINDS.index(values[card.slot]) for card in table.cards)
    # a hand has all six kinds except those that have left the game or are face down (CC-1)
    neutral = table.rules.neutral_colour
    hands = [ALL_KINDS & ~out if c != neutral else 0 for c, out in enumerate(table.kinds_out)]
    for card, kind in zip(table.cards, kinds, strict=True):
        hands[card.colour] &= ~(1 << kind)
    return State(table, kinds, threat, reputation, tuple(hands))


def encode_public(public: Public) -> dict[str, Any]:
    layout, rules, names = public.layout, public.rules, public.rules.colours
    document: dict[str, Any] = {
        "seats": list(rules.seats),
        "boards_allowed": rules.max_boards,
        "dealt": rules.deal_state_number,
        "boards": [f"{p.letter} {format_board(p.board)}" for p in layout.placed],
        "box": [format_board(board) for board in public.box],
        "squares": _square_rows(public),
        "provinces": [
            f"{name} {value}{' emperor' if public.scored_provinces >> i & 1 else ''}"
            for i, (name, value) in enumerate(zip(layout.provinces, public.reputation, strict=True))
        ],
        "regions": [
            f"{name} {place if place >= 0 else 'gone'}"
            for name, place in zip(layout.regions, public.threat_places, strict=True)
        ],
        "turned": counter_rows(public.face_up_threats),
        "colours": [
            f"{names[c]} {public.scores[c]} hand={public.hand_sizes[c]}"
            f" out={join_names(KINDS, public.kinds_out[c])}"
            f" reserve={join_names(layout.squares, public.reserve[c])}"
            for c in range(len(names))
        ],
        "looked": [
            f"{seat} {join_names(PILE_PLACES, mask)}" for seat, mask in zip(rules.seats, public.looked, strict=True)
        ],
        "cards": [f"{c.slot} {names[c.colour]} {layout.provinces[c.province]}" for c in public.cards],
        "emperors": public.emperors,
        "turn": public.turns,
        "seat": rules.seats[public.seat],
        "stage": public.stage,
        "skips": public.skips,
    }
    document |= _variant_facts(public)
    if public.first_step:
        document["first"] = f"{public.first_step} {layout.provinces[public.first_province]}"
    if public.scoring is not None:
        document["scoring"] = _scoring_row(public, public.scoring)
    if public.queue:
        document["queue"] = [layout.provinces[i] for i in public.queue]
    if public.ended_by:
        document["ended_by"] = public.ended_by
    return document


def _variant_facts(public: Public) -> dict[str, Any]:
    """Return the facts that only some editions, variants and events have."""
    rules, layout, facts = public.rules, public.layout, dict[str, Any]()
    if rules.events:
        facts["events"] = ",".join(rules.events)
    if len(rules.colours_by_seat[0]) > 1:
        facts["colour"] = rules.colours[public.colour]
    if public.keepers:
        facts["keepers"] = [rules.colours[colour] for colour in public.keepers]
    if public.neutral_zone is not None:
        is_inside, provinces = public.neutral_zone
        facts["neutral"] = f"{'in' if is_inside else 'not-in'} {join_names(layout.provinces, provinces)}"
    return facts


def counter_rows(pile: tuple[int | None, ...]) -> list[str]:
    """Return a row for each known counter, such as ``3 4``: its place in the pile and its value."""
    return [f"{place} {value}" for place, value in enumerate(pile) if value is not None]


def join_names(names: tuple[str, ...], mask: int) -> str:
    """Write a set: the names of its members with commas, or ``-`` for the empty set."""
    return ",".join(names[i] for i in members(mask)) or "-"


def parse_names(names: tuple[str, ...], text: str) -> int:
    """Reverse ``join_names``."""
    return 0 if text == "-" else sum(1 << names.index(word) for word in text.split(","))


def _square_rows(public: Public) -> list[str]:
    """Return ``A5 red tower`` for each occupied square, from left to right."""
    rows = []
    for square in members(public.occupied):
        for colour, name in enumerate(public.rules.colours):
            for kind in PIECES:
                if getattr(public, kind)[colour] >> square & 1:
                    piece = "broken" if public.broken >> square & 1 else kind
                    rows.append(f"{public.layout.squares[square]} {name} {piece}")
    return rows


def _scoring_row(public: Public, scoring: Scoring) -> str:
    """Write ``AP2 cards=flood:red,builder:blue value=+2 extra=0,1``, where ``extra`` is by colour."""
    names = public.rules.colours
    cards = ",".join(f"{KINDS[card.kind]}:{names[card.colour]}" for card in scoring.cards) or "-"
    extra_walls = ",".join(map(str, scoring.extra_walls))
    name = public.layout.provinces[scoring.province]
    return f"{name} cards={cards} value={scoring.added_value:+d} extra={extra_walls}"


def decode_public(config: Config, data: Mapping[str, Any]) -> Public:
    """Reverse ``encode_public``. Callers turn the errors of Python for malformed data into BadInput."""
    seats = tuple(data["seats"])
    if sorted(seats) != sorted(config.seats):
        raise ValueError("seats")
    events = str(data.get("events", "")).replace(",", "")
    rules = rules_of(config, seats, events, parse_whole_number(data["dealt"]))
    placed = tuple(PlacedBoard(row[0], parse_board(row[2:])) for row in data["boards"])
    if not STARTING_BOARDS <= len(placed) <= rules.max_boards == data["boards_allowed"]:
        raise ValueError("boards")
    layout = layout_of(placed)
    pieces, broken = _read_squares(rules, layout, data["squares"])
    colours = [dict(part.split("=") for part in row.split()[2:]) for row in data["colours"]]
    seat = seats.index(data["seat"])
    first_step, _, first_province = str(data.get("first", "")).partition(" ")
    public = Public(
        rules=rules,
        layout=layout,
        box=tuple(parse_board(text) for text in data["box"]),
        single=pieces["single"],
        double=pieces["double"],
        tower=pieces["tower"],
        broken=broken,
        reserve=tuple(parse_names(layout.squares, colour["reserve"]) for colour in colours),
        keepers=tuple(rules.colours.index(name) for name in data.get("keepers", ())),
        occupied=sum(sum(masks) for masks in pieces.values()),
        scores=tuple(parse_whole_number(row.split()[1], MAX_NUMBER, -MAX_NUMBER) for row in data["colours"]),
        hand_sizes=tuple(parse_whole_number(colour["hand"], len(KINDS)) for colour in colours),
        kinds_out=tuple(parse_names(KINDS, colour["out"]) for colour in colours),
        cards=tuple(
            Card(slot, rules.colours.index(colour), layout.province_number[province])
            for slot, colour, province in (row.split() for row in data["cards"])
        ),
        reputation=tuple(parse_whole_number(row.split()[1], MAX_COUNTER_VALUE) for row in data["provinces"]),
        threat_places=tuple(
            -1 if row.endswith("gone") else parse_whole_number(row.split()[1], PILE_SIZE - 1) for row in data["regions"]
        ),
        face_up_threats=parse_counter_rows(data["turned"]),
        looked=tuple(parse_names(PILE_PLACES, row.split()[1]) for row in data["looked"]),
        scored_provinces=sum(1 << i for i, row in enumerate(data["provinces"]) if row.endswith(" emperor")),
        emperors=parse_whole_number(data["emperors"]),
        seat=seat,
        colour=rules.colours.index(data.get("colour", seats[seat])),
        turns=parse_whole_number(data["turn"]),
        stage=str(data["stage"]),
        first_step=first_step,
        first_province=layout.province_number[first_province] if first_province else -1,
        neutral_zone=_read_neutral_zone(layout, data["neutral"]) if "neutral" in data else None,
        scoring=_read_scoring(rules, layout, data["scoring"]) if "scoring" in data else None,
        queue=tuple(layout.province_number[name] for name in data.get("queue", ())),
        skips=parse_whole_number(data["skips"]),
        ended_by=str(data.get("ended_by", "")),
        asked=NO_QUESTION,
    )
    return public.but(asked=derive_question(public))


def parse_counter_rows(rows: Iterable[str]) -> tuple[int | None, ...]:
    """Reverse ``counter_rows``."""
    pairs = (row.split() for row in rows)
    value_by_place = {
        parse_whole_number(place, PILE_SIZE - 1): parse_whole_number(value, MAX_COUNTER_VALUE) for place, value in pairs
    }
    return tuple(value_by_place.get(place) for place in range(PILE_SIZE))


def _read_squares(rules: Rules, layout: Layout, rows: Iterable[str]) -> tuple[dict[str, tuple[int, ...]], int]:
    """Reverse ``_square_rows``. Return squares by piece and colour, and the squares of broken walls."""
    pieces = {kind: [0] * len(rules.colours) for kind in PIECES}
    broken = 0
    for row in rows:
        name, colour, piece = row.split()
        square = 1 << layout.square_number[name]
        if piece == "broken":
            broken |= square
            piece = "single"
        pieces[piece][rules.colours.index(colour)] |= square
    return {kind: tuple(masks) for kind, masks in pieces.items()}, broken


def _read_neutral_zone(layout: Layout, text: str) -> NeutralZone:
    """Read ``in AP1,AP2`` or ``not-in AP1``; raise ValueError for any other text."""
    preposition, provinces = text.split()
    is_inside = ("not-in", "in").index(preposition) == 1
    return NeutralZone(is_inside, parse_names(layout.provinces, provinces))


def _read_scoring(rules: Rules, layout: Layout, row: str) -> Scoring:
    """Reverse ``_scoring_row``."""
    name, *parts = row.split()
    fields = dict(part.split("=") for part in parts)
    pairs = [] if fields["cards"] == "-" else [p.split(":") for p in fields["cards"].split(",")]
    cards = tuple(TurnedCard(KINDS.index(kind), rules.colours.index(colour)) for kind, colour in pairs)
    extra_walls = tuple(parse_whole_number(number) for number in fields["extra"].split(","))
    value = fields["value"].removeprefix("+")
    return Scoring(layout.province_number[name], cards, parse_whole_number(value, MAX_NUMBER, -MAX_NUMBER), extra_walls)


@reading("position", "chang-cheng")
def watch(config: Config, public: Mapping[str, Any]) -> View:
    table = decode_public(config, public)
    return View(table, None, table.rules.unknown_hands, (None,) * len(table.cards), table.face_up_threats)


def encode_view(view: View) -> dict[str, Any]:
    """Return the View of a seat as plain data, which only that seat may have."""
    public = view.public
    return {
        "seat": "" if view.seat is None else public.rules.seats[view.seat],
        "hand": [
            f"{public.rules.colours[colour]} {join_names(KINDS, hand)}"
            for colour, hand in enumerate(view.hands)
            if hand is not None
        ],
        "mine": [
            f"{card.slot} {KINDS[kind]}"
            for card, kind in zip(public.cards, view.kinds, strict=True)
            if kind is not None
        ],
        "known": counter_rows(view.threat),
        "table": encode_public(public),
    }


@reading("view", "chang-cheng")
def decode_view(config: Config, data: Mapping[str, Any]) -> View:
    public = decode_public(config, data["table"])
    kind_by_slot = dict(row.split() for row in data["mine"])
    threat = parse_counter_rows(data["known"])
    seat = public.rules.seats.index(data["seat"]) if data["seat"] else None
    kinds = tuple(KINDS.index(kind_by_slot[c.slot]) if c.slot in kind_by_slot else None for c in public.cards)
    hand_by_colour = {name: parse_names(KINDS, kinds) for name, kinds in (r.split() for r in data["hand"])}
    hands = tuple(hand_by_colour.get(name) for name in public.rules.colours)
    return View(public, seat, hands, kinds, threat)
