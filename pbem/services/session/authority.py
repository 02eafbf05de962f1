"""Who may write in a game: the referee in force, while the game is not closed.

What lives here: the two checks that stand before every change of a game. What must never be here:
a change of the game.
Laws: a state is signed by the key in force, or nobody takes it for genuine; after the link that
closes a game there is none.
Source: docs/SPECIFICATION.md section 5 (succession); decision 0005.
"""

from pbem.crypto.signing import key_id
from pbem.errors import Refused
from pbem.moderator.chain import people
from pbem.moderator.chain.link import CLOSED
from pbem.services.session.newest import not_dealt
from pbem.services.session.session import Session


def check_known(session: Session) -> None:
    """Our key is in force for the newest state or the next one: its reports may be completed."""
    rows, n = session.link.referees, session.link.n
    keys = {people.in_force(rows, n).acting, people.in_force(rows, n + 1).acting}
    if session.key.public not in keys:
        raise _other(session)


def check_acting(session: Session, closed: bool = False) -> None:
    """Our key signs the next state, and there may be a next one (or the game may be ``closed``)."""
    link = session.link
    if link.phase == CLOSED and not closed and not link.dealt:
        raise not_dealt(link)
    if link.phase == CLOSED and not closed:
        raise Refused(
            "game/closed",
            f"this game was closed with state {link.n}: nothing comes after it",
            "pbem verify and pbem show still read it",
        )
    if people.in_force(link.referees, link.n + 1).acting != session.key.public:
        raise _other(session)


def _other(session: Session) -> Refused:
    now = key_id(people.in_force(session.link.referees, session.link.n + 1).acting)
    return Refused(
        "key/not-acting",
        f"this game is refereed with key {now}, not with {session.key.id}",
        "run this where that key is; pbem key show names yours",
    )
