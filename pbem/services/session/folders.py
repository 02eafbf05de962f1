"""Decide whether a game may be changed in this folder: the folder acts, and no newer state was seen.

A game may be in several folders, such as copies. One of them acts: pbem plays and sends only there.
A referee's home registers that folder. A mark in the home says which state this machine saw last.
Not allowed here: a change of a state; the ruling `restore` (amend/restore.py).
Laws: a folder acts only if this home has registered it and signed the addresses in its desk; only one
folder of a game acts; a restored game does nothing until the referee has said whether newer states
are lost; nothing is written if this machine has seen states that the folder does not hold.
Source: docs/decisions/0025-one-instance-acts.md; docs/DESIGN.md P7, P8; docs/SPECIFICATION.md section
5; decision 0013.
"""

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pbem.chain.referees import keys_in_force
from pbem.chain.rulings.kind import CLOSE, RESTORE
from pbem.chain.signed_state import read_verified_record, state_hash_of
from pbem.crypto.encoding import b64, prf
from pbem.crypto.keys import RefereeKey
from pbem.crypto.tokens import commit_secret
from pbem.disk.folder import PLAYERS_FILE, SECRET_FILE, GameFolder, MessageStatus
from pbem.disk.games import find_games, was_moved
from pbem.disk.home import Home, Registration
from pbem.disk.system import is_folder
from pbem.errors import BadInput, PbemError, Refused
from pbem.report import players
from pbem.report.players import Players, Stamp
from pbem.services.session.desk import decode_desk_value
from pbem.services.session.keys import folder_key, open_home, own_public_key
from pbem.services.session.newest import no_game_error, read_newest, trusted_key
from pbem.services.session.session import HANDED_OVER, Session, load_key, open_session
from pbem.services.session.worklist import address_in_header

#: error codes
FOLDER_IS_COPY = "folder/copy"
FOLDER_IS_NEW = "folder/new"
RESTORE_UNDECIDED = "restore/undecided"
UNSENT_STATUSES = (MessageStatus.WAITING, MessageStatus.SENDING)


class OpenResult(NamedTuple):
    """A game's folder, and the game or the error that says why it cannot be opened."""

    root: Path
    game: Session | PbemError


def open_games(roots: Sequence[Path], time: str) -> tuple[list[OpenResult], list[str]]:
    """Open each game in these folders once, in the order of the folders.

    Returns the games, and a note about each folder that cannot be read.
    """
    home = open_home()
    results = dict[Path, OpenResult]()
    notes = list[str]()
    for root in roots:
        try:
            folders, unread = find_games(root)
        except PbemError as error:
            results[root] = OpenResult(root, error)
            continue
        notes += unread
        if not folders:
            results[root] = OpenResult(root, no_game_error(GameFolder(root)))
            continue
        key = load_key(home, folders)
        for folder in folders:
            real_path = folder.root.resolve()
            if real_path not in results:
                results[real_path] = _open_folder(folder, home, key, time)
    copies_by_game = Counter(row.game.record.game for row in results.values() if isinstance(row.game, Session))
    rows = [row._replace(game=_admit(path, row.game, copies_by_game)) for path, row in results.items()]
    return rows, notes


def _open_folder(folder: GameFolder, home: Home, key: RefereeKey, time: str) -> OpenResult:
    """Open one game, whether its folder acts or not."""
    try:
        return OpenResult(folder.root, Session(folder, home, key, time))
    except PbemError as error:
        return OpenResult(folder.root, error)


def _admit(real_path: Path, game: Session | PbemError, copies_by_game: Counter[str]) -> Session | PbemError:
    """Return the game if its folder acts, else the error that says why it does not.

    ``copies_by_game``: how many folders have the game with this id.
    """
    if isinstance(game, PbemError):
        return game
    try:
        registration = game.home.read_registration(game.record.game)
        if registration is None and copies_by_game[game.record.game] > 1:
            raise _unregistered_error(game.folder.root, None)
        if registration is None or registration.path != real_path:
            registration = _ensure_registration(game)
    except PbemError as error:
        return error
    return game.replace(restore_undecided=registration.is_undecided)


