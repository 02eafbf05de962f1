"""What any command needs of a game's folder, without its secrets: the newest genuine state.

What lives here: newest, trusted_key, spectators_view. What must never be here: a key (keys.py), the
desk's contents, a heavy import (status and show have nothing else to load).
Laws: bytes are verified before anything else; the newest state decides, game.toml is a copy of it.
Source: docs/DESIGN.md "One game's folder"; docs/SPECIFICATION.md section 5; P1, P12.
"""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem import catalog
from pbem.chain import signed_state
from pbem.chain.loaded_game import decode_public_view
from pbem.chain.names import find_seat_by_name
from pbem.chain.referees import keys_in_force
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.crypto.encoding import game_id
from pbem.crypto.signing import key_id
from pbem.disk.folder import GameFolder
from pbem.disk.games import find_games, refuse_no_folder
from pbem.disk.home import Home
from pbem.disk.system import stat_or_none
from pbem.errors import BadInput, Refused, naming_file
from pbem.formats import state_file
from pbem.services.session.keys import own_public_key

if TYPE_CHECKING:
    from pbem.engine.game import Game


#: the way out where game.toml alone cannot be read
COPY_HINT = "it is a copy of the newest state: if that is states/{0:04d}.toml, delete game.toml"


class NewestState(NamedTuple):
    """The newest genuine state of a folder."""

    raw: bytes
    record: StateRecord


def trusted_key(folder: GameFolder, home: Home) -> bytes:
    """The public key that signs this game: our own, or the one its genesis names.

    A genesis vouches for itself: whoever knows the game's id knows the genesis (P1).
    """
    data = home.read_key("acting")
    if data is not None:
        public_key = own_public_key(home)
        raw = folder.read_newest() or b""
        if f'key = "{key_id(public_key)}"'.encode() in raw[-160:]:
            return public_key
    return genesis_key(folder)


def genesis_key(folder: GameFolder) -> bytes:
    """The acting key in the genesis of this folder, whose signature is checked with it."""
    raw = folder.read_state(0)
    if raw is None:
        why = "states/0000.toml is not here, so nobody can tell whose game this is"
        hint = "put it back, or run this where the referee's key is"
        raise BadInput("state/no-genesis", why, hint)
    with naming_file("states/0000.toml"):
        return signed_state.read_self_signed_record(raw, "states/0000.toml").referees[0].acting


def signer_key(folder: GameFolder, raw: bytes, public_key: bytes) -> bytes:
    """Whose signature this state needs: ``public_key``, or who came before or after him as referee.

    Only a referee of this very game can appoint another, and the genesis says who was the first.
    """
    if state_file.split(raw).key == key_id(public_key):
        return public_key
    genesis_data = folder.read_state(0)
    if genesis_data is None:
        return public_key
    with naming_file("states/0000.toml"):
        genesis = signed_state.read_self_signed_record(genesis_data, "states/0000.toml")
    referees = signed_state.read_succession(raw, genesis.referees[0], game_id(genesis_data))
    if not any(public_key in (row.acting, row.recovery) for row in referees):
        return public_key
    return keys_in_force(referees, signed_state.claimed_state_number(raw)).acting


def read_newest(folder: GameFolder, public_key: bytes) -> NewestState:
    """The newest state: the highest in states/, or game.toml where that is all there is."""
    numbers = folder.list_state_numbers()
    game_file = folder.read_newest()
    if not numbers and game_file is None:
        raise no_game_error(folder)
    states = []
    for n in numbers[-1:]:  # it must be what it says inside too
        raw, name = folder.read_state(n) or b"", f"states/{n:04d}.toml"
        with naming_file(name):
            states.append(
                NewestState(raw, signed_state.read_verified_record(raw, signer_key(folder, raw, public_key), name))
            )
        if states[0].record.n != n:
            why = f"{name} is state {states[0].record.n} of a game, not {n}"
            raise Refused("state/number", why, "put each state back under its own number")
    if game_file is not None and (not states or game_file != states[0].raw):
        with naming_file("game.toml", COPY_HINT.format(states[0].record.n) if states else ""):
            signed_by = signer_key(folder, game_file, public_key)
            states.append(NewestState(game_file, signed_state.read_verified_record(game_file, signed_by, "game.toml")))
        # it may be older or newer than states/, but not another state of the same number
        n = states[-1].record.n
        if folder.read_state(n) not in (None, game_file):
            why = f"game.toml and states/ have different states {n}"
            hint = "see with `pbem verify` which belongs to the game, and take the other away"
            raise Refused("game/two-histories", why, hint)
    # a genesis does not say its game, which is its own hash: here it does, like every state
    states = [
        state if state.record.n else NewestState(state.raw, state.record._replace(game=game_id(state.raw)))
        for state in states
    ]
    game_ids, genesis_data = {state.record.game for state in states}, folder.read_state(0)
    if len(game_ids | {game_id(genesis_data)} if genesis_data is not None else game_ids) > 1:
        why = f"{folder.root} holds states of two games, or states/0000.toml was changed"
        hint = "see which with `pbem verify`, and put each game in a folder of its own"
        raise Refused("game/mixed", why, hint)
    return max(states, key=lambda state: state.record.n)


def refuse_no_game(path: Path) -> None:
    """Raises BadInput where no game lies."""
    refuse_no_folder(path)
    if not GameFolder(path).is_game():
        raise no_game_error(GameFolder(path))


def no_game_error(folder: GameFolder) -> BadInput:
    """What is wrong with a folder in which no state lies."""
    if stat_or_none(folder.root / "desk"):
        return BadInput(
            "game/no-states",
            f"{folder.root} has a private folder (desk/) but no state. Opening the game was interrupted, or its states are lost",
            "if it was just being opened, delete the folder and run `pbem new` again; else put game.toml back",
        )
    if folders := find_games(folder.root)[0]:
        why = f"{folder.root} is a folder of games, not a game"
        return BadInput("game/none", why, f"name one of them, such as {folders[0].root}")
    why = f"there is no game in {folder.root}"
    return BadInput("game/none", why, "name the folder of a game; `pbem status` lists them")


def find_seat(record: StateRecord, text: str, *others: str) -> str:
    """The seat that is meant by its colour or by its player's name; or one of ``others``.

    BadInput ``players/seat``. For whoever may read the game.
    """
    return find_seat_by_name({person.seat: person.name for person in record.people}, text, *others)


def game_of(record: StateRecord) -> "Game":
    """The rules this game is played by; Refused where this pbem does not have them."""
    kind, rulings, version = record.setup[:3]
    hint = f"pip install {catalog.distribution(kind)[0]}=={version}"
    return catalog.load_with_rules(kind, rulings, hint)


def not_dealt_error(record: StateRecord) -> Refused:
    """What needs a position is not there yet, or never will be."""
    if record.phase == CLOSED:
        why = "this round was cancelled before its deal"
        return Refused("game/given-up", why, "pbem new NEW --after DIR")
    hint = "`pbem status` says whose answer is missing; when it is there, type `pbem resolve`"
    return Refused("game/not-dealt", "this game is not dealt yet", hint)


def spectators_view(record: StateRecord) -> tuple["Game", object]:
    """The game and what everybody sees of it, without any secret."""
    game = game_of(record)
    return game, decode_public_view(game, record)
