"""What the clock of the next state says of each seat: deadline, reserve, turns missed in a row.

What must never be here: the time of day; older states and the desk, which come in as values.
Laws: a new deadline is never earlier than the one it replaces, nor than one that its seat had since
it answered last; without a ruling the deadline of a question that stays open stays.
Source: docs/SPECIFICATION.md sections 5 (clock) and 9 (rulings); docs/CLOCK.md.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock import HOUR, WAIT, Clock, Due, seconds, written
from pbem.chain.rulings.clock import CLOCK, NOTICE
from pbem.chain.rulings.kind import Kind
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.sources import FORCED
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.notation.absence import Away
from pbem.play.deadlines.calendar import allowed, deadline

if TYPE_CHECKING:
    from pbem.engine.game import Game


class Facts(NamedTuple):
    """What no state says, or only the rules can tell."""

    asked: frozenset[str]  #: whom the game asks now
    new_turn: bool  #: whether its turn is another than before
    #: when the email came that a seat's answer is from, in seconds; without it: now
    came: Mapping[str, int] = MappingProxyType({})
    away: Mapping[str, Sequence[Away]] = MappingProxyType({})
    #: the newest state in which a seat without a deadline had one since it answered last, if any
    promised: Callable[[str], StateRecord | None] = lambda _: None
    #: the deadline, in seconds, that an undo goes back to, or a later one before it; 0 for none
    undone: Callable[[str], int] = lambda _: 0


def facts_of(game: "Game", state: Any, was: Any = None) -> Facts:
    """What the rules tell of a State, and of the one that it follows; without one: of the deal."""
    view = game.view(state, None)
    asked = frozenset(question.seat for question in game.questions(view))
    return Facts(asked, was is None or game.turn(view) != game.turn(game.view(was, None)))


def clock_after(before: StateRecord, record: StateRecord, facts: Facts) -> Clock:
    """The clock of ``record``, which follows ``before`` and has what a ruling sets of it
    already."""
    if not record.clock.on:
        rows = tuple(Due(row.seat, "", 0, 0) for row in record.clock.seats)
        return record.clock._replace(seats=rows)
    kind = kind_of(record.rulings[0]) if record.rulings else None
    rows = tuple(_row(before, record, facts, kind, row.seat) for row in record.clock.seats)
    return record.clock._replace(seats=rows)


def _row(
    before: StateRecord, record: StateRecord, facts: Facts, kind: Kind | None, seat: str
) -> Due:
    old, clock = before.clock.of(seat), record.clock
    sources = record.sources(seat)
    own = any(source.own for source in sources)
    missed = any(source.missed for source in sources)
    strikes = (0 if own else old.strikes) + missed
    bank = old.bank
    if old.due and any(source is not FORCED for source in sources):
        over = facts.came.get(seat, seconds(record.time)) - seconds(old.due)
        bank -= min(bank, max(0, -(-over // HOUR)))
    if kind is CLOCK:
        changed = kind.sets(record.rulings[0])
        bank = clock.bank if "bank" in changed else bank
        strikes = 0 if "strikes" in changed else strikes
    elif kind and record.player(seat).since == record.n and kind.reseats:
        strikes = 0
    return Due(seat, _due(before, record, facts, kind, old, bank), bank, strikes)


def _due(
    before: StateRecord, record: StateRecord, facts: Facts, kind: Kind | None, old: Due, bank: int
) -> str:
    seat, clock = old.seat, record.clock
    if seat not in facts.asked or record.phase == CLOSED:
        return ""
    same = dict(record.answered).get(seat) == dict(before.answered).get(seat)
    if old.due and same and kind is not CLOCK:
        moved = kind.shift(record, before, seat) if kind and kind.shift else 0
        return written(seconds(old.due) + moved) if moved else old.due
    told = before if old.due else facts.promised(seat)
    least = clock.promised(told.clock, seat, bank, record.time) if told else 0
    counts = clock.missed != WAIT and before.clock.missed == WAIT
    if old.due and same and not counts:
        return written(least)
    now = max(seconds(record.time), seconds(clock.paused) if clock.paused else 0)
    first, hours = not dict(record.answered).get(seat), clock.turn
    if not facts.new_turn and record.entries and clock.choice:
        hours = clock.choice
    fresh = deadline(clock, now, hours * (1 + first), facts.away.get(seat, ()), 1 + first)
    if kind:  # whoever a ruling asks, or asks anew, has notice, and no less time than before
        notice = allowed(clock, seconds(record.time) + NOTICE, facts.away.get(seat, ()))
        fresh = max(fresh, notice, facts.undone(seat))
    return written(max(min(fresh, clock.latest(record.time)), least))
