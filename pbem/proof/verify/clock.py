"""What a state may change of the clock of the one before; whether an order came before it was due.

What must never be here: the rules of a game: whom it asks (audit/replay.py); the time of day.
Law: a deadline, a bank and a pause that were told to all hold, until a ruling says otherwise; and
no ruling takes from a question that is open what it had: the time until its turn is missed.
Source: docs/SPECIFICATION.md sections 5 (clock), 9 (rulings) and 12.
"""

from pbem.chain.clock import HOUR, OPTIONS, SLOT_NOTICE, WAIT, Due, seconds
from pbem.chain.rulings.clock import CLOCK, NOTICE
from pbem.chain.rulings.kind import Kind
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.sources import BY_BOT, DEFAULT, FORCED, source_of
from pbem.chain.state_record import CLOSED, DEAL, StateRecord
from pbem.proof.verify.changes import EarlierStates


def wrong_clock(record: StateRecord, before: StateRecord | None, past: EarlierStates) -> str:
    """What is wrong with the time of a state and its clock; "" if nothing."""
    if (not record.dealt or record.phase == CLOSED) and any(row.due for row in record.clock.seats):
        return "has a deadline where nobody is asked"
    if before is None:
        return "" if record.n else _first(record)
    if record.time < before.time:
        return f"has an earlier time than state {before.n}"
    if record.clock == before.clock and not record.clock.on and not record.rulings:
        return ""  # nothing is due, nothing was ruled, and nothing is otherwise
    kind = kind_of(record.rulings[0]) if record.rulings else None
    if wrong := _chosen(record, before, kind):
        return wrong
    for row in record.clock.seats:
        wrong = _seat(row, before.clock.of(row.seat), record, before, kind)
        if wrong := wrong or (_moment(row, record, before, kind, past) if row.due else ""):
            return wrong
    return _early(record, before)


def _first(record: StateRecord) -> str:
    """In the genesis nothing was used yet."""
    clock = record.clock
    fresh = all(row == Due(row.seat, "", clock.bank, 0) for row in clock.seats)
    return "" if fresh and not clock.paused else "begins with a clock that has run"


def _chosen(record: StateRecord, before: StateRecord, kind: Kind | None) -> str:
    """What was chosen stays, but for what a ruling sets."""
    old, new = before.clock._asdict(), record.clock._asdict()
    changed = {key for key in (*OPTIONS, "paused") if old[key] != new[key]}
    told = {*kind.sets(record.rulings[0])} if kind else set[str]()
    if not record.clock.on and told:  # what is turned off is not paused either
        changed.discard("paused")
    return "" if changed == told else "changes the clock otherwise than it rules"


def _moment(
    row: Due, record: StateRecord, before: StateRecord, kind: Kind | None, past: EarlierStates
) -> str:
    """What is wrong with when a question is due."""
    if wrong := _too_soon(row, record, before, kind):
        return wrong
    if not _as_promised(row, record, past):
        return f"gives {row.seat} less time than it had before it answered"
    late = _too_late(row, record, before, kind, past)
    return f"gives {row.seat} more time than its clock can give" if late else ""


def _too_soon(row: Due, record: StateRecord, before: StateRecord, kind: Kind | None) -> str:
    """A new question has the lesser of its spans, which begin with the end of a pause, or 12 hours
    where days are fixed. Whoever a ruling gives a deadline or asks anew, or whose missed
    turn it makes count, has notice.
    """
    clock, old = record.clock, before.clock.of(row.seat)
    answered = dict(record.answered).get(row.seat) != dict(before.answered).get(row.seat)
    spans = [span for span in (clock.turn, clock.choice) if span]
    if clock.slots:
        spans = [SLOT_NOTICE]
    least = seconds(max(record.time, clock.paused or "")) + min(spans, default=0) * HOUR
    if (not old.due or (answered and not kind)) and seconds(row.due) < least:
        return f"gives {row.seat} less time than its clock says"
    counts = _counts_now(row.seat, record, before)
    if (counts if kind is CLOCK else kind and answered) and (
        seconds(row.due) < seconds(record.time) + NOTICE
    ):
        return f"gives {row.seat} a deadline without notice"
    return ""


def _counts_now(seat: str, record: StateRecord, before: StateRecord) -> bool:
    """Whether the seat had no deadline, or none that it could miss."""
    waited = record.clock.missed != WAIT and before.clock.missed == WAIT
    return waited or not before.clock.of(seat).due


def _as_promised(row: Due, record: StateRecord, past: EarlierStates) -> bool:
    """Whether the deadline of a question is not before one that its seat had since it answered
    last, whatever was ruled in between; nor is what is left of it once a pause is over now.
    """
    told = _told(row.seat, record, past)
    if told is None or told.n == record.n - 1 or any(x.seat == row.seat for x in record.entries):
        return True
    missed = record.clock.missed_at(row.seat) - told.clock.missed_at(row.seat)
    moved = record.clock.pause_left(record.time) - told.clock.pause_left(record.time)
    return min(seconds(row.due) - seconds(told.clock.of(row.seat).due), missed) >= moved


