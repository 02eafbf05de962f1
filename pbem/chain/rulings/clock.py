"""The rulings that change the clock of a game or move its deadlines.

Not allowed here: how deadlines are computed (deadlines/).
Laws: only `resume` makes a deadline earlier, by at most what is left of the pause. Moving deadlines
by more than a month within two months needs everybody's consent. What counts is how far deadlines
really moved. A game that began without missed turns cannot get them without deadlines.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate, chain

from pbem.chain.clock import HOUR, OPTIONS, WAIT, check_instant, epoch_seconds
from pbem.chain.clock_words import hours_in_words, instant_in_prose, option_in_prose
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.kind import RulingKind, StateLookup, rebuild_unchanged
from pbem.chain.state_record import DEAL, StateRecord

#: rulings may move deadlines by so many hours within so many seconds without consent
MAX_DELAY, DELAY_WINDOW = 30 * 24, 60 * 24 * HOUR
NOTICE = 72 * HOUR  #: seconds: the least time until a deadline that a ruling sets


def _changed_options(ruling: Ruling) -> tuple[str, ...]:
    return tuple(ruling.operand("what").split(","))


def _describe_clock(ruling: Ruling, previous: StateRecord, record: StateRecord, _: StateLookup) -> str:
    pairs = ((key, previous.clock.option(key), record.clock.option(key)) for key in _changed_options(ruling))
    changes = (
        f"{key} is now {option_in_prose(key, new_value) or 'off'}" + (f", it was {old_text}" if old_text else "")
        for key, old_value, new_value in pairs
        for old_text in [option_in_prose(key, old_value)]
    )
    return f"the clock of the game changed: {'; '.join(changes)}"


def _shift_in_hours(record: StateRecord, previous: StateRecord) -> int:
    """Return by how many hours at most the ruling of a state moved the existing deadlines."""
    pairs = [(row.deadline, previous.clock.for_seat(row.seat).deadline) for row in record.clock.seats]
    return max(
        (
            -((epoch_seconds(deadline) - epoch_seconds(old_deadline)) // -HOUR)
            for deadline, old_deadline in pairs
            if deadline and old_deadline
        ),
        default=0,
    )


def _delay_consents(
    record: StateRecord, previous: StateRecord, records: Mapping[int, StateRecord]
) -> tuple[str, ...] | None:
    """Return all seats if deadlines moved too far; None if missing states prevent an answer."""
    total_hours = _shift_in_hours(record, previous)
    if total_hours <= 0:
        return ()
    for shift in chain((0,), _earlier_shifts(previous, records, record.time)):
        if shift is None:
            return None
        total_hours += shift
        if total_hours > MAX_DELAY:
            return previous.setup.seats
    return ()


def _earlier_shifts(record: StateRecord, records: Mapping[int, StateRecord], time: str) -> Iterator[int | None]:
    """Yield by how many hours each recent ruling moved deadlines, from state ``record`` backwards.
    Recent means within ``DELAY_WINDOW`` before ``time``. Yields None at the end if a state is
    missing.
    """
    for number in range(record.n - 1, DEAL - 1, -1):  # do not trust the number in the record
        if epoch_seconds(time) - epoch_seconds(record.time) > DELAY_WINDOW:
            return
        previous = records.get(number)
        if previous is None:
            yield None
            return
        if record.rulings and record.rulings[0].name in CLOCK_RULINGS:
            yield _shift_in_hours(record, previous)
        record = previous


def remaining_delay(previous: StateRecord, records: Mapping[int, StateRecord], time: str) -> int:
    """Return by how many hours a ruling at ``time`` may move deadlines; 0 if states are missing.

    As in ``_delay_consents`` no total from now backwards may be too much. An older `resume`, which
    moved deadlines back, allows nothing more.
    """
    shifts = [*_earlier_shifts(previous, records, time)]
    return 0 if None in shifts else max(0, MAX_DELAY - max(accumulate(filter(None, shifts), initial=0)))


def _find_clock_fault(record: StateRecord, previous: StateRecord, records: Mapping[int, StateRecord]) -> str:
    """Refuse missed turns without deadlines: the referee could call a turn missed at any time."""
    if not record.clock.has_deadlines and record.clock.missed != WAIT:
        return "rules that turns are missed, and that nothing is ever due"
    consents = _delay_consents(
        record, previous, records
    )  # a consent to a ruling `clock` does not name how far deadlines move
    return "moves deadlines by more than a month, as `extend` does" if consents else ""


CLOCK = RulingKind(
    "clock",
    describe=lambda ruling: f"the clock of the game changed: {', '.join(_changed_options(ruling))}",
    rebuild_basis=rebuild_unchanged,
    operand_forms=("what",),
    are_operands_valid=lambda ruling: (
        _changed_options(ruling) == tuple(key for key in OPTIONS if key in _changed_options(ruling))
    ),
    describe_in_full=_describe_clock,
    find_fault=_find_clock_fault,
    changed_options=_changed_options,
    deadline_shift=lambda *_: 0,
)


def _concerns(ruling: Ruling, seat: str) -> bool:
    return ruling.operand("seat") in ("", seat)


def _extend_in_words(ruling: Ruling) -> str:
    subject = f"the deadline of {ruling.operand('seat')}" if ruling.operand("seat") else "deadlines"
    return f"{subject} moved by {hours_in_words(int(ruling.operand('hours')))}"


def _extend_shift(record: StateRecord, _: StateRecord, seat: str) -> int:
    ruling = record.rulings[0]
    return int(ruling.operand("hours")) * HOUR if _concerns(ruling, seat) else 0


def _find_extend_fault(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> str:
    old_deadlines = (row.deadline for row in previous.clock.seats if _concerns(record.rulings[0], row.seat))
    return "" if any(old_deadlines) else "rules on no deadline that there is"


EXTEND = RulingKind(
    "extend",
    describe=_extend_in_words,
    rebuild_basis=rebuild_unchanged,
    operand_forms=("hours", "seat hours"),
    are_operands_valid=lambda ruling: bool(re.fullmatch("[1-9][0-9]{0,3}", ruling.operand("hours"))),
    find_fault=_find_extend_fault,
    deadline_shift=_extend_shift,
    required_consents=_delay_consents,
)


def _pause_remainder(record: StateRecord, previous: StateRecord) -> int:
    """Return the seconds left of the pause before; 0 or less if there was none."""
    return epoch_seconds(previous.clock.paused_until) - epoch_seconds(record.time) if previous.clock.paused_until else 0


def _has_valid_end(ruling: Ruling) -> bool:
    try:
        return bool(check_instant(ruling.operand("until")))
    except ValueError:
        return False


def _pause_shift(record: StateRecord, previous: StateRecord, _: str) -> int:
    return (
        epoch_seconds(record.clock.paused_until)
        - epoch_seconds(record.time)
        - max(0, _pause_remainder(record, previous))
    )


def _find_pause_fault(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> str:
    if record.clock.paused_until != record.rulings[0].operand("until") or not record.clock.has_deadlines:
        return "pauses the clock otherwise than it rules"
    return "" if _pause_shift(record, previous, "") > 0 else "rules on a pause that is over"


def _describe_pause(ruling: Ruling, _: StateRecord, record: StateRecord, lookup: StateLookup) -> str:
    until = instant_in_prose(ruling.operand("until"), lookup.time_zone(record), record.time)
    return f"the clock stands still until {until}"


PAUSE = RulingKind(
    "pause",
    describe=lambda ruling: f"the clock stands still until {ruling.operand('until')}",
    rebuild_basis=rebuild_unchanged,
    operand_forms=("until",),
    are_operands_valid=_has_valid_end,
    describe_in_full=_describe_pause,
    find_fault=_find_pause_fault,
    changed_options=lambda _: ("paused",),
    deadline_shift=_pause_shift,
    required_consents=_delay_consents,
)


RUNS_AGAIN = "the clock runs again"


def _describe_resume(_: Ruling, previous: StateRecord, record: StateRecord, lookup: StateLookup) -> str:
    """Describe it with the deadlines that become earlier."""
    seats = (row.seat for row in previous.clock.seats if row.deadline and record.clock.for_seat(row.seat).deadline)
    deadlines = (
        f"{record.player(seat).label}: until "
        f"{instant_in_prose(record.clock.for_seat(seat).deadline, lookup.time_zone(record), record.time)}"
        for seat in seats
    )
    if deadlines_text := "; ".join(deadlines):
        return f"the clock runs again; deadlines now come sooner: {deadlines_text}"
    return RUNS_AGAIN


RESUME = RulingKind(
    "resume",
    describe=lambda _: RUNS_AGAIN,
    rebuild_basis=rebuild_unchanged,
    describe_in_full=_describe_resume,
    find_fault=lambda record, previous, _: (
        "" if _pause_remainder(record, previous) > 0 else "rules on a clock that runs"
    ),
    changed_options=lambda _: ("paused",),
    deadline_shift=lambda record, previous, _: -_pause_remainder(record, previous),
    required_consents=_delay_consents,
)
#: the names of the rulings that move deadlines
CLOCK_RULINGS = (CLOCK.name, EXTEND.name, PAUSE.name, RESUME.name)