def require_acting_folder(session: Session, allow_undecided: bool = False) -> Session:
    """Return the game with ``restore_undecided`` as registered. Raises Refused if it does not act in this folder.

    Also refused if the game was restored and the referee has not said yet whether newer states are
    lost, unless ``allow_undecided``.
    """
    session = session.replace(restore_undecided=_ensure_registration(session).is_undecided)
    if session.restore_undecided and not allow_undecided:
        raise restore_undecided_error(session.folder.root)
    return session


def check_outbox(home: Home, folder: GameFolder, time: str) -> None:
    """Refuse to send emails if this folder does not act, or if the game was handed over.

    Unlike ``require_acting_folder`` this mostly needs no key.
    """
    people = _read_players(folder)
    game = people.stamp.game if people and people.stamp else ""
    if not game or home.read_registration(game) is None:
        require_acting_folder(open_session(folder.root, time, home))
    elif _update_registration(home, folder, game, people).is_undecided:
        raise restore_undecided_error(folder.root)
    with suppress(BadInput):  # emails can be sent even if the state is damaged
        record = read_newest(folder, trusted_key(folder, home)).record
        if keys_in_force(record.referees, record.n + 1).acting != own_public_key(home):
            why = "you have handed this game over, so this machine sends no emails for it"
            raise Refused(HANDED_OVER, why, "give the new referee the whole folder")


def record_restore_decision(session: Session) -> None:
    """Note that the referee has said whether newer states are lost, so the game goes on. Under the lock."""
    home, game = session.home, session.record.game
    registration = home.read_registration(game)
    if registration is not None and registration.is_undecided:
        home.write_registration(game, registration._replace(is_undecided=False))


def restore_undecided_error(root: Path) -> Refused:
    """Make the error that says why nothing is done in a restored game."""
    why = f"{root} was restored, so pbem fetches, plays and sends nothing for it"
    hint = (
        f"does a player have a report of a later state? If not, type `pbem restore --nothing-lost "
        f'{root}`; if so, `pbem restore --go-on {root} --unseen --reason "…"`'
    )
    return Refused(RESTORE_UNDECIDED, why, hint)


def _ensure_registration(session: Session) -> Registration:
    """Return the registration of a game that acts in this folder, after registering an old folder that this
    home made. Raises Refused ``folder/…`` if the game does not act here.
    """
    home, folder, game = session.home, session.folder, session.record.game
    if home.read_registration(game) is None and _recognizes_own_folder(session):
        with folder.lock():
            if home.read_registration(game) is None:
                new_registration = Registration(b64(os.urandom(16)), 0, folder.root.resolve())
                folder.put_desk_file(PLAYERS_FILE, sign_players(home, session.players, game, new_registration))
                home.write_registration(game, new_registration)
    return _update_registration(home, folder, game, _read_players(folder, session.record.setup.seats))


def _read_players(folder: GameFolder, seats: tuple[str, ...] = ()) -> Players | None:
    """Read desk/players.toml; None if there is none."""
    data = folder.read_desk_file(PLAYERS_FILE) if is_folder(folder.root / "desk") else None
    return None if data is None else players.decode(data, seats)


def _update_registration(home: Home, folder: GameFolder, game: str, people: Players | None) -> Registration:
    """Compare the stamp in desk/players.toml, which this home signed, with the home's registration.

    Returns the registration, after an update if the folder was moved or a command was interrupted.
    Raises Refused ``folder/copy`` if the game acts elsewhere; ``folder/new`` or ``folder/changed`` if this home
    did not write the stamp.
    """
    root = folder.root
    real_path = folder.root.resolve()
    old_registration = home.read_registration(game)
    last_registration = old_registration or Registration("", -1, real_path)  # older than any version
    stamp = people.stamp if people is not None and _is_ours(home, game, people) else None
    same_instance = stamp is not None and stamp.instance == last_registration.instance
    version = int(stamp.version) if stamp is not None else -1
    is_later = version > last_registration.version  # the desk was changed, and the home does not know yet
    is_elsewhere = not was_moved(last_registration.path, real_path) and (same_instance or not is_later)
    if is_elsewhere and (stamp or people is None):
        why = f"{root} is a copy: this game is played in {last_registration.path}"
        raise Refused(FOLDER_IS_COPY, why, f"to play here instead, type `pbem adopt {root}`")
    if stamp is None or not (is_later or (same_instance and version == last_registration.version)):
        raise _unregistered_error(root, old_registration)
    # the command that restored or adopted the folder may have been interrupted
    new_registration = Registration(
        stamp.instance, version, real_path, last_registration.is_undecided or not same_instance
    )
    if new_registration != old_registration:
        home.write_registration(game, new_registration)
    return new_registration


