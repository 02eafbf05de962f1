"""Find and verify the newest state of a game's folder. Needs no secret.

The genesis is state 0, which names the first referee. A game's id is the hash of its genesis.

Not allowed here: a private key (keys.py); the contents of the desk; a slow import, since
`status` and `show` load this.
Laws: bytes are verified before they are parsed; the newest state decides, and game.toml is a copy of
it.
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


#: what to do if only game.toml cannot be read
COPY_HINT = "it is a copy of the newest state: if that is states/{0:04d}.toml, delete game.toml"


class NewestState(NamedTuple):
    """The newest verified state of a folder."""

    raw: bytes
    record: StateRecord


def trusted_key(folder: GameFolder, home: Home) -> bytes:
    """Return a public key of this game's referee: ours if it signed game.toml, else that of the genesis.

    The genesis needs no other proof, because the game's id is its hash (P1).
    """
    if home.read_key("acting") is not None:
        public_key = own_public_key(home)
        raw = folder.read_newest() or b""
        if f'key = "{key_id(public_key)}"'.encode() in raw[-160:]:  # the signature is at the end
            return public_key
    return genesis_key(folder)


def genesis_key(folder: GameFolder) -> bytes:
    """Return the key that the genesis names as acting, and that signed it. Raises BadInput if it is missing."""
    raw = folder.read_state(0)
    if raw is None:
        why = "states/0000.toml is not here, so nobody can know whose game this is"
        raise BadInput("state/no-genesis", why, "put it back, or run this where the referee's key is")
    with naming_file("states/0000.toml"):
        return signed_state.read_self_signed_record(raw, "states/0000.toml").referees[0].acting


def signer_key(folder: GameFolder, raw: bytes, public_key: bytes) -> bytes:
    """Return the key that must have signed this state: ``public_key``, or that of another referee.

    The genesis names the first referee, and each referee appoints the next one.
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
    """Read the newest state: the highest one in states/, or game.toml if that is newer. BadInput or
    Refused if there is no state, if one is not genuine, or if states contradict each other.
    """
    numbers = folder.list_state_numbers()
    game_file = folder.read_newest()
    if not numbers and game_file is None:
        raise no_game_error(folder)
    states = [_read_saved(folder, numbers[-1], public_key)] if numbers else []
    if game_file is not None and game_file not in [state.raw for state in states]:
        with naming_file("game.toml", COPY_HINT.format(states[0].record.n) if states else ""):
            states.append(_verify(folder, game_file, public_key, "game.toml"))
        # it may be older or newer than states/, but not a different state of the same number
        n = states[-1].record.n
        if folder.read_state(n) not in (None, game_file):
            why = f"game.toml and states/ have different states {n}"
            hint = "see with `pbem verify` which belongs to the game, and remove the other"
            raise Refused("game/two-histories", why, hint)
    _refuse_mixed_games(folder, states)
    return max(states, key=lambda state: state.record.n)


def _read_saved(folder: GameFolder, n: int, public_key: bytes) -> NewestState:
    """Read state ``n`` in states/. Raises Refused ``state/number`` if it has another number."""
    name = f"states/{n:04d}.toml"
    with naming_file(name):
        state = _verify(folder, folder.read_state(n) or b"", public_key, name)
    if state.record.n != n:
        why = f"{name} is state {state.record.n} of a game, not {n}"
        raise Refused("state/number", why, "put each state back under its own number")
    return state


def _verify(folder: GameFolder, raw: bytes, public_key: bytes, name: str) -> NewestState:
    """Verify a state's signature, then parse it. ``name``: its file, for an error."""
    record = signed_state.read_verified_record(raw, signer_key(folder, raw, public_key), name)
    # a genesis cannot name its own game id, which is its hash
    return NewestState(raw, record if record.n else record._replace(game=game_id(raw)))


def _refuse_mixed_games(folder: GameFolder, states: list[NewestState]) -> None:
    """Raise Refused ``game/mixed`` if these states or the genesis are of different games."""
    game_ids = {state.record.game for state in states}
    genesis_data = folder.read_state(0)
    if genesis_data is not None:
        game_ids.add(game_id(genesis_data))
    if len(game_ids) > 1:
        why = f"{folder.root} holds states of two games, or states/0000.toml was changed"
        raise Refused("game/mixed", why, "see which with `pbem verify`, and put each game in a folder of its own")


def refuse_no_game(path: Path) -> None:
    """Raise BadInput if there is no game in this folder."""
    refuse_no_folder(path)
    if not GameFolder(path).is_game():
        raise no_game_error(GameFolder(path))


def no_game_error(folder: GameFolder) -> BadInput:
    """Make the error that says why a folder without states is not a game."""
    if stat_or_none(folder.root / "desk"):
        return BadInput(
            "game/no-states",
            f"{folder.root} has a private folder (desk/) but no state. "
            "Opening the game was interrupted, or its states are lost",
            "if it was just being opened, delete the folder and run `pbem new` again; else put game.toml back",
        )
    folders, _ = find_games(folder.root)
    if folders:
        why = f"{folder.root} is a folder of games, not a game"
        return BadInput("game/none", why, f"name one of them, such as {folders[0].root}")
    why = f"there is no game in {folder.root}"
    return BadInput("game/none", why, "name the folder of a game; `pbem status` lists them")


def find_seat(record: StateRecord, text: str, *others: str) -> str:
    """Return the seat with this colour or player name, or one of ``others``. Raises BadInput ``players/seat``."""
    return find_seat_by_name({person.seat: person.name for person in record.people}, text, *others)


def game_of(record: StateRecord) -> "Game":
    """Return the rules of this game. Raises Refused if this pbem does not have them."""
    kind, rulings, version = record.setup[:3]
    return catalog.load_with_rules(kind, rulings, f"pip install {catalog.distribution(kind)[0]}=={version}")


def not_dealt_error(record: StateRecord) -> Refused:
    """Make the error for something that needs a dealt game."""
    if record.phase == CLOSED:
        return Refused("game/given-up", "this round was cancelled before its deal", "pbem new NEW --after DIR")
    hint = "`pbem status` says whose answer is missing; when it is there, type `pbem resolve`"
    return Refused("game/not-dealt", "this game is not dealt yet", hint)


def spectators_view(record: StateRecord) -> tuple["Game", object]:
    """Return the rules of the game, and what everybody may see of the state."""
    game = game_of(record)
    return game, decode_public_view(game, record)
