"""Plays a game in another folder than before: restores a backup, adopts a folder, records lost states.

Only one folder of a game may act. To adopt a folder means that it is this one from now on. The mark of a
game, which is kept outside its folder, names the newest state that this machine has seen.
Not allowed here: how a ruling is carried out (ruling.py); which folder may act
(session/folders.py).
Law: a restored game does nothing until the referee has said whether newer states are lost.
Source: docs/decisions/0025-one-instance-acts.md; docs/SPECIFICATION.md section 9 (rulings).
"""

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pbem.chain.rulings.kind import RESTORE, VOID, unchanged_basis
from pbem.chain.state_record import StateRecord
from pbem.disk.backup import unpack
from pbem.disk.folder import LOST_ORDERS_FILE, PLAYERS_FILE, GameFolder
from pbem.disk.games import find_games, was_moved
from pbem.disk.system import is_folder
from pbem.errors import BadInput, CannotRead, PbemError, Refused
from pbem.report import players
from pbem.services.amend.ruling import find_same_ruling, repeated_ruling_error, sign_ruling_state
from pbem.services.lock import check_may_sign, check_own_key, complete_last_save, hold_lock, open_for_writing
from pbem.services.lost_orders import rule_on_lost_orders
from pbem.services.session.folders import (
    UNSENT_STATUSES,
    adopt_folder,
    advance_mark,
    follows_mark,
    has_unfinished_ruling,
    list_recipients,
    record_restore_decision,
    require_acting_folder,
)
from pbem.services.session.newest import not_dealt_error
from pbem.services.session.session import Session, open_session


class AdoptedGame(NamedTuple):
    """A game that is played in this folder from now on."""

    writes_to: list[dict[str, str]]  #: seat, name and address of everybody whom the game writes to
    retired: str  #: the folder in which it was played until now; "" if there was none


class RestoredGame(NamedTuple):
    """A game that came back from a backup."""

    state_number: int  #: its newest state
    newest_seen: int  #: the newest state of it that this machine has seen; -1 if none
    time: str  #: of its newest state
    unsent_count: int  #: emails in its outbox
    adopted_game: AdoptedGame


class RestoredFolder(NamedTuple):
    """A folder of a backup."""

    root: Path
    game: RestoredGame | PbemError  #: or why it cannot be opened


def restore_backup(file: Path, target: Path, time: str) -> tuple[list[RestoredFolder], list[str]]:
    """Unpack a backup into a new folder. Return its games, and a note on each unreadable folder."""
    unpack(file, target, partial(_adopt_all, time))
    try:
        folders, notes = find_games(target)
    except CannotRead as error:  # the files are restored nevertheless
        folders, notes = [], [error.as_line()]
    games = list[RestoredFolder]()
    for folder in folders:
        try:
            games.append(RestoredFolder(folder.root, _open_restored(folder, time)))
        except PbemError as error:
            games.append(RestoredFolder(folder.root, error))
    return games, notes


def _open_restored(folder: GameFolder, time: str) -> RestoredGame:
    """Open a restored game, and compare it with what this machine knows. Raises PbemError if it is unusable."""
    session = open_session(folder.root, time)
    newest_seen, _ = session.home.read_mark(session.record.game) or (-1, "")
    registration = session.home.read_registration(session.record.game)
    require_acting_folder(session, allow_undecided=True)
    has_moved = registration is None or was_moved(registration.path, folder.root.resolve())
    retired = "" if registration is None or has_moved else str(registration.path)
    return RestoredGame(
        state_number=session.record.n,
        newest_seen=newest_seen,
        time=session.record.time,
        unsent_count=sum(len(folder.list_messages(status)) for status in UNSENT_STATUSES),
        adopted_game=AdoptedGame(list_recipients(session), retired),
    )


def _adopt_all(time: str, root: Path) -> None:
    """Adopt every game of an unpacked backup, before the backup gets its final name."""
    folders, _ = find_games(root)
    for folder in folders:
        with suppress(BadInput, Refused):  # reported when the game is opened
            if data := is_folder(folder.root / "desk") and folder.read_desk_file(PLAYERS_FILE):
                unstamped_players = players.decode(data)._replace(stamp=None)
                folder.put_desk_file(PLAYERS_FILE, players.encode(unstamped_players))
                adopt_folder(open_session(folder.root, time))


