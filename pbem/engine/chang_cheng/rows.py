"""Makes the rows that players read: events, the question, notices.

templates/chang-cheng/words.txt turns rows into sentences.
Law: a row is made only of a public event and the reader's View, or of the options.
Source: P10, decision 0008.
"""

from typing import Any

from pbem.engine.chang_cheng.editions import EDITIONS, edition_of
from pbem.engine.chang_cheng.editions import RULINGS as VERSIONS
from pbem.engine.chang_cheng.layout import KINDS, MANDARIN, WARRIOR
from pbem.engine.chang_cheng.legal import legal
from pbem.engine.chang_cheng.placing import count_touched
from pbem.engine.chang_cheng.state import Public, View
from pbem.engine.chang_cheng.turn import foresee
from pbem.engine.decision import Event
from pbem.engine.row import Asking, Row, group_orders
from pbem.engine.settings import Config


def ask(view: View) -> Asking | None:
    """Return the question for the View's seat, with grouped choices, an example and a hint; None without one."""
    lines = legal(view)
    if not lines:
        return None
    kind, facts = _question_facts(view, lines)
    hint = Row(kind, _piece_facts(view, lines)) if kind in ("action", "colour") else None
    if view.public.stage == "card":
        hint = Row(kind, facts)
    return Asking(kind, facts, group_orders(lines, _count_shared_words), _example(view, lines), hint)


def _count_shared_words(words: list[str]) -> int:
    """Return how many words an order shares with others of its group: 1 of ``wall A5``, 2 of ``card flood AP1``."""
    return 2 if words[0] == "card" or (words[0] == "traitor" and len(words) == 3) else 1


def _piece_facts(view: View, lines: tuple[str, ...]) -> dict[str, Any]:
    """Return what the pieces would bring, and whether to explain them: at a seat's first complete action.

    ``doubles``: where a double brings the same points, the most first. ``reserved``: what a tower reserves
    that names no square.
    """
    public, rules = view.public, view.public.rules
    is_first_action = 1 < public.turns <= 1 + len(rules.colours_by_seat)
    doubles: dict[int, list[str]] = {}
    reserved = {}
    for word, *squares in map(str.split, lines):
        if word == "double":
            left, right = (public.layout.square_number[name] for name in squares)
            doubles.setdefault(sum(count_touched(public.layout, left, right)), []).append(" ".join(squares))
        elif word == "tower" and len(squares) == 1:
            view_after = foresee(view, f"tower {squares[0]}")
            square = view_after.public.reserve[public.colour] if view_after else 0
            reserved[squares[0]] = (
                view_after.public.layout.squares[square.bit_length() - 1] if view_after and square else ""
            )
    return {
        "first": is_first_action,
        "reserve": rules.edition.reserve_named,
        "doubles": [{"points": points, "squares": doubles[points]} for points in sorted(doubles, reverse=True)],
        "reserved": reserved,
    }


def _possible_actions(public: Public, lines: tuple[str, ...]) -> list[str]:
    """Return the kinds of action that can be begun (CC-10)."""
    words = {line.split(" ")[0] for line in lines}
    possible = {
        "walls": "wall" in words,
        "cards": "card" in words and public.hand_sizes[public.colour] > 1,
        "card_and_wall": "card" in words and public.supply(public.colour) > 0,
        "double": "double" in words,
        "tower": "tower" in words,
    }
    return [kind for kind, is_possible in possible.items() if is_possible]


