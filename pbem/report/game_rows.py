"""What reports, commands and archives tell about a game: events, scores, questions, results, times.

Not allowed here: a sentence, a State, another seat's pending orders.
Law: made of the seat's View, of the public part of a state and of the seat's own orders (P2).
Source: docs/decisions/0008; docs/DESIGN.md "A report"; ``Game.standings``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock_words import hours_in_words, instant_in_prose
from pbem.chain.sources import DEFAULT, FORCED
from pbem.chain.state_record import StateRecord
from pbem.engine.decision import Event, Outcome, Soon
from pbem.engine.row import Asking, Choice, Row
from pbem.report.sentences import NO_TIME

if TYPE_CHECKING:
    from pbem.chain.loaded_game import LoadedGame
    from pbem.engine.game import Game
    from pbem.play.pending_orders import PendingOrders


class EventRow(NamedTuple):
    """One sentence about events: the macro ``event_KIND``."""

    kind: str
    facts: Mapping[str, Any]
    ruling: str  #: the rule behind it
    scores: bool = False  #: whether it changed points; then a report cites the rule


class ChoiceRow(NamedTuple):
    """Orders with the same first words: those with one word more, then those with several, by prefix."""

    order: str
    plain: list[str]
    groups: list[tuple[str, list[str]]]


class QuestionRow(NamedTuple):
    """A question: the macro ``question_KIND``, and the orders that answer it."""

    kind: str
    facts: Mapping[str, Any]
    hint: Row | None
    choices: list[ChoiceRow]
    orders: list[str]
    example: list[str]
    then: Mapping[str, list[list[str]]] = {}  #: by order, examples of the lines that complete the turn after it
    pairs: Sequence[tuple[str, str]] = ()  #: two orders of one turn, where they are few enough for a button each


class UpcomingRow(NamedTuple):
    """A question that may come soon, the macro ``soon_KIND``, and lines that answer it now."""

    kind: str
    facts: Mapping[str, Any]
    name: str  #: for `when NAME:`
    orders: tuple[str, ...]  #: sensible answers; () where pbem proposes none


class PointSource(NamedTuple):
    """The points that one kind of event brought a seat: the macro ``source_KIND``."""

    kind: str
    points: int
    parts: Sequence[Mapping[str, Any]]  #: the facts of each event


class Place(NamedTuple):
    """One seat in the final result."""

    place: int
    seat: str
    points: int
    sources: list[PointSource]
    corrected: int  #: points that the referee's rulings changed
    course: list[int]  #: its points at up to ``MAX_COURSE`` moments of the game, the last of them at the end


class SeatTime(NamedTuple):
    """The clock of one seat; "" where it has no deadline or time bank."""

    seat: str
    player: str
    due: str
    time_bank: str
    is_open: bool  #: whether another player may take the seat


def to_plain(value: Any) -> Any:
    """A typed value as templates may get it: a NamedTuple becomes a dict, another tuple a list."""
    if isinstance(value, tuple):
        if hasattr(value, "_asdict"):
            return {name: to_plain(field) for name, field in value._asdict().items()}
        return [to_plain(item) for item in value]
    return [to_plain(item) for item in value] if isinstance(value, list) else value


def event_rows(game: "Game", events: Sequence[Event], view: Any, earlier: Sequence[EventRow] = ()) -> list[EventRow]:
    """The sentences about these events, after ``earlier`` ones. Those that one sentence can tell become one.

    Two facts of a game's sentence allow that. ``times`` (1 for a single event) counts equal
    events. ``each`` (a list of one) collects the facts of events of one kind and rule, and of one
    player where the fact ``by`` names one: then other events of that player may come between.
    """
    rows: list[EventRow] = list(earlier)
    for event in events:
        kind, facts = game.event_row(event, view)
        row = EventRow(kind, facts, event.ruling, bool(event.points))
        for at in range(len(rows) - 1, -1, -1):
            merged = _merge_events(rows[at], row)
            if merged is not None:
                rows[at] = merged
                break
            if not _player_of(row) or _player_of(rows[at]) != _player_of(row):
                rows.append(row)
                break
        else:
            rows.append(row)
    return rows


def _player_of(row: EventRow) -> str:
    """The seat that brought the event about; "" if the row names none."""
    return str(row.facts["by"]["seat"]) if "by" in row.facts else ""


def _merge_events(previous: EventRow, row: EventRow) -> EventRow | None:
    """One row for both; None where they need two sentences."""
    if (previous.kind, previous.ruling) != (row.kind, row.ruling):
        return None
    if "times" in row.facts and {**previous.facts, "times": 1} == {**row.facts, "times": 1}:
        return row._replace(facts={**row.facts, "times": previous.facts["times"] + row.facts["times"]})
    if "each" in row.facts and previous.facts.get("by") == row.facts.get("by"):
        return previous._replace(facts={**previous.facts, "each": [*previous.facts["each"], *row.facts["each"]]})
    return None


def question_row(question: Asking, pending_lines: list[str]) -> QuestionRow:
    """The question with its orders and an example that is safe to copy.

    A new email replaces the pending orders, so the example repeats them: alone if their first line
    answers this question, otherwise after an answer.
    """
    orders = [f"{choice.order} {argument}".rstrip() for choice in question.choices for argument in choice.rest]
    example = list(question.example[:1] if pending_lines else question.example)
    pending_answers_it = bool(pending_lines) and pending_lines[0] in orders
    return QuestionRow(
        question.kind,
        question.facts,
        question.hint,
        [_choice_row(choice) for choice in question.choices],
        orders,
        pending_lines if pending_answers_it else [*example, *pending_lines],
    )


MAX_EXAMPLE_LETTERS = 42  #: of the examples in a link, so that an email program does not break their line


MAX_PAIRS = 12  #: of orders that have a button


def with_completions(game: "Game", view: Any, row: QuestionRow) -> QuestionRow:
    """Add examples of the lines that complete the turn after each order, one for each first word.

    An order after which the turn is over has none, and so has one whose result nobody can foresee,
    unless the question's own example begins with it. ``pairs`` has two orders of the turn in one of
    their sequences; none if they are too many.
    """
    question = game.ask(view)
    own_example = question.example if question else ()
    completions, pairs = {}, dict[frozenset[str], tuple[str, str]]()
    for order in row.orders:
        view_after = _foresee_in_turn(game, view, order)
        question_after = None if view_after is None else game.ask(view_after)
        if question_after:
            completions[order] = _completing_examples(game, view_after, question_after)
            for second in game.legal(view_after) if len(pairs) <= MAX_PAIRS else ():
                pairs.setdefault(frozenset((order, second)), (order, second))
        elif game.foresee(view, order) is None and order in own_example[:1] and own_example[1:]:
            completions[order] = [[*own_example[1:]]]
    return row._replace(then=completions, pairs=list(pairs.values()) if len(pairs) <= MAX_PAIRS else ())


def _foresee_in_turn(game: "Game", view: Any, order: str) -> Any | None:
    """The View after an order; None if it cannot be foreseen, or if the turn is over."""
    view_after = game.foresee(view, order)
    return None if view_after is None or game.turn(view_after) != game.turn(view) else view_after


def _completing_examples(game: "Game", view: Any, question: Asking) -> list[list[str]]:
    """The example of a question and, if one order completes the turn, such orders with other first words."""
    lines, last_view = list[str](), view
    next_lines = question.example
    while next_lines and len("; ".join([*lines, *next_lines])) <= MAX_EXAMPLE_LETTERS:
        lines += next_lines
        for line in next_lines:
            last_view = None if last_view is None else _foresee_in_turn(game, last_view, line)
        next_question = None if last_view is None else game.ask(last_view)
        next_lines = next_question.example if next_question else ()
    examples = [lines] if lines else []
    for choice in question.choices if len(lines) == 1 else ():
        order = f"{choice.order} {choice.rest[0]}".rstrip()
        is_other_kind = order.split()[0] not in {lines[0].split()[0] for lines in examples}
        # " or " stands between them
        letters = sum(len(lines[0]) + 4 for lines in examples) + len(order)
        if is_other_kind and letters <= MAX_EXAMPLE_LETTERS:
            view_after = _foresee_in_turn(game, view, order)
            is_complete = view_after is None or game.ask(view_after) is None
            examples += [[order]] if is_complete else []
    return examples


def _choice_row(choice: Choice) -> ChoiceRow:
    """``A5 reserve A4`` and ``A5 reserve A6`` become the group ``A5 reserve`` with ``A4``, ``A6``."""
    groups: dict[str, list[str]] = {}
    for arguments in choice.rest:
        prefix, _, last_word = arguments.rpartition(" ")
        groups.setdefault(prefix, []).append(last_word)
    plain_words = groups.pop("", [])
    return ChoiceRow(choice.order, [word for word in plain_words if word], list(groups.items()))


def cited_rules(record: StateRecord, seat: str | None) -> list[str]:
    """The rules that a report of this state cites: those that changed points, R-1 (for the seat alone) and R-2."""
    rules = {event.ruling for event in record.events if event.points}
    rules |= {"R-1" for entry in record.entries if entry.source == FORCED.name and entry.seat == seat}
    rules |= {"R-2" for entry in record.entries if entry.source == DEFAULT.name}
    return sort_rules(rules)


def sort_rules(numbers: Iterable[str]) -> list[str]:
    """The numbers of rules in the order of a rulebook: CC-9 before CC-10."""

    def sort_key(number: str) -> tuple[str, int, str]:
        prefix, _, suffix = number.partition("-")
        digits = suffix.rstrip("abcdefghijklmnopqrstuvwxyz")
        return prefix, int(digits) if digits.isdigit() else 0, suffix

    return sorted(numbers, key=sort_key)


def explain_rules(numbers: Iterable[str], rulebook: Callable[[str], str]) -> list[tuple[str, str]]:
    """Number and text of these rules, in the order of a rulebook; those without a text are left out."""
    texts = ((number, rulebook(number)) for number in sort_rules(numbers))
    return [(number, text) for number, text in texts if text]


#: by seat and by kind of event: the facts of each event that brought points, with its ``points``
MAX_COURSE = 24  #: bars that fit beside one another on a phone
PointSources = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]


def points_by_source(records: Iterable[StateRecord]) -> PointSources:
    """Where each seat's points came from in these states, and when. For everybody."""
    facts_by_seat: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for record in records:
        for event in record.events:
            kind = event.kind.replace("-", "_")
            for seat, points in event.points:
                facts = {**dict(event.facts), "points": points, "at_state": record.n}
                facts_by_seat.setdefault(seat, {}).setdefault(kind, []).append(facts)
    return facts_by_seat


