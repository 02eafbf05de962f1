"""A report: everything that one seat, or a spectator, reads about the newest states.

What must never be here: a State handed to a template (a View is), another seat's pending orders, a sentence.
Law: a report is a function of the seat's View, of the public part of each state in it and of the
seat's own orders (P2), so it can be written again from the states and the private folder.
Source: docs/DESIGN.md "A report"; docs/SPECIFICATION.md section 7.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.chain.clock import format_instant
from pbem.chain.clock_words import instant_in_prose
from pbem.chain.contributions import CLASSES
from pbem.chain.loaded_game import LoadedGame, Seals
from pbem.chain.rulings.clock import CLOCK
from pbem.chain.rulings.people import LAST_SIGNED
from pbem.chain.signed_state import state_hash_words
from pbem.chain.sources import BY_BOT, BY_REFEREE, DEFAULT, source_of
from pbem.chain.state_record import CLOSED, DEAL, StateRecord
from pbem.crypto.encoding import unpae
from pbem.engine.decision import Outcome
from pbem.engine.row import Row
from pbem.engine.settings import SPECTATORS
from pbem.play.deadlines.options import describe_clock
from pbem.play.pending_orders import NOW, PendingOrders, format_pending_orders, list_possible_groups
from pbem.play.waiting import question_in_words
from pbem.report import game_rows, sentences
from pbem.report.game_rows import EventRow, Place, QuestionRow, SeatTime, to_plain

#: gives the sentence that explains a rule, by its number; "" where there is none
Rulebook = Callable[[str], str]


class Reader(NamedTuple):
    """For whom a report is: a seat with its code and pending orders, or the spectators."""

    name: str  #: the seat, or SPECTATORS
    code: str
    pending: PendingOrders
    zone: str = ""  #: the time zone of the reader's clocks; "" for UTC

    @property
    def seat(self) -> str | None:
        """None for the spectators."""
        return None if self.name == SPECTATORS else self.name


class ReportedState(NamedTuple):
    """One of the states that a report covers."""

    position: LoadedGame
    seals: Seals
    pending_before: Mapping[str, str]  #: by seat, the pending orders before it that are still on file; secret
    turn: int  #: the turn in which the state was made


class ReportRulings(NamedTuple):
    """What the referee's rulings change for the reader."""

    texts: tuple[str, ...] = ()  #: each ruling in full, for everybody
    undone: tuple[str, ...] = ()  #: orders that an undo took back
    restored: tuple[str, ...] = ()  #: orders that count again
    disclosures: tuple[str, ...] = ()  #: who saw what in the undone orders
    hand_over: tuple[Row, ...] = ()  #: who signs from now on: the macros ``key_KIND``
    former_player: str = ""  #: whose place the reader has taken in the newest state

    @property
    def ends_old_key(self) -> bool:
        """Whether the next report is signed by a new key, which makes the reader's code void."""
        return any(row.kind == LAST_SIGNED for row in self.hand_over)


class Recipient(NamedTuple):
    """Who reads the report."""

    seat: str  #: "" for the spectators
    player: str
    auth_method: str
    code: str  #: "" where no answer is expected


class AwaitedPlayer(NamedTuple):
    """A player for whom the game waits."""

    seat: str
    player: str
    question: str  #: the kind of question
    what: str  #: the question in words, "" where its kind says everything


class Task(NamedTuple):
    """What the reader may write, and what is already pending."""

    question: QuestionRow | None
    repeats_pending: bool  #: whether the example repeats pending orders
    upcoming: list[game_rows.UpcomingRow]
    awaited: list[AwaitedPlayer]
    pending: list[str]  #: orders that can still be played
    notes: list[str]  #: what became of pending orders


class Deadlines(NamedTuple):
    """The clock, on the reader's own clocks. All is empty in a game without deadlines."""

    due: str = ""  #: the reader's deadline
    missed_turn: str = ""  #: what happens when a turn is missed
    more_misses: int = 0  #: turns that the reader can still miss before the seat is opened; 0: none missed yet
    missed_at: str = ""  #: when the reader's turn is declared missed
    seats: list[SeatTime] = []
    terms: list[str] = []  #: the clock's rules, where they are new to the reader
    paused_until: str = ""


class TurnEvents(NamedTuple):
    """The events of one turn, as the reader saw them then."""

    when: str
    events: list[EventRow]
    names: dict[str, str]  #: who played at each seat in that turn


