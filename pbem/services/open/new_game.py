"""A new game's folder: configured, dealt or its players invited, saved whole or not at all.

What lives here: opening a game, and the guards around it. What must never be here: what is asked
for (plan.py); the cryptography of a state (play/joining/opening.py).
Source: docs/SPECIFICATION.md section 5 (saving); docs/DESIGN.md P8, P11.
"""

from pathlib import Path
from typing import Any, NamedTuple

from pbem import catalog
from pbem.chain.signed_state import head_of
from pbem.chain.sources import REPLY, WAYS
from pbem.crypto.encoding import b64, game_id, prf
from pbem.crypto.keys import RefereeKey, new_password, new_salt, password_hash
from pbem.crypto.secret import new_wrap
from pbem.crypto.signing import key_id
from pbem.disk.folder import CODES, NEXT, NOT_KEPT, PLAYERS, SECRET, GameFolder
from pbem.disk.games import new_folder
from pbem.disk.home import Home, Registration
from pbem.errors import BadInput, Refused
from pbem.play.deadlines.options import apart, read_clock
from pbem.play.joining.opening import Plan, open_game, open_round
from pbem.play.pending_file import encode_hand
from pbem.play.pending_orders import Hand
from pbem.report import players
from pbem.report.players import Person
from pbem.report.render import render
from pbem.services.lock import settle
from pbem.services.outbox import Message, send
from pbem.services.session.folders import signed
from pbem.services.session.keys import recovery_publics, the_key
from pbem.services.session.session import Session, label_of


def check_passwords(
    known: dict[str, str], people: dict[str, Person], deal: bool
) -> tuple[str, ...]:
    """What each player is identified by, in the order of seats; BadInput or Refused ``known/…``."""
    for seat, how in known.items():
        if seat not in people:
            seats = ", ".join(people)
            message = f"there is no seat {seat[:20]!r} in this game"
            raise BadInput("players/seat", message, f"seats: {seats}")
        if how not in WAYS:
            why = f"a player is not identified by {how[:20]!r}"
            raise BadInput("known/how", why, f"choose one of {', '.join(WAYS)}")
        who = f"{people[seat].name} ({seat})"
        if WAYS[how].key and deal:
            why = f"{who} cannot be identified by a key, since a key comes when its player joins"
            way = "leave --deal out, so that the players are invited"
            raise Refused("known/no-joining", why, way)
        if WAYS[how].password and not people[seat].address:
            why = f"the password of {who} goes out by email, and there is no address"
            way = f"add the address: --player {seat}={people[seat].name},ADDRESS"
            raise BadInput("known/no-address", why, way)
    return tuple(known.get(seat, REPLY.name) for seat in people)


def with_new(one: Person) -> tuple[Person, str]:
    """A player with a fresh password, and the password. It is kept nowhere."""
    word = new_password()
    return one._replace(password=password_hash(word, new_salt())), word


def password_mail(label: str, who: Person, seat: str, word: str, time: str) -> Message:
    """The one mail that has the password of a seat."""
    values = {"label": label, "player": who.name, "seat": seat, "password": word}
    return Message(
        to=who,
        text=render("password.txt", **values),
        about=f"{label}: your password",
        file=f"{NOT_KEPT}{seat}",
        id=f"password.{seat}.{new_salt().hex()[:12]}",
        time=time,
    )


class Secrets(NamedTuple):
    """What nobody may guess of a game that is being opened."""

    game: bytes
    codes: bytes
    wraps: bytes = b""  #: 32 bytes: the same wraps each time, of a game that is no secret


def open_game_in(
    directory: Path,
    wanted: dict[str, Any],
    place: Home,
    secrets: Secrets,
    time: str,
    deal: bool = True,
) -> Session:
    """Open and deal, or invite; ``wanted`` has game, players, options and referee, as ``--from``
    has them, and round and previous where a round was given up before.
    """
    game = catalog.load(wanted["game"])
    options, timing = apart(wanted["options"], [one.name for one in game.options])
    clock = read_clock(timing)
    config = game.configure(tuple(wanted["players"]), options)
    people = {seat: players.person(wanted["players"][seat], seat) for seat in config.seats}
    players.check_names([one.name for one in people.values()], game.seats)
    referee = players.person(wanted["referee"] or "Referee", "referee")
    key = the_key(place)
    recovery, wraps = _recovery(place, key, secrets)
    names = tuple(people[seat].name for seat in config.seats)
    how = check_passwords(wanted.get("known", {}), people, deal)
    words = {}
    for seat, known in zip(config.seats, how, strict=True):
        if WAYS[known].password:
            people[seat], words[seat] = with_new(people[seat])
    version = catalog.distribution(game.kind)[1]
    plan = Plan(config, names, *recovery, wraps, version, time, clock, how)
    if "previous" in wanted:
        plan = plan._replace(round=wanted["round"], previous=wanted["previous"])
    files: tuple[bytes, ...]
    if deal:
        files = open_game(plan, game, key, secrets.game)
    else:
        files = (open_round(plan, game, key, secrets.game)[1],)
    seated = players.Players(referee, people)
    with new_folder(directory) as folder:
        for seat, word in words.items():
            message = password_mail(label_of(directory), people[seat], seat, word, time)
            send(folder, game_id(files[0]), secrets.codes, referee, message)
        instance = b64(prf(secrets.codes, "pbem/1/home/instance"))
        first, name = Registration(instance, 1, directory.resolve()), game_id(files[0])
        folder.put_desk_file(PLAYERS, signed(place, seated, name, first))
        _save(folder, files, config.seats, key, secrets)
        folder.saved = None  # nothing is, until the folder has its name
        session = settle(Session(folder, place, key, time).replace(label=label_of(directory)))
        # first: a game that is there was seen here; the mark of one that is not harms nobody
        place.write_registration(name, first)
        place.write_mark(game_id(files[0]), len(files) - 1, b64(head_of(files[-1])))
    if before := wanted.get("after"):
        old = GameFolder(before)
        old.put_desk_file(NEXT, (old.desk_file(NEXT) or b"") + f"{game_id(files[0])}\n".encode())
    return session.replace(folder=GameFolder(directory, session.link.n), cut_short=False)


def _save(
    folder: GameFolder,
    files: tuple[bytes, ...],
    seats: tuple[str, ...],
    key: RefereeKey,
    secrets: Secrets,
) -> None:
    """The secrets, then every state made."""
    folder.put_desk_file(SECRET, f"{b64(secrets.game)}\n".encode())
    folder.put_desk_file(CODES, f"{b64(secrets.codes)} {key.id}\n".encode())
    empty = {seat: encode_hand(Hand()) for seat in seats}
    for n, raw in enumerate(files):
        folder.commit(n, raw, empty, lambda: None)


def _recovery(
    place: Home, key: RefereeKey, secrets: Secrets
) -> tuple[tuple[bytes, bytes], tuple[tuple[str, bytes], ...]]:
    """The recovery referee's public keys, and the secret wrapped to both referees."""
    public, wrap_public = recovery_publics(place)
    both = ((key.id, key.wrap_public), (key_id(public), wrap_public))
    wraps = ((name, new_wrap(secrets.game, to, secrets.wraps)) for name, to in both)
    return (public, wrap_public), tuple(wraps)
