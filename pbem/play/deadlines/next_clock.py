"""What the clock of the next state says of each seat: deadline, reserve, turns missed in a row.

What must never be here: the time of day; older states and the desk, which come in as values.
Laws: a new deadline is never earlier than the one it replaces, nor than one that its seat had since
it answered last; without a ruling the deadline of a question that stays open stays.
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
    """What no state says, or only the rules can tell."""

    asked_seats: frozenset[str]  #: whom the game asks now
    is_new_turn: bool  #: whether its turn is another than before
    #: when the email came that a seat's answer is from, in seconds; without it: now
    arrivals: Mapping[str, int] = MappingProxyType({})
    absences: Mapping[str, Sequence[Absence]] = MappingProxyType({})
    #: the newest state in which a seat without a deadline had one since it answered last, if any
    find_promised_record: Callable[[str], StateRecord | None] = lambda _: None
    #: the deadline, in seconds, that an undo goes back to, or a later one before it; 0 for none
    find_undone_deadline: Callable[[str], int] = lambda _: 0


def clock_inputs_of(game: "Game", state: Any, previous_state: Any = None) -> ClockInputs:
    """What the rules tell of a State, and of the one that it follows; without one: of the deal."""
    view = game.view(state, None)
    asked_seats = frozenset(question.seat for question in game.questions(view))
    return ClockInputs(
        asked_seats, previous_state is None or game.turn(view) != game.turn(game.view(previous_state, None))
    )


def make_next_clock(before: StateRecord, record: StateRecord, inputs: ClockInputs) -> Clock:
    """The clock of ``record``, which follows ``before`` and has what a ruling sets of it
    already."""
    if not record.clock.has_deadlines:
        rows = tuple(SeatClock(row.seat, "", 0, 0) for row in record.clock.seats)
        return record.clock._replace(seats=rows)
    kind = kind_of(record.rulings[0]) if record.rulings else None
    rows = tuple(_make_row(before, record, inputs, kind, row.seat) for row in record.clock.seats)
    return record.clock._replace(seats=rows)


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
    return SeatClock(seat, _compute_due(before, record, inputs, kind, old_row, time_bank), time_bank, missed_turns)


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
        shift = kind.deadline_shift(record, before, seat) if kind and kind.deadline_shift else 0
        return format_instant(epoch_seconds(old_row.deadline) + shift) if shift else old_row.deadline
    promising_record = before if old_row.deadline else inputs.find_promised_record(seat)
    earliest = clock.promised_deadline(promising_record.clock, seat, time_bank, record.time) if promising_record else 0
    starts_counting = clock.missed != WAIT and before.clock.missed == WAIT
    if old_row.deadline and is_same_question and not starts_counting:
        return format_instant(earliest)
    now = max(epoch_seconds(record.time), epoch_seconds(clock.paused_until) if clock.paused_until else 0)
    is_first, hours = not dict(record.answer_counts).get(seat), clock.turn
    if not inputs.is_new_turn and record.entries and clock.choice:
        hours = clock.choice
    new_deadline = compute_deadline(clock, now, hours * (1 + is_first), inputs.absences.get(seat, ()), 1 + is_first)
    if kind:  # whoever a ruling asks, or asks anew, has notice, and no less time than before
        earliest_notice = first_allowed_moment(
            clock, epoch_seconds(record.time) + NOTICE, inputs.absences.get(seat, ())
        )
        new_deadline = max(new_deadline, earliest_notice, inputs.find_undone_deadline(seat))
    return format_instant(max(min(new_deadline, clock.latest_deadline(record.time)), earliest))
