"""Lock a game to change it, and first complete what an interrupted command left undone.

Not allowed here: a change of the game, except a ruling on lost orders (lost_orders.py).
Laws: a game changes only inside ``open_for_writing``; the last save is completed before the next;
the key in force signs a state, and no state follows the one that closes a game. Some commands take
the lock themselves: a new folder (services/open/new_game.py), a cancelled round (resolve/rounds.py),
`restore` and `keys` (amend/), reading all states (services/prove/archive.py).
Source: docs/DESIGN.md P8; decision 0005; docs/SPECIFICATION.md section 5 (saving, succession).
"""

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.chain.referees import keys_in_force
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import b64
from pbem.crypto.signing import key_id
from pbem.disk.folder import CODES_FILE, PLAYERS_FILE, SECRET_FILE
from pbem.disk.system import is_folder
from pbem.errors import Refused
from pbem.services import sentences
from pbem.services.lost_orders import repair_pending_orders, rule_on_lost_orders
from pbem.services.receipts import send_held_receipts, write_receipt
from pbem.services.reports import write_reports
from pbem.services.session.folders import advance_mark, require_acting_folder
from pbem.services.session.newest import not_dealt_error
from pbem.services.session.session import HANDED_OVER, Session


@contextmanager
def open_for_writing(session: Session, allow_closed: bool = False, allow_undecided: bool = False) -> Iterator[Session]:
    """Lock a game, read it again, and complete the last save. Yields the game as it is then.

    ``allow_closed``: for commands that add no state. ``allow_undecided``: also if the game was restored
    and the referee has not said yet whether newer states are lost.
    """
    with hold_lock(session, allow_undecided) as session:
        session.folder.remove_leftovers(session.record.n)
        advance_mark(session)
        session = complete_last_save(session)
        check_may_sign(session, allow_closed)
        yield rule_on_lost_orders(session)


@contextmanager
def hold_lock(session: Session, allow_undecided: bool = False) -> Iterator[Session]:
    """Lock a game that this home may change, in the folder in which it acts. Yields the game, read again."""
    folder = session.folder
    check_own_key(session)
    if not is_folder(folder.root / "desk"):  # taking the lock would create desk/ in a copy
        require_acting_folder(session, allow_undecided)
    with folder.lock():
        session = session.reread()
        check_own_key(session)
        session = require_acting_folder(session, allow_undecided)
        old_players_file = folder.read_desk_file(PLAYERS_FILE)
        try:
            yield session
        except Refused:  # the last save may be completed already
            _note_own_addresses(session, old_players_file)
            raise
        _note_own_addresses(session, old_players_file)


def _note_own_addresses(session: Session, old_players_file: bytes | None) -> None:
    """Update the home's registration if this command has changed desk/players.toml."""
    if session.folder.read_desk_file(PLAYERS_FILE) != old_players_file:
        require_acting_folder(session, allow_undecided=True)


def check_own_key(session: Session) -> None:
    """Refuse unless our key signs the newest state or the next one."""
    referee_rows, state_number = session.record.referees, session.record.n
    keys = {keys_in_force(referee_rows, state_number).acting, keys_in_force(referee_rows, state_number + 1).acting}
    if session.key.public not in keys:
        raise other_referee_error(session)


def check_may_sign(session: Session, allow_closed: bool = False) -> None:
    """Refuse unless our key signs the next state and the game is not closed, or ``allow_closed``."""
    record = session.record
    if record.phase == CLOSED and not allow_closed and not record.is_dealt:
        raise not_dealt_error(record)
    if record.phase == CLOSED and not allow_closed:
        problem = f"this game was closed with state {record.n}, and nothing can follow"
        raise Refused("game/closed", problem, "you can still read it with `pbem show` and `pbem verify`")
    if not session.is_acting_referee:
        raise other_referee_error(session)


def other_referee_error(session: Session) -> Refused:
    """Make the error that says that another key signs the next state, so nothing may be written here."""
    acting_key_id = key_id(keys_in_force(session.record.referees, session.record.n + 1).acting)
    if session.was_handed_over:
        problem = f"you have handed this game over: key {acting_key_id} signs its next state, not yours"
        hint = "take its folder out of those of your games, and forward what its players send you"
        return Refused(HANDED_OVER, problem, hint)
    problem = f"the referee of this game has key {acting_key_id}, and yours is {session.key.id}"
    return Refused("key/not-acting", problem, "run this where that key is")


def send_report_again(session: Session, reader_name: str) -> tuple[Session, str]:
    """Write and send a reader's newest report again. Returns the game and the report's text."""
    with open_for_writing(session) as session:
        write_reports(session, repeat_reader=reader_name, id_suffix="".join(c for c in session.time if c.isdigit()))
        text = session.folder.read_report(session.record.n, f"{reader_name}.txt") or b""
    return session, text.decode()


def complete_last_save(session: Session) -> Session:
    """Complete what the last save left undone. Under the lock, before a command's own work.

    Doing it twice changes nothing. Emails that the referee moved out of the outbox do not return (P8).
    """
    folder = session.folder
    folder.remove_leftovers(session.record.n)
    if folder.apply_staged(session.record.n):
        session = session.reread()
    if not folder.has_state(session.record.n):
        _restore_state_file(session)
    if folder.read_newest() != session.newest.raw:
        folder.repair_newest(session.newest.raw)
    secret = f"{b64(session.secret)}\n".encode()
    if folder.read_desk_file(SECRET_FILE) != secret:
        folder.put_desk_file(SECRET_FILE, secret)
    needs_new_codes = session.needs_new_codes
    if needs_new_codes:
        were_codes_lost = folder.read_desk_file(CODES_FILE) is None
        session, codes = session.make_new_codes()
        session.notes.append(sentences.CODES_LOST if were_codes_lost else sentences.CODES_OF_OTHER_REFEREE)
    send_held_receipts(session)  # before newer receipts
    session = _complete_pending_orders(session)
    written_reports = write_reports(session, rewrite_all=needs_new_codes)
    if needs_new_codes:  # last: after an interruption, everything is written again
        folder.stage_desk_changes(session.record.n, codes)
    return session.replace(completed_interrupted_save=bool(written_reports))


def _restore_state_file(session: Session) -> None:
    """Write the file of the newest state, which only game.toml holds."""
    folder, state_number = session.folder, session.record.n
    missing_count = state_number - len(folder.list_state_numbers())
    folder.create_state(state_number, session.newest.raw)
    if missing_count:
        session.notes.append(
            f"{missing_count} of the states before {state_number} are lost; the game goes on "
            "without them, but nobody can check what is missing"
        )


def _complete_pending_orders(session: Session) -> Session:
    """Repair pending orders, and write their newest receipts if they are missing."""
    session = repair_pending_orders(session)
    for seat, pending in session.pending_by_seat.items():
        if pending.newest_receipt:
            write_receipt(session, seat, pending)
    return session
