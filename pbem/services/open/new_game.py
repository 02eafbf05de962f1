"""Creates the folder of a new game, dealt or with invitations: completely or not at all.

Not allowed here: the plan of a game (plan.py); the cryptography of a state
(play/joining/opening.py).
Source: docs/SPECIFICATION.md section 5 (saving); docs/DESIGN.md P8, P11.
"""

from pathlib import Path
from typing import Any, NamedTuple

from pbem import catalog
from pbem.chain.signed_state import state_hash_of
from pbem.chain.sources import IDENTIFICATION_METHODS, REPLY
from pbem.crypto.encoding import b64, game_id, prf
from pbem.crypto.keys import RefereeKey, new_password, new_salt, password_hash
from pbem.crypto.secret import new_wrap
from pbem.crypto.signing import key_id
from pbem.disk.folder import CODES_FILE, NEXT_ROUND_FILE, PASSWORD_PREFIX, PLAYERS_FILE, SECRET_FILE, GameFolder
from pbem.disk.games import new_game_folder
from pbem.disk.home import Home, Registration
from pbem.engine.settings import ARCHIVE, ARCHIVE_ATTACHED, chosen
from pbem.errors import BadInput, Refused
from pbem.play.deadlines.options import read_clock, split_options
from pbem.play.joining.opening import GamePlan, open_game, open_round
from pbem.play.pending_file import encode_pending
from pbem.play.pending_orders import PendingOrders
from pbem.report import players
from pbem.report.players import Person
from pbem.report.render import render
from pbem.services.lock import complete_last_save
from pbem.services.outbox import Message, send
from pbem.services.sentences import PASSWORD_SUBJECT
from pbem.services.session.folders import sign_players
from pbem.services.session.keys import load_acting_key, recovery_public_keys
from pbem.services.session.session import Session, label_of


def complete_auth_methods(
    method_by_seat: dict[str, str], person_by_seat: dict[str, Person], deal: bool
) -> tuple[str, ...]:
    """Return how each player is identified, in the order of seats. Raises an error if a method is not possible."""
    for seat, auth_method in method_by_seat.items():
        if seat not in person_by_seat:
            seats = ", ".join(person_by_seat)
            raise BadInput("players/seat", f"there is no seat {seat[:20]!r} in this game", f"seats: {seats}")
        if auth_method not in IDENTIFICATION_METHODS:
            problem = f"a player is not identified by {auth_method[:20]!r}"
            raise BadInput("auth/how", problem, f"choose one of {', '.join(IDENTIFICATION_METHODS)}")
        player_text = f"{person_by_seat[seat].name} ({seat})"
        if IDENTIFICATION_METHODS[auth_method].key and deal:
            problem = f"{player_text} cannot be identified by a key, since a key comes when its player joins"
            raise Refused("auth/no-joining", problem, "leave --deal out, so that the players are invited")
        if IDENTIFICATION_METHODS[auth_method].password and not person_by_seat[seat].address:
            problem = f"the password of {player_text} goes out by email, and there is no address"
            hint = f"add the address: --player {seat}={person_by_seat[seat].name},ADDRESS"
            raise BadInput("known/no-address", problem, hint)
    return tuple(method_by_seat.get(seat, REPLY.name) for seat in person_by_seat)


def with_new_password(person: Person) -> tuple[Person, str]:
    """Return the player with a new password, and that password. Only its hash is stored."""
    password = new_password()
    return person._replace(password=password_hash(password, new_salt())), password


def password_message(label: str, person: Person, seat: str, password: str, time: str) -> Message:
    """Return the only email that has the password of a seat."""
    values = {"label": label, "player": person.name, "seat": seat, "password": password}
    return Message(
        recipient=person,
        text=render("password.txt", **values),
        subject=PASSWORD_SUBJECT.format(label=label),
        file_name=f"{PASSWORD_PREFIX}{seat}",
        id_part=f"password.{seat}.{new_salt().hex()[:12]}",
        time=time,
    )


class Secrets(NamedTuple):
    """The secrets of a new game."""

    game_secret: bytes
    codes_secret: bytes
    wrap_seed: bytes = b""  #: 32 bytes that make a demonstration repeatable; b"" in a real game