def _point_courses(seats: Iterable[str], sources: PointSources) -> dict[str, list[int]]:
    """The points of each seat at the same moments: all at which points changed, or every n-th of them."""
    changes_by_seat = {
        seat: [(event["at_state"], event["points"]) for events in sources.get(seat, {}).values() for event in events]
        for seat in seats
    }
    moments = sorted({moment for changes in changes_by_seat.values() for moment, _ in changes}, reverse=True)
    moments = moments[:: -(-len(moments) // MAX_COURSE) or 1][::-1]  # the last moment is always one of them
    return {
        seat: [sum(points for at_state, points in changes if at_state <= moment) for moment in moments]
        for seat, changes in changes_by_seat.items()
    }


def place_rows(outcome: Outcome, sources: PointSources) -> list[Place]:
    """The players in their final order, with the sources of their points; none if an older state is lost."""
    points = dict(outcome.scores)
    ranks = {seat: (seat not in outcome.winners, -points[seat]) for seat in points}
    ranks |= dict.fromkeys(outcome.winners, (False, 0))  # winners share the first place, whatever their points
    courses = _point_courses(points, sources)
    places = []
    for seat in sorted(points, key=lambda seat: ranks[seat]):
        seat_sources = [
            PointSource(kind, sum(event["points"] for event in events), events)
            for kind, events in sources.get(seat, {}).items()
        ]
        place = 1 + sum(rank < ranks[seat] for rank in ranks.values())
        corrected = points[seat] - sum(source.points for source in seat_sources) if sources else 0
        course = [*courses[seat][:-1], points[seat]]
        places.append(Place(place, seat, points[seat], seat_sources, corrected, course))
    return places


def list_seat_times(record: StateRecord, zone: str) -> list[SeatTime]:
    """The clock of each seat, with times in ``zone``. For everybody."""
    clock = record.clock
    no_time = NO_TIME if clock.time_bank else ""
    return [
        SeatTime(
            seat=row.seat,
            player=record.player(row.seat).name,
            due=instant_in_prose(row.deadline, zone, record.time) if row.deadline else "",
            time_bank=hours_in_words(row.time_bank) if row.time_bank else no_time,
            is_open=clock.is_seat_open(row),
        )
        for row in clock.seats
    ]


def unanswered_upcoming(position: "LoadedGame", view: Any, pending: "PendingOrders") -> list[Soon]:
    """The questions that may come before the seat's next turn and that no pending order answers."""
    answered_keys = {
        (group.when, order.order.split(" ")[0]) for group in pending.groups for order in group.playable_orders
    }
    return [upcoming for upcoming in position.game.soon(view) if (upcoming.name, upcoming.word) not in answered_keys]


def upcoming_rows(position: "LoadedGame", view: Any, pending: "PendingOrders") -> list[UpcomingRow]:
    """The same questions, each with the orders that pbem proposes."""
    return [
        UpcomingRow(upcoming.row.kind, upcoming.row.facts, upcoming.name, upcoming.orders)
        for upcoming in unanswered_upcoming(position, view, pending)
    ]
