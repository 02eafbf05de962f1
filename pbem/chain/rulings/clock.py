"""The rulings by which a game has another clock, or its deadlines are others.

What must never be here: when something falls due (deadlines/).
Laws: a deadline never moves back but by RESUME, and then by what is left of the pause; who delays a
game by more than a month in two asks all, and what counts is how far deadlines moved; a clock that
may be turned on by a ruling turns what it is today into nothing that was agreed.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from pbem.chain.clock import HOUR, OPTIONS, WAIT, instant, seconds
from pbem.chain.clock_words import in_prose, in_words, shown
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.kind import Kind, Sight, as_it_was
from pbem.chain.state_record import DEAL, StateRecord

#: hours by which rulings may move deadlines without the consent of all; seconds within which
MOST_DELAY, WITHIN = 30 * 24, 60 * 24 * HOUR
NOTICE = 72 * HOUR  #: seconds that a deadline has which a ruling sets


def _what(ruling: Ruling) -> tuple[str, ...]:
    return tuple(ruling.operand("what").split(","))


def _clock_in_full(ruling: Ruling, before: StateRecord, record: StateRecord, _: Sight) -> str:
    pairs = ((key, getattr(before.clock, key), getattr(record.clock, key)) for key in _what(ruling))
    told = (
        f"{key} is now {shown(key, new) or 'off'}" + (f", it was {was}" if was else "")
        for key, old, new in pairs
        for was in [shown(key, old)]
    )
    return f"the clock of the game changed: {'; '.join(told)}"


def _moved(record: StateRecord, before: StateRecord) -> int:
    """How far the ruling of a state moved the deadlines that there were: the most, in hours."""
    pairs = [(row.due, before.clock.of(row.seat).due) for row in record.clock.seats]
    return max((-((seconds(x) - seconds(y)) // -HOUR) for x, y in pairs if x and y), default=0)


def _delay_agreed(
    record: StateRecord, before: StateRecord, records: Mapping[int, StateRecord]
) -> tuple[str, ...] | None:
    """All, where with this ruling deadlines have been moved too far; None: who knows."""
    moved = _moved(record, before)
    if moved <= 0:
        return ()
    for more in chain((0,), _moves(before, records, record.time)):
        if more is None:
            return None
        moved += more
        if moved > MOST_DELAY:
            return before.setup.seats
    return ()


def _moves(
    late: StateRecord, records: Mapping[int, StateRecord], time: str
) -> Iterator[int | None]:
    """By how many hours each ruling within ``WITHIN`` before ``time`` moved deadlines, from that of
    state ``late`` back; None at the end where a state is not among ``records``.
    """
    for n in range(late.n - 1, DEAL - 1, -1):  # what a state says of its own number may be wrong
        if seconds(time) - seconds(late.time) > WITHIN:
            return
        was = records.get(n)
        if was is None:
            yield None
            return
        if late.rulings and late.rulings[0].name in TIMED:
            yield _moved(late, was)
        late = was


def delay_left(before: StateRecord, records: Mapping[int, StateRecord], time: str) -> int:
    """By how many hours a ruling can move deadlines at ``time``, after state ``before``, without
    the consent of all; 0 where nobody knows.
    """
    moves = [*_moves(before, records, time)]
    return 0 if None in moves else max(0, MOST_DELAY - sum(filter(None, moves)))


def _clock_wrong(
    record: StateRecord, before: StateRecord, records: Mapping[int, StateRecord]
) -> str:
    """Without a clock a turn could be called missed whenever that is wanted."""
    if not record.clock.on and record.clock.missed != WAIT:
        return "rules that turns are missed, and that nothing is ever due"
    far = _delay_agreed(record, before, records)  # who agrees to a ruling `clock` agrees to no span
    return "moves deadlines by more than a month, as `extend` does" if far else ""


CLOCK = Kind(
    "clock",
    words=lambda it: f"the clock of the game changed: {', '.join(_what(it))}",
    carry=as_it_was,
    ways=("what",),
    fits=lambda it: _what(it) == tuple(key for key in OPTIONS if key in _what(it)),
    in_full=_clock_in_full,
    wrong=_clock_wrong,
    sets=_what,
    shift=lambda *_: 0,
)


def _concerns(ruling: Ruling, seat: str) -> bool:
    return ruling.operand("seat") in ("", seat)


def _extend_words(ruling: Ruling) -> str:
    whose = f"the deadline of {ruling.operand('seat')}" if ruling.operand("seat") else "deadlines"
    return f"{whose} moved by {in_words(int(ruling.operand('hours')))}"


def _extend_shift(record: StateRecord, _: StateRecord, seat: str) -> int:
    ruling = record.rulings[0]
    return int(ruling.operand("hours")) * HOUR if _concerns(ruling, seat) else 0


def _extend_wrong(record: StateRecord, before: StateRecord, _: Mapping[int, StateRecord]) -> str:
    moved = (row.due for row in before.clock.seats if _concerns(record.rulings[0], row.seat))
    return "" if any(moved) else "rules on no deadline that there is"


EXTEND = Kind(
    "extend",
    words=_extend_words,
    carry=as_it_was,
    ways=("hours", "seat hours"),
    fits=lambda it: bool(re.fullmatch("[1-9][0-9]{0,3}", it.operand("hours"))),
    wrong=_extend_wrong,
    shift=_extend_shift,
    agreed=_delay_agreed,
)


def _left(record: StateRecord, before: StateRecord) -> int:
    """Seconds that were left of the pause before; not above 0: there was none."""
    return seconds(before.clock.paused) - seconds(record.time) if before.clock.paused else 0


def _until(ruling: Ruling) -> bool:
    try:
        return bool(instant(ruling.operand("until")))
    except ValueError:
        return False


def _pause_shift(record: StateRecord, before: StateRecord, _: str) -> int:
    return seconds(record.clock.paused) - seconds(record.time) - max(0, _left(record, before))


def _pause_wrong(record: StateRecord, before: StateRecord, _: Mapping[int, StateRecord]) -> str:
    if record.clock.paused != record.rulings[0].operand("until") or not record.clock.on:
        return "pauses the clock otherwise than it rules"
    return "" if _pause_shift(record, before, "") > 0 else "rules on a pause that is over"


def _pause_in_full(ruling: Ruling, _: StateRecord, record: StateRecord, sight: Sight) -> str:
    until = in_prose(ruling.operand("until"), sight.zone(record), record.time)
    return f"the clock stands still until {until}"


PAUSE = Kind(
    "pause",
    words=lambda it: f"the clock stands still until {it.operand('until')}",
    carry=as_it_was,
    ways=("until",),
    fits=_until,
    in_full=_pause_in_full,
    wrong=_pause_wrong,
    sets=lambda _: ("paused",),
    shift=_pause_shift,
    agreed=_delay_agreed,
)


RUNS_AGAIN = "the clock runs again"


def _resume_in_full(_: Ruling, before: StateRecord, record: StateRecord, sight: Sight) -> str:
    """With the deadlines that come sooner by it."""
    seats = (row.seat for row in before.clock.seats if row.due and record.clock.of(row.seat).due)
    told = (
        f"{record.player(seat).shown}: until "
        f"{in_prose(record.clock.of(seat).due, sight.zone(record), record.time)}"
        for seat in seats
    )
    if sooner := "; ".join(told):
        return f"the clock runs again; deadlines now come sooner: {sooner}"
    return RUNS_AGAIN


RESUME = Kind(
    "resume",
    words=lambda _: RUNS_AGAIN,
    carry=as_it_was,
    in_full=_resume_in_full,
    wrong=lambda link, before, _: "" if _left(link, before) > 0 else "rules on a clock that runs",
    sets=lambda _: ("paused",),
    shift=lambda link, before, _: -_left(link, before),
    agreed=_delay_agreed,
)
#: the rulings that move deadlines
TIMED = (CLOCK.name, EXTEND.name, PAUSE.name, RESUME.name)
