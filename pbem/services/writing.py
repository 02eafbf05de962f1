"""A game held for writing: locked, read afresh, all that is left over done.

What lives here: ``writing``, and ``settle``: what must be there after a save, reports, receipts,
mails, desk files, is written if it is not. What must never be here: a change of the game.
Law: nothing of a game is changed but inside ``with writing(session)``; settling comes before any
save. Five take the lock themselves, for what this would refuse or must not do: a new folder
(opening/new_game.py), a round given up whose newer states are lost (resolve/rounds.py), the rulings
`restore` and `keys` by another key (ruling/), reading all states at once (proof/archive.py).
Source: docs/DESIGN.md P8; docs/SPECIFICATION.md section 5 (saving).
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.crypto.encoding import b64, unb64
from pbem.disk.folder import CODES, PLAYERS, SECRET, GameFolder
from pbem.errors import BadInput
from pbem.moderator.chain.link import CLOSED
from pbem.moderator.chain.people import Joined, read_opened
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.opening import contribution, opening
from pbem.moderator.report import players
from pbem.moderator.turn.hand import Hand
from pbem.services.post.reports import write_receipt, write_reports
from pbem.services.session.authority import check_acting, check_known
from pbem.services.session.high_water_mark import check_mark
from pbem.services.session.session import Session
from pbem.services.session.used_numbers import of_this_moment


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
        nothing = tuple(Joined(seat, opening.NONE) for seat in session.link.setup.seats)
        _, raw = opening.close_roster(
            session.link, session.newest.raw, nothing, session.key, session.time
        )
        session = session.saved_before_play(raw)
    return deal(session, tell=False)


#: in desk/ where `pbem new --deal` was told to deal at once: what was cut short is finished
AT_ONCE = "at-once"


@contextmanager
def writing(session: Session, closed: bool = False) -> Iterator[Session]:
    """Hold the game's lock; gives the newest state as read under it, all that is left over done.

    ``closed``: also where the game is, for what changes nothing of it.
    """
    with session.folder.lock():
        session = session.reread()
        check_known(session)
        check_mark(session)
        session = settle(session)
        check_acting(session, closed)
        yield session


def settle(session: Session) -> Session:
    """Bring the folder in order: under the lock, before a command does its own work.

    Running it twice changes nothing; nothing a referee moved out of the outbox comes back (P8).
    """
    folder = session.folder
    folder.tidy(session.link.n)
    _keep_state(session)
    if folder.newest_file() != session.newest.raw:
        folder.repair_newest(session.newest.raw)
    _put_if_other(folder, SECRET, f"{b64(session.secret)}\n".encode())
    new_codes = folder.desk_file(CODES) is None
    if new_codes:
        session = session.replace(codes_secret=os.urandom(32))
        session.notes.append(
            "the reply codes are lost and the old ones void: send the new "
            "reports, they have new ones"
        )
    if folder.desk_file(PLAYERS) is None:
        folder.put_desk_file(PLAYERS, players.encode(session.players))
        session.notes.append(
            "the addresses are lost: write them into desk/players.toml, then "
            "`pbem report DIR --player SEAT` makes each mail"
        )
    session = _keep_hands(session)
    if not session.link.dealt and folder.desk_file(AT_ONCE) is not None:
        from pbem.services.writing import deal_at_once

        session = deal_at_once(session)
    write_reports(session, every=new_codes)
    if new_codes:  # last: a kill before it makes new ones, and all the reports, once more
        folder.put_desk_file(CODES, f"{b64(session.codes_secret)}\n".encode())
    return session


def _keep_state(session: Session) -> None:
    """Where game.toml is all there is of the newest state, it goes back to the others."""
    folder, n = session.folder, session.link.n
    if folder.has_state(n):
        return
    missing = n - len(folder.numbers())
    folder.create_state(n, session.newest.raw)
    if missing:
        session.notes.append(
            f"{missing} of the states before {n} are lost: the game goes on "
            "without them, but nobody can check what is not here"
        )


def _keep_hands(session: Session) -> Session:
    """Orders in hand are there, and of this moment; their newest receipts are written."""
    folder = session.folder
    if not folder.has_hand(session.link.n):
        session.notes.append(
            "orders in hand are lost, if there were any: ask the players to send theirs again"
        )
        for seat in session.link.setup.seats:
            lost = Hand(receipts=_last_receipt(folder, seat))
            session = session.with_hand(seat, of_this_moment(session, seat, lost))
    for seat, one in [*session.hands.items()]:
        mended = of_this_moment(session, seat, one)
        if mended is not one:
            session = session.with_hand(seat, mended)
        if mended.receipt:
            write_receipt(session, seat, mended)
    return session


def _put_if_other(folder: GameFolder, name: str, data: bytes) -> None:
    if folder.desk_file(name) != data:
        folder.put_desk_file(name, data)


def _last_receipt(folder: GameFolder, seat: str) -> int:
    """The number of the newest receipt a seat was given, so that no number comes twice."""
    number = 0
    while folder.has_receipt(f"{seat}-{number + 1:04d}"):
        number += 1
    return number
