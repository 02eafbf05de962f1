"""A game at one of its signed states: loading it, and checking that its position is possible.

Not allowed here: files, pending orders, reports, a rule of a game.
Laws: bytes are verified before they are parsed. Whatever a game (or a plug-in) raises about a
position becomes BadInput that names the state. Decoding also exercises what commands ask of a
position, so that no command fails half-way.
Source: docs/SPECIFICATION.md sections 5 and 7 to 9; docs/decisions/0012; docs/DESIGN.md P11.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.rows import GET_AGAIN_HINT
from pbem.chain.seals import Seals
from pbem.chain.signed_state import read_verified_record, state_hash_of
from pbem.chain.state_record import StateRecord, config_of
from pbem.crypto.encoding import unb64
from pbem.engine.settings import Config
from pbem.errors import BadInput, OurFault

if TYPE_CHECKING:
    from pbem.engine.game import Game


class LoadedGame(NamedTuple):
    """A game at its newest state. It holds every secret and never leaves the moderator."""

    game: "Game"
    record: StateRecord
    state_hash: bytes
    config: Config
    state: Any

    @property
    def game_id(self) -> str:
        return self.record.game

    def next_seals(self, secret: bytes) -> Seals:
        """Return the seals of the state after this one."""
        return Seals(secret, self.game_id, self.record.n + 1, self.state_hash)

    def player_name(self, seat: str) -> str:
        return self.record.player(seat).name

    @property
    def player_names(self) -> dict[str, str]:
        """The players' names by seat."""
        return {seat: self.player_name(seat) for seat in self.config.seats}

    def answered_count(self, seat: str) -> int:
        """Return how many questions the seat, or pbem for it, has answered."""
        return dict(self.record.answer_counts).get(seat, 0)


def load_game(raw: bytes, public_key: bytes, secret: bytes, game: "Game") -> LoadedGame:
    """Verify, parse, open and decode a state from the deal on. Raises what ``read_verified_record``
    raises. Raises BadInput ``token/…`` or ``position/…`` where the secret belongs to another game
    or the state contradicts itself.
    """
    record = read_verified_record(raw, public_key)
    if not record.is_dealt:
        message = f"state {record.n} is from before the deal"
        raise BadInput("state/not-dealt", message, "a game begins with state 2")
    seals = Seals(secret, record.game, record.n, unb64(record.previous_hash, 32))
    return open_record(record, state_hash_of(raw), seals, game)


def open_record(
    record: StateRecord, state_hash: bytes, seals: Seals, game: "Game", events_only: bool = False
) -> LoadedGame:
    """Open the tokens of a record and decode its State; ``events_only`` as in ``decode_state``."""
    values = {sealed.slot: seals.open(sealed.slot, sealed.token) for sealed in record.sealed_values}
    # The game knows only its own slots: give the value of a replacement to the slot it replaces.
    values |= {slot: values[replacement] for slot, replacement in record.replaced_slots if replacement in values}
    return LoadedGame(game, record, state_hash, config_of(record), decode_state(game, record, values, events_only))


def check_decodes(record: StateRecord, state: Any, seals: Seals, game: "Game") -> None:
    """Raise OurFault unless the record decodes to this very State."""
    if open_record(record, b"", seals, game).state != state:
        message = "the new state does not decode to what was played"
        raise OurFault("state/decode", message, "report this")


def hidden_values(game: "Game", state: Any) -> dict[str, str]:
    """Return every hidden value of a State by slot; only the moderator may see them."""
    return {slot: hidden_value.for_sealing() for slot, hidden_value in game.encode(state).hidden.items()}


def decode_public_view(game: "Game", record: StateRecord) -> Any:
    """Return the View of a state that everybody may see; BadInput ``position/unreadable``."""
    with _position_errors(record):
        view = game.watch(config_of(record), record.position)
        _exercise_view(game, record, view)
    return view


def decode_state(game: "Game", record: StateRecord, values: Mapping[str, str], events_only: bool = False) -> Any:
    """Return the State of a record, given its hidden values by slot. ``events_only`` checks only
    that the events can be shown. Raises BadInput ``position/unreadable``.
    """
    with _position_errors(record):
        state = game.decode(config_of(record), record.position, values)
        if game.encode(state).public != record.position:
            raise ValueError("position")
        for seat in (None, *record.setup.seats):
            _exercise_view(game, record, game.view(state, seat), events_only)
    return state


def check_config(game: "Game", record: StateRecord) -> "Game":
    """Return the game; BadInput where it does not allow the seats and options of the record."""
    config = config_of(record)
    with _position_errors(record):
        if game.configure(config.seats, dict(config.options), config.rulings) != config:
            raise ValueError("options")
    return game


def _exercise_view(game: "Game", record: StateRecord, view: Any, events_only: bool = False) -> None:
    """Call everything that a command or a report asks of a View."""
    if not events_only:
        game.board_text(game.describe(view))
        game.scores(view)
        if game.outcome(view) is None:
            game.questions(view)
            game.ask(view)
    for event in record.events:
        game.event_row(event, view)


@contextmanager
def _position_errors(record: StateRecord) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        message = f"what state {record.n} has is not a position of {record.setup.kind}"
        raise BadInput("position/unreadable", f"{message} ({_error_type(error)})", GET_AGAIN_HINT) from error


def _error_type(error: Exception) -> str:
    """Return the type of an error, never its text: that may quote a hidden card."""
    cause = error.__cause__ if isinstance(error, BadInput) else error
    return type(cause or error).__name__
