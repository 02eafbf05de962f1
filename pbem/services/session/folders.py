"""The one folder in which a game is played: made, restored or adopted by this home.

What lives here: opening many games; whether a folder acts; adopting one. What must never be here:
whether newer states exist (mark.py), a change of a state.
Laws: a folder acts only if the home has registered it, and signed the addresses in its desk; of
several folders of a game one acts; reading needs none of this. What was restored does nothing
before the referee has said whether newer states are lost.
Source: docs/decisions/0025-one-instance-acts.md.
"""

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pbem.chain.referees import in_force
from pbem.crypto.encoding import b64, prf
from pbem.crypto.tokens import commit_secret
from pbem.disk.folder import PLAYERS, SECRET, GameFolder, Mark
from pbem.disk.games import find_games, was_moved
from pbem.disk.home import Home, Registration
from pbem.disk.system import is_folder
from pbem.errors import BadInput, PbemError, Refused
from pbem.report import players
from pbem.report.players import Players, Stamp
from pbem.services.session.keys import folder_key, own_public, the_home
from pbem.services.session.mark import goes_on_from
from pbem.services.session.newest import newest, no_game, trusted_key
from pbem.services.session.session import HANDED_OVER, Session, encoded, key_for, open_session
from pbem.services.session.worklist import address_after

COPY, NEW, UNDECIDED = "folder/copy", "folder/new", "restore/undecided"  #: codes of refusals
#: a game's folder, and the game; or why it could not be opened, or does not act
Tried = tuple[Path, Session | PbemError]


def open_games(roots: Sequence[Path], time: str) -> tuple[list[Tried], list[str]]:
    """Every game that is named or lies in a folder that is named, once each, in this order.

    Also a line for each folder that could not be read.
    """
    place, found, notes = the_home(), dict[Path, Tried](), list[str]()
    for root in roots:
        try:
            folders, unread = find_games(root)
        except PbemError as error:
            found[root] = (root, error)
            continue
        notes += unread
        if not folders:
            found[root] = (root, no_game(GameFolder(root)))
            continue
        key = key_for(place, folders)
        for folder in folders:
            real = folder.root.resolve()
            if real in found:
                continue
            try:
                found[real] = (folder.root, Session(folder, place, key, time))
            except PbemError as error:
                found[real] = (folder.root, error)
    number = Counter(game.link.game for _, game in found.values() if isinstance(game, Session))
    return [(root, _admitted(real, game, number)) for real, (root, game) in found.items()], notes


def _admitted(real: Path, game: Session | PbemError, number: Counter[str]) -> Session | PbemError:
    """A game whose folder acts, or why it does not; its addresses are looked at before it acts."""
    if isinstance(game, PbemError):
        return game
    try:
        known = game.home.read_registration(game.link.game)
        if known is None and number[game.link.game] > 1:
            raise _unknown(game.folder.root, None)
        known = known if known and known.path == real else _registration(game)
    except PbemError as error:
        return error
    return game.replace(undecided=known.undecided)


def check_folder(session: Session, undecided: bool = False) -> Session:
    """The game, if it is played in this very folder, and if the referee has said what became of its
    newer states, or ``undecided`` ones will do. Refused else.
    """
    session = session.replace(undecided=_registration(session).undecided)
    if session.undecided and not undecided:
        raise undecided_yet(session.folder.root)
    return session


def check_outbox(home: Home, folder: GameFolder, time: str) -> None:
    """The same, without a key, for what waits to be sent; and the game was not handed over."""
    people = _people(folder)
    game = people.stamp.game if people and people.stamp else ""
    if not game or home.read_registration(game) is None:
        check_folder(open_session(folder.root, time, home))
    elif _acting(home, folder, game, people).undecided:
        raise undecided_yet(folder.root)
    with suppress(BadInput):  # a state that is damaged keeps nothing back
        record = newest(folder, trusted_key(folder, home)).link
        if in_force(record.referees, record.n + 1).acting != own_public(home):
            why = "you have handed this game over, so this machine sends no email of it"
            raise Refused(HANDED_OVER, why, "give the new referee the whole folder")


def decided(session: Session) -> None:
    """The referee has said what became of newer states: the game goes on. Under the lock."""
    home, game = session.home, session.link.game
    if (known := home.read_registration(game)) is not None and known.undecided:
        home.write_registration(game, known._replace(undecided=False))


def undecided_yet(root: Path) -> Refused:
    """Why nothing is done in a game that was restored."""
    why = f"{root} was restored, so nothing of it is fetched, played or sent"
    way = (
        f"does a player have a report of a later state? If not, type `pbem restore --nothing-lost "
        f'{root}`; if so, `pbem restore --go-on {root} --unseen --reason "…"`'
    )
    return Refused(UNDECIDED, why, way)


def _registration(session: Session) -> Registration:
    """Of a game that is played in this folder. Refused ``folder/…``."""
    home, folder, game = session.home, session.folder, session.link.game
    if home.read_registration(game) is None and _borne_out(session):
        with folder.lock():
            if home.read_registration(game) is None:
                first = Registration(b64(os.urandom(16)), 0, folder.root.resolve())
                folder.put_desk_file(PLAYERS, signed(home, session.players, game, first))
                home.write_registration(game, first)
    return _acting(home, folder, game, _people(folder, session.link.setup.seats))


