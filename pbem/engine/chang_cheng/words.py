"""Sentences: what happened, and what is asked, as one seat may hear it.

Law: a sentence is made of an event (public) and a View (the hearer's); nothing else is within reach.
"""

from typing import Any

from pbem.engine.chang_cheng.legal import legal
from pbem.engine.chang_cheng.parts import KINDS, members
from pbem.engine.chang_cheng.state import View
from pbem.engine.event import Event

CARD_TEXT = {
    "warrior": "removes one other card in its province",
    "traitor": "breaks a single wall there, or takes a bordering region's counter away",
    "flood": "its province is worth 2 more or 2 less",
    "builder": "its province is worth 2 more, or counts you one wall more",
    "master-builder": "counts you two walls more",
    "mandarin": "may swap a single wall there with any other",
}

SENTENCES = {
    "dealt": "The boards {boards} lie on the table, in the box wait {box}; reputation counters: {counters}.",
    "seated": "Turn order as drawn: {seats}.",
    "wall": "{Colour} placed a single wall on {square}.",
    "double": "{Colour} placed the double wall on {left} and {right}: {points}, one for each of {provinces} and {regions} it touches.",
    "tower": "{Colour} placed the tower on {square}{reserving}.",
    "card": "{Colour} laid a card face down in {province}{known}.",
    "looked": "{Seat} looked at the threat counter of {region}{known}.",
    "completed": "{province} is complete and is scored.",
    "turned": "{Colour}'s card in {province} is the {kind}.",
    "cancelled": "{number} cards of one kind ({kind}) lie in {province}: all go out without effect.",
    "warrior": "{Colour}'s warrior removed {victim}'s {kind} in {province}.",
    "warrior-alone": "{Colour}'s warrior in {province} found no card to remove.",
    "traitor-break": "{Colour}'s traitor broke the wall of {owner} on {square}.",
    "traitor-counter": "{Colour}'s traitor took the threat counter of {region} away, unseen.",
    "traitor-none": "{Colour}'s traitor in {province} found nothing to harm.",
    "flood": "{Colour}'s flood changed the value of {province} by {value}.",
    "builder": "{Colour}'s builder in {province}: {effect}.",
    "master-builder": "{Colour}'s master builder counts as two walls more in {province}.",
    "mandarin": "{Colour}'s mandarin swapped {a} ({owner_a}) and {b} ({owner_b}).",
    "mandarin-none": "{Colour}'s mandarin in {province} swapped nothing.",
    "board": "{Seat} added board {board} on the {side}: it is board {letter}; its reputation counters: {counters}.",
    "skipped": "{Seat} could do nothing and skipped the turn.",
    "over": "{ended}",
    "won": "{winners} won.",
}

ENDED = {
    "CC-40": "No empty square is left: the game is over, the Mongols attack.",
    "CC-41": "Every player in a row skipped: the game is over, the Mongols attack.",
}


def tell(happened: Event, view: View) -> str:
    """One sentence about an event, as this View's seat may hear it."""
    facts: dict[str, str] = dict(happened.facts)
    if happened.kind == "scored":
        return _scored(facts, happened)
    if happened.kind == "attack":
        return _attack(facts)
    facts["Colour"] = facts.get("colour", "").capitalize()
    facts["Seat"] = facts.get("seat", "").capitalize()
    if happened.kind == "double":
        points = happened.points[0][1]
        facts["points"] = f"{points} points"
        facts["provinces"] = _number(int(facts["provinces"]), "province")
        facts["regions"] = _number(int(facts["regions"]), "region")
    elif happened.kind == "tower":
        reserves = facts.get("reserves")
        facts["reserving"] = f" and reserves {reserves}" if reserves else ""
    elif happened.kind in ("card", "looked"):
        facts["known"] = _known(facts["slot"], view)
    elif happened.kind == "builder":
        facts["effect"] = (
            "worth 2 more" if facts["effect"] == "value" else "one wall more in the count"
        )
    elif happened.kind == "over":
        facts["ended"] = ENDED[happened.ruling]
    elif happened.kind == "won":
        facts["winners"] = _and([name.capitalize() for name in facts["winners"].split(",")])
    return SENTENCES[happened.kind].format_map(facts)


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"


