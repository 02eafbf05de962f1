"""What a game gives to a report, as its template has it: events, question, places at the end; how
it stands, for all to read, and what it waits for, also for what the referee's commands print.

What must never be here: a sentence, a State, another seat's hand.
Law: made of the seat's View, the link's public part and the seat's own orders in hand (P2).
Source: docs/decisions/0008; docs/DESIGN.md "A report"; ``Game.describe``, ``Game.scores``; GW-33.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock_words import in_prose, in_words
from pbem.chain.sources import DEFAULT, FORCED
from pbem.chain.state_record import StateRecord
from pbem.engine.decision import Event, Outcome, Soon
from pbem.engine.row import Asking, Choice

if TYPE_CHECKING:
    from pbem.chain.loaded_game import LoadedGame
    from pbem.engine.game import Game
    from pbem.play.pending_orders import Hand


class Standing(NamedTuple):
    """What the standing says of one seat."""

    seat: str
    text: str  #: the points, or what is shown in their place
    points: int | None  #: None where the points are not shown


def standings(game: "Game", view: Any) -> tuple[Standing, ...]:
    """A row for each seat, in turn order. Whoever may have the View may see it."""
    instead = game.describe(view).get("standing", {})
    return tuple(
        Standing(seat, instead.get(seat, str(points)), None if seat in instead else points)
        for seat, points in game.scores(view)
    )


def happened(game: "Game", events: Sequence[Event], view: Any) -> list[dict[str, Any]]:
    """The events as rows, with their rulings; what one sentence tells of several in a row is one.

    Equal ones are counted in the fact ``times``: a game whose sentence has a number gives it as 1.
    Of those of one kind and ruling all are in the fact ``each``: a game whose sentence tells a list
    gives it as a list of one.
    """
    rows: list[dict[str, Any]] = []
    for event in events:
        row = game.event_row(event, view)
        found = {**row.plain(), "ruling": event.ruling}
        if "times" in row.facts and rows and _once(rows[-1]) == _once(found):
            times = rows[-1]["facts"]["times"] + row.facts["times"]
            rows[-1]["facts"] = {**row.facts, "times": times}
        elif "each" in row.facts and rows and _named(rows[-1]) == _named(found):
            each = [*rows[-1]["facts"]["each"], *row.facts["each"]]
            rows[-1]["facts"] = {**rows[-1]["facts"], "each": each}
        else:
            rows.append(found)
    return rows


def _named(row: Mapping[str, Any]) -> tuple[str, str]:
    """The sentence and the ruling that it cites."""
    return row["kind"], row["ruling"]


def _once(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row, but for its number."""
    return {**row, "facts": {**row["facts"], "times": 1}}


def question(asked: Asking, waits: list[str]) -> dict[str, Any]:
    """The question as the template has it; its example repeats what waits for now, for that is what
    it replaces: alone where it answers this, else behind an answer.
    """
    orders = [f"{x.order} {rest}".rstrip() for x in asked.choices for rest in x.rest]
    answer = list(asked.example[:1] if waits else asked.example)
    return {
        "kind": asked.kind,
        "facts": asked.facts,
        "hint": asked.hint.plain() if asked.hint else None,
        "choices": [_choice(choice) for choice in asked.choices],
        "orders": orders,
        "example": waits if waits[:1] and waits[0] in orders else [*answer, *waits],
    }


def _choice(choice: Choice) -> dict[str, Any]:
    """Its rests, those that begin alike together: ``A5 reserve`` with ``A4`` and ``A6``."""
    groups: dict[str, list[str]] = {}
    for rest in choice.rest:
        begins, _, last = rest.rpartition(" ")
        groups.setdefault(begins, []).append(last)
    plain = groups.pop("", [])
    return {"order": choice.order, "plain": [x for x in plain if x], "groups": list(groups.items())}


def cited(record: StateRecord, seat: str | None) -> list[str]:
    """The rulings that a report names: of the events, and R-1 and R-2 where they were used."""
    found = {event.ruling for event in record.events}
    found |= {
        "R-1" for entry in record.entries if entry.source == FORCED.name and entry.seat == seat
    }
    found |= {"R-2" for entry in record.entries if entry.source == DEFAULT.name}
    return in_order(found)


def in_order(numbers: Iterable[str]) -> list[str]:
    """Numbers of rulings as a rulebook has them: CC-9 before CC-10."""

    def place(number: str) -> tuple[str, int, str]:
        prefix, _, rest = number.partition("-")
        digits = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
        return prefix, int(digits) if digits.isdigit() else 0, rest

    return sorted(numbers, key=place)


#: by seat, by the kind of event that brought points: each event's facts, with its ``points``
Sources = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]


def points_by_source(records: Iterable[StateRecord]) -> Sources:
    """Where each seat's points came from, of the links that count; public."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for event in (event for record in records for event in record.events):
        kind = event.kind.replace("-", "_")
        for seat, number in event.points:
            part = {**dict(event.facts), "points": number}
            found.setdefault(seat, {}).setdefault(kind, []).append(part)
    return found


def places(outcome: Outcome, sources: Sources) -> list[dict[str, Any]]:
    """The players in their order at the end, and where their points came from.

    ``corrected`` is what the referee's rulings changed; no sources where an older state is lost.
    """
    points = dict(outcome.scores)
    ranks = {seat: (seat not in outcome.winners, -points[seat]) for seat in points}
    ranks |= dict.fromkeys(outcome.winners, (False, 0))  # all of them come first
    came = {
        seat: [
            {"kind": kind, "points": sum(part["points"] for part in parts), "parts": parts}
            for kind, parts in sources.get(seat, {}).items()
        ]
        for seat in points
    }
    return [
        {
            "place": 1 + sum(rank < ranks[seat] for rank in ranks.values()),
            "seat": seat,
            "points": points[seat],
            "sources": came[seat],
            "corrected": points[seat] - sum(x["points"] for x in came[seat]) if sources else 0,
        }
        for seat in sorted(points, key=lambda seat: ranks[seat])
    ]


def timed(record: StateRecord, zone: str) -> list[dict[str, Any]]:
    """What the clock has of each seat, for all to read; times by the clocks of ``zone``."""
    clock = record.clock
    return [
        {
            "seat": row.seat,
            "player": record.player(row.seat).name,
            "due": in_prose(row.due, zone, record.time) if row.due else "",
            "bank": in_words(row.bank) if row.bank else "no time" if clock.bank else "",
            "strikes": row.strikes,
            "open": clock.opened(row),
        }
        for row in clock.seats
    ]


def not_answered(position: "LoadedGame", view: Any, hand: "Hand") -> list[Soon]:
    """What the seat may be asked before its next turn, and has not answered ahead yet."""
    answered = {(x.when, kept.line.split(" ")[0]) for x in hand.parts for kept in x.lines}
    return [
        ahead
        for ahead in position.game.soon(view)
        if (ahead.name, ahead.order.split(" ")[0]) not in answered
    ]


def soon(position: "LoadedGame", view: Any, hand: "Hand") -> list[dict[str, Any]]:
    """The same, for a template."""
    return [
        {**ahead.row.plain(), "order": f"when {ahead.name}: {ahead.order}"}
        for ahead in not_answered(position, view, hand)
    ]
