"""States and Views of Chang Cheng as plain data, one row of text a thing.

Law: decode(encode(state)) == state; the rows name squares and provinces, so a person can read them.
Source: FORMAT.md section 6, "The position of chang-cheng".
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.engine.chang_cheng.box import START, board_from, board_text, rules_of
from pbem.engine.chang_cheng.layout import (
    ALL_KINDS,
    KINDS,
    LETTERS,
    PILE,
    Layout,
    Placed,
    layout_of,
    members,
)
from pbem.engine.chang_cheng.legal import with_question
from pbem.engine.chang_cheng.state import (
    NOBODY,
    Card,
    Near,
    Public,
    Rules,
    Scoring,
    State,
    View,
)
from pbem.engine.decision import MOST, whole
from pbem.engine.hidden import Hidden
from pbem.engine.settings import Config, EncodedState
from pbem.engine.strict import reading


def misfit(state: State) -> str:
    """What on the table cannot have come out of the box, in words; "" if all can."""
    public = state.public
    return _boards(public.layout) or _pieces(public) or _regions(public) or _looked(public)


def _boards(layout: Layout) -> str:
    letters = sorted(placed.letter for placed in layout.placed)
    right = letters == list(LETTERS[: len(letters)])  # a board gets the next letter when it joins
    return "" if right else f"the boards would be lettered {', '.join(letters)}"


def _pieces(public: Public) -> str:
    for colour, name in enumerate(public.rules.colours):
        if public.supply(colour) < 0:
            walls, lying = public.rules.walls[colour], public.single[colour].bit_count()
            return f"{name} has {walls} single walls, and {lying} would lie there"
        tower, double = public.tower[colour], public.double[colour]
        if public.rules.neutral == colour and tower | double:
            return f"{name} has neither tower nor double wall, and one would lie there"
        if tower.bit_count() > 1:
            return f"{name} has one tower, and {tower.bit_count()} would stand there"
        if double and (double.bit_count() != 2 or not double & double << 1):
            return f"{name} has one double wall, on two squares side by side"
    return ""


def _regions(public: Public) -> str:
    """A counter is drawn for its region and never goes to another; it may be gone (CC-3, CC-24)."""
    names = public.layout.regions
    drawn = sorted(range(len(names)), key=lambda i: (names[i][0], i))  # by letter, as they joined
    for place, region in enumerate(drawn):
        if public.threat[region] not in (place, -1):
            return f"region {names[region]} has the counter drawn for it ({place}), or none (gone)"
    return ""


def _looked(public: Public) -> str:
    drawn = len(public.layout.regions)
    for seat, mask in zip(public.rules.seats, public.looked, strict=True):
        if mask >> drawn:
            place = members(mask)[-1]
            return f"{seat} cannot have looked at counter {place}: {drawn} are drawn, from 0 on"
    return ""


PIECES = ("single", "double", "tower")
#: places in a pile of counters, as rows name them
PLACES = tuple(str(place) for place in range(PILE))
DIGIT = 9  #: what is printed on a counter


def encode(state: State) -> EncodedState:
    """All that is public in the clear; both piles and every face-down card as hidden slots."""
    public = state.public
    rules = public.rules
    hidden: dict[str, Hidden] = {}
    for place, value in enumerate(state.threat):
        if public.turned[place] is None:
            knows = (rules.seats[s] for s, mask in enumerate(public.looked) if mask >> place & 1)
            hidden[rules.slot("threat", place)] = Hidden(str(value), frozenset(knows))
    for place in range(len(public.reputation), PILE):
        hidden[rules.slot("reputation", place)] = Hidden(str(state.reputation[place]))
    for card, kind in zip(public.cards, state.kinds, strict=True):
        owner = frozenset((rules.owner[card.colour],))
        hidden[card.slot] = Hidden(KINDS[kind if kind is not None else 0], owner)
    return EncodedState(encode_public(public), hidden)


@reading("position", "chang-cheng")
def decode(config: Config, public: Mapping[str, Any], values: Mapping[str, str]) -> State:
    """The State again; BadInput ``position/unreadable`` where the data is none."""
    table = decode_public(config, public)
    slot = table.rules.slot
    threat = tuple(
        whole(values[slot("threat", i)], DIGIT) if up is None else up
        for i, up in enumerate(table.turned)
    )
    drawn = table.faces()
    hidden = range(len(drawn), PILE)
    reputation = (*drawn, *(whole(values[slot("reputation", i)], DIGIT) for i in hidden))
    kinds = tuple(KINDS.index(values[card.slot]) for card in table.cards)
    # in hand: all six kinds but those turned up or lying face down (CC-1)
    neutral = table.rules.neutral
    hands = [ALL_KINDS & ~out if c != neutral else 0 for c, out in enumerate(table.out)]
    for card, kind in zip(table.cards, kinds, strict=True):
        hands[card.colour] &= ~(1 << kind)
    return State(table, kinds, threat, reputation, tuple(hands))


def encode_public(public: Public) -> dict[str, Any]:
    """What all see."""
    layout, rules, names = public.layout, public.rules, public.rules.colours
    document: dict[str, Any] = {
        "seats": list(rules.seats),
        "boards_allowed": rules.boards,
        "dealt": rules.dealt,
        "boards": [f"{p.letter} {board_text(p.board)}" for p in layout.placed],
        "box": [board_text(board) for board in public.box],
        "squares": _square_rows(public),
        "provinces": [
            f"{name} {value}{' emperor' if public.scored >> i & 1 else ''}"
            for i, (name, value) in enumerate(zip(layout.provinces, public.reputation, strict=True))
        ],
        "regions": [
            f"{name} {place if place >= 0 else 'gone'}"
            for name, place in zip(layout.regions, public.threat, strict=True)
        ],
        "turned": known_rows(public.turned),
        "colours": [
            f"{names[c]} {public.scores[c]} hand={public.held[c]}"
            f" out={names_in(KINDS, public.out[c])}"
            f" reserve={names_in(layout.squares, public.reserve[c])}"
            for c in range(len(names))
        ],
        "looked": [
            f"{seat} {names_in(PLACES, mask)}"
            for seat, mask in zip(rules.seats, public.looked, strict=True)
        ],
        "cards": [
            f"{c.slot} {names[c.colour]} {layout.provinces[c.province]}" for c in public.cards
        ],
        "emperors": public.emperors,
        "turn": public.turns,
        "seat": rules.seats[public.seat],
        "stage": public.stage,
        "skips": public.skips,
    }
    document |= _of_variants(public)
    if public.first:
        document["first"] = f"{public.first} {layout.provinces[public.where]}"
    if public.scoring is not None:
        document["scoring"] = _scoring_row(public, public.scoring)
    if public.queue:
        document["queue"] = [layout.provinces[i] for i in public.queue]
    if public.ended_by:
        document["ended_by"] = public.ended_by
    return document


def _of_variants(public: Public) -> dict[str, Any]:
    """Facts that only some editions, variants and events have."""
    rules, layout, found = public.rules, public.layout, dict[str, Any]()
    if rules.events:
        found["events"] = ",".join(rules.events)
    if len(rules.own[0]) > 1:
        found["colour"] = rules.colours[public.colour]
    if public.keepers:
        found["keepers"] = [rules.colours[colour] for colour in public.keepers]
    if public.neutral is not None:
        inside, provinces = public.neutral
        found["neutral"] = f"{'in' if inside else 'not-in'} {names_in(layout.provinces, provinces)}"
    return found


def known_rows(pile: tuple[int | None, ...]) -> list[str]:
    """``3 4``: place and value of every counter that is known."""
    return [f"{place} {value}" for place, value in enumerate(pile) if value is not None]


def names_in(names: tuple[str, ...], mask: int) -> str:
    return ",".join(names[i] for i in members(mask)) or "-"


def mask_of(names: tuple[str, ...], text: str) -> int:
    return 0 if text == "-" else sum(1 << names.index(word) for word in text.split(","))


def _square_rows(public: Public) -> list[str]:
    """``A5 red tower`` for every square that is taken, from left to right."""
    rows = []
    for i in members(public.taken):
        for colour, name in enumerate(public.rules.colours):
            for kind in PIECES:
                if getattr(public, kind)[colour] >> i & 1:
                    what = "broken" if public.broken >> i & 1 else kind
                    rows.append(f"{public.layout.squares[i]} {name} {what}")
    return rows


def _scoring_row(public: Public, scoring: Scoring) -> str:
    names = public.rules.colours
    cards = ",".join(f"{KINDS[kind]}:{names[colour]}" for kind, colour in scoring.cards) or "-"
    extra = ",".join(str(number) for number in scoring.extra)
    name = public.layout.provinces[scoring.province]
    return f"{name} cards={cards} value={scoring.value:+d} extra={extra}"


def decode_public(config: Config, data: Mapping[str, Any]) -> Public:
    """Read ``encode_public`` back; the usual Python errors where it is none (callers translate)."""
    seats = tuple(data["seats"])
    if sorted(seats) != sorted(config.seats):
        raise ValueError("seats")
    events = str(data.get("events", "")).replace(",", "")
    rules = rules_of(config, seats, events, whole(data["dealt"]))
    placed = tuple(Placed(row[0], board_from(row[2:])) for row in data["boards"])
    if not START <= len(placed) <= rules.boards == data["boards_allowed"]:
        raise ValueError("boards")
    layout = layout_of(placed)
    pieces, broken = _read_squares(rules, layout, data["squares"])
    colours = [dict(part.split("=") for part in row.split()[2:]) for row in data["colours"]]
    seat = seats.index(data["seat"])
    first, _, where = str(data.get("first", "")).partition(" ")
    public = Public(
        rules=rules,
        layout=layout,
        box=tuple(board_from(text) for text in data["box"]),
        single=pieces["single"],
        double=pieces["double"],
        tower=pieces["tower"],
        broken=broken,
        reserve=tuple(mask_of(layout.squares, colour["reserve"]) for colour in colours),
        keepers=tuple(rules.colours.index(name) for name in data.get("keepers", ())),
        taken=sum(sum(masks) for masks in pieces.values()),
        scores=tuple(whole(row.split()[1], MOST, -MOST) for row in data["colours"]),
        held=tuple(whole(colour["hand"], len(KINDS)) for colour in colours),
        out=tuple(mask_of(KINDS, colour["out"]) for colour in colours),
        cards=tuple(
            Card(slot, rules.colours.index(colour), layout.province_number[province])
            for slot, colour, province in (row.split() for row in data["cards"])
        ),
        reputation=tuple(whole(row.split()[1], DIGIT) for row in data["provinces"]),
        threat=tuple(
            -1 if row.endswith("gone") else whole(row.split()[1], PILE - 1)
            for row in data["regions"]
        ),
        turned=pile(data["turned"]),
        looked=tuple(mask_of(PLACES, row.split()[1]) for row in data["looked"]),
        scored=sum(1 << i for i, row in enumerate(data["provinces"]) if row.endswith(" emperor")),
        emperors=whole(data["emperors"]),
        seat=seat,
        colour=rules.colours.index(data.get("colour", seats[seat])),
        turns=whole(data["turn"]),
        stage=str(data["stage"]),
        first=first,
        where=layout.province_number[where] if where else -1,
        neutral=_read_near(layout, data["neutral"]) if "neutral" in data else None,
        scoring=_read_scoring(rules, layout, data["scoring"]) if "scoring" in data else None,
        queue=tuple(layout.province_number[name] for name in data.get("queue", ())),
        skips=whole(data["skips"]),
        ended_by=str(data.get("ended_by", "")),
        asked=NOBODY,
    )
    return with_question(public)


def pile(rows: Iterable[str]) -> tuple[int | None, ...]:
    """Read ``known_rows`` back."""
    pairs = (row.split() for row in rows)
    known = {whole(place, PILE - 1): whole(value, DIGIT) for place, value in pairs}
    return tuple(known.get(place) for place in range(PILE))


def _read_squares(
    rules: Rules, layout: Layout, rows: Iterable[str]
) -> tuple[dict[str, tuple[int, ...]], int]:
    pieces = {kind: [0] * len(rules.colours) for kind in PIECES}
    broken = 0
    for row in rows:
        name, colour, what = row.split()
        square = 1 << layout.number[name]
        if what == "broken":
            broken |= square
            what = "single"
        pieces[what][rules.colours.index(colour)] |= square
    return {kind: tuple(masks) for kind, masks in pieces.items()}, broken


def _read_near(layout: Layout, text: str) -> Near:
    where, provinces = text.split()
    return Near(("not-in", "in").index(where) == 1, mask_of(layout.provinces, provinces))


def _read_scoring(rules: Rules, layout: Layout, row: str) -> Scoring:
    name, *parts = row.split()
    found = dict(part.split("=") for part in parts)
    pairs = [] if found["cards"] == "-" else [p.split(":") for p in found["cards"].split(",")]
    cards = tuple((KINDS.index(kind), rules.colours.index(colour)) for kind, colour in pairs)
    extra = tuple(whole(number) for number in found["extra"].split(","))
    value = found["value"].removeprefix("+")
    return Scoring(layout.province_number[name], cards, whole(value, MOST, -MOST), extra)


@reading("position", "chang-cheng")
def watch(config: Config, public: Mapping[str, Any]) -> View:
    """What a spectator sees, from the public part alone; BadInput ``position/unreadable``."""
    table = decode_public(config, public)
    nothing = (None,) * len(table.rules.colours)
    return View(table, None, nothing, (None,) * len(table.cards), table.turned)


def encode_view(view: View) -> dict[str, Any]:
    """The View of one seat; nobody else may have it."""
    public = view.public
    return {
        "seat": "" if view.seat is None else public.rules.seats[view.seat],
        "hand": [
            f"{public.rules.colours[colour]} {names_in(KINDS, hand)}"
            for colour, hand in enumerate(view.hands)
            if hand is not None
        ],
        "mine": [
            f"{card.slot} {KINDS[kind]}"
            for card, kind in zip(public.cards, view.kinds, strict=True)
            if kind is not None
        ],
        "known": known_rows(view.threat),
        "table": encode_public(public),
    }


@reading("view", "chang-cheng")
def decode_view(config: Config, data: Mapping[str, Any]) -> View:
    """Read ``encode_view`` back; BadInput ``view/unreadable`` where the data is none."""
    public = decode_public(config, data["table"])
    mine = dict(row.split() for row in data["mine"])
    threat = pile(data["known"])
    seat = public.rules.seats.index(data["seat"]) if data["seat"] else None
    kinds = tuple(KINDS.index(mine[c.slot]) if c.slot in mine else None for c in public.cards)
    held = {name: mask_of(KINDS, kinds) for name, kinds in (r.split() for r in data["hand"])}
    hands = tuple(held.get(name) for name in public.rules.colours)
    return View(public, seat, hands, kinds, threat)
