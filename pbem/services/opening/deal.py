"""The two links before play, saved: the roster, the deal.

What lives here: closing the roster, dealing. What must never be here: whether it is time to
(rounds.py); the cryptography of a link (moderator/opening/opening.py).
Law: each step is a saved state before anybody is told (P4, P8). Source: decision 0005.
"""

from pbem.crypto.encoding import b64, unb64
from pbem.errors import BadInput
from pbem.moderator.chain.link import CLOSED
from pbem.moderator.chain.people import Joined, read_opened
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.opening import contribution, opening
from pbem.moderator.turn import hand
from pbem.moderator.turn.hand import encode_hand
from pbem.services.post.reports import write_reports
from pbem.services.session.clock import now
from pbem.services.session.session import Session


def save(session: Session, raw: bytes, force_mark: bool = False) -> None:
    """The next state, durably; what the seats were answered is remembered, their answers are in it.

    Then everything is read afresh.
    """
    n, head, game = session.link.n + 1, b64(head_of(raw)), session.link.game
    kept = {
        seat: encode_hand(hand.Hand(handled=one.handled, receipts=one.receipts))
        for seat, one in session.hands.items()
    }
    session.folder.commit(n, raw, kept, lambda: session.home.write_mark(game, n, head, force_mark))
    session.reload()


def close_roster(session: Session, roster: tuple[Joined, ...]) -> None:

    _, raw = opening.close_roster(session.link, session.newest.raw, roster, session.key, now())
    save(session, raw)
    write_reports(session)


def deal(session: Session, tell: bool = True) -> None:

    given = (one.answer for one in session.hands.values())
    opened = tuple(read_opened(row) for row in given if row)
    heads = unb64(session.link.prev, 32), head_of(session.newest.raw)
    wrong = contribution.wrong_openings(*heads, opened, session.link.roster)
    if wrong:
        raise BadInput(
            "deal/openings",
            f"the deal {wrong}",
            "desk/hand/1 was changed: put it back from a backup",
        )
    raw = opening.deal(
        session.link, session.newest.raw, opened, session.game, session.key, session.secret, now()
    )
    save(session, raw)
    if tell:
        write_reports(session)


def deal_at_once(session: Session) -> None:
    """Finish what `pbem new --deal` was killed in: nobody gives anything; the reports say so."""
    if session.link.phase == CLOSED:
        return
    if not session.link.n:
        nothing = tuple(Joined(seat, opening.NONE) for seat in session.link.setup.seats)
        _, raw = opening.close_roster(session.link, session.newest.raw, nothing, session.key, now())
        save(session, raw)
    deal(session, tell=False)
