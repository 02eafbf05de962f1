"""The one door through which a position is read: is it one that its game could be in?

What must never be here: a secret, a rule of a game, a file.
Law: whatever a game raises, a plug-in's too, over a position that somebody signed, is bad input
that names the state. What is told of a position is asked here once, so that no command finds out
half way. Source: docs/decisions/0012; docs/DESIGN.md P11.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pbem.chain.rows import AGAIN
from pbem.chain.state_record import StateRecord, config_of
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.engine.game import Game


def watched(game: "Game", record: StateRecord) -> Any:
    """What everybody sees of a state; BadInput ``position/unreadable``."""
    with _position_of(record):
        view = game.watch(config_of(record), record.position)
        _tell(game, record, view)
    return view


def decoded(
    game: "Game", record: StateRecord, values: Mapping[str, str], past: bool = False
) -> Any:
    """The State of a link, from what is hidden in it by slot; BadInput ``position/unreadable``.

    ``past``: of an older state nothing but its events is told.
    """
    with _position_of(record):
        state = game.decode(config_of(record), record.position, values)
        if game.encode(state).public != record.position:
            raise ValueError("position")
        for seat in (None, *record.setup.seats):
            _tell(game, record, game.view(state, seat), past)
    return state


def settled(game: "Game", record: StateRecord) -> "Game":
    """The game, for a link whose seats and options are as it settles them; else BadInput."""
    config = config_of(record)
    with _position_of(record):
        if game.configure(config.seats, dict(config.options), config.rulings) != config:
            raise ValueError("options")
    return game


def _tell(game: "Game", record: StateRecord, view: Any, past: bool = False) -> None:
    """All that a command or a report asks of a View."""
    if not past:
        game.board_text(game.describe(view))
        game.scores(view)
        if game.outcome(view) is None:
            game.questions(view)
            game.ask(view)
    for event in record.events:
        game.event_row(event, view)


@contextmanager
def _position_of(record: StateRecord) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        why = f"what state {record.n} has is not a position of {record.setup.kind}"
        raise BadInput("position/unreadable", f"{why} ({_kind(error)})", AGAIN) from error


def _kind(error: Exception) -> str:
    """Its type, never its value: that may be somebody's hidden card."""
    found = error.__cause__ if isinstance(error, BadInput) else error
    return type(found or error).__name__
