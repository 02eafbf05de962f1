"""Changes the referee of a game: by a handover, or with the recovery key if the acting key is lost.

Two keys are in force in a game: the acting key, which signs its states, and the recovery key. The game's
secret is wrapped to both, that is, encrypted so that only these keys can read it.
Not allowed here: key files (session/keys.py); the ruling (chain/rulings/people.py).
Law: the key in force signs the appointment of the next one. The secret is wrapped only to keys in force.
Source: docs/SPECIFICATION.md section 5 (succession).
"""

from functools import partial
from pathlib import Path

from pbem.chain.referees import ACTING, RECOVERY, RefereeKeys
from pbem.chain.rulings.kind import RulingBasis
from pbem.chain.rulings.people import KEYS, build_hand_over_basis
from pbem.chain.state_record import CLOSED
from pbem.crypto.keys import RefereeKey
from pbem.crypto.secret import new_wrap
from pbem.crypto.signing import key_id
from pbem.disk.folder import PLAYERS_FILE, GameFolder
from pbem.disk.whole import read, read_private
from pbem.errors import Refused
from pbem.report.players import Person
from pbem.services.amend.ruling import (
    RulingPlan,
    RulingResult,
    carry_out,
    make_ruling,
    preview_ruling,
    refuse_repeated_ruling,
    result_of_ruling,
)
from pbem.services.lock import complete_last_save
from pbem.services.lost_orders import clear_notes, repair_pending_orders
from pbem.services.session.folders import advance_mark, lost_emails_note, sign_changed_players
from pbem.services.session.keys import (
    load_acting_key,
    open_home,
    parse_key_file,
    parse_public_keys,
    recovery_public_keys,
)
from pbem.services.session.newest import refuse_no_game
from pbem.services.session.session import Session, open_session, unwrap_secret

MAX_KEY_FILE_SIZE = 64 * 1024


def hand_over(
    directory: Path, time: str, key_file: Path, new_referee: Person | None, reason: str, dry_run: bool
) -> RulingResult:
    """Appoint the referee whose public keys are in ``key_file``. The key in force signs that."""

    def plan(session: Session) -> RulingPlan:
        basis = _plan_appointment(session, key_file, reason, new_referee)
        if not dry_run:
            _note_who_is_referee(session, new_referee)
        return RulingPlan(session, basis, clear_notes(session.pending_by_seat))

    return make_ruling(open_session(directory, time), plan, dry_run, desk_changes=partial(_desk_files, new_referee))


def _plan_appointment(session: Session, key_file: Path, reason: str, new_referee: Person | None) -> RulingBasis:
    """Return what the ruling is built from, and add a note that says what to give to the new referee."""
    acting_key, wrap_key = parse_public_keys(read(key_file, MAX_KEY_FILE_SIZE), key_file.name)
    state_number = session.record.n + 1
    current_row = session.record.referees[-1]
    if acting_key in (current_row.acting, current_row.recovery):
        raise Refused("keys/same", "that key is already in force in this game", "name another referee's key")
    # the old key signs this ruling, the new one the states after it
    new_row = current_row._replace(since=state_number + 1, acting=acting_key, acting_wrap=wrap_key)
    new_row = new_row.sign_row(ACTING, session.key.signing, session.record.game)
    session.notes.append(
        "give the new referee this whole folder, desk/ and its emails too "
        f"(pbem backup {session.folder.root} -o FILE), and forward what players still send you; "
        "only the new key can go on"
    )
    return _handover_basis(session, new_row, new_referee, reason)


def _desk_files(new_referee: Person | None, session: Session) -> dict[str, bytes]:
    """Return the desk file that makes later emails come from the new referee."""
    if new_referee is None:
        return {}
    return {PLAYERS_FILE: sign_changed_players(session, session.players._replace(referee=new_referee))}


def _note_who_is_referee(session: Session, new_referee: Person | None) -> None:
    """Add a note that says to whom players write from now on."""
    old_referee = session.players.referee
    old_contact = f"{old_referee.name} <{old_referee.address}>" if old_referee.address else old_referee.name
    if new_referee is None:
        session.notes.append(
            f"players still write to {old_contact}; if somebody else is the referee now, write name and "
            f"address into {session.folder.root / 'desk' / PLAYERS_FILE}, under [referee], before "
            "`pbem adopt`"
        )
        return
    session.notes.append(
        f"the emails of this state and all later ones are from {new_referee.name}"
        + (f" <{new_referee.address}>" if new_referee.address else "; without an address nobody can answer them")
    )


def recover_keys(
    directory: Path, time: str, recovery_file: Path, new_referee: Person | None, reason: str, dry_run: bool
) -> RulingResult:
    """Take over a game with its recovery key. This machine's own keys, which must be new, come into force."""
    home = open_home()
    own_key = load_acting_key(home)
    new_recovery, new_recovery_wrap = recovery_public_keys(home)
    recovery_key = parse_key_file(read_private(recovery_file, MAX_KEY_FILE_SIZE), recovery_file)
    if recovery_key.public in (own_key.public, new_recovery):
        hint = "set PBEM_HOME to a new folder and make new keys there with `pbem key new`"
        raise Refused("keys/new", "the keys of this machine are the game's own", hint)
    refuse_no_game(directory)
    session = Session(GameFolder(directory), home, own_key, time, trusted_key=recovery_key.public)
    with session.folder.lock():
        session = session.reread()
        if session.record.referees[-1].acting == own_key.public:  # taken over already: may have been interrupted
            if not dry_run:
                advance_mark(session)
                session = complete_last_save(session)
            refuse_repeated_ruling(session, lambda ruling: ruling.name == KEYS.name)
        _check_recovery(session, recovery_key)
        session = session.replace(secret=unwrap_secret(session.record, recovery_key))
        state_number = session.record.n + 1
        new_row = session.record.referees[-1]._replace(
            since=state_number,
            acting=own_key.public,
            acting_wrap=own_key.wrap_public,
            recovery=new_recovery,
            recovery_wrap=new_recovery_wrap,
        )
        new_row = new_row.sign_row(RECOVERY, recovery_key.signing, session.record.game)
        basis = _handover_basis(session, new_row, new_referee, reason)
        if dry_run:
            return preview_ruling(session, basis)
        advance_mark(session)
        session = repair_pending_orders(session)
        session.notes.append(lost_emails_note(session.folder.root))
        _note_who_is_referee(session, new_referee)
        desk_files = _desk_files(new_referee, session)
        session = session.replace(trusted_key=own_key.public)
        plan = RulingPlan(session, basis, clear_notes(session.pending_by_seat))
        return result_of_ruling(carry_out(plan, complete_last_save, desk_files), basis)


def _handover_basis(session: Session, row: RefereeKeys, new_referee: Person | None, reason: str) -> RulingBasis:
    """Return what the ruling is built from, with the game's secret wrapped to the keys of ``row``."""
    key_pairs = (row.acting, row.acting_wrap), (row.recovery, row.recovery_wrap)
    wraps = tuple((key_id(signing_key), new_wrap(session.secret, wrap_key)) for signing_key, wrap_key in key_pairs)
    return build_hand_over_basis(session.position, row, wraps, reason, new_referee.name if new_referee else "")


def _check_recovery(session: Session, recovery_key: RefereeKey) -> None:
    if session.record.phase == CLOSED:
        raise Refused("game/closed", "this game is closed", "nothing can follow")
    if session.record.referees[-1].recovery != recovery_key.public:
        problem = "that is not the recovery key in force in this game"
        raise Refused("keys/not-recovery", problem, "use the recovery key that the game's referee kept")