def _question_facts(view: View, lines: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
    """Return the kind of the open question, for the macro ``question_KIND``, and its facts."""
    public = view.public
    if public.stage == "card" and public.scoring is not None:
        province = public.layout.provinces[public.scoring.province]
        card = public.scoring.cards[0]
        facts: dict[str, Any] = {"province": province, "colour": played_as(view, card.colour)}
        if card.kind == WARRIOR:
            names = public.rules.colours
            facts["cards"] = [
                {**party(names[other.colour], view), "kind": KINDS[other.kind]} for other in public.scoring.cards[1:]
            ]
        if card.kind == MANDARIN:
            facts["elsewhere"] = public.rules.edition.swap_elsewhere
        return KINDS[card.kind].replace("-", "_"), facts
    if public.stage in ("neutral", "colour"):
        return public.stage, {}
    if public.stage == "board":
        return "board", {"board": public.box[0].id}
    colour = played_as(view, public.colour)
    if public.stage == "second":
        province = public.layout.provinces[public.first_province]
        return f"second_after_{public.first_step}", {"province": province, "colour": colour}
    if public.turns == 1:
        return "first_turn", {"colour": colour}
    if not public.asked.placements.can_complete:
        return "incomplete_action", {"colour": colour}
    return "action", {"colour": colour, "possible": _possible_actions(public, lines)}


def played_as(view: View, colour: int) -> str:
    """Return the colour's name if seats have two colours (CC-61), else ""."""
    rules = view.public.rules
    return rules.colours[colour] if len(rules.colours_by_seat[0]) > 1 else ""


def _example(view: View, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return a legal answer to copy, with all lines that complete the turn's action."""
    answer = [lines[0]]
    current_view = view
    while current_view.public.stage in ("colour", "action"):
        next_view = foresee(current_view, answer[-1])
        if next_view is None or next_view.public.turns != view.public.turns:
            break
        next_lines = legal(next_view)
        if next_view.public.stage not in ("action", "second") or not next_lines:
            break
        answer.append(next_lines[0])
        current_view = next_view
    return tuple(answer)


# names of facts of events, by the type that ``_parse_fact`` gives them
NUMBERS = ("cards", "counter", "number", "provinces", "regions", "tower", "value", "walls")
LISTS = ("boards", "box", "counters")
PARTIES = ("colour", "seat", "victim", "owner", "owner_a", "owner_b")
GROUPS = ("losers", "safe", "seats", "winners")
COUNTS = ("counts", "points")
#: events of which one sentence tells several, and the facts in which they differ
COLLECTED = {
    "wall": ("square",),
    "card": ("province", "known"),
    "looked": ("region", "known"),
    "turned": ("colour", "kind"),
}
#: events that a player brings about; their fact ``by`` is the player
ACTS = ("colour", "wall", "double", "tower", "card", "looked", "neutral", "neutral-none", "board", "skipped")


def event_row(event: Event, view: View) -> Row:
    """Return the row of an event. ``known`` is a hidden card or counter if the seat knows its value, else None."""
    facts = {name: _parse_fact(name, text, view) for name, text in event.facts if name != "slot"}
    if event.kind in ("card", "looked"):
        facts["known"] = _known_value(dict(event.facts)["slot"], view)
    elif event.kind == "double":
        facts["points"] = event.points[0][1]
    elif event.kind == "over":
        facts["ended_by"] = event.ruling
    elif event.kind == "dealt":  # other boards never leave the box (CC-30)
        boards_to_join = view.public.rules.max_boards - len(facts["boards"])
        facts["box"] = facts["box"][: max(0, boards_to_join)]
    if event.kind in ACTS:
        facts["by"] = facts["colour"] if "colour" in facts else facts["seat"]
    elif "province" in facts:
        facts["about"] = facts["province"]
    if event.kind in COLLECTED:
        facts["each"] = [{name: facts[name] for name in COLLECTED[event.kind] if name in facts}]
    return Row(event.kind.replace("-", "_"), facts)


def _parse_fact(name: str, text: str, view: View) -> Any:
    """Return a fact of an event as plain data, of the type that its name implies."""
    words = [] if text in ("-", "nobody", "") else text.split(",")
    if name in PARTIES:
        return party(text, view)
    if name in GROUPS:
        return [party(colour, view) for colour in words]
    if name in COUNTS:
        pairs = [pair.split(":") for pair in words]
        return [party(colour, view) | {"number": int(number)} for colour, number in pairs]
    if name in LISTS:
        return words
    return int(text) if name in NUMBERS else text


def party(colour: str, view: View) -> dict[str, Any]:
    """Return a colour with the name of its seat, which is "" for the neutral colour."""
    rules = view.public.rules
    owners = dict(zip(rules.colours, rules.owners, strict=True))
    return {"colour": colour, "seat": owners.get(colour, colour)}


def _known_value(slot: str, view: View) -> str | int | None:
    """Return the value of a card's or threat counter's slot; None if the View's seat does not know it."""
    if view.seat is None:
        return None
    for card, kind in zip(view.public.cards, view.kinds, strict=True):
        if card.slot == slot and kind is not None:
            return KINDS[kind]
    prefix = f"{view.public.rules.deal_state_number}/threat/"
    return view.threat[int(slot[len(prefix) :])] if slot.startswith(prefix) else None


def notices(config: Config) -> tuple[Row, ...]:
    """Return the rows for the first report: inferred data, house rules, edition, older rules, variant."""
    edition, variant = config.option("edition"), config.option("variant")
    rows = _inferred_rows(config)
    rows.append(Row("house_rulings"))
    if edition != "en":
        differences = _difference_rows(config)
        title = EDITIONS[edition].title
        rows += [Row("edition" if differences else "edition_alike", {"title": title}), *differences]
    older_rows = _older_rule_rows(config)
    if older_rows:
        rows += [Row("older_rulings", {"version": config.rulings}), *older_rows]
    if variant != "plain":
        rows.append(Row(f"variant_{variant.replace('-', '_')}"))
    if config.option("events") not in ("", "none"):
        rows.append(Row("events"))
    return tuple(rows)


def _inferred_rows(config: Config) -> list[Row]:
    """Return a row about data that pbem inferred, unless the referee gave the data of their own copy."""
    has_own_boards, has_own_counters = bool(config.option("sides")), bool(config.option("counters"))
    if has_own_boards and has_own_counters:
        return []
    if has_own_boards:
        return [Row("inferred_counters")]
    return [Row("inferred_boards" if has_own_counters else "inferred")]


def _difference_rows(config: Config) -> list[Row]:
    """Return a row for each difference between this game and the English edition."""
    edition = edition_of(config.option("edition"), config.rulings)
    neutral_with_wall = edition.neutral_with_wall and config.option("variant") == "neutral"
    switches = {
        "reserve_seen": not edition.reserve_named,
        "swap_elsewhere": edition.swap_elsewhere,
        "board_at_once": edition.board_at_once,
        "neutral_with_wall": neutral_with_wall,
    }
    rows = [Row(f"differs_{name}") for name, is_on in switches.items() if is_on]
    if edition.only_longest and _may_have_dominance(config):
        rows.append(Row("differs_only_longest", {"tower": edition.tower_in_run}))
    return rows


def _may_have_dominance(config: Config) -> bool:
    """Return whether the event Dominance (CC-51) is in play or may be drawn."""
    return config.option("events").startswith("drawn") or "B" in config.option("events")


def _older_rule_rows(config: Config) -> list[Row]:
    """Return a row for each difference between this game and one opened today (decision 0006)."""
    name = config.option("edition")
    edition, newest_edition = edition_of(name, config.rulings), edition_of(name, VERSIONS[0])
    switches = {
        "tower_in_run": edition.tower_in_run != newest_edition.tower_in_run and _may_have_dominance(config),
        "second_reckoned": edition.second_reckoned,
    }
    return [Row(f"older_{name}") for name, is_on in switches.items() if is_on]