def create_game(
    directory: Path, settings: dict[str, Any], home: Home, secrets: Secrets, time: str, deal: bool = True
) -> Session:
    """Create a game and deal it, or invite its players.

    ``settings``: game, players, options, referee and auth, as in a plan file. If they continue a game
    that was cancelled before its deal, they also have round, previous and after.
    """
    game = catalog.load(settings["game"])
    options, clock_options = split_options(settings["options"], [option.name for option in game.options])
    clock = read_clock(clock_options)
    config = game.configure(tuple(settings["players"]), options)
    archive_choice = {name: value for name, value in settings["options"].items() if name == ARCHIVE.name}
    archive_rows = tuple(row for row in chosen("", archive_choice, [ARCHIVE]).items() if row == ARCHIVE_ATTACHED)
    person_by_seat = {seat: players.parse_person(settings["players"][seat], seat) for seat in config.seats}
    players.check_names([person.name for person in person_by_seat.values()], game.seats)
    referee = players.parse_person(settings["referee"] or "Referee", "referee")
    key = load_acting_key(home)
    recovery, recovery_wrap = recovery_public_keys(home)
    wrap_keys = ((key.id, key.wrap_public), (key_id(recovery), recovery_wrap))
    # the game's secret, encrypted for each of the referee's two keys
    wraps = tuple(
        (key_name, new_wrap(secrets.game_secret, wrap_key, secrets.wrap_seed)) for key_name, wrap_key in wrap_keys
    )
    names = tuple(person_by_seat[seat].name for seat in config.seats)
    auth_methods = complete_auth_methods(settings.get("auth", {}), person_by_seat, deal)
    password_by_seat = {}
    for seat, auth_method in zip(config.seats, auth_methods, strict=True):
        if IDENTIFICATION_METHODS[auth_method].password:
            person_by_seat[seat], password_by_seat[seat] = with_new_password(person_by_seat[seat])
    _, version = catalog.distribution(game.kind)
    settled_config = config._replace(options=(*config.options, *archive_rows))
    plan = GamePlan(settled_config, names, recovery, recovery_wrap, wraps, version, time, clock, auth_methods)
    if "previous" in settings:
        plan = plan._replace(round=settings["round"], previous_genesis=settings["previous"])
    states: tuple[bytes, ...]
    if deal:
        states = open_game(plan, game, key, secrets.game_secret)
    else:
        states = (open_round(plan, game, key, secrets.game_secret).data,)
    new_game_id = game_id(states[0])
    address_book = players.Players(referee, person_by_seat)
    with new_game_folder(directory) as folder:
        for seat, password in password_by_seat.items():
            message = password_message(label_of(directory), person_by_seat[seat], seat, password, time)
            send(folder, new_game_id, secrets.codes_secret, referee, message)
        instance = b64(prf(secrets.codes_secret, "pbem/1/home/instance"))
        registration = Registration(instance, 1, directory.resolve())
        folder.put_desk_file(PLAYERS_FILE, sign_players(home, address_book, new_game_id, registration))
        _save_states(folder, states, config.seats, key, secrets)
        folder.saved_number = None  # nothing counts as saved before the folder has its name
        session = complete_last_save(Session(folder, home, key, time).replace(label=label_of(directory)))
        # still before the folder has its name, because a mark without a game does no harm
        home.write_registration(new_game_id, registration)
        home.write_mark(new_game_id, len(states) - 1, b64(state_hash_of(states[-1])))
    if "after" in settings:
        _note_next_round(GameFolder(settings["after"]), new_game_id)
    return session.replace(folder=GameFolder(directory, session.record.n), completed_interrupted_save=False)


def _note_next_round(previous_game: GameFolder, next_game_id: str) -> None:
    """Note in the folder of a cancelled round which game followed it."""
    older_rows = previous_game.read_desk_file(NEXT_ROUND_FILE) or b""
    previous_game.put_desk_file(NEXT_ROUND_FILE, older_rows + f"{next_game_id}\n".encode())


def _save_states(
    folder: GameFolder, states: tuple[bytes, ...], seats: tuple[str, ...], key: RefereeKey, secrets: Secrets
) -> None:
    """Write the secrets, then the states."""
    folder.put_desk_file(SECRET_FILE, f"{b64(secrets.game_secret)}\n".encode())
    folder.put_desk_file(CODES_FILE, f"{b64(secrets.codes_secret)} {key.id}\n".encode())
    no_orders = {seat: encode_pending(PendingOrders()) for seat in seats}
    for state_number, raw in enumerate(states):
        folder.commit(state_number, raw, no_orders, lambda: None)
