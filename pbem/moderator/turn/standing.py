"""The standing as a View may show it: points, or what a game shows in their place.

What lives here: ``standing``, for reports and for what the referee's commands print. What must
never be here: a rule of one game.
Source: ``Game.describe``, ``Game.scores``; GW-33.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pbem.engine.game import Game


class Standing(NamedTuple):
    """What the standing says of one seat."""

    seat: str
    text: str  #: the points, or what is shown in their place
    points: int | None  #: None where the points are not shown


def standings(game: "Game", view: Any) -> tuple[Standing, ...]:
    """A row for each seat, in turn order. Whoever may have the View may see it."""
    instead = game.describe(view).get("standing", {})
    return tuple(
        Standing(seat, instead[seat], None)
        if seat in instead
        else Standing(seat, str(points), points)
        for seat, points in game.scores(view)
    )
