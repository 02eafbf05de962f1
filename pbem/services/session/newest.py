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
from pbem.chain.names import seat_among
from pbem.chain.plausible import watched
from pbem.chain.referees import in_force
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.crypto.encoding import game_id
from pbem.crypto.signing import key_id
from pbem.disk.folder import GameFolder
from pbem.disk.games import find_games, refuse_no_folder
from pbem.disk.home import Home
from pbem.disk.system import look
from pbem.errors import BadInput, Refused, naming
from pbem.formats import state_file
from pbem.services.session.keys import own_public

if TYPE_CHECKING:
    from pbem.engine.game import Game


#: the way out where game.toml alone cannot be read
COPY = "it is a copy of the newest state: if that is states/{0:04d}.toml, delete game.toml"


class Newest(NamedTuple):
    """The newest genuine state of a folder."""

    raw: bytes
    link: StateRecord


def trusted_key(folder: GameFolder, place: Home) -> bytes:
    """The public key that signs this game: our own, or the one its genesis names.

    A genesis vouches for itself: whoever knows the game's id knows the genesis (P1).
    """
    data = place.read_key("acting")
    if data is not None:
        public = own_public(place)
        raw = folder.newest_file() or b""
        if f'key = "{key_id(public)}"'.encode() in raw[-160:]:
            return public
    return genesis_key(folder)


def genesis_key(folder: GameFolder) -> bytes:
    """The acting key in the genesis of this folder, whose signature is checked with it."""
    raw = folder.state(0)
    if raw is None:
        why = "states/0000.toml is not here, so nobody can tell whose game this is"
        way = "put it back, or run this where the referee's key is"
        raise BadInput("state/no-genesis", why, way)
    with naming("states/0000.toml"):
        return signed_state.self_signed_link(raw, "states/0000.toml").referees[0].acting


def signer(folder: GameFolder, raw: bytes, public: bytes) -> bytes:
    """Whose signature this state needs: ``public``, or who came before or after him as referee.

    Only a referee of this very game can appoint another, and the genesis says who was the first.
    """
    if state_file.split(raw).key == key_id(public):
        return public
    first = folder.state(0)
    if first is None:
        return public
    with naming("states/0000.toml"):
        genesis = signed_state.self_signed_link(first, "states/0000.toml")
    rows = signed_state.succession(raw, genesis.referees[0], game_id(first))
    if not any(public in (row.acting, row.recovery) for row in rows):
        return public
    return in_force(rows, signed_state.state_number(raw)).acting


def newest(folder: GameFolder, public: bytes) -> Newest:
    """The newest state: the highest in states/, or game.toml where that is all there is."""
    numbers = folder.numbers()
    copy = folder.newest_file()
    if not numbers and copy is None:
        raise no_game(folder)
    found = []
    for n in numbers[-1:]:  # it must be what it says inside too
        raw, name = folder.state(n) or b"", f"states/{n:04d}.toml"
        with naming(name):
            found.append(
                Newest(raw, signed_state.genuine_link(raw, signer(folder, raw, public), name))
            )
        if found[0].link.n != n:
            why = f"{name} is state {found[0].link.n} of a game, not {n}"
            raise Refused("state/number", why, "put each state back under its own number")
    if copy is not None and (not found or copy != found[0].raw):
        with naming("game.toml", COPY.format(found[0].link.n) if found else ""):
            signed_by = signer(folder, copy, public)
            found.append(Newest(copy, signed_state.genuine_link(copy, signed_by, "game.toml")))
        # it may be older or newer than states/, but not another state of the same number
        n = found[-1].link.n
        if folder.state(n) not in (None, copy):
            why = f"game.toml and states/ have different states {n}"
            way = "see with `pbem verify` which belongs to the game, and take the other away"
            raise Refused("game/two-histories", why, way)
    # a genesis does not say its game, which is its own hash: here it does, like every state
    found = [
        state if state.link.n else Newest(state.raw, state.link._replace(game=game_id(state.raw)))
        for state in found
    ]
    games, first = {state.link.game for state in found}, folder.state(0)
    if len(games | {game_id(first)} if first is not None else games) > 1:
        why = f"{folder.root} holds states of two games, or states/0000.toml was changed"
        way = "see which with `pbem verify`, and put each game in a folder of its own"
        raise Refused("game/mixed", why, way)
    return max(found, key=lambda state: state.link.n)


def refuse_no_game(path: Path) -> None:
    """Raises BadInput where no game lies."""
    refuse_no_folder(path)
    if not GameFolder(path).is_game():
        raise no_game(GameFolder(path))


def no_game(folder: GameFolder) -> BadInput:
    """What is wrong with a folder in which no state lies."""
    if look(folder.root / "desk"):
        return BadInput(
            "game/no-states",
            f"{folder.root} has a desk and no state: opening the game was cut short, or its states "
            "are lost",
            "if it was just being opened, delete the folder and run `pbem new` again; else put "
            "game.toml back",
        )
    if games := find_games(folder.root)[0]:
        why = f"{folder.root} is a folder of games, not a game"
        return BadInput("game/none", why, f"name one of them, such as {games[0].root}")
    why = f"there is no game in {folder.root}"
    return BadInput("game/none", why, "name the folder of a game; `pbem status` lists them")


def seat_of(record: StateRecord, given: str, *others: str) -> str:
    """The seat that is meant by its colour or by its player's name; or one of ``others``.

    BadInput ``players/seat``. For whoever may read the game.
    """
    return seat_among({one.seat: one.name for one in record.people}, given, *others)


def playing(record: StateRecord) -> "Game":
    """The rules this game is played by; Refused where this pbem does not have them."""
    kind, rulings, version = record.setup[:3]
    hint = f"pip install {catalog.distribution(kind)[0]}=={version}"
    return catalog.playing(kind, rulings, hint)


def not_dealt(record: StateRecord) -> Refused:
    """What needs a position is not there yet, or never will be."""
    if record.phase == CLOSED:
        why = "this round was cancelled before its deal"
        return Refused("game/given-up", why, "pbem new NEW --after DIR")
    way = "`pbem status` says whose answer is missing; when it is there, type `pbem resolve`"
    return Refused("game/not-dealt", "this game is not dealt yet", way)


def spectators_view(record: StateRecord) -> tuple["Game", object]:
    """The game and what everybody sees of it, without any secret."""
    game = playing(record)
    return game, watched(game, record)