class SubstituteOrders(NamedTuple):
    """Orders that their player did not send: the macros ``given_KIND``."""

    answered: list[Row] = []  #: played for the reader, in full
    typed: list[Row] = []  #: typed by the referee, who alone vouches for them (P6)
    missed: list[Row] = []  #: played for others who missed their turn (R-2)


class Score(NamedTuple):
    """The points of one seat."""

    seat: str
    player: str
    points: str


class Winner(NamedTuple):
    """A player who won."""

    player: str
    seat: str
    points: int


class Board(NamedTuple):
    """The game as the reader sees it now, and its result."""

    description: Mapping[str, Any]
    text: Any  #: the drawn board
    scores: list[Score]
    winners: list[Winner]
    places: list[Place]


class Footer(NamedTuple):
    """Rules and proofs at the foot of a report."""

    notices: list[Row]  #: house rules, in the first report of a reader
    contributions: list[Row]  #: where the deal came from
    check_words: str
    cited_rules: list[tuple[str, str]]  #: number and text
    signed_block: str


class Report(NamedTuple):
    """One report, before it becomes text, HTML or a subject."""

    label: str  #: the game's name among its players
    title: str
    kind: str
    state_number: int
    time: str
    is_closed: bool
    names: dict[str, str]  #: the player at each seat
    recipient: Recipient
    task: Task
    deadlines: Deadlines
    rulings: ReportRulings
    turns: list[TurnEvents]
    substitutes: SubstituteOrders
    board: Board
    footer: Footer


def build_report(
    states: Sequence[ReportedState],
    reader: Reader,
    label: str,
    rulebook: Rulebook,
    signed_block: str,
    rulings: ReportRulings = ReportRulings(),
    sources: game_rows.PointSources = MappingProxyType({}),
) -> Report:
    """The report about these states, oldest first. ``label`` is the game's name among its players.
    ``sources`` tells where points came from, in a game that is over. For the reader alone.
    """
    position = states[-1].position
    record, seat = position.record, reader.seat
    view = position.game.view(position.state, seat)
    outcome = position.game.outcome(view)
    is_closed = record.phase == CLOSED
    expects_answer = not (outcome or is_closed or rulings.ends_old_key)
    records = [state.position.record for state in states]
    return Report(
        label=label,
        title=position.game.title,
        kind=position.game.kind,
        state_number=record.n,
        time=record.time,
        is_closed=is_closed,
        names=position.player_names,
        recipient=Recipient(
            seat or "",
            position.player_name(seat) if seat else "",
            record.player(seat).method_name if seat else "",
            reader.code if expects_answer else "",
        ),
        task=_build_task(position, reader, view, can_answer=not (is_closed or rulings.ends_old_key)),
        deadlines=_build_deadlines(record, reader, records),
        rulings=rulings,
        turns=_list_turns(states, reader),
        substitutes=_list_substitute_orders(states, seat),
        board=_build_board(position, view, outcome, sources),
        footer=Footer(
            notices=list(position.game.notices(position.config)) if _is_first_report(record, seat) else [],
            contributions=contribution_rows(record),
            check_words=state_hash_words(position.state_hash),
            cited_rules=game_rows.explain_rules(
                {number for told_record in records for number in game_rows.cited_rules(told_record, seat)}, rulebook
            ),
            signed_block=signed_block,
        ),
    )


def template_values(report: Report) -> dict[str, Any]:
    """The report as its templates get it: text, numbers, lists and dicts by the names of their variables."""
    recipient, task, deadlines, rulings, board, footer = (
        report.recipient, report.task, report.deadlines, report.rulings, report.board, report.footer
    )  # fmt: skip
    typed_values = {
        "label": report.label,
        "title": report.title,
        "kind": report.kind,
        "n": report.state_number,
        "time": report.time,
        "closed": report.is_closed,
        "names": report.names,
        "seats": list(report.names.items()),
        "seat": recipient.seat,
        "player": recipient.player,
        "way": recipient.auth_method,
        "code": recipient.code,
        "welcome": rulings.former_player,
        "question": task.question or {},
        "repeated": task.repeats_pending,
        "soon": task.upcoming,
        "waiting": task.awaited,
        "hand": task.pending,
        "notes": task.notes,
        "due": deadlines.due,
        "missed_turn": deadlines.missed_turn,
        "more_misses": deadlines.more_misses,
        "last": deadlines.missed_at,
        "timed": deadlines.seats,
        "terms": deadlines.terms,
        "paused": deadlines.paused_until,
        "rulings": rulings.texts,
        "taken_back": rulings.undone,
        "counts_again": rulings.restored,
        "seen": rulings.disclosures,
        "new_referee": rulings.hand_over,
        "closes_key": rulings.ends_old_key,
        "happened": report.turns,
        **report.substitutes._asdict(),
        "table": board.description,
        "board": board.text,
        "scores": board.scores,
        "winners": board.winners,
        "places": board.places,
        "notices": footer.notices,
        "dealt_by": footer.contributions,
        "head_words": footer.check_words,
        "cited": footer.cited_rules,
        "block": footer.signed_block,
    }
    return {name: to_plain(value) for name, value in typed_values.items()}