def _people(folder: GameFolder, seats: tuple[str, ...] = ()) -> Players | None:
    data = folder.desk_file(PLAYERS) if is_folder(folder.root / "desk") else None
    return None if data is None else players.decode(data, seats)


def _acting(home: Home, folder: GameFolder, game: str, people: Players | None) -> Registration:
    """The signature of the home in the desk decides; what the home has noted follows it."""
    root, real, known = folder.root, folder.root.resolve(), home.read_registration(game)
    last = known or Registration("", -1, real)
    stamp = people.stamp if people is not None and _is_ours(home, game, people) else None
    same = stamp is not None and stamp.instance == last.instance
    version = int(stamp.version) if stamp is not None else -1
    later = version > last.version
    elsewhere = not was_moved(last.path, real) and (same or not later)
    if elsewhere and (stamp or people is None):
        why = f"{root} is a copy: this game is played in {last.path}"
        raise Refused(COPY, why, f"to play here instead, type `pbem adopt {root}`")
    if stamp is None or not (later or (same and version == last.version)):
        raise _unknown(root, known)
    # a folder that was restored or adopted may not be noted yet: a command was cut short
    fresh = Registration(stamp.instance, version, real, last.undecided or not same)
    if fresh != known:
        home.write_registration(game, fresh)
    return fresh


def _unknown(root: Path, known: Registration | None) -> Refused:
    """Why a folder does not act that this home did not make, restore or adopt."""
    if known is None:
        why = f"{root} is new to this home, which neither made nor restored it"
        return Refused(NEW, why, f"pbem adopt {root}")
    why = f"the addresses in {root}/desk/{PLAYERS} are not those that this home wrote there"
    return Refused("folder/changed", why, f"if you changed them, type `pbem adopt {root}`")


def _borne_out(session: Session) -> bool:
    """Whether a home of before recognises its own folder: by its mark of the game, and by a secret
    that opens the newest state.
    """
    mark, data = session.home.read_mark(session.link.game), session.folder.desk_file(PLAYERS)
    if mark is None or data is None or not (session.acts or session.handed_over):
        return False
    # what it adopts by itself has version 0, and may have been cut short
    fresh = session.players.stamp is None or session.players.stamp.version == "0"
    with suppress(PbemError):
        secret = encoded(session.folder.desk_file(SECRET) or b"", SECRET)
        opens = commit_secret(secret) == session.link.setup.commit
        return fresh and opens and goes_on_from(session, mark)
    return False


def adopt(session: Session) -> str:
    """From now on the game is played in this folder and in no other. Under the lock. Gives the
    folder in which it was played until now, "" if it was this one, or none.
    """
    home, folder, game = session.home, session.folder, session.link.game
    folder.adopt(session.link.n)
    people, known = session.reread().players, home.read_registration(game)
    stamp, real = people.stamp, folder.root.resolve()
    moved = known is None or was_moved(known.path, real)
    same = known and stamp and stamp.instance == known.instance and moved
    instance = known.instance if known and same else b64(os.urandom(16))
    fresh = Registration(instance, known.version + 1 if known else 1, real)
    folder.put_desk_file(PLAYERS, signed(home, people, game, fresh))
    return "" if known is None or moved else str(known.path)


def signed(home: Home, people: Players, game: str, by: Registration) -> bytes:
    """desk/players.toml, so that its home recognises it."""
    stamp = Stamp(game, by.instance, str(by.version))
    stamp = stamp._replace(mac=_mac(home, people, stamp))
    return players.encode(people._replace(stamp=stamp))


def changed(session: Session, people: Players) -> bytes:
    """The same with other addresses, of a folder that was adopted; else it is still to be."""
    home, game, stamp = session.home, session.link.game, session.players.stamp
    if stamp is None or not _is_ours(home, game, session.players):
        return players.encode(people._replace(stamp=None))
    version = int(stamp.version) + (people != session.players)
    by = Registration(stamp.instance, version, session.folder.root)
    return signed(home, people, game, by)


def _mac(home: Home, people: Players, stamp: Stamp) -> str:
    rows = Players(people.referee, dict(sorted(people.seats.items())), stamp._replace(mac=""))
    return b64(prf(folder_key(home), "pbem/1/home/players", players.encode(rows)))


def _is_ours(home: Home, game: str, people: Players) -> bool:
    stamp = people.stamp
    return stamp is not None and stamp.game == game and stamp.mac == _mac(home, people, stamp)


def writes_to(session: Session) -> list[dict[str, str]]:
    """Whom the folder would write to: the referee, each seat; seat "" for others in its outbox."""
    people, folder = session.players, session.folder
    named = {players.REFEREE: people.referee, **people.seats}
    others = {
        address_after("to", folder.message(mark, name) or b"")
        for mark in (Mark.WAITING, Mark.SENDING)
        for name in folder.messages(mark)
    }
    others -= {one.address.lower() for one in named.values()}
    rows = [(seat, one.name, one.address) for seat, one in named.items()]
    rows += [("", "", address) for address in sorted(others)]
    return [dict(zip(("seat", "name", "address"), row, strict=True)) for row in rows]
