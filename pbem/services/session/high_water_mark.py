"""The high-water mark of this machine: it must not have seen more of a game than the folder holds.

What lives here: the check, and what is said where it fails. What must never be here: writing a
state. Source: docs/SPECIFICATION.md section 5 (saving); P8.
"""

from pbem.crypto.encoding import b64
from pbem.errors import Refused
from pbem.moderator.chain.signed_state import genuine_link, head_of
from pbem.services.session.newest import signer
from pbem.services.session.session import Session


def check_mark(session: Session) -> None:
    """The high-water mark: this machine must not have seen more of the game than the folder
    holds.
    """
    link, head = session.link, b64(head_of(session.newest.raw))
    mark = session.home.read_mark(link.game)
    if mark is None:
        session.notes.append(
            "this machine has not seen this game before, so it cannot tell whether newer states "
            "exist"
        )
        session.home.write_mark(link.game, link.n, head)
        return
    if mark == (link.n, head):
        return
    if not goes_on_from(session, mark):
        raise behind(session, mark)
    session.home.write_mark(link.game, link.n, head)


def behind(session: Session, mark: tuple[int, str]) -> Refused:
    """Why nothing may be written here; the only way on is the ruling `restore`."""
    n, here = mark[0], session.link.n
    if n < here:
        why = (
            f"this machine has seen state {n} of this game, and the folder does not "
            f"show that its state {here} follows from it"
        )
    else:
        why = (
            f"this machine has seen state {n} of this game, and the folder ends with "
            f"{'another ' * (n == here)}state {here}"
        )
    way = f'pbem restore --go-on {session.folder.root} --reason "…"'
    return Refused(
        "game/behind", why, f"put the newest files back; if they are lost for good: {way}"
    )


def goes_on_from(session: Session, mark: tuple[int, str]) -> bool:
    """Whether the folder's chain comes, link by link, from the state that this machine saw last."""
    n, known = mark
    link = session.link
    if link.n <= n:
        return (link.n, b64(head_of(session.newest.raw))) == mark
    while link.n > n + 1:
        raw = session.folder.state(link.n - 1)
        if raw is None or b64(head_of(raw)) != link.prev:
            return False
        key = signer(session.folder, raw, session.trusted)
        link = genuine_link(raw, key, f"state {link.n - 1}")
    return link.prev == known
