"""Half an action that waits: whether the turn goes on after it, and from where.

What must never be here: a look at the State; another seat's hand.
Source: docs/decisions/0022-faces.md; docs/NOTATION.md "A mail or move file".
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.optional_parts import too_many
from pbem.moderator.turn.hand import MOST, NOW, Hand, Part

if TYPE_CHECKING:
    from pbem.engine.game import Game


class Half(NamedTuple):
    """A turn that goes on."""

    view: Any  #: of its seat, as far as it can tell
    known: bool  #: else it is the View before an order after which it cannot tell
    most: int  #: how many orders may come yet; more than any turn has where the View tells it


def half_way(game: "Game", view: Any, hand: Hand) -> Half | None:
    """How the turn goes on after what waits for now; None where that is whole, or was signed.

    After a draw nobody can tell: then an example, which is a whole answer, has so many orders.
    """
    waits = next((part for part in hand.parts if part.name == NOW), Part(NOW, ()))
    turn = game.turn(view)
    if not waits.rows or waits.turn != turn or any(kept.sig for kept in waits.rows):
        return None
    lines = [kept.line for kept in waits.rows]
    if too_many(game, view, [*lines, lines[-1]]):  # one more of any kind
        return None
    for at, kept in enumerate(waits.rows):
        if not game.legal(view) or game.turn(view) != turn or game.check(view, kept.line):
            return None
        known = game.foresee(view, kept.line)
        if known is None:
            asked = game.ask(view)
            most = len(asked.example) - len(waits.rows[at:]) if asked else 0
            return Half(view, False, most) if most > 0 else None
        view = known
    return Half(view, True, MOST) if game.legal(view) and game.turn(view) == turn else None