def _too_late(
    row: Due, record: StateRecord, before: StateRecord, kind: Kind | None, past: EarlierStates
) -> bool:
    """Whether a question that is new, or asked again, is due later than its clock can give and
    than was told before; one that stays open under another clock, than was told alone. What any
    other ruling on deadlines moves, that ruling says.
    """
    clock, old = record.clock, before.clock.of(row.seat)
    same = dict(record.answered).get(row.seat) == dict(before.answered).get(row.seat)
    if old.due and same and kind is not CLOCK:
        return False
    told = _told(row.seat, record, past)
    if told is None and not {0, DEAL} & past.links.keys():
        return False  # who knows what was told
    least = clock.promised(told.clock, row.seat, row.bank, record.time) if told else 0
    stays = old.due and same and not _counts_now(row.seat, record, before)
    return seconds(row.due) > max(0 if stays else clock.latest(record.time), least)


def _told(seat: str, record: StateRecord, past: EarlierStates) -> StateRecord | None:
    """The newest state before this one that had a deadline of the seat since it answered."""
    one = past.links.get(record.n - 1)
    while one is not None and not one.clock.of(seat).due:
        answered = any(entry.seat == seat for entry in one.entries)
        one = None if answered else past.links.get(one.n - 1)
    return one


def _seat(row: Due, old: Due, record: StateRecord, before: StateRecord, kind: Kind | None) -> str:
    """What is due of one seat, its reserve, the turns it missed."""
    seat, shift = row.seat, kind.shift if kind else None
    same = dict(record.answered).get(seat) == dict(before.answered).get(seat)
    if kind and shift is None and same and record.phase != CLOSED:
        return "" if row == old else f"changes what is due of {seat}"
    turned = record.clock.on != before.clock.on
    stays = kind and not kind.plays and not turned and record.phase != CLOSED
    if stays and bool(row.due) != bool(old.due):
        return f"sets or takes away the deadline of {seat}"
    if row.due and old.due and (same or kind):
        moved = shift(record, before, seat) if shift else 0
        if seconds(row.due) < seconds(old.due) + moved:
            return f"moves the deadline of {seat} back" if moved <= 0 else _not_so_far(seat)
        if shift and kind is not CLOCK and seconds(row.due) > seconds(old.due) + moved:
            return _not_so_far(seat)
        if kind and record.clock.missed_at(seat) < before.clock.missed_at(seat) + moved:
            return f"takes from {seat} what its reserve and the days of grace gave it"
        if not kind and row.due != old.due:
            return f"moves the deadline of {seat} without a ruling"
    elif row.due and row.due <= record.time:
        return f"gives {seat} a deadline that is over"
    return _reserve(row, old, record, kind) or _strikes(row, old, record, before, kind)


def _not_so_far(seat: str) -> str:
    return f"does not move the deadline of {seat} as far as it says"


def _reserve(row: Due, old: Due, record: StateRecord, kind: Kind | None) -> str:
    """It is used up by an answer, in whole hours, of those that were begun since the deadline."""
    if kind and "bank" in kind.sets(record.rulings[0]):
        same = row.bank == record.clock.bank
        return "" if same else f"gives {row.seat} another bank than the clock has"
    answered = any(source is not FORCED for source in record.sources(row.seat))
    over = seconds(record.time) - seconds(old.due) if old.due and answered else 0
    used = old.bank - row.bank
    return "" if 0 <= used <= max(0, -(-over // HOUR)) else f"counts the bank of {row.seat} wrong"


def _strikes(
    row: Due, old: Due, record: StateRecord, before: StateRecord, kind: Kind | None
) -> str:
    """They begin anew with the player's own answer, with another player, and with a ruling on them
    or by which the clock runs or stops; none opens a seat.
    """
    sources = record.sources(row.seat)
    missed = any(source.missed for source in sources)
    own = any(source.own for source in sources)
    ruled = kind is not None and (
        "strikes" in kind.sets(record.rulings[0])
        or record.clock.on != before.clock.on
        or (kind.reseats and record.player(row.seat).since == record.n)
    )
    begun = 0 if own or (ruled and not row.strikes) else old.strikes
    if row.strikes not in (begun, begun + missed):
        return f"counts the strikes of {row.seat} wrong"
    opened = kind and record.clock.opened(row) and not before.clock.opened(old)
    return f"opens the seat of {row.seat} by a ruling" if opened else ""


def _early(record: StateRecord, before: StateRecord) -> str:
    """No default, and no bot in the place of a player with a key, before the turn was missed."""
    clock = before.clock
    if clock.on and record.entries and not clock.of(record.entries[0].seat).due:
        return f"begins with an answer of {record.entries[0].seat}, who had no deadline"
    for entry in record.entries if clock.on else ():
        row, source = clock.of(entry.seat), source_of(entry.source)
        key = before.player(entry.seat).key
        free = not key or clock.opened(row)
        if source is not DEFAULT and (source is not BY_BOT or free):
            continue
        over = row.due and seconds(record.time) >= clock.missed_at(entry.seat)
        if not over or record.time < clock.paused:
            return f"answers for {entry.seat} before that was due"
    return ""
