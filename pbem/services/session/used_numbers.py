"""What the chain remembers of signed orders, where the desk's memory is lost or of another time.

What lives here: which numbers of a seat were used, and a hand put right by them. What must never be
here: orders that nobody signed: no chain can tell one of them from another.
Law: no (nr, i) is used twice, whatever file was put back; the audit would call it a forgery, and
rightly so. It costs a look at every state, so it is done only where a hand is not of this moment.
Source: docs/SPECIFICATION.md section 9; found by a second attacker: an honest game was
contradicted.
"""

from pbem.crypto.encoding import unb64, unpae
from pbem.errors import PbemError
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.position import Seals
from pbem.moderator.turn.hand import Hand
from pbem.services.session.history import older
from pbem.services.session.session import Session

NOTE = (
    "the orders in hand of {0} were lost or are of another time: whatever was used is taken out; "
    "ask for newer ones, if there were any"
)


def of_this_moment(session: Session, seat: str, hand: Hand) -> Hand:
    """The hand, put right where its seat has a key and it was not written since its last answer."""
    link = session.link
    if not link.dealt or link.player(seat).known != "key":
        return hand
    if hand.answered == dict(link.answered)[seat]:
        return hand
    nr, numbers = _used(session, seat)
    if nr:
        session.notes.append(NOTE.format(f"{link.player(seat).name} ({seat})"))
    gone = range(10**6) if hand.nr < nr else numbers if hand.nr == nr else ()
    return hand._replace(
        first=tuple(one for one in hand.first if one.number not in gone),
        later=tuple(one for one in hand.later if one.number not in gone),
        seen=max(hand.seen, nr),
    )


def _used(session: Session, seat: str) -> tuple[int, frozenset[int]]:
    """The highest number of the seat's orders in the chain, and the lines of it that were used.

    What is older than its row (``since``) can be used no more; a state that is lost says nothing.
    """
    highest, lines = 0, set[int]()
    for n in range(session.link.n, max(2, session.link.player(seat).since), -1):
        try:
            link = session.link if n == session.link.n else older(session, n)
        except PbemError:
            continue
        for nr, i in _numbers(session, link, seat):
            lines = {i} if nr > highest else lines | {i} if nr == highest else lines
            highest = max(highest, nr)
    return highest, frozenset(lines)


def _numbers(session: Session, link: Link, seat: str) -> list[tuple[int, int]]:
    seals = Seals(session.secret, link.game, link.n, unb64(link.prev, 32))
    found = []
    for number, one in enumerate(link.entries, 1):
        if (one.seat, one.source) == (seat, "signed"):
            nr, i, *_ = unpae(seals.open_order(f"{link.n}/order/{number}", one.token))
            found.append((int(nr), int(i)))
    return found