def _build_task(position: LoadedGame, reader: Reader, view: Any, can_answer: bool) -> Task:
    game, pending = position.game, reader.pending
    question = game.ask(view) if reader.seat and can_answer else None
    lines_for_now = format_pending_orders(group for group in pending.parts if group.name == NOW)
    is_over = game.outcome(view) is not None or position.record.phase == CLOSED
    return Task(
        question=game_rows.question_row(question, lines_for_now) if question else None,
        repeats_pending=bool(lines_for_now),
        upcoming=game_rows.upcoming_rows(position, view, pending) if can_answer else [],
        awaited=list_awaited_players(position),
        pending=[] if is_over else format_pending_orders(list_possible_groups(pending.parts, game, view)),
        notes=list(pending.notes),
    )


def _is_first_report(record: StateRecord, seat: str | None) -> bool:
    """Whether the reader has had no report before: everybody at the deal, and a new player."""
    return record.n == DEAL or (seat is not None and record.player(seat).orders_since == record.n)


def _build_deadlines(record: StateRecord, reader: Reader, records: Sequence[StateRecord]) -> Deadlines:
    """``record`` is the newest of the ``records`` in the report."""
    clock, seat = record.clock, reader.seat
    has_clock = clock.has_deadlines and record.phase != CLOSED
    own_clock = clock.for_seat(seat) if seat else None
    missed_turns = own_clock.missed_turns if own_clock and has_clock else 0
    due = own_clock.deadline if own_clock else ""
    missed_at = format_instant(clock.missed_at(seat)) if seat and due else ""
    clock_was_ruled = any(ruling.name == CLOCK.name for told_record in records for ruling in told_record.rulings)
    tells_terms = has_clock and (clock_was_ruled or _is_first_report(record, seat))

    def in_prose(time: str) -> str:
        return instant_in_prose(time, reader.zone, record.time) if time else ""

    return Deadlines(
        due=in_prose(due),
        missed_turn=clock.missed,
        more_misses=max(0, clock.strikes - missed_turns) if missed_turns else 0,
        missed_at=in_prose(missed_at),
        seats=_list_shown_times(record, reader) if has_clock else [],
        terms=describe_clock(clock) if tells_terms else [],
        paused_until=in_prose(clock.paused) if clock.remaining_pause(record.time) else "",
    )


def _list_shown_times(record: StateRecord, reader: Reader) -> list[SeatTime]:
    """The reader's own deadline is beside the question, and at the deal the terms name every time bank."""
    return [
        row
        for row in game_rows.list_seat_times(record, reader.zone)
        if row.is_open or (row.time_bank and record.n != DEAL) or (row.due and row.seat != reader.seat)
    ]


def _build_board(position: LoadedGame, view: Any, outcome: Outcome | None, sources: game_rows.PointSources) -> Board:
    description = position.game.describe(view)
    return Board(
        description=description,
        text=position.game.board_text(description),
        scores=[
            Score(standing.seat, position.player_name(standing.seat), standing.text)
            for standing in game_rows.list_standings(position.game, view)
        ],
        winners=list_winners(position, outcome),
        places=game_rows.place_rows(outcome, sources) if outcome else [],
    )


def list_winners(position: LoadedGame, outcome: Outcome | None) -> list[Winner]:
    """The winners with their points; empty before the end. For everybody."""
    if outcome is None:
        return []
    points = dict(outcome.scores)
    return [Winner(position.player_name(seat), seat, points[seat]) for seat in outcome.winners]