def _unregistered_error(root: Path, registration: Registration | None) -> Refused:
    """Make the error for a folder that this home did not make, restore or adopt."""
    if registration is None:
        why = f"{root} is new to this home, which neither made nor restored it"
        return Refused(FOLDER_IS_NEW, why, f"pbem adopt {root}")
    why = f"the addresses in {root}/desk/{PLAYERS_FILE} are not those that this home wrote there"
    return Refused("folder/changed", why, f"if you changed them, type `pbem adopt {root}`")


def _recognizes_own_folder(session: Session) -> bool:
    """Return whether this home made the folder before registrations existed. Then the home has a mark of
    the game, and the folder holds the game's secret.
    """
    mark = session.home.read_mark(session.record.game)
    players_data = session.folder.read_desk_file(PLAYERS_FILE)
    if mark is None or players_data is None or not (session.is_acting_referee or session.was_handed_over):
        return False
    # version 0: pbem was interrupted while it registered such a folder
    never_adopted = session.players.stamp is None or session.players.stamp.version == "0"
    with suppress(PbemError):
        secret = decode_desk_value(session.folder.read_desk_file(SECRET_FILE) or b"", SECRET_FILE)
        secret_matches = commit_secret(secret) == session.record.setup.commit
        return never_adopted and secret_matches and follows_mark(session, mark)
    return False


def adopt_folder(session: Session) -> str:
    """Make this the only folder in which the game is played. Under the lock.

    Returns the folder in which it was played until now; "" if that is this one, or there was none.
    """
    home, folder, game = session.home, session.folder, session.record.game
    folder.apply_staged(session.record.n)
    people = session.reread().players
    registration = home.read_registration(game)
    stamp = people.stamp
    real_path = folder.root.resolve()
    is_same_folder = registration is None or was_moved(registration.path, real_path)
    same_instance = registration and stamp and stamp.instance == registration.instance and is_same_folder
    instance = registration.instance if registration and same_instance else b64(os.urandom(16))
    new_registration = Registration(instance, registration.version + 1 if registration else 1, real_path)
    folder.put_desk_file(PLAYERS_FILE, sign_players(home, people, game, new_registration))
    return "" if registration is None or is_same_folder else str(registration.path)


def sign_players(home: Home, people: Players, game: str, registration: Registration) -> bytes:
    """Return the content of desk/players.toml, signed so that this home recognises it."""
    stamp = Stamp(game, registration.instance, str(registration.version))
    stamp = stamp._replace(mac=_mac(home, people, stamp))
    return players.encode(people._replace(stamp=stamp))


def sign_changed_players(session: Session, people: Players) -> bytes:
    """Return the content of desk/players.toml with other people.

    It is signed only if the present file is, since a folder that does not act must stay so.
    """
    home, game, stamp = session.home, session.record.game, session.players.stamp
    if stamp is None or not _is_ours(home, game, session.players):
        return players.encode(people._replace(stamp=None))
    version = int(stamp.version) + (people != session.players)
    registration = Registration(stamp.instance, version, session.folder.root)
    return sign_players(home, people, game, registration)


def _mac(home: Home, people: Players, stamp: Stamp) -> str:
    """Return the code with which this home signs these people and this stamp."""
    unsigned_players = Players(people.referee, dict(sorted(people.seats.items())), stamp._replace(mac=""))
    return b64(prf(folder_key(home), "pbem/1/home/players", players.encode(unsigned_players)))


def _is_ours(home: Home, game: str, people: Players) -> bool:
    """Return whether this home signed desk/players.toml for this game."""
    stamp = people.stamp
    return stamp is not None and stamp.game == game and stamp.mac == _mac(home, people, stamp)


