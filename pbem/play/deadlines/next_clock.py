"""The clock of the next state: for each seat its deadline, time bank and missed turns in a row.

A new deadline is never earlier than the one that it replaces, nor than one that the seat had since
its last answer. Without a ruling, the deadline of an open question stays.

What must never be here: the current time; older states and the private folder, which are arguments.
Source: docs/SPECIFICATION.md sections 5 (clock) and 9 (rulings); docs/CLOCK.md.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock import HOUR, WAIT, Clock, SeatClock, epoch_seconds, format_instant
from pbem.chain.rulings.clock import CLOCK, NOTICE
from pbem.chain.rulings.kind import RulingKind
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.sources import FORCED
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.notation.absence import Absence
from pbem.play.deadlines.calendar import compute_deadline, first_allowed_moment

if TYPE_CHECKING:
    from pbem.engine.game import Game


class ClockInputs(NamedTuple):
    """What the rules and older states say that decides the next clock."""

    asked_seats: frozenset[str]
    is_new_turn: bool
    #: when the email with the seat's answer arrived, in seconds; without it, now
    arrivals: Mapping[str, int] = MappingProxyType({})
    absences: Mapping[str, Sequence[Absence]] = MappingProxyType({})
    #: the newest state since its last answer in which a seat, now without a deadline, had one
    find_promised_record: Callable[[str], StateRecord | None] = lambda _: None
    #: the deadline, in seconds, to which an undo returns, or a later one before it; 0 for none
    find_undone_deadline: Callable[[str], int] = lambda _: 0


def clock_inputs_of(game: "Game", state: Any, previous_state: Any = None) -> ClockInputs:
    """What the rules say about a State and the previous one (None: the State is dealt)."""
    view = game.view(state, None)
    asked_seats = frozenset(question.seat for question in game.questions(view))
    if previous_state is None:
        return ClockInputs(asked_seats, is_new_turn=True)
    previous_turn = game.turn(game.view(previous_state, None))
    return ClockInputs(asked_seats, is_new_turn=game.turn(view) != previous_turn)


def make_next_clock(before: StateRecord, record: StateRecord, inputs: ClockInputs) -> Clock:
    """The clock of ``record``, which follows ``before`` and has what a ruling set."""
    kind = kind_of(record.rulings[0]) if record.rulings else None
    if record.clock.has_deadlines:
        rows = [_make_row(before, record, inputs, kind, row.seat) for row in record.clock.seats]
    else:
        rows = [SeatClock(row.seat, "", 0, 0) for row in record.clock.seats]
    return record.clock._replace(seats=tuple(rows))


def _make_row(
    before: StateRecord, record: StateRecord, inputs: ClockInputs, kind: RulingKind | None, seat: str
) -> SeatClock:
    old_row, clock = before.clock.for_seat(seat), record.clock
    sources = record.sources(seat)
    has_answered = any(source.is_players_own for source in sources)
    has_missed = any(source.for_missed_turn for source in sources)
    missed_turns = (0 if has_answered else old_row.missed_turns) + has_missed
    time_bank = old_row.time_bank
    if old_row.deadline and any(source is not FORCED for source in sources):
        seconds_over = inputs.arrivals.get(seat, epoch_seconds(record.time)) - epoch_seconds(old_row.deadline)
        time_bank -= min(time_bank, max(0, -(-seconds_over // HOUR)))
    if kind is CLOCK:
        changed_options = kind.changed_options(record.rulings[0])
        time_bank = clock.time_bank if "bank" in changed_options else time_bank
        missed_turns = 0 if "strikes" in changed_options else missed_turns
    elif kind and record.player(seat).orders_since == record.n and kind.changes_player:
        missed_turns = 0
    deadline = _compute_due(before, record, inputs, kind, old_row, time_bank)
    return SeatClock(seat, deadline, time_bank, missed_turns)


def _compute_due(
    before: StateRecord,
    record: StateRecord,
    inputs: ClockInputs,
    kind: RulingKind | None,
    old_row: SeatClock,
    time_bank: int,
) -> str:
    seat, clock = old_row.seat, record.clock
    if seat not in inputs.asked_seats or record.phase == CLOSED:
        return ""
    is_same_question = dict(record.answer_counts).get(seat) == dict(before.answer_counts).get(seat)
    if old_row.deadline and is_same_question and kind is not CLOCK:
        return _shift_deadline(before, record, kind, old_row)
    promising_record = before if old_row.deadline else inputs.find_promised_record(seat)
    earliest = clock.promised_deadline(promising_record.clock, seat, time_bank, record.time) if promising_record else 0
    starts_counting = clock.missed != WAIT and before.clock.missed == WAIT
    if old_row.deadline and is_same_question and not starts_counting:
        return format_instant(earliest)
    now = max(epoch_seconds(record.time), epoch_seconds(clock.paused_until) if clock.paused_until else 0)
    is_first = not dict(record.answer_counts).get(seat)
    is_choice = not inputs.is_new_turn and bool(record.entries) and bool(clock.choice)
    hours = clock.choice if is_choice else clock.turn
    new_deadline = compute_deadline(clock, now, hours * (1 + is_first), inputs.absences.get(seat, ()), 1 + is_first)
    if kind:  # a seat that a ruling asks, or asks again, gets notice and no less time than before
        earliest_notice = first_allowed_moment(
            clock, epoch_seconds(record.time) + NOTICE, inputs.absences.get(seat, ())
        )
        new_deadline = max(new_deadline, earliest_notice, inputs.find_undone_deadline(seat))
    return format_instant(max(min(new_deadline, clock.latest_deadline(record.time)), earliest))


def _shift_deadline(before: StateRecord, record: StateRecord, kind: RulingKind | None, old_row: SeatClock) -> str:
    """The deadline of a question that stays open, moved if the ruling moves it."""
    shift = kind.deadline_shift(record, before, old_row.seat) if kind and kind.deadline_shift else 0
    return format_instant(epoch_seconds(old_row.deadline) + shift) if shift else old_row.deadline
