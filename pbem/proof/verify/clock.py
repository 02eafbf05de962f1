"""What a state may change in the clock, and whether an answer for a player came before the turn was missed.

A player who is late uses up their time bank, then a grace period. After that the turn is missed, and pbem
or a bot answers for them. Each ``_find_..._fault`` returns the end of a sentence that begins with
"state N", or "" if nothing is wrong. ``kind`` is the kind of the state's ruling, or None.

Not allowed here: whom a game asks (audit/replay.py); the time of day.
Law: published deadlines, time banks and pauses hold until a ruling changes them. No ruling takes
time away from a question that is already asked.
Source: docs/SPECIFICATION.md sections 5 (clock), 9 (rulings) and 12.
"""

from pbem.chain.clock import HOUR, OPTIONS, SLOT_NOTICE, WAIT, SeatClock, epoch_seconds
from pbem.chain.rulings.clock import CLOCK, NOTICE
from pbem.chain.rulings.kind import RulingKind
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.sources import BY_BOT, DEFAULT, FORCED, source_of
from pbem.chain.state_record import CLOSED, DEAL, StateRecord
from pbem.proof.verify.changes import EarlierStates


def find_clock_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """Return a fault in the time or the clock of a state."""
    if (not record.is_dealt or record.phase == CLOSED) and any(row.deadline for row in record.clock.seats):
        return "has a deadline where nobody is asked"
    if previous is None:
        return "" if record.n else _find_initial_fault(record)
    if record.time < previous.time:
        return f"has an earlier time than state {previous.n}"
    if record.clock == previous.clock and not record.clock.has_deadlines and not record.rulings:
        return ""
    kind = kind_of(record.rulings[0]) if record.rulings else None
    if fault := _find_option_fault(record, previous, kind):
        return fault
    for row in record.clock.seats:
        if fault := _find_seat_fault(row, previous.clock.for_seat(row.seat), record, previous, kind):
            return fault
        if not row.deadline:
            continue
        if fault := _find_due_fault(row, record, previous, kind, earlier_states):
            return fault
    return _find_early_answer_fault(record, previous)


def _find_initial_fault(record: StateRecord) -> str:
    """Return a fault if the clock of the genesis has already run."""
    clock = record.clock
    is_unused = all(row == SeatClock(row.seat, "", clock.time_bank, 0) for row in clock.seats)
    return "" if is_unused and not clock.paused_until else "begins with a clock that has run"


def _find_option_fault(record: StateRecord, previous: StateRecord, kind: RulingKind | None) -> str:
    """Return a fault unless exactly those options of the clock change that a ruling sets."""
    old_clock, new_clock = previous.clock, record.clock
    changed_options = {key for key in (*OPTIONS, "paused") if old_clock.option(key) != new_clock.option(key)}
    ruled_options = {*kind.changed_options(record.rulings[0])} if kind else set[str]()
    if not record.clock.has_deadlines and ruled_options:  # turning deadlines off also ends a pause
        changed_options.discard("paused")
    return "" if changed_options == ruled_options else "does not change the clock as it rules"


def _find_due_fault(
    row: SeatClock, record: StateRecord, previous: StateRecord, kind: RulingKind | None, earlier_states: EarlierStates
) -> str:
    """Return a fault unless a seat has as much time as the clock gives and was promised, and no more."""
    if fault := _find_too_soon_fault(row, record, previous, kind):
        return fault
    if not _keeps_promise(row, record, earlier_states):
        return f"gives {row.seat} less time than it had before it answered"
    is_too_late = _is_too_late(row, record, previous, kind, earlier_states)
    return f"gives {row.seat} more time than its clock can give" if is_too_late else ""


def _find_too_soon_fault(row: SeatClock, record: StateRecord, previous: StateRecord, kind: RulingKind | None) -> str:
    """Return a fault if a deadline comes too soon after its question. A new question has at least the
    shorter of the clock's spans, or 12 hours if deadlines are on fixed days. The time counts from the end
    of a pause. A deadline that starts to count by a ruling comes no sooner than ``NOTICE`` after it.
    """
    clock, old_row = record.clock, previous.clock.for_seat(row.seat)
    has_answered = dict(record.answer_counts).get(row.seat) != dict(previous.answer_counts).get(row.seat)
    spans = [span for span in (clock.turn, clock.choice) if span]
    if clock.slots:  # the fixed days
        spans = [SLOT_NOTICE]
    start = max(record.time, clock.paused_until or "")
    earliest = epoch_seconds(start) + min(spans, default=0) * HOUR
    if (not old_row.deadline or (has_answered and not kind)) and epoch_seconds(row.deadline) < earliest:
        return f"gives {row.seat} less time than its clock says"
    needs_notice = kind is not None and has_answered
    if kind is CLOCK:
        needs_notice = _deadline_counts_now(row.seat, record, previous)
    if needs_notice and epoch_seconds(row.deadline) < epoch_seconds(record.time) + NOTICE:
        return f"gives {row.seat} a deadline without notice"
    return ""


