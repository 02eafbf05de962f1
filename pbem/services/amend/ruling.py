"""Carrying a ruling out: what every ``pbem amend`` has in common.

What lives here: a backup brought back, and gone on with; the one way to save a ruling, what it did
as a value; a correction, and what leaves all as it stands. What must never be here: what one ruling
means (chain/rulings/kinds.py), what is said of it on a screen.
Laws: one ruling, one link; ``--dry-run`` changes nothing; orders in hand that count no more are
gone with the link, and their player's report says so.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.clock import CLOCK_RULINGS
from pbem.chain.rulings.correct import Correction, build_correction_basis
from pbem.chain.rulings.kind import RESTORE, VOID, RulingBasis, unchanged_basis
from pbem.chain.rulings.kinds import build_ruling_state
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.disk.backup import unpack
from pbem.disk.folder import LOST_ORDERS_FILE, PLAYERS_FILE, MessageStatus
from pbem.disk.games import find_games, was_moved
from pbem.disk.system import is_folder
from pbem.errors import BadInput, CannotRead, PbemError, Refused
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import PendingOrders
from pbem.report import players
from pbem.services.lock import check_may_sign, check_own_key, complete_last_save, hold_lock, open_for_writing
from pbem.services.lost_orders import clear_notes, rule_on_lost_orders, void_orders
from pbem.services.reports import write_reports
from pbem.services.session.folders import adopt, check_acting_folder, list_recipients, store_restore_decision
from pbem.services.session.history import record_at, rulings_in_words
from pbem.services.session.mark import check_mark, follows_mark, has_unfinished_ruling
from pbem.services.session.newest import not_dealt_error
from pbem.services.session.session import Session, open_session
from pbem.services.session.timing import next_clock


class AdoptedGame(NamedTuple):
    """A game that is played in this folder from now on."""

    writes_to: list[dict[str, str]]  #: seat, name and address
    retired: str  #: the folder in which it was played until now, "" if in none


class RestoredGame(NamedTuple):
    """A game that came back."""

    state_number: int  #: its newest state
    newest_seen: int  #: the newest state that this machine has seen of it, -1 if none
    time: str  #: of its newest state
    unsent_count: int  #: emails that waited to be sent
    adopted_game: AdoptedGame


def restore_backup(
    file: Path, target: Path, time: str
) -> tuple[list[tuple[Path, RestoredGame | PbemError]], list[str]]:
    """Unpack a backup: each game in it, or why it cannot be opened; folders that were not read."""
    unpack(file, target, partial(_adopt_all, time))
    try:
        folders, notes = find_games(target)
    except CannotRead as error:  # they are there all the same
        folders = []
        notes = [error.as_line()]
    games: list[tuple[Path, RestoredGame | PbemError]] = []
    for folder in folders:
        try:
            session = open_session(folder.root, time)
            mark = session.home.read_mark(session.record.game)
            newest_seen = mark[0] if mark is not None else -1
            unsent_count = len(folder.list_messages(MessageStatus.WAITING)) + len(
                folder.list_messages(MessageStatus.SENDING)
            )
            registration = session.home.read_registration(session.record.game)
            check_acting_folder(session, allow_undecided=True)
            has_moved = registration is None or was_moved(registration.path, folder.root.resolve())
            adopted_game = AdoptedGame(
                list_recipients(session), "" if registration is None or has_moved else str(registration.path)
            )
            restored_game = RestoredGame(session.record.n, newest_seen, session.record.time, unsent_count, adopted_game)
            games.append((folder.root, restored_game))
        except PbemError as error:
            games.append((folder.root, error))
    return games, notes


def _adopt_all(time: str, root: Path) -> None:
    """Before a backup has its name: it is not the folder that it was made of."""
    for folder in find_games(root)[0]:
        with suppress(BadInput, Refused):  # told when it is opened
            if data := is_folder(folder.root / "desk") and folder.read_desk_file(PLAYERS_FILE):
                unstamped_players = players.decode(data)._replace(stamp=None)
                folder.put_desk_file(PLAYERS_FILE, players.encode(unstamped_players))
                adopt(open_session(folder.root, time))


def confirm_newest_state(directory: Path, time: str) -> Session:
    """The referee says that the folder has the newest state: the game goes on."""
    with hold_lock(open_session(directory, time), allow_undecided=True) as session:
        check_mark(session)
        store_restore_decision(session)
    return session


def continue_from_older_state(directory: Path, reason: str, time: str, is_newer_unseen: bool) -> tuple[Session, int]:
    """A link that says so, and the high-water mark follows it; and the state it goes on from.

    ``is_newer_unseen``: the newer states were never seen by this machine.
    """
    with hold_lock(open_session(directory, time), allow_undecided=True) as session:
        check_may_sign(session)
        if has_unfinished_ruling(session):  # it was cut short: it is finished, and not made twice
            check_mark(session)
            session = rule_on_lost_orders(complete_last_save(session))
            store_restore_decision(session)
            return session, int(session.record.rulings[0].operand("from"))
        mark = session.home.read_mark(session.record.game)
        if mark is not None and follows_mark(session, mark):
            check_mark(session)  # which is behind, where the second state was cut short
            session = rule_on_lost_orders(complete_last_save(session))  # or its second state was cut off
            same_record = find_same_ruling(
                session, lambda ruling: (ruling.name, ruling.reason) == (RESTORE.name, reason)
            )
            if same_record and session.restore_undecided:  # it was cut short at its very end
                store_restore_decision(session)
                return session, int(same_record.rulings[0].operand("from"))
            if same_record:
                raise repeated_ruling_error(same_record.n)
            if not is_newer_unseen:
                problem = "no newer state was seen here, so no ruling is needed"
                hint = (
                    "if a player has a report of a later state, add --unseen; if emails were "
                    "answered that are not here, add --emails; if neither, type `pbem restore "
                    f"--nothing-lost {directory}`"
                )
                raise Refused("restore/not-behind", problem, hint)
        if not session.record.is_dealt:  # nothing is played, and a roster is made once
            problem = "newer states of this game are lost, and this state is from before the deal"
            hint = f"`pbem amend {directory} close`, then `pbem new NEW --after {directory}`"
            raise Refused("restore/not-dealt", problem, f"give it up: {hint}")
        # The backup takes the counts of answers back with it: old codes would be good again, and a
        # mail written for what is lost would be taken for an answer to what is asked now.
        session, codes = complete_last_save(session).make_new_codes()
        from_state = session.record.n
        basis = unchanged_basis(session.position, RESTORE.make_ruling(reason, ("from", str(from_state))))
        pending_values = committed_values(session.pending_by_seat)
        keys = session.secret, session.key
        signed_state = build_ruling_state(
            session.position, basis, *keys, session.time, pending_values, next_clock(session)
        )
        # what came since the backup, and was answered with a receipt, is lost too
        lost_since = (session.folder.read_desk_file(LOST_ORDERS_FILE) or str(from_state).encode()).partition(b" ")[0]
        desk_files = {**codes, LOST_ORDERS_FILE: lost_since + f" {reason}".encode()}
        session = rule_on_lost_orders(
            complete_last_save(session.save(signed_state, session.pending_by_seat, desk_files, force_mark=True))
        )
        store_restore_decision(session)
        return session, from_state


def rule_emails_lost(directory: Path, reason: str, time: str) -> Session:
    """A ruling that emails which came since a backup are lost; it has the newest state."""
    with open_for_writing(open_session(directory, time), allow_undecided=True) as session:
        if not session.record.is_dealt:
            raise not_dealt_error(session.record)
        newest_rulings = session.record.rulings
        is_made = any((ruling.name, ruling.reason) == (VOID.name, reason) for ruling in newest_rulings)
        if is_made and not session.restore_undecided:
            raise repeated_ruling_error(session.record.n)
        if not is_made:
            session.folder.put_desk_file(LOST_ORDERS_FILE, f"{session.record.n} {reason}".encode())
            session = rule_on_lost_orders(session)
        store_restore_decision(session)
        return session


def adopt_game(session: Session) -> tuple[Session, AdoptedGame]:
    """The game is played in this folder from now on."""
    check_own_key(session)
    with session.folder.lock():
        retired_folder = adopt(session)
        session = check_acting_folder(session.reread(), allow_undecided=True)
        return session, AdoptedGame(list_recipients(session), retired_folder)


#: the game as the ruling finds it, what becomes of it, and of the orders in hand
RulingPlan = tuple[Session, RulingBasis, dict[str, PendingOrders]]
#: whether a ruling of the newest state is what was typed
RulingMatcher = Callable[[Ruling], bool]
#: what becomes of the desk with a ruling, by path
DeskChanges = Callable[[Session], Mapping[str, bytes]]


class RulingResult(NamedTuple):
    """What a ruling did to a game, or would do."""

    session: Session  #: afterwards
    state_number: int  #: the state of the ruling
    ruling_texts: tuple[str, ...]  #: in full, as the reports tell them
    basis: RulingBasis
    dry_run: bool


def add_note(directory: Path, time: str, ruling: Ruling, dry_run: bool) -> RulingResult:
    """Something that all players read, in a state of its own; before the deal there can be none."""
    session = open_session(directory, time)
    if session.record.phase == CLOSED and not session.record.is_dealt:
        raise not_dealt_error(session.record)
    if not session.record.is_dealt:
        problem = "before the deal no state can hold a note"
        raise Refused("note/not-dealt", problem, "write to the players yourself, or wait for the deal")
    return make_standing_ruling(session, ruling, dry_run)


def make_standing_ruling(
    session: Session, ruling: Ruling, dry_run: bool, desk_changes: DeskChanges = lambda _: {}
) -> RulingResult:
    """A ruling under which position and orders in hand stay as they are: a note, the end of a game
    that was dealt.
    """

    def plan(session: Session) -> RulingPlan:
        return (session, unchanged_basis(session.position, ruling), clear_notes(session.pending_by_seat))

    return make_ruling(session, plan, dry_run, ruling.__eq__, desk_changes)


def correct(directory: Path, time: str, changes: list[Correction], reason: str, dry_run: bool) -> RulingResult:
    """Facts and hidden values put right; orders written before count no more."""

    def plan(session: Session) -> RulingPlan:
        seats = frozenset(session.record.setup.seats)
        return (session, build_correction_basis(session.position, changes, reason), void_orders(session, seats))

    return make_ruling(open_session(directory, time), plan, dry_run)


def make_ruling(
    session: Session,
    plan: Callable[[Session], RulingPlan],
    dry_run: bool,
    is_same: RulingMatcher = lambda _: False,
    desk_changes: DeskChanges = lambda _: {},
) -> RulingResult:
    """Plan, save, report."""
    if dry_run:
        check_may_sign(session)
        refuse_repeated_ruling(session, is_same)
        session, basis, _ = plan(session)
        return preview_ruling(session, basis)
    with open_for_writing(session) as session:
        refuse_repeated_ruling(session, is_same)
        session, basis, pending_by_seat = plan(session)
        return result_of_ruling(carry_out(session, basis, pending_by_seat, desk_files=desk_changes(session)), basis)


def refuse_repeated_ruling(session: Session, is_same: RulingMatcher) -> None:
    """A ruling that the newest state has is not made again: whoever typed it may not have been told
    that it was made.
    """
    if record := find_same_ruling(session, is_same):
        raise repeated_ruling_error(record.n)


def find_same_ruling(session: Session, is_same: RulingMatcher) -> StateRecord | None:
    """The state of such a ruling, where it is the newest one."""
    record = session.record
    while record.rulings and record.rulings[0].name == VOID.name:  # by itself, with the one before
        older_record = record_at(session, record.n - 1)
        if older_record is None:  # the newest state is enough to go on
            return None
        record = older_record
    return record if any(map(is_same, record.rulings)) else None


def repeated_ruling_error(state_number: int) -> Refused:
    """Why a ruling that a state has is not made again."""
    problem = f"state {state_number} has this ruling already, so it was not made again"
    return Refused("amend/again", problem, "if you want it once more, give the reason in other words")


def preview_ruling(session: Session, basis: RulingBasis) -> RulingResult:
    """What a ruling would do."""
    # the state to come, as far as its rulings and its deadlines go
    record = basis.previous._replace(n=session.record.n + 1, time=session.time, rulings=basis.rulings)
    if basis.rulings[0].name in CLOCK_RULINGS:
        record = record._replace(clock=next_clock(session)(record._replace(entries=()), basis.state))
    return RulingResult(session, session.record.n + 1, rulings_in_words(session, record), basis, dry_run=True)


def result_of_ruling(session: Session, basis: RulingBasis) -> RulingResult:
    """What a ruling did; ``session``: afterwards."""
    return RulingResult(session, session.record.n, rulings_in_words(session, session.record), basis, dry_run=False)


def carry_out(
    session: Session,
    basis: RulingBasis,
    pending_by_seat: dict[str, PendingOrders],
    after_save: Callable[[Session], object] = write_reports,
    desk_files: Mapping[str, bytes] = MappingProxyType({}),
) -> Session:
    """Under the lock: the state of a ruling, and the reports that tell it."""
    old_values = committed_values(session.pending_by_seat)
    keys = session.secret, session.key
    signed_state = build_ruling_state(session.position, basis, *keys, session.time, old_values, next_clock(session))
    session = session.save(signed_state, pending_by_seat, desk_files)
    after_save(session)
    return session
