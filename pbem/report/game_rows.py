"""What a game gives to a report, as its template has it: events, question, places at the end; how
it stands, for all to read, and what it waits for, also for what the referee's commands print.

What must never be here: a sentence, a State, another seat's hand.
Law: made of the seat's View, the link's public part and the seat's own orders in hand (P2).
Source: docs/decisions/0008; docs/DESIGN.md "A report"; ``Game.describe``, ``Game.scores``; GW-33.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock_words import hours_in_words, instant_in_prose
from pbem.chain.sources import DEFAULT, FORCED
from pbem.chain.state_record import StateRecord
from pbem.engine.decision import Event, Outcome, Soon
from pbem.engine.row import Asking, Choice

if TYPE_CHECKING:
    from pbem.chain.loaded_game import LoadedGame
    from pbem.engine.game import Game
    from pbem.play.pending_orders import PendingOrders


class Standing(NamedTuple):
    """What the standing says of one seat."""

    seat: str
    text: str  #: the points, or what is shown in their place
    points: int | None  #: None where the points are not shown


def list_standings(game: "Game", view: Any) -> tuple[Standing, ...]:
    """A row for each seat, in turn order. Whoever may have the View may see it."""
    replacements = game.describe(view).get("standing", {})
    return tuple(
        Standing(seat, replacements.get(seat, str(points)), None if seat in replacements else points)
        for seat, points in game.scores(view)
    )


def event_rows(game: "Game", events: Sequence[Event], view: Any) -> list[dict[str, Any]]:
    """The events as rows, with their rulings; what one sentence tells of several in a row is one.

    Equal ones are counted in the fact ``times``: a game whose sentence has a number gives it as 1.
    Of those of one kind and ruling all are in the fact ``all_facts``: a game whose sentence tells a list
    gives it as a list of one.
    """
    rows: list[dict[str, Any]] = []
    for event in events:
        row = game.event_row(event, view)
        new_row = {**row.plain(), "ruling": event.ruling}
        if "times" in row.facts and rows and _without_count(rows[-1]) == _without_count(new_row):
            times = rows[-1]["facts"]["times"] + row.facts["times"]
            rows[-1]["facts"] = {**row.facts, "times": times}
        elif "each" in row.facts and rows and _sentence_key(rows[-1]) == _sentence_key(new_row):
            all_facts = [*rows[-1]["facts"]["each"], *row.facts["each"]]
            rows[-1]["facts"] = {**rows[-1]["facts"], "each": all_facts}
        else:
            rows.append(new_row)
    return rows


def _sentence_key(row: Mapping[str, Any]) -> tuple[str, str]:
    """The sentence and the ruling that it cites."""
    return row["kind"], row["ruling"]


def _without_count(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row, but for its number."""
    return {**row, "facts": {**row["facts"], "times": 1}}


def question_row(question: Asking, pending_lines: list[str]) -> dict[str, Any]:
    """The question as the template has it; its example repeats what waits for now, for that is what
    it replaces: alone where it answers this, else behind an answer.
    """
    orders = [f"{choice.order} {argument}".rstrip() for choice in question.choices for argument in choice.rest]
    example = list(question.example[:1] if pending_lines else question.example)
    return {
        "kind": question.kind,
        "facts": question.facts,
        "hint": question.hint.plain() if question.hint else None,
        "choices": [_choice_row(choice) for choice in question.choices],
        "orders": orders,
        "example": pending_lines if pending_lines[:1] and pending_lines[0] in orders else [*example, *pending_lines],
    }


def _choice_row(choice: Choice) -> dict[str, Any]:
    """Its rests, those that begin alike together: ``A5 reserve`` with ``A4`` and ``A6``."""
    groups: dict[str, list[str]] = {}
    for arguments in choice.rest:
        prefix, _, last_word = arguments.rpartition(" ")
        groups.setdefault(prefix, []).append(last_word)
    plain_words = groups.pop("", [])
    return {"order": choice.order, "plain": [word for word in plain_words if word], "groups": list(groups.items())}