def _deadline_counts_now(seat: str, record: StateRecord, previous: StateRecord) -> bool:
    """Return whether the seat had no deadline before, or one that it could not miss."""
    stopped_waiting = record.clock.missed != WAIT and previous.clock.missed == WAIT
    return stopped_waiting or not previous.clock.for_seat(seat).deadline


def _keeps_promise(row: SeatClock, record: StateRecord, earlier_states: EarlierStates) -> bool:
    """Return whether a seat still has the time promised after its last answer, despite rulings and pauses since."""
    promising_record = _find_promising_record(row.seat, record, earlier_states)
    if (
        promising_record is None
        or promising_record.n == record.n - 1
        or any(entry.seat == row.seat for entry in record.entries)
    ):
        return True
    missed_shift = record.clock.missed_at(row.seat) - promising_record.clock.missed_at(row.seat)
    pause_shift = record.clock.remaining_pause(record.time) - promising_record.clock.remaining_pause(record.time)
    promised_deadline = promising_record.clock.for_seat(row.seat).deadline
    deadline_shift = epoch_seconds(row.deadline) - epoch_seconds(promised_deadline)
    return min(deadline_shift, missed_shift) >= pause_shift


def _is_too_late(
    row: SeatClock, record: StateRecord, previous: StateRecord, kind: RulingKind | None, earlier_states: EarlierStates
) -> bool:
    """Return whether a deadline is later than both what the clock can give and what was promised before.

    A question that stays open under a new clock may be due only as late as promised. Other rulings
    on deadlines are checked elsewhere: each of them says how far it moves a deadline.
    """
    clock, old_row = record.clock, previous.clock.for_seat(row.seat)
    is_same_question = dict(record.answer_counts).get(row.seat) == dict(previous.answer_counts).get(row.seat)
    if old_row.deadline and is_same_question and kind is not CLOCK:
        return False
    promising_record = _find_promising_record(row.seat, record, earlier_states)
    if promising_record is None and not {0, DEAL} & earlier_states.records.keys():
        return False  # the state with the promise may be missing
    latest = 0
    if promising_record is not None:
        latest = clock.promised_deadline(promising_record.clock, row.seat, row.time_bank, record.time)
    stays_open = old_row.deadline and is_same_question and not _deadline_counts_now(row.seat, record, previous)
    if not stays_open:
        latest = max(latest, clock.latest_deadline(record.time))
    return epoch_seconds(row.deadline) > max(0, latest)


def _find_promising_record(seat: str, record: StateRecord, earlier_states: EarlierStates) -> StateRecord | None:
    """Return the newest earlier state with a deadline for the seat; None if it has answered since, or had none."""
    earlier_record = earlier_states.records.get(record.n - 1)
    while earlier_record is not None and not earlier_record.clock.for_seat(seat).deadline:
        has_answered = any(entry.seat == seat for entry in earlier_record.entries)
        earlier_record = None if has_answered else earlier_states.records.get(earlier_record.n - 1)
    return earlier_record


