"""The roster closed, and the game dealt: each a saved state before anybody is told of it.

What must never be here: the cryptography of a link (moderator/opening/opening.py); who is waited
for (resolve/rounds.py). All of it under the lock. Source: decision 0005; P4, P8.
"""

from pbem.crypto.encoding import unb64
from pbem.errors import BadInput
from pbem.moderator.chain.link import CLOSED
from pbem.moderator.chain.people import NONE, OPENED_ROW, Joined
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.opening import contribution, opening
from pbem.services.post import write_reports
from pbem.services.session.session import Session


def close_roster(session: Session, roster: tuple[Joined, ...]) -> Session:
    """The roster, saved and told to all."""
    _, raw = opening.close_roster(
        session.link, session.newest.raw, roster, session.key, session.time
    )
    session = session.saved_before_play(raw)
    write_reports(session)
    return session


def deal(session: Session, tell: bool = True) -> Session:
    """The deal, saved; told to all, or (``tell`` false) to be told by the caller."""
    given = (hand.answer for hand in session.hands.values())
    opened = tuple(OPENED_ROW.one(row) for row in given if row)
    heads = unb64(session.link.prev, 32), head_of(session.newest.raw)
    wrong = contribution.wrong_openings(*heads, opened, session.link.roster)
    if wrong:
        raise BadInput(
            "deal/openings",
            f"the deal {wrong}",
            "desk/hand/1 was changed; put it back from a backup",
        )
    raw = opening.deal(
        session.link,
        session.newest.raw,
        opened,
        session.game,
        session.key,
        session.secret,
        session.time,
    )
    session = session.saved_before_play(raw)
    if tell:
        write_reports(session)
    return session


def deal_at_once(session: Session) -> Session:
    """Finish what `pbem new --deal` was killed in: nobody gives anything; the reports say so."""
    if session.link.phase == CLOSED:
        return session
    if not session.link.n:
        nothing = tuple(Joined(seat, NONE) for seat in session.link.setup.seats)
        _, raw = opening.close_roster(
            session.link, session.newest.raw, nothing, session.key, session.time
        )
        session = session.saved_before_play(raw)
    return deal(session, tell=False)
