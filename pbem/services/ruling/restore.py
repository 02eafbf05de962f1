"""The ruling `restore`: a game goes on from its folder though newer states of it are lost.

What lives here: what ``pbem restore --go-on`` does. What must never be here: unpacking a backup.
Law: it is in the chain for good, and it alone sets the high-water mark back.
Source: docs/SPECIFICATION.md section 9 (rulings); docs/DESIGN.md P7.
"""

from pathlib import Path

from pbem.errors import Refused
from pbem.moderator.chain.ruling import Ruling
from pbem.moderator.turn.next_state import next_state
from pbem.moderator.turn.resolution import Course
from pbem.services.session.authority import check_acting
from pbem.services.session.high_water_mark import goes_on_from
from pbem.services.session.session import Session, open_session
from pbem.services.writing import settle


def go_on_with(directory: Path, reason: str, time: str) -> tuple[Session, int]:
    """A link that says so, and the high-water mark follows it; and the state it goes on from."""
    session = open_session(directory, time)
    with session.folder.lock():
        session = session.reread()
        check_acting(session)
        mark = session.home.read_mark(session.link.game)
        if mark is None or goes_on_from(session, mark):
            raise Refused(
                "restore/not-behind",
                "nothing newer than this folder was seen here: no ruling is needed",
                "just go on",
            )
        if not session.link.dealt:
            raise _not_dealt(directory)
        # The backup takes the counts of answers back with it: old codes would be good again, and a
        # mail written for what is lost would be taken for an answer to what is asked now.
        session = settle(session.with_new_codes())
        old = session.link.n
        session = _save_ruling(session, Ruling("restore", (("from", str(old)),), reason))
    return session, old


def _not_dealt(directory: Path) -> Refused:
    """Before the deal nothing is played that could be gone on with, and a roster is made once."""
    return Refused(
        "restore/not-dealt",
        "newer states of this game are lost, and this one is from before the deal",
        f"pbem amend {directory} close --reason TEXT, then pbem new NEW --after {directory}",
    )


def _save_ruling(session: Session, ruling: Ruling) -> Session:
    position = session.position
    hidden = position.game.encode(position.state).hidden
    values = {slot: one.for_sealing() for slot, one in hidden.items()}
    course = Course(position.state, (), (), session.hands, values)
    made = next_state(position, course, session.secret, session.key, session.time, (ruling,))
    return settle(session.saved(made, course.hands, force_mark=True))
