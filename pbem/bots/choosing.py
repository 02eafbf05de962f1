"""Which of its legal orders a bot gives, from its View alone.

What lives here: ``at_random``, ``sensibly``, and their names. What must never be here: a rule of
one game, mail, the true State.
Law: the same View and the same chance give the same order.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: a number from 0 to ``bound`` - 1, each as likely
Below = Callable[[int], int]
#: (game, a seat, its View, chance) to one of the seat's legal orders
Choose = Callable[["Game", str, Any, Below], str]

GUESSES = 2  # States that each order is tried in
AHEAD = 2  # orders of the same turn looked ahead
MOST = 80  # orders tried; of more than that, as many drawn at random


def at_random(game: "Game", seat: str, view: Any, below: Below) -> str:  # noqa: ARG001
    """Any legal order, each as likely."""
    lines = game.legal(view)
    return lines[below(len(lines))]


def sensibly(game: "Game", seat: str, view: Any, below: Below) -> str:
    """The order after which the seat's prospects are best, over a few guessed States.

    It looks to the end of its own turn and no further: what comes next is others' business.
    """
    lines = _some(game.legal(view), below)
    if len(lines) == 1:
        return lines[0]
    states = [game.guess(view, below) for _ in range(GUESSES)]
    turn = game.turn(view)
    worth = [
        (sum(_worth(game, state, seat, line, turn, below) for state in states), -number)
        for number, line in enumerate(lines)
    ]
    return lines[-max(worth)[1]]


def _worth(
    game: "Game", state: Any, seat: str, line: str, turn: int, below: Below, ahead: int = AHEAD
) -> int:
    """The seat's prospects after an order, and after the best that it may add in the same turn."""
    after = game.apply(state, seat, line, 0).state
    view = game.view(after, seat)
    worth = game.prospects(view)
    more = game.legal(view) if ahead > 1 and game.turn(view) == turn else ()
    tried = (
        _worth(game, after, seat, added, turn, below, ahead - 1) for added in _some(more, below, 12)
    )
    return max(tried, default=worth)


def _some(lines: tuple[str, ...], below: Below, most: int = MOST) -> tuple[str, ...]:
    """All of them, or as many as can be tried."""
    left = list(lines)
    while len(left) > most:
        left.pop(below(len(left)))
    return tuple(left)


NAMED: dict[str, Choose] = {"random": at_random, "sensible": sensibly}
