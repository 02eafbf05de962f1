"""Make the clock of the next state: for each seat its deadline, time bank and missed turns in a row.

A time bank is a player's stock of extra hours, used when an answer comes after its deadline.
A new deadline is never earlier than the one that it replaces, nor than one that the seat had since
its last answer. Without a ruling, the deadline of an open question stays.

Not allowed here: the current time; older states and the private folder, which are arguments.
Source: docs/SPECIFICATION.md sections 5 (clock) and 9 (rulings); docs/REFEREE.md "Deadlines".
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

    asked_seats: frozenset[str]  #: the seats that have to answer a question now
    is_new_turn: bool  #: the state begins a turn; otherwise its questions are choices within a turn
    #: when the email with the seat's answer arrived, in seconds; without it, now
    arrivals: Mapping[str, int] = MappingProxyType({})
    absences: Mapping[str, Sequence[Absence]] = MappingProxyType({})
    #: for a seat without a deadline now: the newest state since its last answer in which it had one, or None
    find_promised_record: Callable[[str], StateRecord | None] = lambda _: None
    #: the latest deadline, in seconds, that the seat had for a question that an undo asks again; 0 for none
    find_undone_deadline: Callable[[str], int] = lambda _: 0


def clock_inputs_of(game: "Game", state: Any, previous_state: Any = None) -> ClockInputs:
    """Return the inputs that the rules give for a State. ``previous_state`` is None for the first State."""
    view = game.view(state, None)
    asked_seats = frozenset(question.seat for question in game.questions(view))
    if previous_state is None:
        return ClockInputs(asked_seats, is_new_turn=True)
    previous_turn = game.turn(game.view(previous_state, None))
    return ClockInputs(asked_seats, is_new_turn=game.turn(view) != previous_turn)


def make_next_clock(before: StateRecord, record: StateRecord, inputs: ClockInputs) -> Clock:
    """Return the clock of ``record``, which follows ``before`` and already has the options that a ruling sets."""
    kind = kind_of(record.rulings[0]) if record.rulings else None
    if record.clock.has_deadlines:
        rows = [_make_seat_clock(before, record, inputs, kind, row.seat) for row in record.clock.seats]
    else:
        rows = [SeatClock(row.seat, "", 0, 0) for row in record.clock.seats]
    return record.clock._replace(seats=tuple(rows))


def _make_seat_clock(
    before: StateRecord, record: StateRecord, inputs: ClockInputs, kind: RulingKind | None, seat: str
) -> SeatClock:
    """Return the deadline, time bank and missed turns of a seat. ``kind`` is that of the record's ruling, if any."""
    old_row, clock = before.clock.for_seat(seat), record.clock
    sources = record.sources(seat)
    has_answered = any(source.is_players_own for source in sources)
    has_missed = any(source.for_missed_turn for source in sources)
    missed_turns = (0 if has_answered else old_row.missed_turns) + has_missed
    time_bank = old_row.time_bank
    if old_row.deadline and any(source is not FORCED for source in sources):
        seconds_over = inputs.arrivals.get(seat, epoch_seconds(record.time)) - epoch_seconds(old_row.deadline)
        hours_over = max(0, -(-seconds_over // HOUR))  # the negative signs round up
        time_bank -= min(time_bank, hours_over)
    if kind is CLOCK:
        changed_options = kind.changed_options(record.rulings[0])
        time_bank = clock.time_bank if "bank" in changed_options else time_bank
        missed_turns = 0 if "strikes" in changed_options else missed_turns
    elif kind and kind.changes_player and record.player(seat).orders_since == record.n:
        missed_turns = 0  # the ruling gives this seat to another player
    deadline = _make_deadline(before, record, inputs, kind, old_row, time_bank)
    return SeatClock(seat, deadline, time_bank, missed_turns)


def _make_deadline(
    before: StateRecord,
    record: StateRecord,
    inputs: ClockInputs,
    kind: RulingKind | None,
    old_row: SeatClock,
    time_bank: int,
) -> str:
    """Return the deadline of a seat; "" if it is not asked. That of an open question moves only by a ruling."""
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
    factor = 2 if is_first else 1  # a player's first answer has twice the time, or the second fixed day
    absences = inputs.absences.get(seat, ())
    new_deadline = compute_deadline(clock, now, hours * factor, absences, nth=factor)
    if kind:  # a seat that a ruling asks, or asks again, gets notice and no less time than before
        earliest_notice = first_allowed_moment(clock, epoch_seconds(record.time) + NOTICE, absences)
        new_deadline = max(new_deadline, earliest_notice, inputs.find_undone_deadline(seat))
    return format_instant(max(min(new_deadline, clock.latest_deadline(record.time)), earliest))


def _shift_deadline(before: StateRecord, record: StateRecord, kind: RulingKind | None, old_row: SeatClock) -> str:
    """Return the deadline of a question that stays open, moved if the ruling moves it."""
    shift = kind.deadline_shift(record, before, old_row.seat) if kind and kind.deadline_shift else 0
    return format_instant(epoch_seconds(old_row.deadline) + shift) if shift else old_row.deadline
