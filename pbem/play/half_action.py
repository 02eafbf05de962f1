"""Half an action that waits: whether the turn goes on after it, and from where; and what that waits
answers in between.

What must never be here: a look at the State; another seat's hand.
Source: docs/decisions/0022-faces.md; docs/NOTATION.md "A mail or move file".
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.optional_parts import too_many
from pbem.play.pending_orders import MOST, NOW, Hand, Part

if TYPE_CHECKING:
    from pbem.engine.game import Game


Waiting = tuple[str, str]  #: the NAME that an order waits for; the order


class Half(NamedTuple):
    """A turn that goes on."""

    view: Any  #: of its seat, as far as it can tell
    known: bool  #: else it is the View before an order after which it cannot tell
    most: int  #: how many orders may come yet; more than any turn has where the View tells it


def half_way(game: "Game", view: Any, hand: Hand) -> Half | None:
    """How the turn goes on after what waits for now; None where that is whole.

    After a draw nobody can tell: then the game says how many orders are too many, or an example,
    which is a whole answer, has so many.
    """
    lines, turn, seen = for_now(game, view, hand), game.turn(view), view
    if not lines or too_many(game, view, [*lines, lines[-1]]):  # one more of any kind
        return None
    waits = waiting(hand)
    for at, line in enumerate(lines):
        there = past_waiting(game, seen, line, waits)
        if there is not None and (
            not game.legal(there) or game.turn(there) != turn or game.check(there, line)
        ):
            return None
        known = None if there is None else game.foresee(there, line)
        if known is None:
            asked = game.ask(seen)
            example = asked.example if asked else ()
            most = _room(game, view, lines, example)
            most = most if most < len(example) else len(example) - len(lines[at:])
            return Half(seen, False, most) if most > 0 else None
        seen = known
    seen = past_waiting(game, seen, "", waits)
    goes_on = seen is not None and game.legal(seen) and game.turn(seen) == turn
    return Half(seen, True, MOST) if goes_on else None


def waiting(hand: Hand) -> list[Waiting]:
    """What waits for a question about its NAME."""
    return [(part.when, kept.line) for part in hand.parts if part.when for kept in part.lines]


def past_waiting(game: "Game", view: Any, line: str, waits: Sequence[Waiting]) -> Any | None:
    """The View at which a line is looked at: what waits has answered each question before that the
    line does not fit, as far as it can. None where nobody can tell.
    """
    left = [*waits]
    while left and game.legal(view) and not game.fits(view, line):
        one = next((x for x in left if _answers(game, view, *x)), None)
        if one is None:
            break
        left.remove(one)
        view = game.foresee(view, game.complete(view, one[1]))
        if view is None:
            return None
    return view


def _answers(game: "Game", view: Any, when: str, line: str) -> bool:
    """Whether it is used for the question now put to the View's seat."""
    fits = game.concerns(view, when) and game.fits(view, line)
    return fits and game.check(view, game.complete(view, line)) is None


def _room(game: "Game", view: Any, lines: list[str], example: tuple[str, ...]) -> int:
    """How often the last order of an example has room in the turn besides; at most as many times as
    the example has orders.
    """
    more = ([*lines, *example[-1:] * n] for n, _ in enumerate(example, 1))
    return sum(not too_many(game, view, orders) for orders in more)


def for_now(game: "Game", view: Any, hand: Hand) -> list[str]:
    """The orders that answer what a seat is asked in this turn; none where it is not asked."""
    waits = next((part for part in hand.parts if part.name == NOW), Part(NOW, ()))
    there = waits.turn == game.turn(view) and game.legal(view)
    return [kept.line for kept in waits.rows] if there else []
