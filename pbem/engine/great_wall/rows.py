"""Makes the rows that players read: events, the question, notices.

templates/great-wall/words.txt turns rows into sentences.
Law: a row is made only of a public event and the reader's View. Source: decision 0008, P10.
"""

from typing import Any

from pbem.engine.decision import Event
from pbem.engine.great_wall.legal import MARKER, legal
from pbem.engine.great_wall.parts import (
    HORSEMAN,
    KINDS,
    SITE_NAMES,
    cards_of,
    count_in_hand,
    has_noble,
    parse_reckoning,
)
from pbem.engine.great_wall.state import Public, View
from pbem.engine.great_wall.turn import foresee
from pbem.engine.row import Asking, Row, group_orders
from pbem.engine.settings import Config

#: events that a player brings about; their fact ``by`` is the player
ACTS = ("drew", "played", "horseman", "took", "won", "called")
#: facts of events that are numbers
NUMBERS = ("number", "first", "over", "one", "other", "value", "marker", "card", "placed")


def event_row(event: Event, view: View) -> Row:
    """Return the row of an event for the View's seat, with its facts as numbers and lists."""
    facts: dict[str, Any] = dict(event.facts)
    for name in NUMBERS:
        if facts.get(name, "").isdigit():
            facts[name] = int(facts[name])
    if event.kind in ("hand", "drew"):
        facts.pop("slot", None)
        facts |= {"cards": _drawn_kinds(event, facts["seat"], view), "times": 1}
    elif event.kind in ("took", "won"):
        reckoning_text = facts.pop("made")
        facts |= {"reckoned": parse_reckoning(reckoning_text), "noble": has_noble(reckoning_text)}
    elif event.kind == "seated":
        facts["seats"] = facts["seats"].split(",")
    elif event.kind == "over":
        lost_markers = [] if facts["lost"] == "-" else _parse_pairs(facts["lost"])
        facts["lost"] = [{"seat": seat, "marker": marker} for seat, marker in lost_markers]
        facts["ended_by"] = event.ruling
    elif event.kind == "winners":
        facts = {"winners": facts["winners"].split(","), "standing": _final_standing(facts, view.public)}
    if event.kind in ("hand", "pair"):
        facts["each"] = [dict(facts)]
    elif event.kind in ACTS:
        facts["by"] = {"colour": facts["seat"], "seat": facts["seat"]}
    return Row(event.kind, facts)


def _drawn_kinds(event: Event, seat: str, view: View) -> list[str]:
    """Return the kinds of the cards that ``seat`` drew, if it is the View's seat; else []."""
    if view.seat is None or view.public.rules.seats[view.seat] != seat:
        return []
    places = [int(slot.rpartition("/")[2]) for _, slot in event.opens]  # 7 of 2/deck/blue/07
    return [KINDS[view.drawn_kinds[place]] for place in places]


def _parse_pairs(text: str) -> list[tuple[str, int]]:
    """Read ``blue:7,green:3`` as pairs."""
    pairs = (pair.split(":") for pair in text.split(","))
    return [(seat, int(number)) for seat, number in pairs]


def _final_standing(facts: dict[str, str], public: Public) -> list[dict[str, Any]]:
    """Return a row of the final table for each player, most points first."""
    won = dict(zip(public.rules.seats, public.won_markers, strict=True))
    points = dict(_parse_pairs(facts["points"]))
    return [
        {
            "place": 1 + sum(other > points[seat] for other in points.values()),
            "seat": seat,
            "points": points[seat],
            "markers": sorted(won[seat], reverse=True),
        }
        for seat in sorted(points, key=lambda seat: -points[seat])
    ]


def ask(view: View) -> Asking | None:
    """Return the question for the View's seat, with choices, an answer to copy and a hint; None without one."""
    lines = legal(view)
    if not lines:
        return None
    public = view.public
    if public.site >= 0:
        hint = None if public.stage == "final" else Row("after_marker")
        choices = group_orders(lines, lambda _: 4)  # orders share four words: take S1 7 on
        return Asking(MARKER, _marker_facts(public), choices, _example_from_take(view, lines[-1]), hint)
    hint = None
    if count_in_hand(view.hand, HORSEMAN):
        site = next(name for name, site in zip(SITE_NAMES, public.sites, strict=False) if site.free_markers)
        hint = Row("horseman", {"site": site, "stage": public.stage})
    choices = group_orders(lines, lambda words: 2 if words[0] == "play" else 1)
    return Asking(public.stage, _action_facts(public), choices, _example(view, lines), hint)


def _marker_facts(public: Public) -> dict[str, Any]:
    """Return the facts of the question for a marker: the site, the influence there, the free markers."""
    site = public.sites[public.site]
    standing = [
        {"seat": seat, "influence": number}
        for seat, number in zip(public.rules.seats, site.influence, strict=True)
        if number is not None
    ]
    return {"site": SITE_NAMES[public.site], "standing": standing, "markers": sorted(set(site.free_markers))}


def _action_facts(public: Public) -> dict[str, Any]:
    """Return ``must``, the only possible action, or ""; and ``last``, the seat that called the last turn, or ""."""
    must = "" if public.deck_sizes[public.seat] else "play"
    if not public.hand_sizes[public.seat]:
        must = "draw"
    return {"must": must, "last": public.rules.seats[public.caller] if public.caller >= 0 else ""}


def _example_from_take(view: View, take: str) -> tuple[str, ...]:
    """Return a legal answer to copy: the markers to take, then the actions of the turn."""
    if view.public.stage == "final":
        return (take,)
    next_view = foresee(view, take)
    if next_view is None:  # a new pair will be laid, so propose actions that are certainly possible
        draw_lines = ("draw",) * view.public.deck_sizes[view.public.seat]
        kinds = (KINDS[kind] for kind in cards_of(view.hand))
        play_lines = (f"play {SITE_NAMES[view.public.site]} {kind}" for kind in kinds)
        return (take, *draw_lines, *play_lines)[:3]
    lines = legal(next_view)
    if next_view.public.turns != view.public.turns or not lines:
        return (take,)
    if next_view.public.site >= 0:
        return (take, *_example_from_take(next_view, lines[-1]))
    return (take, *_example(next_view, lines))


def _example(view: View, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return a legal answer to copy, with a second line if the turn has a second action left."""
    first_line = next((line for line in lines if line.startswith("play ")), lines[0])
    if first_line == "draw" and view.public.stage == "second":
        return ("draw",) * min(2, view.public.deck_sizes[view.public.seat])
    next_view = foresee(view, first_line) if view.public.stage == "second" else None
    if next_view is None or next_view.public.stage != "third" or next_view.public.turns != view.public.turns:
        return (first_line,)
    return (first_line, *legal(next_view)[:1])


def notices(config: Config) -> tuple[Row, ...]:  # noqa: ARG001 - the same for all
    return (Row("house_rulings"),)