def cited_rules(record: StateRecord, seat: str | None) -> list[str]:
    """The rulings that a report names: of the events, and R-1 and R-2 where they were used."""
    rules = {event.ruling for event in record.events}
    rules |= {"R-1" for entry in record.entries if entry.source == FORCED.name and entry.seat == seat}
    rules |= {"R-2" for entry in record.entries if entry.source == DEFAULT.name}
    return sort_rules(rules)


def sort_rules(numbers: Iterable[str]) -> list[str]:
    """Numbers of rulings as a rulebook has them: CC-9 before CC-10."""

    def sort_key(number: str) -> tuple[str, int, str]:
        prefix, _, suffix = number.partition("-")
        digits = suffix.rstrip("abcdefghijklmnopqrstuvwxyz")
        return prefix, int(digits) if digits.isdigit() else 0, suffix

    return sorted(numbers, key=sort_key)


#: by seat, by the kind of event that brought points: each event's facts, with its ``points``
PointSources = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]


def points_by_source(records: Iterable[StateRecord]) -> PointSources:
    """Where each seat's points came from, of the links that count; public."""
    facts_by_seat: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for event in (event for record in records for event in record.events):
        kind = event.kind.replace("-", "_")
        for seat, points in event.points:
            facts = {**dict(event.facts), "points": points}
            facts_by_seat.setdefault(seat, {}).setdefault(kind, []).append(facts)
    return facts_by_seat


def place_rows(outcome: Outcome, sources: PointSources) -> list[dict[str, Any]]:
    """The players in their order at the end, and where their points came from.

    ``corrected`` is what the referee's rulings changed; no sources where an older state is lost.
    """
    points = dict(outcome.scores)
    ranks = {seat: (seat not in outcome.winners, -points[seat]) for seat in points}
    ranks |= dict.fromkeys(outcome.winners, (False, 0))  # all of them come first
    sources_by_seat = {
        seat: [
            {"kind": kind, "points": sum(event["points"] for event in events), "parts": events}
            for kind, events in sources.get(seat, {}).items()
        ]
        for seat in points
    }
    return [
        {
            "place": 1 + sum(rank < ranks[seat] for rank in ranks.values()),
            "seat": seat,
            "points": points[seat],
            "sources": sources_by_seat[seat],
            "corrected": points[seat] - sum(source["points"] for source in sources_by_seat[seat]) if sources else 0,
        }
        for seat in sorted(points, key=lambda seat: ranks[seat])
    ]


def clock_rows(record: StateRecord, zone: str) -> list[dict[str, Any]]:
    """What the clock has of each seat, for all to read; times by the clocks of ``zone``."""
    clock = record.clock
    return [
        {
            "seat": row.seat,
            "player": record.player(row.seat).name,
            "due": instant_in_prose(row.deadline, zone, record.time) if row.deadline else "",
            "bank": hours_in_words(row.time_bank) if row.time_bank else "no time" if clock.time_bank else "",
            "strikes": row.missed_turns,
            "open": clock.is_seat_open(row),
        }
        for row in clock.seats
    ]


def unanswered_upcoming(position: "LoadedGame", view: Any, pending: "PendingOrders") -> list[Soon]:
    """What the seat may be asked before its next turn, and has not answered ahead yet."""
    answered_keys = {
        (group.when, order.order.split(" ")[0]) for group in pending.parts for order in group.playable_orders
    }
    return [
        upcoming
        for upcoming in position.game.soon(view)
        if (upcoming.name, upcoming.order.split(" ")[0]) not in answered_keys
    ]


def upcoming_rows(position: "LoadedGame", view: Any, pending: "PendingOrders") -> list[dict[str, Any]]:
    """The same, for a template."""
    return [
        {**upcoming.row.plain(), "order": f"when {upcoming.name}: {upcoming.order}"}
        for upcoming in unanswered_upcoming(position, view, pending)
    ]
