"""Builds a report from a seat's View, the public part of each state in it and the seat's own orders.

Not allowed here: a sentence, a State that goes into the report, another seat's pending orders.
Law: a report is a function of these (P2), so it can be written again from the states and the
private folder.
Source: docs/DESIGN.md "A report"; docs/SPECIFICATION.md section 7.
"""

from collections.abc import Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any

from pbem.chain.clock import format_instant
from pbem.chain.clock_words import instant_in_prose
from pbem.chain.loaded_game import LoadedGame
from pbem.chain.people import CLASSES, NONE
from pbem.chain.rulings.clock import CLOCK
from pbem.chain.signed_state import state_hash_words
from pbem.chain.sources import BY_BOT, BY_REFEREE, DEFAULT, source_of
from pbem.chain.state_record import CLOSED, DEAL, StateRecord
from pbem.crypto.encoding import unpae
from pbem.engine.decision import Outcome
from pbem.engine.row import Asking, Row
from pbem.engine.settings import ARCHIVE, ARCHIVE_ATTACHED
from pbem.engine.standings import plain_standings
from pbem.play.deadlines.options import describe_clock
from pbem.play.pending_orders import NOW, format_pending_orders, list_possible_groups
from pbem.play.waiting import question_in_words
from pbem.report import game_rows
from pbem.report.game_rows import EventRow, QuestionRow, SeatTime
from pbem.report.report import (
    AwaitedPlayer,
    Board,
    Deadlines,
    Footer,
    Reader,
    Recipient,
    Report,
    ReportedState,
    ReportRulings,
    Rulebook,
    Score,
    SubstituteOrders,
    Task,
    TurnEvents,
    Winner,
)


def build_report(
    states: Sequence[ReportedState],
    reader: Reader,
    label: str,
    rulebook: Rulebook,
    signed_block: str,
    rulings: ReportRulings = ReportRulings(),  # noqa: B008 - a value that never changes
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
            is_new=bool(seat and (rulings.former_player or _was_dealt_uninvited(record))),
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


def _build_task(position: LoadedGame, reader: Reader, view: Any, can_answer: bool) -> Task:
    game, pending = position.game, reader.pending
    question = game.ask(view) if reader.seat and can_answer else None
    lines_for_now = format_pending_orders(group for group in pending.groups if group.name == NOW)
    is_over = game.outcome(view) is not None or position.record.phase == CLOSED
    return Task(
        question=_build_question(position, view, question, lines_for_now) if question else None,
        repeats_pending=bool(lines_for_now),
        upcoming=game_rows.upcoming_rows(position, view, pending) if can_answer else [],
        awaited=list_awaited_players(position),
        pending=[] if is_over else format_pending_orders(list_possible_groups(pending.groups, game, view)),
        notes=list(pending.notes),
    )


def _build_question(position: LoadedGame, view: Any, question: Asking, lines_for_now: list[str]) -> QuestionRow:
    return game_rows.with_completions(position.game, view, game_rows.question_row(question, lines_for_now))


def _is_first_report(record: StateRecord, seat: str | None) -> bool:
    """Whether the reader has had no report before: everybody at the deal, and a new player."""
    return record.n == DEAL or (seat is not None and record.player(seat).orders_since == record.n)


def _was_dealt_uninvited(record: StateRecord) -> bool:
    """Whether this is the deal, and perhaps nobody was invited to it: nobody added to the shuffle."""
    return record.n == DEAL and all(kind == NONE for _, kind in record.contributions)


def _build_deadlines(record: StateRecord, reader: Reader, records: Sequence[StateRecord]) -> Deadlines:
    """``record`` is the newest of the ``records`` in the report."""
    clock, seat = record.clock, reader.seat
    has_clock = clock.has_deadlines and record.phase != CLOSED
    own_clock = clock.for_seat(seat) if seat else None
    missed_turns = own_clock.missed_turns if own_clock and has_clock else 0
    due = own_clock.deadline if own_clock else ""
    missed_at = format_instant(clock.missed_at(seat)) if seat and due else ""
    clock_was_ruled = any(ruling.name == CLOCK.name for told_record in records for ruling in told_record.rulings)
    is_first = _is_first_report(record, seat)
    tells_terms = has_clock and (clock_was_ruled or is_first)
    archive_terms = [ARCHIVE.sentence("attach")] if is_first and ARCHIVE_ATTACHED in record.setup.options else []

    def in_prose(time: str) -> str:
        return instant_in_prose(time, reader.zone, record.time) if time else ""

    return Deadlines(
        due=in_prose(due),
        missed_turn=clock.missed,
        more_misses=max(0, clock.missed_turn_limit - missed_turns) if missed_turns else 0,
        missed_at=in_prose(missed_at),
        seats=_list_shown_times(record, reader) if has_clock else [],
        terms=[*(describe_clock(clock) if tells_terms else []), *archive_terms],
        paused_until=in_prose(clock.paused_until) if clock.remaining_pause(record.time) else "",
    )


def _list_shown_times(record: StateRecord, reader: Reader) -> list[SeatTime]:
    """The reader's own deadline is beside the question, and at the deal the terms name every time bank."""
    return [
        row
        for row in game_rows.list_seat_times(record, reader.zone)
        if row.is_open or (row.time_bank and record.n != DEAL) or (row.due and row.seat != reader.seat)
    ]


def _build_board(position: LoadedGame, view: Any, outcome: Outcome | None, sources: game_rows.PointSources) -> Board:
    description, standings = position.game.describe(view), position.game.standings(view)
    return Board(
        description=description,
        text=position.game.board_text(description),
        scores=[
            Score(standing.seat, position.player_name(standing.seat), standing.text) for standing in standings.seats
        ],
        standings=plain_standings(standings),
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
            events = game_rows.event_rows(state.position.game, state.position.record.events, view, events)
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