def _list_turns(states: Sequence[ReportedState], reader: Reader) -> list[TurnEvents]:
    """The events of these states by turns, with the players of that turn.

    Turns without events are left out; if no turn has any, the first one remains.
    """
    turns: list[TurnEvents] = []
    for (_, names), group in groupby(states, key=lambda state: (state.turn, state.position.player_names)):
        states_of_turn = list(group)
        events: list[EventRow] = []
        for state in states_of_turn:
            view = state.position.game.view(state.position.state, reader.seat)
            events += game_rows.event_rows(state.position.game, state.position.record.events, view)
        when = instant_in_prose(states_of_turn[0].position.record.time, reader.zone)
        turns.append(TurnEvents(when, events, names))
    return [turn for turn in turns if turn.events] or turns[:1]


def _list_substitute_orders(states: Sequence[ReportedState], seat: str | None) -> SubstituteOrders:
    """The orders of these states that their player did not send. Those for ``seat`` are whole, as it alone
    may read them.
    """
    orders = SubstituteOrders([], [], [])
    for state in states:
        position = state.position
        for number, entry in enumerate(position.record.entries, 1):
            source = source_of(entry.source)
            facts = {"player": position.player_name(entry.seat), "seat": entry.seat, "line": entry.public_words}
            if entry.source == BY_REFEREE.name:
                orders.typed.append(Row(entry.source, facts))
            elif source.rule and entry.seat == seat:
                *_, line = unpae(state.seals.open_order(f"{position.record.n}/order/{number}", entry.token))
                orders.answered.append(Row(entry.source, {"line": line.decode(), "ruling": source.rule}))
            elif source is BY_BOT:
                orders.missed.append(Row("bot", facts))
            elif entry.source == DEFAULT.name:
                orders.missed.append(Row("missed", {**facts, "ruling": source.rule}))
    return orders


def contribution_rows(record: StateRecord) -> list[Row]:
    """What each seat gave to the deal, for everybody: the macros ``dealt_KIND``.

    Only a contribution that was sealed before the roster and then opened proves that nobody could
    choose the deal (P4). Seats stand for players here, because a player may have left since.
    """
    contributions = record.contributions
    opened_seats, plain_seats, silent_seats = (
        [seat for seat, contribution in contributions if contribution == kind] for kind in CLASSES
    )
    rows = [Row("opened", {"seats": opened_seats}) if opened_seats else Row("alone")]
    if plain_seats:
        rows.append(Row("plain", {"seats": plain_seats}))
    if silent_seats and len(silent_seats) < len(contributions):
        rows.append(Row("none", {"seats": silent_seats}))
    return rows


def list_awaited_players(position: LoadedGame) -> list[AwaitedPlayer]:
    """The players for whom the game waits. For everybody."""
    game = position.game
    return [
        AwaitedPlayer(
            question.seat,
            position.player_name(question.seat),
            question.kind,
            question_in_words(game, question) if question.about else "",
        )
        for question in game.questions(game.view(position.state, None))
    ]


def report_subject(report: Report) -> str:
    """The subject of a report's email, without the reply code."""
    return sentences.SUBJECT.format(label=report.label, summary=_summarize(report))


def _summarize(report: Report) -> str:
    """The most important thing in the report."""
    due = report.deadlines.due
    if report.is_closed:
        return sentences.GAME_CLOSED
    if report.board.winners:
        return sentences.GAME_OVER
    if report.task.question:
        return sentences.YOUR_TURN_BY.format(due=due) if due else sentences.YOUR_TURN
    if report.rulings.former_player:
        return sentences.WELCOME
    if _missed_own_turn(report):
        seat = report.recipient.seat
        is_open = any(row.is_open for row in report.deadlines.seats if row.seat == seat)
        return sentences.SEAT_OPEN if is_open else sentences.TURN_MISSED
    if report.rulings.hand_over:
        return sentences.NEW_REFEREE
    if report.rulings.texts:
        return sentences.REFEREE_RULED
    return sentences.REPORT_NUMBER.format(number=report.state_number)


def _missed_own_turn(report: Report) -> bool:
    seat, orders = report.recipient.seat, report.substitutes
    bot_seats = {row.facts["seat"] for row in orders.missed if row.kind == "bot"}
    return seat in bot_seats or any(row.kind == DEFAULT.name for row in orders.answered)
