"""Carries out rulings: what all ``pbem amend`` commands have in common, and the note and the correction.

A ruling is an act of the referee that all players read. It is recorded in a new state of the game.
Not allowed here: what one ruling means (chain/rulings/kinds.py); text for a screen.
Laws: each ruling has a state of its own. ``--dry-run`` changes nothing. Orders that a ruling makes void
are gone with its state, and the next report of their player says so.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pbem.chain.next_record import NewState
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.clock import CLOCK_RULINGS
from pbem.chain.rulings.correct import Correction, build_correction_basis
from pbem.chain.rulings.kind import VOID, RulingBasis, unchanged_basis
from pbem.chain.rulings.kinds import build_ruling_state
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.errors import Refused
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import PendingOrders
from pbem.services.lock import check_may_sign, open_for_writing
from pbem.services.lost_orders import clear_notes, void_orders
from pbem.services.reports import write_reports
from pbem.services.session.history import record_at, rulings_in_words
from pbem.services.session.newest import not_dealt_error
from pbem.services.session.session import Session, open_session
from pbem.services.session.timing import next_clock

#: returns whether a ruling of the newest state is the one that the referee asks for
RulingMatcher = Callable[[Ruling], bool]
#: returns the private files in desk/ to write with the state of a ruling, by name
DeskChanges = Callable[[Session], Mapping[str, bytes]]


class RulingPlan(NamedTuple):
    """A ruling before it is carried out."""

    session: Session
    basis: RulingBasis
    pending_by_seat: dict[str, PendingOrders]  #: the pending orders after it


class RulingResult(NamedTuple):
    """What a ruling did, or would do."""

    session: Session  #: after it
    state_number: int  #: the state of the ruling
    ruling_texts: tuple[str, ...]  #: in full, as in reports
    basis: RulingBasis
    dry_run: bool


def add_note(directory: Path, time: str, ruling: Ruling, dry_run: bool) -> RulingResult:
    """Save a note that all players read. Raises Refused before the deal."""
    session = open_session(directory, time)
    if session.record.phase == CLOSED and not session.record.is_dealt:
        raise not_dealt_error(session.record)
    if not session.record.is_dealt:
        problem = "before the deal no state can hold a note"
        raise Refused("note/not-dealt", problem, "write to the players yourself, or wait for the deal")
    return make_plain_ruling(session, ruling, dry_run)


def make_plain_ruling(
    session: Session, ruling: Ruling, dry_run: bool, desk_changes: DeskChanges = lambda _: {}
) -> RulingResult:
    """Make a ruling that changes neither position nor pending orders: a note, or the end of a game."""

    def plan(session: Session) -> RulingPlan:
        return RulingPlan(session, unchanged_basis(session.position, ruling), clear_notes(session.pending_by_seat))

    return make_ruling(session, plan, dry_run, lambda newest_ruling: newest_ruling == ruling, desk_changes)


def correct(directory: Path, time: str, changes: list[Correction], reason: str, dry_run: bool) -> RulingResult:
    """Correct facts and hidden values. All pending orders become void."""

    def plan(session: Session) -> RulingPlan:
        seats = frozenset(session.record.setup.seats)
        basis = build_correction_basis(session.position, changes, reason)
        return RulingPlan(session, basis, void_orders(session, seats))

    return make_ruling(open_session(directory, time), plan, dry_run)


def make_ruling(
    session: Session,
    plan: Callable[[Session], RulingPlan],
    dry_run: bool,
    is_same: RulingMatcher = lambda _: False,
    desk_changes: DeskChanges = lambda _: {},
) -> RulingResult:
    """Plan a ruling and carry it out, or preview it. Raises Refused ``amend/again`` if it is already made."""
    if dry_run:
        check_may_sign(session)
        refuse_repeated_ruling(session, is_same)
        planned = plan(session)
        return preview_ruling(planned.session, planned.basis)
    with open_for_writing(session) as session:
        refuse_repeated_ruling(session, is_same)
        planned = plan(session)
        session = carry_out(planned, desk_files=desk_changes(planned.session))
        return result_of_ruling(session, planned.basis)


def refuse_repeated_ruling(session: Session, is_same: RulingMatcher) -> None:
    """Refuse a ruling that is already made: its command may have been interrupted."""
    if record := find_same_ruling(session, is_same):
        raise repeated_ruling_error(record.n)


def find_same_ruling(session: Session, is_same: RulingMatcher) -> StateRecord | None:
    """Return the newest state if it has this ruling, else None. Skips states that only void lost orders."""
    record = session.record
    while record.rulings and record.rulings[0].name == VOID.name:  # pbem adds that by itself after another ruling
        older_record = record_at(session, record.n - 1)
        if older_record is None:
            return None
        record = older_record
    return record if any(map(is_same, record.rulings)) else None


def repeated_ruling_error(state_number: int) -> Refused:
    """Return the error for a ruling that is already made."""
    problem = f"state {state_number} has this ruling already, so it was not made again"
    return Refused("amend/again", problem, "if you want it once more, give the reason in other words")


def preview_ruling(session: Session, basis: RulingBasis) -> RulingResult:
    """Return what a ruling would do."""
    # only the rulings and the deadlines of the new state: nothing else is shown
    record = basis.previous._replace(n=session.record.n + 1, time=session.time, rulings=basis.rulings)
    if basis.rulings[0].name in CLOCK_RULINGS:
        record = record._replace(clock=next_clock(session)(record._replace(entries=()), basis.state))
    return RulingResult(session, session.record.n + 1, rulings_in_words(session, record), basis, dry_run=True)


def result_of_ruling(session: Session, basis: RulingBasis) -> RulingResult:
    """Return what a ruling did. ``session``: the game after it."""
    return RulingResult(session, session.record.n, rulings_in_words(session, session.record), basis, dry_run=False)


def carry_out(
    plan: RulingPlan,
    after_save: Callable[[Session], object] = write_reports,
    desk_files: Mapping[str, bytes] = MappingProxyType({}),
) -> Session:
    """Save the state of a ruling and write its reports. Return the game after it. The caller holds the lock.

    ``desk_files``: private files to write with the state, by name.
    """
    signed_state = sign_ruling_state(plan.session, plan.basis)
    session = plan.session.save(signed_state, plan.pending_by_seat, desk_files)
    after_save(session)
    return session


def sign_ruling_state(session: Session, basis: RulingBasis) -> NewState:
    """Return the signed state of a ruling. It has a hash of the present pending orders."""
    pending_values = committed_values(session.pending_by_seat)
    keys = session.secret, session.key
    return build_ruling_state(session.position, basis, *keys, session.time, pending_values, next_clock(session))
