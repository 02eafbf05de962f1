"""A game held for writing: locked, read afresh, all that is left over done.

What lives here: ``writing``; who may write; ``settle``: what must be there after a save, reports,
receipts, mails, desk files, is written if it is not. What must never be here: a change of the game
but by what was lost (lost_orders.py); what this machine has seen of it (session/mark.py).
Laws: nothing of a game is changed but inside ``with writing(session)``; settling comes before any
save. A state is signed by the key in force; after the link that closes a game there is none. Five
take the lock themselves, for what this would refuse or must not do: a new folder
(services/open/new_game.py), a round given up whose newer states are lost (resolve/rounds.py), the
rulings `restore` and `keys` by another key (ruling/), reading all states at once
(services/prove/archive.py).
Source: docs/DESIGN.md P8; decision 0005; docs/SPECIFICATION.md section 5 (saving,
succession).
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
from pbem.services.lost_orders import repair_pending_orders, rule_on_lost_orders
from pbem.services.receipts import send_held_receipts, write_receipt
from pbem.services.reports import write_reports
from pbem.services.session.folders import check_acting_folder
from pbem.services.session.mark import check_mark
from pbem.services.session.newest import not_dealt_error
from pbem.services.session.session import HANDED_OVER, Session


@contextmanager
def open_for_writing(session: Session, allow_closed: bool = False, allow_undecided: bool = False) -> Iterator[Session]:
    """Hold the game's lock; gives the newest state as read under it, all that is left over done.

    ``allow_closed``: also where the game is, for what changes nothing of it. ``allow_undecided``: also where it
    was restored, and nobody has said what became of its newer states.
    """
    with hold_lock(session, allow_undecided) as session:
        session.folder.remove_leftovers(session.record.n)
        check_mark(session)
        session = complete_last_save(session)
        check_may_sign(session, allow_closed)
        yield rule_on_lost_orders(session)


@contextmanager
def hold_lock(session: Session, allow_undecided: bool = False) -> Iterator[Session]:
    """The lock of a game that this home may change, in the folder in which it is played."""
    folder = session.folder
    check_own_key(session)
    if not is_folder(folder.root / "desk"):  # a copy gets none by the lock in it
        check_acting_folder(session, allow_undecided)
    with folder.lock():
        session = session.reread()
        check_own_key(session)
        session, old_players_file = (check_acting_folder(session, allow_undecided), folder.read_desk_file(PLAYERS_FILE))
        try:
            yield session
        except Refused:  # what a command before had left over may be done even so
            _note_own_addresses(session, old_players_file)
            raise
        _note_own_addresses(session, old_players_file)


def _note_own_addresses(session: Session, old_players_file: bytes | None) -> None:
    """The home notes addresses that it has written."""
    if session.folder.read_desk_file(PLAYERS_FILE) != old_players_file:
        check_acting_folder(session, allow_undecided=True)


def check_own_key(session: Session) -> None:
    """Our key is in force for the newest state or the next one: its reports may be completed."""
    referee_rows, state_number = session.record.referees, session.record.n
    keys = {keys_in_force(referee_rows, state_number).acting, keys_in_force(referee_rows, state_number + 1).acting}
    if session.key.public not in keys:
        raise other_referee_error(session)


def check_may_sign(session: Session, allow_closed: bool = False) -> None:
    """Our key signs the next state, and there may be a next one (or the game may be ``allow_closed``)."""
    record = session.record
    if record.phase == CLOSED and not allow_closed and not record.is_dealt:
        raise not_dealt_error(record)
    if record.phase == CLOSED and not allow_closed:
        problem = f"this game was closed with state {record.n}, and nothing can follow"
        hint = "you can still read it with `pbem show` and `pbem verify`"
        raise Refused("game/closed", problem, hint)
    if not session.is_acting_referee:
        raise other_referee_error(session)


def other_referee_error(session: Session) -> Refused:
    """Why nothing may be written here: another key signs the next state."""
    acting_key_id = key_id(keys_in_force(session.record.referees, session.record.n + 1).acting)
    if session.was_handed_over:
        problem = f"you have handed this game over: key {acting_key_id} signs its next state, not yours"
        hint = "take its folder out of those of your games, and forward what its players send you"
        return Refused(HANDED_OVER, problem, hint)
    problem = f"the referee of this game has key {acting_key_id}, and yours is {session.key.id}"
    return Refused("key/not-acting", problem, "run this where that key is")


def send_report_again(session: Session, reader_name: str) -> tuple[Session, str]:
    """A reader's newest report, written and sent once more: the game as it is now, and its text."""
    with open_for_writing(session) as session:
        write_reports(session, repeat_reader=reader_name, id_suffix="".join(c for c in session.time if c.isdigit()))
        text = session.folder.read_report(session.record.n, f"{reader_name}.txt") or b""
    return session, text.decode()


def complete_last_save(session: Session) -> Session:
    """Bring the folder in order: under the lock, before a command does its own work.

    Running it twice changes nothing; nothing a referee moved out of the outbox comes back (P8).
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
        problem = "were lost" if were_codes_lost else "are those of the referee before"
        session.notes.append(f"the reply codes {problem}, so they are void; send the new reports, which have new codes")
    send_held_receipts(session)  # before any newer receipt
    session = _complete_pending_orders(session)
    written_reports = write_reports(session, rewrite_all=needs_new_codes)
    if needs_new_codes:  # last: a kill before it makes new ones, and all the reports, once more
        folder.stage_desk_changes(session.record.n, codes)
    return session.replace(completed_interrupted_save=bool(written_reports))


def _restore_state_file(session: Session) -> None:
    """game.toml is all there is of the newest state: it goes back to the others."""
    folder, state_number = session.folder, session.record.n
    missing_count = state_number - len(folder.list_state_numbers())
    folder.create_state(state_number, session.newest.raw)
    if missing_count:
        session.notes.append(
            f"{missing_count} of the states before {state_number} are lost; the game goes on "
            "without them, but nobody can check what is missing"
        )


def _complete_pending_orders(session: Session) -> Session:
    """Orders in hand are there, and of this moment; their newest receipts are written."""
    session = repair_pending_orders(session)
    for seat, pending in session.pending_by_seat.items():
        if pending.newest_receipt:
            write_receipt(session, seat, pending)
    return session
