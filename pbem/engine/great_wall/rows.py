"""What is to be said of Great Wall, before it has any words: events, the question, notices.

Law: a row is made of an event (public) and a View (the hearer's); nothing else is in reach. Its
sentence is the macro of its name in templates/great-wall/words.txt. Source: decision 0008, P10.
"""

from typing import Any

from pbem.engine.decision import Event
from pbem.engine.great_wall.legal import MARKER, legal
from pbem.engine.great_wall.parts import (
    HORSEMAN,
    KINDS,
    NAMES,
    beside_noble,
    cards_of,
    number_of,
    reckoned,
)
from pbem.engine.great_wall.state import Public, View
from pbem.engine.great_wall.turn import foresee
from pbem.engine.row import Asking, Row, grouped
from pbem.engine.settings import Config

#: facts of events that are numbers
NUMBERS = ("number", "first", "over", "one", "other", "value", "marker", "card", "placed")


def event_row(happened: Event, view: View) -> Row:
    """An event as this View's seat may hear it: its facts, as numbers and lists."""
    facts: dict[str, Any] = dict(happened.facts)
    for name in NUMBERS:
        if facts.get(name, "").isdigit():
            facts[name] = int(facts[name])
    if happened.kind in ("hand", "drew"):
        facts.pop("slot", None)
        facts |= {"cards": _drawn(happened, facts["seat"], view), "times": 1}
    elif happened.kind in ("took", "won"):
        made = facts.pop("made")
        facts |= {"reckoned": reckoned(made), "noble": beside_noble(made)}
    elif happened.kind == "seated":
        facts["seats"] = facts["seats"].split(",")
    elif happened.kind == "over":
        lost = [] if facts["lost"] == "-" else _pairs(facts["lost"])
        facts["lost"] = [{"seat": seat, "marker": marker} for seat, marker in lost]
        facts["ended_by"] = happened.ruling
    elif happened.kind == "winners":
        facts = {"winners": facts["winners"].split(","), "standing": _standing(facts, view.public)}
    if happened.kind in ("hand", "pair"):
        facts["each"] = [dict(facts)]
    return Row(happened.kind, facts)


def _drawn(happened: Event, seat: str, view: View) -> list[str]:
    """What was drawn, for the seat that drew it: a slot's place is the card's place in the deck."""
    if view.seat is None or view.public.rules.seats[view.seat] != seat:
        return []
    places = [int(slot.rpartition("/")[2]) for _, slot in happened.opens]
    return [KINDS[view.drawn[place]] for place in places]


def _pairs(text: str) -> list[tuple[str, int]]:
    """``blue:7,green:3``."""
    parts = (part.split(":") for part in text.split(","))
    return [(seat, int(number)) for seat, number in parts]


def _standing(facts: dict[str, str], public: Public) -> list[dict[str, Any]]:
    """Everybody at the end, most points first: the place, and the markers that made the points."""
    won = dict(zip(public.rules.seats, public.won, strict=True))
    points = dict(_pairs(facts["points"]))
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
    """The question for the View's seat, with its choices, an answer to copy and a hint."""
    lines = legal(view)
    if not lines:
        return None
    public = view.public
    if public.site >= 0:
        hint = None if public.stage == "final" else Row("after_marker")
        choices = grouped(lines, lambda _: 4)  # take S1 7 on
        return Asking(MARKER, _about_marker(public), choices, _with_actions(view, lines[-1]), hint)
    hint = None
    if number_of(view.hand, HORSEMAN):
        site = next(name for name, site in zip(NAMES, public.sites, strict=False) if site.free)
        hint = Row("horseman", {"site": site, "stage": public.stage})
    choices = grouped(lines, lambda words: 2 if words[0] == "play" else 1)
    return Asking(public.stage, _about_action(public), choices, _example(view, lines), hint)


def _about_marker(public: Public) -> dict[str, Any]:
    site = public.sites[public.site]
    standing = [
        {"seat": seat, "influence": number}
        for seat, number in zip(public.rules.seats, site.influence, strict=True)
        if number is not None
    ]
    return {"site": NAMES[public.site], "standing": standing, "markers": sorted(set(site.free))}


def _about_action(public: Public) -> dict[str, Any]:
    """``must``: the only thing that can be done, ""; ``last``: who has called the last turn."""
    must = "" if public.decks[public.seat] else "play"
    if not public.held[public.seat]:
        must = "draw"
    return {"must": must, "last": public.rules.seats[public.caller] if public.caller >= 0 else ""}


def _with_actions(view: View, take: str) -> tuple[str, ...]:
    """One legal answer to copy: markers to be taken, then actions; of what nobody can foresee,
    where a new pair is laid, as many as there can be.
    """
    after = foresee(view, take)
    if view.public.stage == "final":
        return (take,)
    if after is None:
        drawn = ("draw",) * view.public.decks[view.public.seat]
        kinds = (KINDS[kind] for kind in cards_of(view.hand))
        played = (f"play {NAMES[view.public.site]} {kind}" for kind in kinds)
        return (take, *drawn, *played)[:3]
    if after.public.turns != view.public.turns or not (lines := legal(after)):
        return (take,)
    if after.public.site >= 0:
        return (take, *_with_actions(after, lines[-1]))
    return (take, *_example(after, lines))


def _example(view: View, lines: tuple[str, ...]) -> tuple[str, ...]:
    """One legal answer to copy; with a second line where the turn wants one."""
    first = next((line for line in lines if line.startswith("play ")), lines[0])
    after = foresee(view, first) if view.public.stage == "second" else None
    if after is None or after.public.stage != "third" or after.public.turns != view.public.turns:
        return (first,)
    return (first, *legal(after)[:1])


def notices(config: Config) -> tuple[Row, ...]:  # noqa: ARG001  (the same for all)
    return (Row("house_rulings"),)