def _find_seat_fault(
    row: SeatClock, old_row: SeatClock, record: StateRecord, previous: StateRecord, kind: RulingKind | None
) -> str:
    """Return a fault in the deadline, the time bank or the missed turns of one seat."""
    seat = row.seat
    shift = kind.deadline_shift if kind else None  # returns by how many seconds the ruling moves a deadline
    is_same_question = dict(record.answer_counts).get(seat) == dict(previous.answer_counts).get(seat)
    if kind and shift is None and is_same_question and record.phase != CLOSED:
        return "" if row == old_row else f"changes what is due of {seat}"
    was_switched = record.clock.has_deadlines != previous.clock.has_deadlines
    keeps_deadline = kind and not kind.changes_position and not was_switched and record.phase != CLOSED
    if keeps_deadline and bool(row.deadline) != bool(old_row.deadline):
        return f"sets or takes away the deadline of {seat}"
    if row.deadline and old_row.deadline and (is_same_question or kind):
        allowed_shift = shift(record, previous, seat) if shift else 0
        if epoch_seconds(row.deadline) < epoch_seconds(old_row.deadline) + allowed_shift:
            return f"moves the deadline of {seat} back" if allowed_shift <= 0 else _short_shift_fault(seat)
        if (
            shift
            and kind is not CLOCK
            and epoch_seconds(row.deadline) > epoch_seconds(old_row.deadline) + allowed_shift
        ):
            return _short_shift_fault(seat)
        if kind and record.clock.missed_at(seat) < previous.clock.missed_at(seat) + allowed_shift:
            return f"takes from {seat} what its time bank and the days of grace gave it"
        if not kind and row.deadline != old_row.deadline:
            return f"moves the deadline of {seat} without a ruling"
    elif row.deadline and row.deadline <= record.time:
        return f"gives {seat} a deadline that is over"
    return _find_time_bank_fault(row, old_row, record, kind) or _find_missed_turns_fault(
        row, old_row, record, previous, kind
    )


def _short_shift_fault(seat: str) -> str:
    """Return the fault of a ruling that moves a deadline, if it moves it further or less far than it says."""
    return f"does not move the deadline of {seat} as far as it says"


def _find_time_bank_fault(row: SeatClock, old_row: SeatClock, record: StateRecord, kind: RulingKind | None) -> str:
    """Return a fault unless a late answer uses at most the hours begun since the deadline, and all else uses none."""
    if kind and "bank" in kind.changed_options(record.rulings[0]):
        is_full = row.time_bank == record.clock.time_bank
        return "" if is_full else f"gives {row.seat} another time bank than the clock has"
    has_answered = any(source is not FORCED for source in record.sources(row.seat))
    late_seconds = 0
    if old_row.deadline and has_answered:
        late_seconds = epoch_seconds(record.time) - epoch_seconds(old_row.deadline)
    hours_late = max(0, -(-late_seconds // HOUR))  # rounded up
    hours_used = old_row.time_bank - row.time_bank
    return "" if 0 <= hours_used <= hours_late else f"counts the time bank of {row.seat} wrong"


def _find_missed_turns_fault(
    row: SeatClock, old_row: SeatClock, record: StateRecord, previous: StateRecord, kind: RulingKind | None
) -> str:
    """Return a fault unless missed turns are counted right, and no ruling makes the seat vacant by them. The
    count starts again when the player answers or is replaced, and with a ruling on missed turns or one
    that turns deadlines on or off.
    """
    sources = record.sources(row.seat)
    has_missed = any(source.for_missed_turn for source in sources)
    answered_itself = any(source.is_players_own for source in sources)
    is_reset_by_ruling = kind is not None and (
        "strikes" in kind.changed_options(record.rulings[0])
        or record.clock.has_deadlines != previous.clock.has_deadlines
        or (kind.changes_player and record.player(row.seat).orders_since == record.n)
    )
    base_count = 0 if answered_itself or (is_reset_by_ruling and not row.missed_turns) else old_row.missed_turns
    if row.missed_turns not in (base_count, base_count + has_missed):
        return f"counts the missed turns in a row of {row.seat} wrong"
    opens_seat = kind and record.clock.is_seat_open(row) and not previous.clock.is_seat_open(old_row)
    return f"makes the seat of {row.seat} vacant by a ruling" if opens_seat else ""


def _find_early_answer_fault(record: StateRecord, previous: StateRecord) -> str:
    """Return a fault if a default, or a bot for a player with a key, answered before a turn was missed."""
    clock = previous.clock
    if clock.has_deadlines and record.entries and not clock.for_seat(record.entries[0].seat).deadline:
        return f"begins with an answer of {record.entries[0].seat}, who had no deadline"
    for entry in record.entries if clock.has_deadlines else ():
        row, source = clock.for_seat(entry.seat), source_of(entry.source)
        key = previous.player(entry.seat).key
        may_use_bot = not key or clock.is_seat_open(row)
        if source is not DEFAULT and (source is not BY_BOT or may_use_bot):
            continue
        is_overdue = row.deadline and epoch_seconds(record.time) >= clock.missed_at(entry.seat)
        if not is_overdue or record.time < clock.paused_until:
            return f"answers for {entry.seat} before that was due"
    return ""
