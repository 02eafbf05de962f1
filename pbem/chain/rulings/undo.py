"""The ruling by which a game goes back: how far, what seats have seen in it, and who must agree.

What must never be here: files, votes, a hidden value.
Laws: where anybody saw something hidden, the others are asked, whose order it was or not; what was
seen is named to all, its value to nobody. Who is asked is a function of the public record (P2).
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pbem.chain.clock_words import in_prose
from pbem.chain.loaded_game import LoadedGame, Seals, made_in
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.correct import corrections
from pbem.chain.rulings.fields import slot_words
from pbem.chain.rulings.kind import STATE, Basis, Kind, PositionAt, Sight, as_before, stale
from pbem.chain.state_record import DEAL, StateRecord, Vote
from pbem.engine.decision import ALL
from pbem.engine.optional_parts import remember
from pbem.errors import BadInput, Refused

if TYPE_CHECKING:
    from pbem.engine.game import Game

MOST_ORDERS = 40  #: that an undo took back and that are told one by one
LOOKED = "looked"  #: the rows of a position that say who has seen which hidden things

StateOf = Callable[[int], StateRecord]


class Undo(NamedTuple):
    """An undo: the state it goes back to, and the links whose orders fall, oldest first.

    Where it goes back to a state that an earlier undo took back, orders of older links count
    ``again``.
    """

    to: int
    links: tuple[StateRecord, ...]
    again: tuple[StateRecord, ...] = ()

    @property
    def orders(self) -> list[tuple[str, str]]:
        """(seat, public words) of every order taken back."""
        return [(entry.seat, entry.words) for record in self.links for entry in record.entries]


def undo_to(newest: StateRecord, to: int, state_of: StateOf) -> Undo:
    """The undo that goes back to state ``to``; BadInput ``undo/…``."""
    if not DEAL <= to < newest.n:
        last = newest.n - 1
        if to == DEAL:
            raise Refused("undo/nothing", "nothing was played yet", "there is nothing to undo")
        ways = f"from {DEAL} to {last}" if last > DEAL else f"only to {DEAL}"
        way = f"you can go back {ways}" if last >= DEAL else "nothing was played yet"
        raise BadInput("undo/state", f"there is no state {to} to go back to", way)
    return undo_between(newest, state_of(to), state_of)


def undo_between(newest: StateRecord, target: StateRecord, state_of: StateOf) -> Undo:
    """What falls, and what counts again, on the way from one state to an older one."""
    falls, again = list[StateRecord](), list[StateRecord]()
    late, other = newest, target
    while late.n != other.n:
        if late.n > other.n:
            falls.append(late)
            late = _before(late, state_of)
        else:
            again.append(other)
            other = _before(other, state_of)
    return Undo(target.n, _oldest_first(falls), _oldest_first(again))


def undo_of_link(record: StateRecord, state_of: StateOf) -> Undo:
    """What the undo in a state did; BadInput ``undo/state`` where it goes to no older one."""
    to = undone_to(record)
    if to is None or not DEAL <= to < record.n - 1:
        raise BadInput("undo/state", f"state {record.n} undoes to what there is not yet")
    return undo_between(state_of(record.n - 1), state_of(to), state_of)


def _oldest_first(records: list[StateRecord]) -> tuple[StateRecord, ...]:
    """Without the undos among them: what these did is in which links are there."""
    return tuple(link for link in reversed(records) if undone_to(link) is None)


def undo_last(newest: StateRecord, orders: int, state_of: StateOf) -> Undo:
    """The undo that takes back so many orders (and what was saved together with them)."""
    if orders < 1:
        raise BadInput("undo/orders", "at least one order is undone", "--orders 1")
    found, records, record = 0, list[StateRecord](), newest
    while record.n > DEAL:
        records.append(record)
        found += len(record.entries)
        record = _before(record, state_of)
        if found >= orders:
            return Undo(record.n, _oldest_first(records))
    many = f"only {found} order{'s were' if found != 1 else ' was'}" if found else "no orders were"
    hint = "see the reports for what was played"
    raise Refused("undo/nothing", f"{many} played since the deal", hint)


def _before(record: StateRecord, state_of: StateOf) -> StateRecord:
    """The state that this one was played on from: what an undo took back is passed over."""
    to = undone_to(record)
    at = record.n - 1 if to is None else to
    if at >= record.n:  # an undo goes back; one that does not is a finding of `verify`
        raise BadInput("undo/state", f"state {record.n} undoes to what there is not yet")
    return state_of(at)


def undone_to(record: StateRecord) -> int | None:
    """The state that a link goes back to; None where it undoes nothing."""
    told = [ruling.operand("to") for ruling in record.rulings if ruling.name == UNDO.name]
    if told and not STATE.fullmatch(told[0]):
        raise BadInput("undo/state", f"state {record.n} undoes to what there is not yet")
    return int(told[0]) if told else None


def _learned(record: StateRecord) -> list[tuple[str, str]]:
    """(seat, or ALL, and slot) of all that a state showed; what a seat hid there itself, such as a
    card that it laid down, was no news to it.
    """
    movers = {entry.seat for entry in record.entries}
    opened = (pair for event in record.events for pair in event.opens)
    return [(who, slot) for who, slot in opened if who not in movers or made_in(slot) < record.n]


def who_must_agree(undo: Undo) -> tuple[str, ...]:
    """All seats, where a state showed something hidden to anybody; but that of its one player.

    Also where its orders come back: they agreed to forget them, and played on as if they were not.
    """
    found, records = set[str](), (*undo.links, *undo.again)
    for record in filter(_learned, records):
        movers = {entry.seat for entry in record.entries}
        found |= {*record.setup.seats} - (movers if len(movers) == 1 else set())
    return tuple(seat for seat in records[-1].setup.seats if seat in found) if found else ()


def what_was_learned(undo: Undo, game: "Game | None") -> tuple[str, ...]:
    """Who saw which hidden thing there, in words for all: its place, and never its value."""
    lines = [
        f"{'all players' if who == ALL else record.player(who).shown}: "
        f"{slot_words(game, record.position, slot)} ({slot})"
        for record in (*undo.links, *undo.again)
        for who, slot in _learned(record)
    ]
    return tuple(dict.fromkeys(lines))


def shown_to(undo: Undo, seat: str) -> list[tuple[StateRecord, int]]:
    """(link, number of the event) of all that the undone links showed to this seat; what it hid
    there itself, such as a card that it laid down, was no news to it.
    """
    opened = [pair for record in undo.links for event in record.events for pair in event.opens]
    own = {slot for who, slot in opened if who == seat and made_in(slot) > undo.to}
    return [
        (record, at)
        for record in undo.links
        for at, event in enumerate(record.events)
        if any(who in (seat, ALL) and slot not in own for who, slot in event.opens)
    ]


def undone(
    position: LoadedGame, target: LoadedGame, ruling: Ruling, consents: tuple[Vote, ...] = ()
) -> Basis:
    """The State of an older link, as the next one. Who plays and who may sign stays as it is; who
    has seen what is hidden there goes on knowing it.
    """
    now, then = stale(position.record), target.record
    state = remember(position.game, target.state, position.state)
    before = now._replace(
        heads=tuple(sorted((dict(now.heads) | dict(then.heads)).items())),
        replaced=then.replaced,
        sealed=then.sealed,
        position=position.game.encode(state).public,
    )
    return Basis(before, state, (ruling,), consents)


def back_to(target: StateRecord, ruling: Ruling) -> str:
    """For a report, which lists the orders: the number of a state is the one of its report."""
    when = in_prose(target.time, target.clock.zone)
    back = f"the game goes back to where it was on {when} (report {target.n})"
    return UNDO.says(ruling, back)


def _in_full(ruling: Ruling, before: StateRecord, _: StateRecord, sight: Sight) -> str:
    def state_of(n: int) -> StateRecord:
        found = sight.earlier(n)
        if found is None:
            raise LookupError(n)
        return found

    undo = undo_to(before, int(ruling.operand("to")), state_of)
    fell, again = _listed(_orders(undo.links, sight)), _listed(_orders(undo.again, sight))
    seen = _listed(what_was_learned(undo, sight.game))
    said = [UNDO.words(ruling)]
    said += [f"Undone: {fell or 'no order'}"] if fell or not again else []
    said += [f"Counts again: {again}"] if again else []
    return ". ".join(said + ([f"Seen in it: {seen}"] if seen else []))


def _listed(lines: Sequence[str]) -> str:
    more = len(lines) - MOST_ORDERS
    return "; ".join(lines[:MOST_ORDERS]) + (f"; and {more} more" if more > 0 else "")


def _orders(records: Iterable[StateRecord], sight: Sight) -> list[str]:
    """What an undo is about in links: the orders by those who gave them, and corrections."""
    found = list[str]()
    for record in records:
        for number, x in enumerate(record.entries, 1):
            order = sight.order(record.n, number) or x.words
            found.append(f"{record.player(x.seat).shown}: {order}")
        found += corrections(record)
    return found


def _carry(newest: LoadedGame, record: StateRecord, past: PositionAt, _: Seals) -> Basis | None:
    to = undone_to(record)
    if to is None or not DEAL <= to < record.n:
        return None
    then = past(to)
    if record.position == then.record.position:  # as older versions of pbem wrote it
        newest = newest._replace(state=then.state)
    return undone(newest, then, record.rulings[0])


def _wrong(record: StateRecord, before: StateRecord, records: Mapping[int, StateRecord]) -> str:
    to = undone_to(record)
    if to is None or not DEAL <= to < before.n:
        return "undoes to a state that is none"
    target = records.get(to)
    if target is None:
        return ""  # it is missing here, which is told of the states before the first
    if record.position.get(LOOKED):
        target = target._replace(position=target.position | {LOOKED: record.position[LOOKED]})
    return "" if as_before(record, target) else f"is not what its undo says: the state {to} again"


def _agreed(
    record: StateRecord, before: StateRecord, records: Mapping[int, StateRecord]
) -> tuple[str, ...] | None:
    """Who must agree; None where a state that could tell is missing."""
    try:
        return who_must_agree(undo_to(before, undone_to(record) or 0, records.__getitem__))
    except KeyError:
        return None


UNDO = Kind(
    "undo",
    words=lambda it: f"the game goes back to state {it.operand('to')}",
    carry=_carry,
    ways=("to",),
    fits=lambda it: bool(STATE.fullmatch(it.operand("to"))),
    in_full=_in_full,
    wrong=_wrong,
    agreed=_agreed,
    voids=True,
    plays=True,
    moved=True,
)