def adopt_game(session: Session) -> tuple[Session, AdoptedGame]:
    """Make this the only folder in which the game is played."""
    check_own_key(session)
    with session.folder.lock():
        retired_folder = adopt_folder(session)
        session = require_acting_folder(session.reread(), allow_undecided=True)
        return session, AdoptedGame(list_recipients(session), retired_folder)


def confirm_newest_state(directory: Path, time: str) -> Session:
    """Let a restored game go on, because the referee says that no newer state exists."""
    with hold_lock(open_session(directory, time), allow_undecided=True) as session:
        advance_mark(session)
        record_restore_decision(session)
    return session


def continue_from_older_state(directory: Path, reason: str, time: str, is_newer_unseen: bool) -> tuple[Session, int]:
    """Go on with the ruling `restore`, because the referee says that newer states are lost for good.

    Return the game and the number of the state from which it goes on. ``is_newer_unseen``: the referee
    says that there were newer states, although this machine never saw them.
    """
    with hold_lock(open_session(directory, time), allow_undecided=True) as session:
        check_may_sign(session)
        if has_unfinished_ruling(session):  # complete the ruling of an interrupted command
            advance_mark(session)
            session = rule_on_lost_orders(complete_last_save(session))
            record_restore_decision(session)
            return session, _restored_from(session.record)
        mark = session.home.read_mark(session.record.game)
        if mark is not None and follows_mark(session, mark):
            advance_mark(session)  # the mark may be one state behind, after an interruption
            session = rule_on_lost_orders(complete_last_save(session))
            same_record = find_same_ruling(
                session, lambda ruling: (ruling.name, ruling.reason) == (RESTORE.name, reason)
            )
            if same_record and session.restore_undecided:  # its command was interrupted at the last step
                record_restore_decision(session)
                return session, _restored_from(same_record)
            if same_record:
                raise repeated_ruling_error(same_record.n)
            if not is_newer_unseen:
                raise _not_behind_error(directory)
        if not session.record.is_dealt:
            problem = "newer states of this game are lost, and this state is from before the deal"
            hint = f"`pbem amend {directory} close`, then `pbem new NEW --after {directory}`"
            raise Refused("restore/not-dealt", problem, f"give it up: {hint}")
        from_state = session.record.n
        session = _save_restore_ruling(session, reason)
        record_restore_decision(session)
        return session, from_state


def _restored_from(record: StateRecord) -> int:
    """Return the number of the state from which the ruling `restore` in ``record`` went on."""
    return int(record.rulings[0].operand("from"))


def _not_behind_error(directory: Path) -> Refused:
    problem = "no newer state was seen here, so no ruling is needed"
    hint = (
        "if a player has a report of a later state, add --unseen; if emails were "
        "answered that are not here, add --emails; if neither, type `pbem restore "
        f"--nothing-lost {directory}`"
    )
    return Refused("restore/not-behind", problem, hint)


def _save_restore_ruling(session: Session, reason: str) -> Session:
    """Save the ruling `restore` with new reply codes. The pending orders count as lost.

    A backup also takes back how many questions each seat has answered, and codes depend on that number.
    Without new codes, an email written for a lost state could therefore answer a new question.
    """
    session, codes = complete_last_save(session).make_new_codes()
    from_state = session.record.n
    basis = unchanged_basis(session.position, RESTORE.make_ruling(reason, ("from", str(from_state))))
    signed_state = sign_ruling_state(session, basis)
    # the file has the state since which orders are lost, and the reason; an older loss is kept
    lost_since = (session.folder.read_desk_file(LOST_ORDERS_FILE) or str(from_state).encode()).partition(b" ")[0]
    desk_files = {**codes, LOST_ORDERS_FILE: lost_since + f" {reason}".encode()}
    session = session.save(signed_state, session.pending_by_seat, desk_files, force_mark=True)
    return rule_on_lost_orders(complete_last_save(session))


def rule_emails_lost(directory: Path, reason: str, time: str) -> Session:
    """Tell the players by a ruling that emails since a backup are lost, although no state is."""
    with open_for_writing(open_session(directory, time), allow_undecided=True) as session:
        if not session.record.is_dealt:
            raise not_dealt_error(session.record)
        is_made = any((ruling.name, ruling.reason) == (VOID.name, reason) for ruling in session.record.rulings)
        if is_made and not session.restore_undecided:
            raise repeated_ruling_error(session.record.n)
        if not is_made:
            session.folder.put_desk_file(LOST_ORDERS_FILE, f"{session.record.n} {reason}".encode())
            session = rule_on_lost_orders(session)
        record_restore_decision(session)
        return session