def _and(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _known(slot: str, view: View) -> str:
    """What this seat alone knows of a slot, in brackets; "" for everybody else."""
    value = known_value(slot, view)
    return f" (it is {value})" if value else ""


def known_value(slot: str, view: View) -> str:
    """The value of a slot if the View's own seat knows it, else ""."""
    if view.seat is None:
        return ""
    for card, kind in zip(view.public.cards, view.kinds, strict=True):
        if card.slot == slot and kind is not None:
            return f"the {KINDS[kind]}"
    prefix = f"{view.public.rules.dealt}/threat/"
    if slot.startswith(prefix):
        value = view.threat[int(slot[len(prefix) :])]
        return "" if value is None else str(value)
    return ""


def _scored(facts: dict[str, str], happened: Event) -> str:
    walls, counter, cards = facts["walls"], facts["counter"], int(facts["cards"])
    made = f"{walls} walls + {counter} counter"
    if cards:
        made += f" {'+' if cards > 0 else '-'} {abs(cards)} cards"
    counts = ", ".join(pair.replace(":", " ") for pair in facts["counts"].split(",") if pair)
    who = _and([name.capitalize() for name, _ in happened.points])
    gain = f"{who} {'each ' if len(happened.points) > 1 else ''}{_scores(facts['value'], len(happened.points))}"
    result = gain if happened.points else "Nobody scores"
    return f"{facts['province']} is worth {facts['value']} ({made}). Walls: {counts or 'none'}. {result}."


def _scores(value: str, number: int) -> str:
    return f"{'score' if number > 1 else 'scores'} {value}"


def _attack(facts: dict[str, str]) -> str:
    counts = ", ".join(pair.replace(":", " ") for pair in facts["counts"].split(",") if pair != "-")
    text = f"{facts['region']}: the counter is {facts['counter']}. Walls: {counts or 'none'}."
    if facts["safe"] != "-":
        safe = _and([name.capitalize() for name in facts["safe"].split(",")])
        text += f" {safe} {'is' if ',' not in facts['safe'] else 'are'} safe behind the tower."
    if facts["losers"] == "nobody":
        return f"{text} Nobody loses."
    losers = facts["losers"].split(",")
    verb = "each lose" if len(losers) > 1 else "loses"
    return f"{text} {_and([name.capitalize() for name in losers])} {verb} {facts['counter']}."


def ask(view: View) -> dict[str, Any]:
    """The question for the View's seat: a sentence, the choices grouped by their word, an example."""
    public = view.public
    lines = legal(view)
    if not lines:
        return {}
    groups: dict[str, list[str]] = {}
    for line in lines:
        head, rest = _grouped(line)
        groups.setdefault(head, []).append(rest)
    choices = [
        {"word": word, "rests": [rest for rest in rests if rest]} for word, rests in groups.items()
    ]
    return {
        "text": _question(view),
        "choices": choices,
        "example": _example(view, lines),
        "hint": _hint(view),
    }


def _grouped(line: str) -> tuple[str, str]:
    """``card flood AP2`` goes under ``card flood``, ``wall A5`` under ``wall``."""
    words = line.split()
    if words[0] == "card" or (words[0] == "traitor" and len(words) == 3):
        return " ".join(words[:2]), " ".join(words[2:])
    if words[0] == "tower" and len(words) == 4:
        return "tower", f"{words[1]} reserve {words[3]}"
    return words[0], " ".join(words[1:])


def _question(view: View) -> str:
    public = view.public
    if public.stage == "board":
        return f"On which side does the new board ({public.box[0].id}) go, left or right?"
    if public.stage == "card" and public.scoring is not None:
        kind = KINDS[public.scoring.cards[0][0]]
        return f"Your {kind} in {public.layout.provinces[public.scoring.province]} resolves: what does it do?"
    if public.stage == "second":
        here = public.layout.provinces[public.where]
        if public.first == "wall":
            return f"Your second wall: where, outside {here}?"
        return f"After your card in {here}: a wall in {here}, or a second card in another province?"
    if public.turns == 1:
        return "You begin the game, with one single wall: where?"
    can = public.asked.can
    if can.complete:
        return "It is your turn: one action."
    return "It is your turn. No action can be completed any more: do what can still be done of one."


def _hint(view: View) -> str:
    if (
        view.public.stage != "action"
        or view.public.turns == 1
        or not view.public.asked.can.complete
    ):
        return ""
    return (
        "An action is two walls in two provinces; or two cards in two provinces; or a card and then "
        "a wall in the same province; or the double wall; or the tower. Two orders, two lines."
    )


def _example(view: View, lines: tuple[str, ...]) -> list[str]:
    """One legal answer to copy; with a second line where the turn wants one."""
    from pbem.engine.chang_cheng.foreseeing import foresee

    first = lines[0]
    after = foresee(view, first) if view.public.stage == "action" else None
    if after is None or after.public.stage != "second":
        return [first]
    following = legal(after)
    return [first, following[0]] if following else [first]


def describe(view: View) -> dict[str, Any]:
    """Board, hand and scores for a report's template, line by line."""
    public = view.public
    return {
        "provinces": [_province_line(view, i) for i in range(len(public.layout.provinces))],
        "regions": [_region_line(view, i) for i in range(len(public.layout.regions))],
        "box": [board.id for board in public.box][
            : max(0, public.rules.boards - len(public.layout.placed))
        ],
        "boards": [f"{p.letter} ({p.board.id})" for p in public.layout.placed],
        "emperors": public.emperors,
        "colours": [_colour_line(view, c) for c in range(len(public.rules.colours))],
        "hand": [{"kind": KINDS[k], "text": CARD_TEXT[KINDS[k]]} for k in members(view.hand)],
        "mine": _own_cards(view),
        "known": _known_counters(view),
    }


def _province_line(view: View, province: int) -> str:
    public = view.public
    layout = public.layout
    squares = ", ".join(
        f"{layout.squares[i]} {_on_square(view, i)}" for i in members(layout.province_set[province])
    )
    mark = ", scored" if public.scored >> province & 1 else ""
    cards = [public.rules.colours[c.colour] for c in public.cards if c.province == province]
    lying = f"; cards: {', '.join(cards)}" if cards else ""
    return f"{layout.provinces[province]}  {public.reputation[province]:+d}{mark}: {squares}{lying}"


def _on_square(view: View, square: int) -> str:
    public = view.public
    bit = 1 << square
    for colour, name in enumerate(public.rules.colours):
        if public.broken & public.single[colour] & bit:
            return f"{name} (broken)"
        if public.single[colour] & bit:
            return name
        if public.double[colour] & bit:
            return f"{name} double"
        if public.tower[colour] & bit:
            return f"{name} tower"
        if public.reserve[colour] & bit:
            return f"free (kept for {name})"
    return "free"


def _region_line(view: View, region: int) -> str:
    public = view.public
    members_of = members(public.layout.region_set[region])
    first, last = public.layout.squares[members_of[0]], public.layout.squares[members_of[-1]]
    place = public.threat[region]
    if place < 0:
        counter = "no counter"
    elif public.turned[place] is not None:
        counter = f"counter {public.turned[place]}"
    elif view.threat[place] is not None:
        counter = f"counter face down (you know: {view.threat[place]})"
    else:
        counter = "counter face down"
    return f"{public.layout.regions[region]}  {first} to {last}: {counter}"


def _colour_line(view: View, colour: int) -> dict[str, Any]:
    public = view.public
    return {
        "name": public.rules.colours[colour],
        "seat": public.rules.seats[public.rules.seat_of[colour]],
        "score": public.scores[colour],
        "walls": public.supply(colour),
        "double": not public.double[colour],
        "tower": not public.tower[colour],
        "cards": public.held[colour],
        "out": [KINDS[kind] for kind in members(public.out[colour])],
    }


def _own_cards(view: View) -> list[str]:
    return [
        f"{KINDS[kind]} face down in {view.public.layout.provinces[card.province]}"
        for card, kind in zip(view.public.cards, view.kinds, strict=True)
        if kind is not None
    ]


def _known_counters(view: View) -> list[str]:
    """Counters this seat has looked at; of those that left the game too (CC-17)."""
    public = view.public
    known = []
    for place, value in enumerate(view.threat):
        if value is None or public.turned[place] is not None:
            continue
        if place in public.threat:
            known.append(f"{public.layout.regions[public.threat.index(place)]} {value}")
        else:
            known.append(f"one taken away {value}")
    return known


NOTICES = (
    "The boards, and how many counters there are of each value, are not the publisher's: the "
    "rulebooks' text does not give them, so they are inferred (docs: boards).",
    "What the rulebooks leave open is decided by house rulings, marked [R] in `pbem rules chang-cheng`; "
    "among them: scores may go below 0 (CC-4), a game in which everybody must skip ends (CC-41), the "
    "tower's default reservation is on the right (CC-15).",
)
