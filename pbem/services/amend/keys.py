"""The keys of a game's referee: handed over to another one's, or replaced by the recovery key.

What must never be here: the keys' files (session/keys.py); the ruling (chain/rulings/people.py).
Law: a row of referees is signed by the key that was in force before it; the game's secret is
wrapped to the keys in force and to nobody else.
Source: docs/SPECIFICATION.md section 5 (succession).
"""

from functools import partial
from pathlib import Path

from pbem.chain.referees import ACTING, RECOVERY, Referees
from pbem.chain.rulings.kind import Basis
from pbem.chain.rulings.people import KEYS, handed
from pbem.chain.state_record import CLOSED
from pbem.crypto.keys import RefereeKey
from pbem.crypto.secret import new_wrap
from pbem.crypto.signing import key_id
from pbem.disk.folder import PLAYERS, GameFolder
from pbem.disk.whole import read, read_private
from pbem.errors import Refused
from pbem.report.players import Person
from pbem.services.amend.ruling import (
    Amended,
    Planned,
    carried_out,
    carry_out,
    foreseen,
    refuse_again,
    ruled,
)
from pbem.services.lock import settle
from pbem.services.lost_orders import hands_in_order, kept
from pbem.services.session.folders import changed
from pbem.services.session.keys import key_in, public_line, recovery_publics, the_home, the_key
from pbem.services.session.mark import check_mark, ruling_emails
from pbem.services.session.newest import refuse_no_game
from pbem.services.session.session import Session, open_session, unwrapped

LIMIT = 64 * 1024


def hand_over(
    directory: Path, now: str, to: Path, new: Person | None, why: str, dry_run: bool
) -> Amended:
    """With the key in force: it appoints the one whose public line is in the file ``to``."""

    def plan(session: Session) -> Planned:
        basis = _appointed(session, to, new, why)
        if not dry_run:
            _say_who(session, new)
        return session, basis, kept(session.hands)

    return ruled(open_session(directory, now), plan, dry_run, desk=partial(_desk, new))


def _appointed(session: Session, to: Path, new: Person | None, why: str) -> Basis:
    acting, wrap = public_line(read(to, LIMIT), to.name)
    n, now = session.link.n + 1, session.link.referees[-1]
    if acting in (now.acting, now.recovery):
        message = "that key is already in force in this game"
        raise Refused("keys/same", message, "name another referee's key")
    row = now._replace(since=n + 1, acting=acting, acting_wrap=wrap)
    row = row.signed_by(ACTING, session.key.signing, session.link.game)
    session.notes.append(
        "give the new referee this whole folder, desk/ and its emails too "
        f"(pbem backup {session.folder.root} -o FILE), and forward what players still send you; "
        "only the new key can go on"
    )
    return _basis(session, row, new, why)


def _desk(new: Person | None, session: Session) -> dict[str, bytes]:
    """With the link: its mails are the new referee's."""
    return {PLAYERS: changed(session, session.players._replace(referee=new))} if new else {}


def _say_who(session: Session, new: Person | None) -> None:
    old = session.players.referee
    at = f"{old.name} <{old.address}>" if old.address else old.name
    if new is None:
        session.notes.append(
            f"players still write to {at}; if somebody else is the referee now, write name and "
            f"address into {session.folder.root / 'desk' / PLAYERS}, under [referee], before "
            "`pbem adopt`"
        )
        return
    session.notes.append(
        f"the emails of this state and all later ones are from {new.name}"
        + (f" <{new.address}>" if new.address else "; without an address nobody can answer them")
    )


def recover_keys(
    directory: Path, now: str, file: Path, new: Person | None, why: str, dry_run: bool
) -> Amended:
    """On a machine with new keys, by the recovery key that the game names."""
    place = the_home()
    ours, after = the_key(place), recovery_publics(place)
    old = key_in(read_private(file, LIMIT), file)
    if old.public in (ours.public, after[0]):
        way = "set PBEM_HOME to a new folder and make new keys there with `pbem key new`"
        raise Refused("keys/new", "the keys of this machine are the game's own", way)
    refuse_no_game(directory)
    session = Session(GameFolder(directory), place, ours, now, trusted=old.public)
    with session.folder.lock():
        session = session.reread()
        if session.link.referees[-1].acting == ours.public:
            check_mark(session)
            refuse_again(settle(session), lambda ruling: ruling.name == KEYS.name)
        _check_recovery(session, old)
        session = session.replace(secret=unwrapped(session.link, old))
        n = session.link.n + 1
        row = session.link.referees[-1]._replace(
            since=n,
            acting=ours.public,
            acting_wrap=ours.wrap_public,
            recovery=after[0],
            recovery_wrap=after[1],
        )
        row = row.signed_by(RECOVERY, old.signing, session.link.game)
        basis = _basis(session, row, new, why)
        if dry_run:
            return foreseen(session, basis)
        check_mark(session)
        session = hands_in_order(session)
        session.notes.append(ruling_emails(session.folder.root))
        _say_who(session, new)
        session, desk = session.replace(trusted=ours.public), _desk(new, session)
        return carried_out(carry_out(session, basis, kept(session.hands), settle, desk), basis)


def _basis(session: Session, row: Referees, new: Person | None, why: str) -> Basis:
    pairs = (row.acting, row.acting_wrap), (row.recovery, row.recovery_wrap)
    wraps = tuple((key_id(sign), new_wrap(session.secret, wrap)) for sign, wrap in pairs)
    return handed(session.position, row, wraps, why, new.name if new else "")


def _check_recovery(session: Session, old: RefereeKey) -> None:
    if session.link.phase == CLOSED:
        raise Refused("game/closed", "this game is closed", "nothing can follow")
    if session.link.referees[-1].recovery != old.public:
        why = "that is not the recovery key in force in this game"
        raise Refused("keys/not-recovery", why, "use the recovery key that the game's referee kept")
