"""Carrying a ruling out: what every ``pbem amend`` has in common.

What lives here: a backup brought back, and gone on with; the one way to save a ruling, what it did
as a value; a correction, and what leaves all as it stands. What must never be here: what one ruling
means (chain/rulings/kinds.py), what is said of it on a screen.
Laws: one ruling, one link; ``--dry-run`` changes nothing; orders in hand that count no more are
gone with the link, and their player's report says so.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.clock import TIMED
from pbem.chain.rulings.correct import Change, correction_basis
from pbem.chain.rulings.kind import RESTORE, VOID, Basis, standing
from pbem.chain.rulings.kinds import amended
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.disk.backup import unpack
from pbem.disk.folder import LOST, PLAYERS, Mark
from pbem.disk.games import find_games, was_moved
from pbem.disk.system import is_folder
from pbem.errors import BadInput, CannotRead, PbemError, Refused
from pbem.play.pending_file import hand_values
from pbem.play.pending_orders import Hand
from pbem.report import players
from pbem.services.lock import check_acting, check_known, held, settle, writing
from pbem.services.lost_orders import kept, rule_on_lost, void
from pbem.services.reports import write_reports
from pbem.services.session.folders import adopt, check_folder, decided, writes_to
from pbem.services.session.history import in_full, link_at
from pbem.services.session.mark import check_mark, goes_on_from, ruling_begun
from pbem.services.session.newest import not_dealt
from pbem.services.session.session import Session, open_session
from pbem.services.session.timing import clocked


class Adopted(NamedTuple):
    """A game that is played in this folder from now on."""

    writes_to: list[dict[str, str]]  #: seat, name and address
    retired: str  #: the folder in which it was played until now, "" if in none


class Restored(NamedTuple):
    """A game that came back."""

    n: int  #: its newest state
    seen: int  #: the newest state that this machine has seen of it, -1 if none
    time: str  #: of its newest state
    unsent: int  #: emails that waited to be sent
    adopted: Adopted


def bring_back(
    file: Path, target: Path, time: str
) -> tuple[list[tuple[Path, Restored | PbemError]], list[str]]:
    """Unpack a backup: each game in it, or why it cannot be opened; folders that were not read."""
    unpack(file, target, partial(_adopted_all, time))
    try:
        folders, notes = find_games(target)
    except CannotRead as error:  # they are there all the same
        folders, notes = [], [error.line()]
    games: list[tuple[Path, Restored | PbemError]] = []
    for folder in folders:
        try:
            session = open_session(folder.root, time)
            mark = session.home.read_mark(session.link.game)
            seen = mark[0] if mark is not None else -1
            unsent = len(folder.messages(Mark.WAITING)) + len(folder.messages(Mark.SENDING))
            known = session.home.read_registration(session.link.game)
            check_folder(session, undecided=True)
            moved = known is None or was_moved(known.path, folder.root.resolve())
            came = Adopted(writes_to(session), "" if known is None or moved else str(known.path))
            found = Restored(session.link.n, seen, session.link.time, unsent, came)
            games.append((folder.root, found))
        except PbemError as error:
            games.append((folder.root, error))
    return games, notes


def _adopted_all(time: str, root: Path) -> None:
    """Before a backup has its name: it is not the folder that it was made of."""
    for folder in find_games(root)[0]:
        with suppress(BadInput, Refused):  # told when it is opened
            if data := is_folder(folder.root / "desk") and folder.desk_file(PLAYERS):
                plain = players.decode(data)._replace(stamp=None)
                folder.put_desk_file(PLAYERS, players.encode(plain))
                adopt(open_session(folder.root, time))


def nothing_lost(directory: Path, time: str) -> Session:
    """The referee says that the folder has the newest state: the game goes on."""
    with held(open_session(directory, time), undecided=True) as session:
        check_mark(session)
        decided(session)
    return session


def go_on_with(directory: Path, reason: str, time: str, unseen: bool) -> tuple[Session, int]:
    """A link that says so, and the high-water mark follows it; and the state it goes on from.

    ``unseen``: the newer states were never seen by this machine.
    """
    with held(open_session(directory, time), undecided=True) as session:
        check_acting(session)
        if ruling_begun(session):  # it was cut short: it is finished, and not made twice
            check_mark(session)
            session = rule_on_lost(settle(session))
            decided(session)
            return session, int(session.link.rulings[0].operand("from"))
        mark = session.home.read_mark(session.link.game)
        if mark is not None and goes_on_from(session, mark):
            check_mark(session)  # which is behind, where the second state was cut short
            session = rule_on_lost(settle(session))  # or its second state was cut off
            made = made_before(session, lambda it: (it.name, it.reason) == (RESTORE.name, reason))
            if made and session.undecided:  # it was cut short at its very end
                decided(session)
                return session, int(made.rulings[0].operand("from"))
            if made:
                raise again(made.n)
            if not unseen:
                why = "no newer state was seen here, so no ruling is needed"
                way = (
                    "if a player has a report of a later state, add --unseen; if emails were "
                    "answered that are not here, add --emails; if neither, type `pbem restore "
                    f"--nothing-lost {directory}`"
                )
                raise Refused("restore/not-behind", why, way)
        if not session.link.dealt:  # nothing is played, and a roster is made once
            why = "newer states of this game are lost, and this state is from before the deal"
            way = f"`pbem amend {directory} close`, then `pbem new NEW --after {directory}`"
            raise Refused("restore/not-dealt", why, f"give it up: {way}")
        # The backup takes the counts of answers back with it: old codes would be good again, and a
        # mail written for what is lost would be taken for an answer to what is asked now.
        session, codes = settle(session).with_new_codes()
        old = session.link.n
        basis = standing(session.position, RESTORE.ruling(reason, ("from", str(old))))
        hands = hand_values(session.hands)
        keys = session.secret, session.key
        found = amended(session.position, basis, *keys, session.time, hands, clocked(session))
        # what came since the backup, and was answered with a receipt, is lost too
        since = (session.folder.desk_file(LOST) or str(old).encode()).partition(b" ")[0]
        desk = {**codes, LOST: since + f" {reason}".encode()}
        session = rule_on_lost(settle(session.saved(found, session.hands, desk, force_mark=True)))
        decided(session)
        return session, old


def orders_lost(directory: Path, reason: str, time: str) -> Session:
    """A ruling that emails which came since a backup are lost; it has the newest state."""
    with writing(open_session(directory, time), undecided=True) as session:
        if not session.link.dealt:
            raise not_dealt(session.link)
        newest = session.link.rulings
        made = any((it.name, it.reason) == (VOID.name, reason) for it in newest)
        if made and not session.undecided:
            raise again(session.link.n)
        if not made:
            session.folder.put_desk_file(LOST, f"{session.link.n} {reason}".encode())
            session = rule_on_lost(session)
        decided(session)
        return session


def adopted(session: Session) -> tuple[Session, Adopted]:
    """The game is played in this folder from now on."""
    check_known(session)
    with session.folder.lock():
        retired = adopt(session)
        session = check_folder(session.reread(), undecided=True)
        return session, Adopted(writes_to(session), retired)


#: the game as the ruling finds it, what becomes of it, and of the orders in hand
Planned = tuple[Session, Basis, dict[str, Hand]]
#: whether a ruling of the newest state is what was typed
Same = Callable[[Ruling], bool]
#: what becomes of the desk with a ruling, by path
Desk = Callable[[Session], Mapping[str, bytes]]


class Amended(NamedTuple):
    """What a ruling did to a game, or would do."""

    session: Session  #: afterwards
    n: int  #: the state of the ruling
    rulings: tuple[str, ...]  #: in full, as the reports tell them
    basis: Basis
    dry_run: bool


def note(directory: Path, now: str, ruling: Ruling, dry_run: bool) -> Amended:
    """Something that all players read, in a state of its own; before the deal there can be none."""
    session = open_session(directory, now)
    if session.link.phase == CLOSED and not session.link.dealt:
        raise not_dealt(session.link)
    if not session.link.dealt:
        why = "before the deal no state can hold a note"
        raise Refused("note/not-dealt", why, "write to the players yourself, or wait for the deal")
    return standing_ruling(session, ruling, dry_run)


def standing_ruling(
    session: Session, ruling: Ruling, dry_run: bool, desk: Desk = lambda _: {}
) -> Amended:
    """A ruling under which position and orders in hand stay as they are: a note, the end of a game
    that was dealt.
    """

    def plan(session: Session) -> Planned:
        return session, standing(session.position, ruling), kept(session.hands)

    return ruled(session, plan, dry_run, ruling.__eq__, desk)


def correct(
    directory: Path, now: str, changes: list[Change], reason: str, dry_run: bool
) -> Amended:
    """Facts and hidden values put right; orders written before count no more."""

    def plan(session: Session) -> Planned:
        seats = frozenset(session.link.setup.seats)
        return session, correction_basis(session.position, changes, reason), void(session, seats)

    return ruled(open_session(directory, now), plan, dry_run)


def ruled(
    session: Session,
    plan: Callable[[Session], Planned],
    dry_run: bool,
    same: Same = lambda _: False,
    desk: Desk = lambda _: {},
) -> Amended:
    """Plan, save, report."""
    if dry_run:
        check_acting(session)
        refuse_again(session, same)
        session, basis, _ = plan(session)
        return foreseen(session, basis)
    with writing(session) as session:
        refuse_again(session, same)
        session, basis, hands = plan(session)
        return carried_out(carry_out(session, basis, hands, desk=desk(session)), basis)


def refuse_again(session: Session, same: Same) -> None:
    """A ruling that the newest state has is not made again: whoever typed it may not have been told
    that it was made.
    """
    if made := made_before(session, same):
        raise again(made.n)


def made_before(session: Session, same: Same) -> StateRecord | None:
    """The state of such a ruling, where it is the newest one."""
    record = session.link
    while record.rulings and record.rulings[0].name == VOID.name:  # by itself, with the one before
        before = link_at(session, record.n - 1)
        if before is None:  # the newest state is enough to go on
            return None
        record = before
    return record if any(map(same, record.rulings)) else None


def again(n: int) -> Refused:
    """Why a ruling that a state has is not made again."""
    why = f"state {n} has this ruling already, so it was not made again"
    return Refused("amend/again", why, "if you want it once more, give the reason in other words")


def foreseen(session: Session, basis: Basis) -> Amended:
    """What a ruling would do."""
    # the state to come, as far as its rulings and its deadlines go
    record = basis.before._replace(n=session.link.n + 1, time=session.time, rulings=basis.rulings)
    if basis.rulings[0].name in TIMED:
        record = record._replace(clock=clocked(session)(record._replace(entries=()), basis.state))
    return Amended(session, session.link.n + 1, in_full(session, record), basis, dry_run=True)


def carried_out(session: Session, basis: Basis) -> Amended:
    """What a ruling did; ``session``: afterwards."""
    return Amended(session, session.link.n, in_full(session, session.link), basis, dry_run=False)


def carry_out(
    session: Session,
    basis: Basis,
    hands: dict[str, Hand],
    then: Callable[[Session], object] = write_reports,
    desk: Mapping[str, bytes] = MappingProxyType({}),
) -> Session:
    """Under the lock: the state of a ruling, and the reports that tell it."""
    before = hand_values(session.hands)
    keys = session.secret, session.key
    found = amended(session.position, basis, *keys, session.time, before, clocked(session))
    session = session.saved(found, hands, desk)
    then(session)
    return session
