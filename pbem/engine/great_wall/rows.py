"""What is to be said of Great Wall, before it has any words: events, the question, notices.

Law: a row is made of an event (public) and a View (the hearer's); nothing else is in reach. Its
sentence is the macro of its name in templates/great-wall/words.txt. Source: decision 0008, P10.
"""

from typing import Any

from pbem.engine.decision import Event
from pbem.engine.great_wall.legal import MARKER, legal
from pbem.engine.great_wall.parts import HORSEMAN, KINDS, NAMES, beside_noble, number_of, reckoned
from pbem.engine.great_wall.state import Public, View
from pbem.engine.great_wall.turn import foresee
from pbem.engine.row import Asking, Choice, Row
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
        return Asking(MARKER, _about_marker(public), _choices(lines, 4), lines[-1:], hint)
    return Asking(
        public.stage, _about_action(public), _choices(lines, 2), _example(view, lines), _hint(view)
    )


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


def _choices(lines: tuple[str, ...], alike: int) -> tuple[Choice, ...]:
    """``draw``; ``play S1``: ``wall``, ``wall wall``; ``horseman``: ``S1``, ``S2``.

    ``alike``: how many words a play, or a take, has in common with the next.
    """
    groups: dict[str, list[str]] = {}
    for line in lines:
        parts = line.split(" ")
        at = 1 if parts[0] in ("draw", "horseman") else alike
        groups.setdefault(" ".join(parts[:at]), []).append(" ".join(parts[at:]))
    return tuple(Choice(order, tuple(rest)) for order, rest in groups.items())


def _hint(view: View) -> Row | None:
    if not number_of(view.hand, HORSEMAN):
        return None
    sites = zip(NAMES, view.public.sites, strict=False)
    site = next(name for name, site in sites if site.free)
    return Row("horseman", {"site": site, "stage": view.public.stage})


def _example(view: View, lines: tuple[str, ...]) -> tuple[str, ...]:
    """One legal answer to copy; with a second line where the turn wants one."""
    first = next((line for line in lines if line.startswith("play ")), lines[0])
    after = foresee(view, first) if view.public.stage == "second" else None
    if after is None or after.public.stage != "third" or after.public.turns != view.public.turns:
        return (first,)
    return (first, *legal(after)[:1])


def notices(config: Config) -> tuple[Row, ...]:  # noqa: ARG001  (the same for all)
    return (Row("house_rulings"), Row("edition"))
