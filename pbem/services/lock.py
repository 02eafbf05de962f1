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

from pbem.chain.referees import in_force
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import b64
from pbem.crypto.signing import key_id
from pbem.disk.folder import CODES, PLAYERS, SECRET
from pbem.disk.system import is_folder
from pbem.errors import Refused
from pbem.services.lost_orders import hands_in_order, rule_on_lost
from pbem.services.receipts import send_held, write_receipt
from pbem.services.reports import write_reports
from pbem.services.session.folders import check_folder
from pbem.services.session.mark import check_mark
from pbem.services.session.newest import not_dealt
from pbem.services.session.session import HANDED_OVER, Session


@contextmanager
def writing(session: Session, closed: bool = False, undecided: bool = False) -> Iterator[Session]:
    """Hold the game's lock; gives the newest state as read under it, all that is left over done.

    ``closed``: also where the game is, for what changes nothing of it. ``undecided``: also where it
    was restored, and nobody has said what became of its newer states.
    """
    with held(session, undecided) as session:
        session.folder.tidy(session.link.n)
        check_mark(session)
        session = settle(session)
        check_acting(session, closed)
        yield rule_on_lost(session)


@contextmanager
def held(session: Session, undecided: bool = False) -> Iterator[Session]:
    """The lock of a game that this home may change, in the folder in which it is played."""
    folder = session.folder
    check_known(session)
    if not is_folder(folder.root / "desk"):  # a copy gets none by the lock in it
        check_folder(session, undecided)
    with folder.lock():
        session = session.reread()
        check_known(session)
        session, before = check_folder(session, undecided), folder.desk_file(PLAYERS)
        try:
            yield session
        except Refused:  # what a command before had left over may be done even so
            _note(session, before)
            raise
        _note(session, before)


def _note(session: Session, before: bytes | None) -> None:
    """The home notes addresses that it has written."""
    if session.folder.desk_file(PLAYERS) != before:
        check_folder(session, undecided=True)


def check_known(session: Session) -> None:
    """Our key is in force for the newest state or the next one: its reports may be completed."""
    rows, n = session.link.referees, session.link.n
    keys = {in_force(rows, n).acting, in_force(rows, n + 1).acting}
    if session.key.public not in keys:
        raise other_referee(session)


def check_acting(session: Session, closed: bool = False) -> None:
    """Our key signs the next state, and there may be a next one (or the game may be ``closed``)."""
    record = session.link
    if record.phase == CLOSED and not closed and not record.dealt:
        raise not_dealt(record)
    if record.phase == CLOSED and not closed:
        why = f"this game was closed with state {record.n}, and nothing can follow"
        way = "you can still read it with `pbem show` and `pbem verify`"
        raise Refused("game/closed", why, way)
    if not session.acts:
        raise other_referee(session)


def other_referee(session: Session) -> Refused:
    """Why nothing may be written here: another key signs the next state."""
    now = key_id(in_force(session.link.referees, session.link.n + 1).acting)
    if session.handed_over:
        why = f"you have handed this game over: key {now} signs its next state, not yours"
        way = "take its folder out of those of your games, and forward what its players send you"
        return Refused(HANDED_OVER, why, way)
    why = f"the referee of this game has key {now}, and yours is {session.key.id}"
    return Refused("key/not-acting", why, "run this where that key is")


def report_again(session: Session, name: str) -> tuple[Session, str]:
    """A reader's newest report, written and sent once more: the game as it is now, and its text."""
    with writing(session) as session:
        write_reports(session, again=name, mark="".join(c for c in session.time if c.isdigit()))
        text = session.folder.report(session.link.n, f"{name}.txt") or b""
    return session, text.decode()


def settle(session: Session) -> Session:
    """Bring the folder in order: under the lock, before a command does its own work.

    Running it twice changes nothing; nothing a referee moved out of the outbox comes back (P8).
    """
    folder = session.folder
    folder.tidy(session.link.n)
    if folder.adopt(session.link.n):
        session = session.reread()
    if not folder.has_state(session.link.n):
        _keep_state(session)
    if folder.newest_file() != session.newest.raw:
        folder.repair_newest(session.newest.raw)
    secret = f"{b64(session.secret)}\n".encode()
    if folder.desk_file(SECRET) != secret:
        folder.put_desk_file(SECRET, secret)
    new_codes = session.void_codes
    if new_codes:
        lost = folder.desk_file(CODES) is None
        session, codes = session.with_new_codes()
        why = "were lost" if lost else "are those of the referee before"
        session.notes.append(
            f"the reply codes {why}, so they are void; send the new reports, which have new codes"
        )
    send_held(session)  # before any newer receipt
    session = _keep_hands(session)
    told = write_reports(session, every=new_codes)
    if new_codes:  # last: a kill before it makes new ones, and all the reports, once more
        folder.stage(session.link.n, codes)
    return session.replace(cut_short=bool(told))


def _keep_state(session: Session) -> None:
    """game.toml is all there is of the newest state: it goes back to the others."""
    folder, n = session.folder, session.link.n
    missing = n - len(folder.numbers())
    folder.create_state(n, session.newest.raw)
    if missing:
        session.notes.append(
            f"{missing} of the states before {n} are lost; the game goes on "
            "without them, but nobody can check what is missing"
        )


def _keep_hands(session: Session) -> Session:
    """Orders in hand are there, and of this moment; their newest receipts are written."""
    session = hands_in_order(session)
    for seat, hand in session.hands.items():
        if hand.receipt:
            write_receipt(session, seat, hand)
    return session
