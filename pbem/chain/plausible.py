"""The one door through which a position is read: is it one that its game could be in?

What must never be here: a secret, a rule of a game, a file.
Law: whatever a game raises, a plug-in's too, over a position that somebody signed, is bad input
that names the state. What is told of a position is asked here once, so that no command finds out
half way. Source: docs/decisions/0012; docs/DESIGN.md P11.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pbem.chain.rows import GET_AGAIN_HINT
from pbem.chain.state_record import StateRecord, config_of
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.engine.game import Game


def decode_public_view(game: "Game", record: StateRecord) -> Any:
    """What everybody sees of a state; BadInput ``position/unreadable``."""
    with _position_errors(record):
        view = game.watch(config_of(record), record.position)
        _exercise_view(game, record, view)
    return view


def decode_state(game: "Game", record: StateRecord, values: Mapping[str, str], events_only: bool = False) -> Any:
    """The State of a link, from what is hidden in it by slot; BadInput ``position/unreadable``.

    ``events_only``: of an older state nothing but its events is told.
    """
    with _position_errors(record):
        state = game.decode(config_of(record), record.position, values)
        if game.encode(state).public != record.position:
            raise ValueError("position")
        for seat in (None, *record.setup.seats):
            _exercise_view(game, record, game.view(state, seat), events_only)
    return state


def check_config(game: "Game", record: StateRecord) -> "Game":
    """The game, for a link whose seats and options are as it settles them; else BadInput."""
    config = config_of(record)
    with _position_errors(record):
        if game.configure(config.seats, dict(config.options), config.rulings) != config:
            raise ValueError("options")
    return game


def _exercise_view(game: "Game", record: StateRecord, view: Any, events_only: bool = False) -> None:
    """All that a command or a report asks of a View."""
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
    """Its type, never its value: that may be somebody's hidden card."""
    cause = error.__cause__ if isinstance(error, BadInput) else error
    return type(cause or error).__name__
