"""``pbem amend DIR keys``: another referee goes on, or a lost key is replaced."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.key import public_line, recovery_publics
from pbem.crypto.keys import RefereeKey
from pbem.crypto.secret import commit_secret, new_wrap, unwrap
from pbem.crypto.signing import key_id
from pbem.disk.desk import PLAYERS
from pbem.disk.folder import GameFolder
from pbem.disk.reading import read, read_private
from pbem.errors import BadInput, Refused
from pbem.moderator.chain import referees
from pbem.moderator.chain.link import CLOSED
from pbem.moderator.chain.referees import Referees
from pbem.moderator.chain.ruling import Ruling, reason_of
from pbem.moderator.report.players import Person, person
from pbem.moderator.ruling.amendment import Basis, handed
from pbem.result import Result
from pbem.services.ruling.ruling import (
    Directory,
    DryRun,
    Planned,
    Reason,
    answer,
    carry_out,
    kept,
    rule,
)
from pbem.services.session.mark import check_mark
from pbem.services.session.newest import key_in, key_text, refuse_no_game, the_home, the_key
from pbem.services.session.session import Session
from pbem.services.writing import settle

LIMIT = 64 * 1024
WAYS = "--to FILE hands over with your key; --recover FILE replaces it with the recovery key"


def run(
    directory: Directory,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to", metavar="FILE", help="What the new one's pbem key show --export says."
        ),
    ] = None,
    recover: Annotated[
        Path | None,
        typer.Option(
            "--recover",
            metavar="FILE",
            help="The recovery key; it appoints the keys of this machine.",
        ),
    ] = None,
    referee: Annotated[
        str,
        typer.Option(
            metavar="NAME,ADDRESS", help="Who is referee from now on: players answer there."
        ),
    ] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Hand a game over to another referee's key, or replace a lost one with the recovery key.

    The game's secret is wrapped anew to the keys in force. Who held the old key signs no more; what
    he knows he knows. All players read who the new referee is (the name; the address in their own
    mails alone), and how to check it.
    """
    if (to is None) == (recover is None):
        raise BadInput("keys/either", "which of the two: hand over, or recover?", WAYS)
    why, new = reason_of(reason), person(referee, "the new referee") if referee else None
    if recover is not None:
        return _recover(directory, recover, new, why, dry_run)

    def plan(session: Session) -> Planned:
        basis = _hand_over(session, to or Path(), new, why)
        if not dry_run:
            session = _keep(session, new)
        return session, basis, kept(session.hands)

    return rule(directory, now(), plan, dry_run)


def _keep(session: Session, new: Person | None) -> Session:
    """Before the link: its mails are the new referee's. Typed again after a kill, it goes on."""
    old = session.players.referee
    at = f"{old.name} <{old.address}>" if old.address else old.name
    if new is None:
        session.notes.append(
            f"players still write to {at}; if somebody else is the referee now, write name and "
            f"address into {session.folder.root / 'desk' / PLAYERS}, under [referee]"
        )
        return session
    session = session.with_players(session.players._replace(referee=new))
    session.notes.append(
        f"the mails of this state and all later ones are from {new.name}"
        + (f" <{new.address}>" if new.address else "; without an address nobody can answer them")
    )
    return session


def _hand_over(session: Session, to: Path, new: Person | None, why: str) -> Basis:

    acting, wrap = public_line(read(to, LIMIT), to.name)
    n, now = session.link.n + 1, session.link.referees[-1]
    if acting in (now.acting, now.recovery):
        raise Refused(
            "keys/same", "that key is in force in this game already", "give another one's key"
        )
    row = now._replace(since=n + 1, acting=acting, acting_wrap=wrap)
    row = row.signed_by(referees.ACTING, session.key.signing, session.link.game)
    session.notes.append(
        "only the new key can go on: give its referee this whole folder, desk/ and all "
        f"(pbem backup {session.folder.root} -o FILE), with the mails in desk/outbox, and send on "
        "what players still send to you"
    )
    return _basis(session, row, new, why)


def _basis(session: Session, row: Referees, new: Person | None, why: str) -> Basis:

    pairs = (row.acting, row.acting_wrap), (row.recovery, row.recovery_wrap)
    wraps = tuple((key_id(sign), new_wrap(session.secret, wrap)) for sign, wrap in pairs)
    operands: tuple[tuple[str, str], ...] = (("by", row.by), ("acting", key_id(row.acting)))
    if new is not None:
        operands = (*operands, ("name", new.name))
    return handed(session.position, row, wraps, Ruling("keys", operands, why))


def _recover(directory: Path, file: Path, new: Person | None, why: str, dry_run: bool) -> Result:
    """On a machine with new keys, by the recovery key that the game names."""
    place = the_home()
    ours, after = the_key(place), recovery_publics(place)
    old = key_in(key_text(read_private(file, LIMIT), file), file)
    if old.public in (ours.public, after[0]):
        raise Refused(
            "keys/new",
            "the keys of this machine are those of the game itself",
            "make new ones in a new PBEM_HOME: pbem key new",
        )
    _check_folder(directory)
    session = Session(GameFolder(directory), place, ours, now(), trusted=old.public)
    with session.folder.lock():
        session = session.reread()
        _check_recovery(session, old)
        session = session.replace(secret=_secret(session, old))
        n = session.link.n + 1
        row = session.link.referees[-1]._replace(
            since=n,
            acting=ours.public,
            acting_wrap=ours.wrap_public,
            recovery=after[0],
            recovery_wrap=after[1],
        )
        row = row.signed_by(referees.RECOVERY, old.signing, session.link.game)
        basis = _basis(session, row, new, why)
        if dry_run:
            return answer(session, basis, dry_run=True)
        check_mark(session)
        session = _keep(session, new).replace(trusted=ours.public)
        session = carry_out(session, basis, kept(session.hands), settle)
    return answer(session, basis, dry_run=False)


def _check_folder(directory: Path) -> None:

    refuse_no_game(directory)


def _check_recovery(session: Session, old: RefereeKey) -> None:

    if session.link.phase == CLOSED:
        raise Refused("game/closed", "this game was closed", "nothing comes after that")
    if session.link.referees[-1].recovery != old.public:
        raise Refused(
            "keys/not-recovery",
            "that is not the recovery key in force in this game",
            "give the recovery key that the game's referee kept",
        )


def _secret(session: Session, old: RefereeKey) -> bytes:
    """The game's secret, unwrapped with the recovery key."""
    wrap = dict(session.link.wraps).get(old.id, b"")
    secret = unwrap(wrap, old.wrapping)
    if commit_secret(secret) != session.link.setup.commit:
        raise Refused(
            "secret/wrong",
            "the wrapped secret is not the one the genesis names",
            "take the state file again from where it came",
        )
    return secret