def list_recipients(session: Session) -> list[dict[str, str]]:
    """List everybody to whom pbem would send email from this folder: the referee, each seat, and, with
    the seat "", other addresses in the outbox.
    """
    people, folder = session.players, session.folder
    people_by_role = {players.REFEREE: people.referee, **people.seats}
    other_addresses = {
        address_in_header("to", folder.read_message(status, name) or b"")
        for status in UNSENT_STATUSES
        for name in folder.list_messages(status)
    }
    other_addresses -= {person.address.lower() for person in people_by_role.values()}
    rows = [(seat, person.name, person.address) for seat, person in people_by_role.items()]
    rows += [("", "", address) for address in sorted(other_addresses)]
    return [dict(zip(("seat", "name", "address"), row, strict=True)) for row in rows]


def advance_mark(session: Session) -> None:
    """Move the mark to the newest state. Raises Refused ``game/behind`` if this machine has seen a state that
    the folder does not hold.
    """
    record = session.record
    state_hash = b64(state_hash_of(session.newest.raw))
    mark = session.home.read_mark(record.game)
    if mark is None:
        session.notes.append(unseen_game_note(session.folder.root, record.n))
    is_ruling_unfinished = mark is not None and has_unfinished_ruling(session)
    is_moved = mark != (record.n, state_hash)
    if mark is not None and is_moved and not is_ruling_unfinished and not follows_mark(session, mark):
        raise behind_mark_error(session, mark)
    if is_moved:
        session.home.write_mark(record.game, record.n, state_hash, force=is_ruling_unfinished)
    else:  # an interrupted command may have staged the next state
        session.folder.remove_leftovers(record.n, with_next=True)


def unseen_game_note(root: Path, n: int | str) -> str:
    """Return what to tell the referee about a game without a mark. ``n``: its newest state."""
    return (
        "this machine has not seen this game before, so it cannot know whether newer states exist; "
        f"if a player has a report of a later state than {n}, and those states are lost for good: "
        f"{restore_command(root, ' --unseen')}"
    )


def lost_emails_note(root: Path) -> str:
    """Return what to tell a referee who goes on from a backup."""
    command = restore_command(root, " --emails")
    return f"if it lacks an email that pbem answered, and you cannot get that again, type `{command}`"


def restore_command(root: Path, options: str = "") -> str:
    """Return what to type if newer states are lost for good."""
    return f'pbem restore --go-on {root}{options} --reason "…"'


def has_unfinished_ruling(session: Session) -> bool:
    """Return whether the newest state is a ruling that may set the mark back, and its command was
    interrupted before it wrote the mark.
    """
    rulings = session.record.rulings
    if not rulings or rulings[0].name not in (RESTORE.name, CLOSE.name):
        return False
    # game.toml, which is written after the mark, still is the state before
    return session.folder.read_newest() == session.folder.read_state(session.record.n - 1)


def behind_mark_error(session: Session, mark: tuple[int, str]) -> Refused:
    """Make the error that says why nothing may be written in a folder that is behind the mark."""
    marked_number, _ = mark
    newest_number = session.record.n
    why = f"this machine has seen state {marked_number} of this game, and the folder ends with state {newest_number}"
    if marked_number == newest_number:
        why = (
            f"this machine has seen state {marked_number} of this game, and the folder ends with "
            f"another state {newest_number}"
        )
    if marked_number < newest_number:
        why = (
            f"this machine has seen state {marked_number} of this game, and the folder does not show that its "
            f"state {newest_number} follows from it"
        )
    command = restore_command(session.folder.root)
    return Refused("game/behind", why, f"put the newest files back; only if they are lost for good, type {command}")


def follows_mark(session: Session, mark: tuple[int, str]) -> bool:
    """Return whether the newest state follows, hash by hash, from the state that this machine saw last."""
    marked_number, marked_hash = mark
    record = session.record
    if record.n <= marked_number:
        return (record.n, b64(state_hash_of(session.newest.raw))) == mark
    while record.n > marked_number + 1:
        raw = session.folder.read_state(record.n - 1)
        if raw is None or b64(state_hash_of(raw)) != record.previous_hash:
            return False
        referee_key = keys_in_force(record.referees, record.n - 1).acting
        record = read_verified_record(raw, referee_key, f"state {record.n - 1}")
    return record.previous_hash == marked_hash
