"""A game held for writing: locked, read afresh, all that is left over done.

What lives here: ``writing``. What must never be here: a change of the game.
Law: nothing of a game is changed but inside ``with writing(session)``; settling comes before any
save. Source: P8; docs/SPECIFICATION.md section 5 (saving).
"""

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.services.session.acting import check_acting, check_known
from pbem.services.session.mark import check_mark
from pbem.services.session.session import Session
from pbem.services.settling import settle


@contextmanager
def writing(session: Session, closed: bool = False) -> Iterator[None]:
    """Hold the game's lock, with the newest state read under it, and all that is left over done.

    ``closed``: also where the game is, for what changes nothing of it.
    """
    with session.folder.lock():
        session.reload()
        check_known(session)
        check_mark(session)
        settle(session)
        check_acting(session, closed)
        yield
